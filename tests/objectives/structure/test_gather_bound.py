"""Bounds on all-gather and reduce-scatter: against all sets of switches and nodes, and formulas."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Network, Site, Timing, dual_cube
from isoplane.models.families.torus import Torus
from isoplane.models.topologies import graph
from isoplane.objectives.structure import gather_bound
from tests.assembled import assembled
from tests.cases import for_each
from tests.strategies import connected_edges

from .networks import network_of, plane_of

NO_LAYOUT = Site(layout=None)


def links_of(network):
    """Return the unidirectional links between (plane, switch) and nodes, with their rates in Mbit/s, or 1."""
    links = []
    for number, plane in enumerate(network.planes):
        rates, node_rates = plane.timing.rate_mbps, plane.timing.node_rate_mbps
        for switch, port in zip(*np.nonzero(plane.topology.peer >= 0), strict=True):
            rate = 1 if rates is None else int(rates[switch, port])
            links.append(((number, int(switch)), (number, int(plane.topology.peer[switch, port])), rate))
        for index, (node, switch) in enumerate(zip(plane.node.tolist(), plane.node_switch.tolist(), strict=True)):
            rate = 1 if node_rates is None else int(node_rates[index])
            rate = 10**9 if network.node_cable_mm is None else rate  # part of its switch
            links += [(node, (number, switch), rate), ((number, switch), node, rate)]
    return links


def ratio_of(links, nodes, inside):
    """Return nodes / rate out of a set."""
    return Fraction(len(nodes & inside), sum(rate for a, b, rate in links if a in inside and b not in inside))


def largest_ratio(network):
    """Return the largest ratio of all sets without all nodes."""
    links = links_of(network)
    vertices, nodes = sorted({end for link in links for end in link[:2]}, key=str), set(range(network.nodes))
    sets = (set(each) for size in range(1, len(vertices)) for each in combinations(vertices, size))
    return max(ratio_of(links, nodes, each) for each in sets if not nodes <= each)


def inside_of(bound):
    """Return the set of a bound."""
    switches = {(number, int(s)) for number, side in enumerate(bound.switches) for s in np.flatnonzero(side)}
    return switches | set(np.flatnonzero(bound.nodes).tolist())


@st.composite
def rated_networks(draw):
    """A small network with nodes at some switches and links of different rates."""
    edges = draw(connected_edges(4))
    switches = max(max(edge) for edge in edges) + 1
    counts = [draw(st.integers(0, 2)) for _ in range(switches)]
    counts[0], counts[-1] = counts[0] + 1, counts[-1] + 1
    plane = plane_of(graph(edges, switches), counts)
    random = np.random.default_rng(draw(st.integers(0, 1 << 30)))
    rate = np.where(plane.topology.peer >= 0, random.integers(1, 6, plane.topology.peer.shape), 0)
    rate = np.maximum(rate, np.where(rate > 0, rate[plane.topology.peer, plane.topology.peer_port], 0))
    timing = Timing(rate_mbps=rate, node_rate_mbps=random.choice([4, 6], sum(counts)))
    return assembled("rated", (replace(plane, timing=timing),))


@given(rated_networks())
@settings(deadline=None, max_examples=25)
def test_no_set_of_switches_and_nodes_has_a_larger_ratio(network):
    bound, reference = gather_bound(network), int(network.planes[0].timing.node_rate_mbps.max())
    assert bound.ratio == reference * largest_ratio(network)
    assert not bound.nodes.all()
    assert bound.ratio == reference * ratio_of(links_of(network), set(range(network.nodes)), inside_of(bound))


@for_each(
    "network",
    [
        dual_cube(2, (1, 3), nodes_per_switch=1, layout=None),
        Network(Torus(shape=(3, 2)), NO_LAYOUT),
        network_of([(0, 1), (1, 2), (2, 0)], [2, 0, 3]),
    ],
)
def test_planes_direct_networks_and_switches_without_nodes_count(network):
    bound = gather_bound(network)
    assert bound.ratio == largest_ratio(network)
    assert bound.ratio == ratio_of(links_of(network), set(range(network.nodes)), inside_of(bound))


def test_cubes_of_512_switches_are_bounded_by_the_links_of_a_node():
    # 256 switches in each of two planes with one node: 255 others over its two links, and 8 cables at its switches.
    network = dual_cube(8, tuple(1 << i for i in range(8)), nodes_per_switch=1, layout=None)
    assert gather_bound(network).ratio == Fraction(255, 2)


def test_a_single_node_has_no_bound():
    assert gather_bound(network_of([(0, 1)], [1, 0])) is None


def test_a_node_out_of_reach_is_reported():
    plane = plane_of(graph([(0, 1)]), [1, 1])
    alone = replace(plane, node_start=np.array([0, 1, 1]), node_switch=np.array([0], dtype=np.int32))
    with pytest.raises(InputError, match=r"^network.planes: none connects some pair of nodes; expected"):
        gather_bound(assembled("apart", (alone,)))
