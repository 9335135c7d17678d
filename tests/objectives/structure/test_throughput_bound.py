"""Bounds on throughput: against a program over paths, formulas, routed throughputs, and distances of igraph."""

from dataclasses import replace
from fractions import Fraction

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ortools.linear_solver import pywraplp

from isoplane.models import InputError, Network, Site, dual_cube
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.routing import balanced_table
from isoplane.models.topologies import graph
from isoplane.objectives.general import GeneralExact, general_exact
from isoplane.objectives.structure import bound_by_distances, bound_by_lengths, concurrent_flow
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.models.shortest_path_program import least_heaviest, loads, random_regular
from tests.objectives.general.networks import random_network, random_rails
from tests.strategies import connected_edges, random_basis

from .networks import edges_of, network_of, plane_of

families = st.one_of(
    st.builds(
        lambda half, degree, each, seed: RandomRegular(
            switches=2 * half, degree=degree, nodes_per_switch=each, seed=seed
        ),
        st.integers(3, 12), st.integers(3, 5), st.integers(1, 3), st.integers(0, 99),
    ),
    st.builds(
        lambda leaves, spines, each: LeafSpine(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=each),
        st.integers(2, 6), st.integers(1, 4), st.integers(1, 4),
    ),
)  # fmt: skip


def simple_paths(edges, source, target):
    """Yield all paths without repeated switches, as lists of directed edges (number of the edge, from)."""

    def extend(path, here, seen):
        if here == target:
            yield path
            return
        for number, ends in enumerate(edges):
            for before, after in (ends, ends[::-1]):
                if before == here and after not in seen:
                    yield from extend([*path, (number, here)], after, seen | {after})

    yield from extend([], source, {source})


def path_program(edges, nodes):
    """The largest θ at which all nodes can send to all nodes, by a program with a variable for each simple path."""
    solver = pywraplp.Solver.CreateSolver("GLOP")
    rate = solver.NumVar(0, solver.infinity(), "")
    room = {(number, end): solver.Constraint(0, 1) for number, ends in enumerate(edges) for end in ends}
    for source, senders in enumerate(nodes):
        for target, receivers in enumerate(nodes):
            if source == target or not senders * receivers:
                continue
            demand = solver.Constraint(0, 0)
            demand.SetCoefficient(rate, -senders * receivers / sum(nodes))
            for path in simple_paths(edges, source, target):
                flow = solver.NumVar(0, solver.infinity(), "")
                demand.SetCoefficient(flow, 1)
                for link in path:
                    room[link].SetCoefficient(flow, 1)
    solver.Maximize(rate)
    assert solver.Solve() == pywraplp.Solver.OPTIMAL
    return rate.solution_value()


@given(connected_edges(6), st.data())
@settings(deadline=None, max_examples=15)
def test_small_networks_reach_the_optimum_of_a_program_over_paths(edges, data):
    edges = edges[:9]  # the first ones are a tree
    switches = max(max(edge) for edge in edges) + 1
    nodes = data.draw(st.lists(st.integers(0, 3), min_size=switches, max_size=switches))
    nodes[0], nodes[-1] = max(nodes[0], 1), max(nodes[-1], 1)
    bound = concurrent_flow(network_of(edges, nodes))
    assert bound.proof == "flow"
    assert float(bound.value) == pytest.approx(path_program(edges, nodes), rel=2e-4)


def bound_by_igraph(network, lengths):
    """The bound that lengths prove, node by node, with the distances of igraph in the plane where they are shortest."""
    rated = network.planes[0].timing.node_rate_mbps is not None
    reference = max(int(plane.timing.node_rate_mbps.max(initial=0)) for plane in network.planes) if rated else 1
    room, nearest = 0, np.full((network.nodes, network.nodes), np.inf)
    for plane, length in zip(network.planes, lengths, strict=True):
        rate = plane.timing.rate_mbps if rated else (plane.topology.peer >= 0).astype(int)
        room += int((rate * length).sum())
        switch, port = np.nonzero(plane.topology.peer >= 0)
        ends = zip(switch.tolist(), plane.topology.peer[switch, port].tolist(), strict=True)
        weighted = igraph.Graph(plane.topology.switches, list(ends), directed=True)
        distance = np.array(weighted.distances(weights=length[switch, port].tolist()))
        for a in range(len(plane.node)):
            for b in range(len(plane.node)):
                pair = plane.node[a], plane.node[b]
                nearest[pair] = min(nearest[pair], distance[plane.node_switch[a], plane.node_switch[b]])
    total = int(nearest.sum())
    return Fraction(network.nodes * room, reference * total) if total else None


def routed_throughput(network):
    exact = general_exact(network)
    return Fraction(exact.parts * network.nodes, exact.peak_load) if exact.peak_load else None


@for_each("seed", range(12))
def test_lengths_prove_the_bound_and_no_routes_beat_it(seed):
    network = (random_network, random_rails)[seed % 2](seed)
    bound, routed = concurrent_flow(network), routed_throughput(network)
    assert bound.value == bound_by_lengths(network, bound.lengths)
    if bound.value is not None:
        assert bound.value == bound_by_igraph(network, bound.lengths)
        assert bound.flow <= bound.value
        assert routed is None or routed <= bound.value


