"""Exact concurrent flows of symmetric networks: both sides recomputed, against formulas and the general solver."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network, Site, Timing, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.models.mathematics.automorphisms import automorphisms, orbits
from isoplane.objectives.reference.concurrent_flow import verified_bound, verified_flow
from isoplane.objectives.structure import flow_problem, max_concurrent_flow, symmetric_flow
from isoplane.objectives.structure.flows.capacity_graph import capacity_graph
from isoplane.objectives.structure.flows.graph_symmetry import graph_symmetry
from tests.assembled import assembled
from tests.cases import for_each
from tests.models.shortest_path_program import random_regular
from tests.strategies import random_basis

from .networks import edges_of, network_of

NO_LAYOUT = Site(layout=None)
NETWORKS = {
    "torus": lambda: Network(Torus(shape=(6, 4, 3)), NO_LAYOUT),
    "hyperx": lambda: Network(HyperX(shape=(4, 3)), NO_LAYOUT),
    "slim fly": lambda: Network(SlimFly(q=5), NO_LAYOUT),
    "polar fly": lambda: Network(PolarFly(q=5), NO_LAYOUT),
    "fat tree": lambda: Network(FatTree(switch_ports=6), NO_LAYOUT),
    "full mesh": lambda: Network(FullMesh(), NO_LAYOUT),
    "dual cube": lambda: dual_cube(5, random_basis(5, 3).generators, layout=None),
    "dual folded cube": lambda: dual_cube(5, random_basis(5, 2).generators, True, layout=None),
}


def links_of(problem):
    return list(zip(problem.tail.tolist(), problem.head.tolist(), problem.capacity.tolist(), strict=True))


def link_orbits(graph, permutations):
    """Return the sets of links that permutations map to each other; each must keep all links and capacities."""
    links = dict(zip(zip(graph.tail.tolist(), graph.head.tolist(), strict=True), graph.capacity.tolist(), strict=True))
    left, found = set(links), set()
    while left:
        orbit, new = set(), {left.pop()}
        while new:
            orbit |= new
            images = {(int(each[tail]), int(each[head])) for tail, head in new for each in permutations}
            assert {links[image] for image in images} <= {links[link] for link in new}
            new = images - orbit
        left -= orbit
        found.add(frozenset(orbit))
    return found


def recomputed(graph, found):
    """Return the rate of the mixed flows, averaged over the symmetries, and the bound of the lengths on all demands."""
    problem, orbit = found.problem, found.symmetry.link_orbit
    links = list(zip(graph.tail.tolist(), graph.head.tolist(), strict=True))
    labelled = {frozenset(links[link] for link in np.flatnonzero(orbit == label)) for label in set(orbit.tolist())}
    assert labelled == link_orbits(graph, found.symmetry.permutations)
    load = [Fraction(0)] * (int(orbit.max()) + 1)
    assert sum(found.weights) == 1
    for weight, flow in zip(found.weights, found.flows, strict=True):
        verified_flow(links_of(problem), problem.source.tolist(), problem.demand, flow, 1)
        for label, units in zip(orbit.tolist(), flow.sum(axis=0).tolist(), strict=False):
            load[label] += weight * units
    room = np.bincount(orbit, graph.capacity).astype(int).tolist()
    full = flow_problem(graph)
    bound = verified_bound(links_of(full), full.source.tolist(), full.demand, found.length.tolist())
    return min(Fraction(a) / b for a, b in zip(room, load, strict=True) if b), bound


@for_each("name", NETWORKS)
def test_flow_and_lengths_prove_the_same_rate_which_the_general_solver_brackets(name):
    graph = capacity_graph(NETWORKS[name]())
    found, general = symmetric_flow(graph), max_concurrent_flow(flow_problem(graph), gap=1e-5)
    assert recomputed(graph, found) == (found.rate, found.rate)
    assert general.lower <= found.rate <= general.upper


@given(st.integers(2, 5), st.booleans(), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=10)
def test_dual_cubes_have_an_exact_rate(n, folded, seed):
    graph = capacity_graph(dual_cube(n, random_basis(n, seed).generators, folded, layout=None))
    found = symmetric_flow(graph)
    assert recomputed(graph, found) == (found.rate, found.rate)


@given(st.lists(st.integers(2, 7), min_size=1, max_size=3))
@settings(deadline=None, max_examples=10)
def test_tori_have_the_rate_of_their_longest_ring(shape):
    # ⌊k²/4⌋ hops of all offsets in a ring of k switches, over two links, or one if k = 2; N / k switches at each.
    graph = capacity_graph(Network(Torus(shape=tuple(shape)), NO_LAYOUT))
    nodes = int(np.prod(shape))
    rate = min(Fraction(min(2, size - 1) * size, nodes * (size**2 // 4)) for size in shape)
    assert symmetric_flow(graph).rate == rate


def test_rates_of_links_divide_orbits():
    # A ring of 6 with capacities 1, 3, 1, 3, ...: two switches at a fast cable send 2 · 4 packets over two slow ones.
    plane = network_of([(i, (i + 1) % 6) for i in range(6)], [1] * 6).planes[0]
    rate = np.zeros(plane.topology.peer.shape, dtype=np.int64)
    for switch, port in zip(*np.nonzero(plane.topology.peer >= 0), strict=True):
        ends = sorted((int(switch), int(plane.topology.peer[switch, port])))
        rate[switch, port] = 3 if ends in ([1, 2], [3, 4], [0, 5]) else 1
    timing = Timing(rate_mbps=rate, node_rate_mbps=np.full(6, 1))
    graph = capacity_graph(assembled("ring", (replace(plane, timing=timing),)))
    found = symmetric_flow(graph)
    assert len(link_orbits(graph, found.symmetry.permutations)) == 2
    assert recomputed(graph, found) == (found.rate, found.rate)
    assert found.rate == Fraction(1 + 1, 2 * 4)


def test_a_network_without_symmetries_has_none():
    edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (1, 3), (5, 6)]  # no vertex has a twin
    graph = capacity_graph(network_of(edges, [1] * 7))
    assert graph_symmetry(graph).permutations == ()
    found = symmetric_flow(graph)  # every link is an orbit of its own: the program of the whole network
    assert recomputed(graph, found) == (found.rate, found.rate)


def test_networks_without_traffic_or_with_too_many_orbits_have_no_exact_rate():
    assert symmetric_flow(capacity_graph(network_of([(0, 1)], [5, 0]))) is None
    assert symmetric_flow(capacity_graph(network_of(edges_of(random_regular(40, 3, 1)), [1] * 40))) is None


@given(st.integers(3, 7), st.data())
@settings(deadline=None, max_examples=20)
def test_automorphisms_keep_edges_and_colours_and_orbits_are_closed(count, data):
    pairs = [(i, j) for i in range(count) for j in range(i)]
    edges = data.draw(st.lists(st.sampled_from(pairs), unique=True))
    colours = data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    found = automorphisms(np.array(edges, dtype=np.int64).reshape(-1, 2), colours)
    for each in found:
        assert {frozenset(each[list(edge)].tolist()) for edge in edges} == {frozenset(edge) for edge in edges}
        assert [colours[i] for i in each] == colours
    label = orbits(count, found)
    assert all(np.array_equal(label[each], label) for each in found)
