"""Bisections: against all halves of the nodes, formulas, lower bounds, and moves of vertices one by one."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network, Site, Timing, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.torus import Torus
from isoplane.models.topologies import graph
from isoplane.objectives.structure import bisection
from isoplane.objectives.structure.cuts.balanced_cut import PASSES, PATIENCE, even_cut, improve_cut
from isoplane.objectives.structure.cuts.cut_bounds import spectral_bound, traffic_bound
from isoplane.objectives.structure.cuts.partition_graph import PartitionGraph, partition_graph
from isoplane.objectives.structure.flows.capacity_graph import capacity_graph
from tests.assembled import assembled
from tests.cases import for_each
from tests.objectives.general.networks import random_network, random_rails
from tests.strategies import connected_edges

from .networks import edges_of, network_of, plane_of


def smallest_bisection(edges, nodes):
    """The fewest cables and links of nodes between halves of the nodes, over all sides of switches and nodes.

    At most one switch has nodes on the other side, at most half of its nodes.
    """
    switch_of = np.repeat(np.arange(len(nodes)), nodes)
    halves = [
        np.isin(np.arange(len(switch_of)), half) for half in combinations(range(len(switch_of)), len(switch_of) // 2)
    ]
    at_switch, best = switch_of[:, None] == np.arange(len(nodes)), np.inf
    for sides in product((False, True), repeat=len(nodes)):
        cables = sum(sides[a] != sides[b] for a, b in edges)
        away = (np.array(halves) != np.array(sides)[switch_of]).astype(int) @ at_switch
        allowed = ((away > 0).sum(axis=1) <= 1) & (2 * away <= nodes).all(axis=1)
        best = min([best, *(cables + away[allowed].sum(axis=1))])
    return best


def lost_capacity(network, found):
    """The cables between the sides of their switches, and the links of nodes on the other side than their switch."""
    total = 0
    for plane, side in zip(network.planes, found.switch_side, strict=True):
        total += sum(side[a] != side[b] for a, b in edges_of(plane.topology))
        if plane.node_cable_mm is not None:
            total += int((found.node_side[plane.node] != side[plane.node_switch]).sum())
    return total


def assert_halves(network, found):
    assert abs(2 * int(found.node_side.sum()) - network.nodes) <= network.nodes % 2
    assert (found.spectral or 0) <= found.lower <= found.cut
    assert found.metis is None or found.cut <= found.metis


@given(connected_edges(5), st.data())
@settings(deadline=None, max_examples=25)
def test_small_networks_have_the_smallest_cut_of_all_halves(edges, data):
    switches = max(max(edge) for edge in edges) + 1
    nodes = data.draw(st.lists(st.integers(0, 3), min_size=switches, max_size=switches))
    nodes[0] += 1
    nodes = [min(count, max(0, 8 - sum(nodes[:i]))) for i, count in enumerate(nodes)]
    network = network_of(edges, nodes)
    found = bisection(network)
    assert_halves(network, found)
    assert found.is_exact
    assert found.cut == smallest_bisection(edges, nodes) == lost_capacity(network, found)


@given(connected_edges(6), st.integers(1, 2))
@settings(deadline=None, max_examples=25)
def test_no_lower_bound_exceeds_the_smallest_cut(edges, nodes_per_switch):
    nodes = [nodes_per_switch] * (max(max(edge) for edge in edges) + 1)
    network = network_of(edges, nodes)
    capacities = capacity_graph(network)
    problem, smallest = partition_graph(network, capacities), smallest_bisection(edges, nodes)
    assert 0 < spectral_bound(problem) <= smallest
    assert 0 < traffic_bound(capacities, problem) <= smallest


@given(st.integers(2, 6), st.integers(1, 4))
@settings(deadline=None, max_examples=10)
def test_a_hypercube_is_bisected_by_one_dimension(n, nodes_per_switch):
    # Both planes have 2^n / 2 cables in a dimension.
    unit = tuple(1 << i for i in range(n))
    found = bisection(dual_cube(n, unit, nodes_per_switch=nodes_per_switch, layout=None))
    assert found.is_exact
    assert found.cut == 2**n
    assert found.share == Fraction(2, nodes_per_switch)


@for_each("shape", [(4,), (6,), (4, 3), (4, 4), (6, 4), (8, 3, 2), (4, 4, 4)])
def test_a_torus_is_bisected_across_its_longest_dimension_if_that_is_even(shape):
    found = bisection(Network(Torus(shape=shape), Site(layout=None)))
    assert found.is_exact
    assert found.cut == 2 * np.prod(shape) / max(shape)


def test_the_nodes_of_one_switch_are_divided_if_whole_switches_cannot_be_halved():
    # Three switches in a ring with two nodes each: two cables, and the link of one node.
    found = bisection(network_of([(0, 1), (1, 2), (2, 0)], [2, 2, 2]))
    assert (found.cut, int(found.node_side.sum())) == (3, 3)
    assert bisection(network_of([(0, 1)], [7, 0])).cut == 3


def test_capacities_are_those_of_the_reference_link():
    # A cable of four times the rate of a node, and one of half its rate, between two switches.
    plane = plane_of(graph([(0, 1), (0, 1)]), [3, 3])
    timing = Timing(rate_mbps=np.array([[400, 50]] * 2), node_rate_mbps=np.full(6, 100))
    network = assembled("pair", (replace(plane, timing=timing),))
    assert (bisection(network).cut, bisection(network).share) == (4.5, 1.5)


@for_each("seed", range(30))
def test_any_network_is_halved(seed):
    network = (random_network, random_rails)[seed % 2](seed)
    found = bisection(network, seed)
    assert_halves(network, found)
    if capacity_graph(network).unit == 1:
        assert found.cut >= lost_capacity(network, found)


@given(connected_edges(30), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=20)
def test_the_cut_of_metis_is_one_of_halves(edges, seed):
    # It is at least the best cut, the exact one of up to 20 switches. METIS divides three switches or more.
    random, switches = np.random.default_rng(seed), max(max(edge) for edge in edges) + 1
    network = network_of(edges, [1, *random.integers(0, 4, size=switches - 1).tolist()])
    found = bisection(network, seed)
    assert_halves(network, found)
    assert (found.metis is None) == (switches < 3)


def test_the_seed_decides_the_bisection():
    network = random_network(4)
    one, same = bisection(network, 7), bisection(network, 7)
    assert np.array_equal(one.node_side, same.node_side)
    assert (one.lower, one.cut) == (same.lower, same.cut)


def test_the_spectral_bound_holds_for_large_networks_with_few_eigenvalues():
    # A fat-tree of 720 switches: the smallest eigenvalue on the balanced vectors gives 4 cut >= eigenvalue * 720.
    network = Network(FatTree(switch_ports=24), Site(layout=None))
    laplacian, weight = np.zeros((720, 720)), np.bincount(network.planes[0].node_switch, minlength=720).astype(float)
    for a, b in edges_of(network.planes[0].topology):
        laplacian[[a, b], [a, b]] += 1
        laplacian[[a, b], [b, a]] -= 1
    balanced = laplacian + 48 * np.outer(weight, weight) / (weight @ weight)
    expected = np.linalg.eigvalsh(balanced)[0] * 720 / 4
    assert expected * (1 - 2e-3) <= spectral_bound(partition_graph(network, capacity_graph(network))) <= expected + 1


def reference_pass(edges, weight, node_cost, start, patience):
    """The first of the best balanced cuts of a pass; the start if there is none."""
    side, left = list(start), set(range(len(weight)))
    best, found, idle = cost_of(edges, weight, node_cost, side), list(start), 0
    while idle < patience or best is None:
        excess = 2 * sum(w for w, s in zip(weight, side, strict=True) if s) - sum(weight)
        tops = []
        for s in (False, True):
            tops += sorted((-gain(edges, side, v), v) for v in left if side[v] == s)[:1]
        after = {v: excess + (-2 if side[v] else 2) * weight[v] for _, v in tops}
        room = max(2 * max(weight), abs(excess) - 1)
        vertex = next((v for _, v in sorted(tops) if not weight[v] or abs(after[v]) <= room), None)
        if vertex is None:
            break
        left.remove(vertex)
        side[vertex], idle = not side[vertex], idle + 1
        cost = cost_of(edges, weight, node_cost, side)
        if cost is not None and (best is None or cost < best):
            best, found, idle = cost, list(side), 0
    return found


def gain(edges, side, vertex):
    return sum(cost if side[a] != side[b] else -cost for a, b, cost in edges if vertex in (a, b))


def cost_of(edges, weight, node_cost, side):
    """The cost of a cut with that of the fewest nodes of one vertex of the heavy side that balance it, or None."""
    cut = sum(cost for a, b, cost in edges if side[a] != side[b])
    on = [sum(w for w, s in zip(weight, side, strict=True) if s == each) for each in (False, True)]
    moved = max(on) - (sum(on) + 1) // 2
    if moved <= 0:
        return cut
    heavy = on[1] > on[0]
    able = [c for w, c, s in zip(weight, node_cost, side, strict=True) if s == heavy and w >= 2 * moved]
    return cut + moved * min(able) if able else None


@st.composite
def problems(draw):
    vertices = draw(st.integers(2, 9))
    costs = draw(st.lists(st.integers(0, 4), min_size=vertices**2, max_size=vertices**2))
    edges = [(a, b, costs[a * vertices + b]) for b in range(vertices) for a in range(b) if costs[a * vertices + b]]
    lists = [draw(st.lists(st.integers(0, 5), min_size=vertices, max_size=vertices)) for _ in range(2)]
    start = draw(st.lists(st.booleans(), min_size=vertices, max_size=vertices))
    return edges, *lists, start


def partition_graph_of(edges, weight, node_cost):
    tail, head, cost = (np.array([edge[i] for edge in edges], dtype=np.int64) for i in range(3))
    each = [np.array(values, dtype=np.int64) for values in (weight, node_cost)]
    return PartitionGraph(each[0], tail, head, cost, each[1], np.arange(len(weight)), True)


@given(problems())
@settings(deadline=None, max_examples=200)
def test_cuts_are_those_of_a_pass_that_looks_at_all_vertices(problem):
    edges, weight, node_cost, start = problem
    graph, improved = partition_graph_of(edges, weight, node_cost), list(start)
    for _ in range(PASSES):
        before = cost_of(edges, weight, node_cost, improved)
        improved = reference_pass(edges, weight, node_cost, improved, PATIENCE)
        after = cost_of(edges, weight, node_cost, improved)
        if after is None or (before is not None and after >= before):
            break
    assert improve_cut(graph, np.array(start)).tolist() == improved
    is_even = cost_of(edges, weight, node_cost, start) is not None
    even = start if is_even else reference_pass(edges, weight, node_cost, start, 0)
    assert even_cut(graph, np.array(start)).tolist() == even