@given(st.integers(2, 5), st.booleans(), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=10)
def test_dual_cubes_are_bounded_by_their_distances_and_reach_their_routed_throughput_if_it_is_as_high(n, folded, seed):
    network = dual_cube(n, random_basis(n, seed).generators, folded, nodes_per_switch=2, layout=None)
    exact, bound = general_exact(network), concurrent_flow(network)
    links = sum(int((plane.topology.peer >= 0).sum()) for plane in network.planes)
    by_distance = Fraction(network.nodes * links, exact.total_hops)
    assert routed_throughput(network) <= bound.value <= by_distance
    assert bound.node_links == 2


def test_balanced_tables_are_within_one_packet_of_the_bound_and_shortest_paths_never_below():
    topology = random_regular(32, 6, 3)
    bound = concurrent_flow(network_of(edges_of(topology), [1] * 32))
    least = 32 / bound.value  # the load of the busiest link at one packet per pair
    assert float(least) <= least_heaviest(topology) * (1 + 1e-6)
    assert loads(topology, balanced_table(topology).next_port).max() <= int(np.ceil(float(least))) + 1


@for_each(("side", "nodes"), [(12, 1), (16, 2)])
def test_lengths_of_large_tori_are_found_without_a_program(side, nodes):
    # Rings of `side` switches, which is even: side/4 hops over two directions.
    bound = concurrent_flow(
        Network(Torus(shape=(side, side), nodes_per_switch=nodes, node_cable_m=1), Site(layout=None))
    )
    assert bound.value == Fraction(8, side * nodes)


def test_lengths_of_a_long_ladder_find_its_narrowest_cut():
    # A ladder of 70 rungs: the two cables in the middle carry the packets of 70² of 140² pairs in each direction.
    rungs = 70
    edges = [(2 * i, 2 * i + 1) for i in range(rungs)]
    edges += [(2 * i + side, 2 * i + 2 + side) for i in range(rungs - 1) for side in (0, 1)]
    bound = concurrent_flow(network_of(edges, [1] * (2 * rungs)))
    cut = Fraction(2 * 2 * rungs, rungs**2)  # 2 = θ / N · 70²
    assert cut <= bound.value <= cut * Fraction(105, 100)


def test_the_seed_decides_the_bound():
    network = network_of(edges_of(random_regular(140, 4, 0)), [1] * 140)
    one, same = concurrent_flow(network, seed=1), concurrent_flow(network, seed=1)
    assert one.value == same.value
    assert all(np.array_equal(a, b) for a, b in zip(one.lengths, same.lengths, strict=True))


def test_a_network_of_one_switch_has_no_bound():
    bound = concurrent_flow(network_of([(0, 1)], [5, 0]))
    assert (bound.value, bound.node_links) == (None, 1)


def test_nodes_without_a_common_plane_are_reported():
    plane = plane_of(graph([(0, 1)]), [1, 1])
    one, two = (
        replace(plane, node_start=np.array(starts), node_switch=np.array([0], dtype=np.int32))
        for starts in ([0, 1, 1], [0, 0, 1])
    )
    with pytest.raises(InputError, match="^network.planes: none connects some pair of nodes; expected links of both"):
        concurrent_flow(assembled("apart", (one, two)))


@for_each(
    ("length", "message"),
    [
        (np.ones((2, 2), dtype=int), r"lengths: arrays of shapes \[\(2, 2\)\]; expected \[\(2, 1\)\]"),
        (np.array([[1], [-1]]), "lengths: -1; expected integers from 0 to 1099511627776"),
        (np.array([[2 << 40], [1]]), "lengths: 2199023255552; expected integers from 0 to 1099511627776"),
    ],
)
def test_wrong_lengths_are_named(length, message):
    with pytest.raises(InputError, match=f"^{message}"):
        bound_by_lengths(network_of([(0, 1)], [1, 1]), (length,))


@given(families)
def test_it_is_the_links_over_the_mean_distance_and_no_routes_are_faster(family):
    network = Network(family, Site(layout=None))
    (plane,) = network.planes
    cables = igraph.Graph([(a, b) for a, row in enumerate(plane.topology.peer.tolist()) for b in row if a < b])
    distance = cables.distances()
    hops = sum(distance[a][b] for a in plane.node_switch.tolist() for b in plane.node_switch.tolist())
    assert bound_by_distances(network) == Fraction(2 * cables.ecount() * network.nodes, hops)
    exact = GeneralExact(network)
    assert Fraction(exact.parts * network.nodes, exact.peak_load) <= bound_by_distances(network)


def test_links_of_a_node_at_several_switches_are_refused():
    ring = Torus(shape=(6,), node_cable_m=2.0)
    several = Network(MultiPlane(plane=ring, planes=1, links_per_node=2))
    require_refusal(lambda: bound_by_distances(several), "a node with links at several switches")
    require_refusal(lambda: bound_by_distances(dual_cube(3, (3, 5, 7))), "2 planes; expected one")
