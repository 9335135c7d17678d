"""Shares of ways, against an enumeration of all ways; groups of nodes; relative rates."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from isoplane.models import InputError, Plane, Timing, dual_cube
from isoplane.models.paths.node_classes import node_groups
from isoplane.models.paths.path_shares import paths_between, require_paths
from isoplane.models.paths.transmission_times import are_rates_comparable, relative_rates
from isoplane.models.routing import forwarding_table, links_of_route
from isoplane.models.topologies import graph
from tests.assembled import assembled
from tests.cases import for_each
from tests.objectives.general.networks import random_rails


def enumerated_shares(network, a, b):
    """Return the share of every way, by (plane, link of a, link of b), from the definition of the policy."""
    found = {}
    for number, plane in enumerate(network.planes):
        target = plane.routes.targets(plane.node_switch)
        links = [range(plane.starts[node], plane.starts[node + 1]) for node in (a, b)]
        for source, destination in product(*links):
            ends = int(plane.node_switch[source]), int(target[destination])
            found[number, source, destination] = len(links_of_route(plane.topology, plane.routes, *ends))
    policy = network.policy
    if policy == "nearest":
        nearest = [way for way, hops in found.items() if hops == min(found.values())]
        return {way: Fraction(1, len(nearest)) for way in nearest}
    weights = [1] * len(network.planes) if policy == "spray" else policy
    connecting = {plane for plane, _, _ in found if weights[plane]}
    shares = {}
    for plane in connecting:
        in_plane = {way: hops for way, hops in found.items() if way[0] == plane}
        nearest = [way for way, hops in in_plane.items() if hops == min(in_plane.values())]
        total = sum(weights[each] for each in connecting)
        shares |= {way: Fraction(weights[plane], total * len(nearest)) for way in nearest}
    return shares


@for_each("seed", range(40))
def test_shares_of_ways_follow_the_policy(seed):
    network = random_rails(seed)
    pairs = np.array(list(product(range(network.nodes), repeat=2))).T
    ways = paths_between(network, *pairs, network.policy)
    found = {}
    for pair, plane, source_link, destination_link, weight, denominator in zip(
        ways.pair, ways.plane, ways.source_link, ways.destination_link, ways.weight, ways.denominator, strict=True
    ):
        way = int(plane), int(source_link), int(destination_link)
        found.setdefault(int(pair), {})[way] = Fraction(int(weight), int(denominator))
        assert ways.parts % denominator == 0
    for index, pair in enumerate(pairs.T.tolist()):
        assert found[index] == enumerated_shares(network, *pair)


def path_network(starts, policy="nearest"):
    """Return a path of three switches with one plane per list of node link starts."""
    topology = graph([(0, 1), (1, 2)])
    planes = [
        Plane(
            topology,
            np.zeros(topology.peer.shape),
            np.arange(3, dtype=np.int32),
            0,
            np.array(each),
            routes=forwarding_table(topology),
        )
        for each in starts
    ]
    return assembled("path", tuple(planes), policy)


def test_nodes_without_a_common_plane_are_reported():
    network = path_network([[0, 1, 3, 3], [0, 0, 2, 3]])  # node 0 in plane 0 only, node 2 in plane 1 only
    with pytest.raises(InputError, match="none connects node 0 to node 2 under network.policy=nearest; expected links"):
        require_paths(network)
    with pytest.raises(InputError, match="none connects node 0 to node 2"):
        paths_between(network, np.array([1, 0]), np.array([0, 2]), "nearest")


def test_a_plane_without_a_share_connects_no_nodes():
    network = path_network([[0, 1, 2, 3], [0, 1, 2, 3]], (0, 2))
    assert paths_between(network, np.array([0]), np.array([2]), network.policy).plane.tolist() == [1]


@for_each("seed", range(10))
def test_nodes_of_a_group_have_links_to_the_same_switches_and_targets(seed):
    network = random_rails(seed)
    groups = node_groups(network)
    assert groups.senders.sum() == groups.receivers.sum() == network.nodes
    for number, plane in enumerate(network.planes):
        switches, targets = plane.node_switch, plane.routes.targets(plane.node_switch)
        for node in range(network.nodes):
            node_links = slice(plane.starts[node], plane.starts[node + 1])
            for values, links, group in (
                (switches, groups.source[number], groups.of_node[node]),
                (targets, groups.target[number], groups.end_of_node[node]),
            ):
                expected = links.at[links.start[group] : links.start[group + 1]].tolist()
                assert sorted(values[node_links].tolist()) == expected
        starts = groups.source[number].start[groups.of_node]
        switch_of_link = groups.of_node_links(number, plane.node, starts, groups.source[number].at)
        assert np.array_equal(switch_of_link, switches)


def test_times_on_links_are_integers_relative_to_a_node_link():
    topology = graph([(0, 1), (1, 2)])
    nodes = np.arange(3, dtype=np.int32)
    rates = np.where(topology.peer >= 0, 40, 0)
    rates[1, 1] = rates[2, 0] = 100
    timing = Timing(rate_mbps=rates, node_rate_mbps=np.full(3, 30))
    plane = Plane(topology, np.zeros((3, 2)), nodes, 0, timing=timing, routes=forwarding_table(topology))
    found = relative_rates(assembled("path", (plane,)))
    # 30/40 and 30/100 of the reference time: both are integers in units of 1/20.
    assert (found.reference_mbps, found.whole) == (30, 20)
    assert found.link[0].tolist() == [[15, 0], [15, 6], [6, 0]]
    assert found.node_link[0].tolist() == [20, 20, 20]


def test_rates_stated_by_only_some_links_cannot_be_compared():
    network = path_network([[0, 1, 2, 3]])
    assert are_rates_comparable(network)
    timing = Timing(node_rate_mbps=np.full(3, 30))
    plane = network.planes[0]
    mixed = assembled(
        "mixed", (Plane(plane.topology, plane.cable_mm, plane.node_switch, 0, timing=timing, routes=plane.routes),)
    )
    assert not are_rates_comparable(mixed)
    with pytest.raises(InputError, match="plane.rate_mbps: some links state a rate and others do not"):
        relative_rates(mixed)


def test_an_adaptive_choice_is_not_computed_from_routes():
    with pytest.raises(InputError, match="network.policy=adaptive: its loads depend on queues"):
        paths_between(dual_cube(2, (1, 3)), np.array([0]), np.array([1]), "adaptive")
