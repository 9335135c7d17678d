"""Links of routes, shares of ways against an enumeration of all ways, groups of nodes, and relative rates."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np

from isoplane.models import Network, Plane, Timing, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.torus import Torus
from isoplane.models.paths.node_classes import node_groups
from isoplane.models.paths.path_shares import paths_between, require_paths
from isoplane.models.paths.transmission_times import are_rates_comparable, transmission_times_of
from isoplane.models.routing import forwarding_table, links_of_route
from isoplane.models.topologies import graph
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.objectives.general.networks import random_network, random_rails


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


@for_each("seed", range(25))
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
    keys = {"cable_mm": np.zeros((3, 2)), "node_switch": np.arange(3), "node_cable_mm": 0}
    planes = [Plane(topology, **keys, node_start=np.array(at), routes=forwarding_table(topology)) for at in starts]
    return assembled("path", tuple(planes), policy)


PATH = path_network([[0, 1, 2, 3]])


def test_nodes_without_a_common_plane_are_reported():
    network = path_network([[0, 1, 3, 3], [0, 0, 2, 3]])  # node 0 in plane 0 only, node 2 in plane 1 only
    message = "none connects node 0 to node 2 under network.policy=nearest; expected links"
    require_refusal(lambda: require_paths(network), message)
    require_refusal(lambda: paths_between(network, np.array([1, 0]), np.array([0, 2]), "nearest"), message)


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
    timing = Timing(rate_mbps=np.array([[40, 0], [40, 100], [100, 0]]), node_rate_mbps=np.full(3, 30))
    found = transmission_times_of(assembled("path", (replace(PATH.planes[0], timing=timing),)))
    # 30/40 and 30/100 of the reference time: both are integers in units of 1/20.
    assert (found.reference_mbps, found.whole) == (30, 20)
    assert found.link[0].tolist() == [[15, 0], [15, 6], [6, 0]]
    assert found.node_link[0].tolist() == [20, 20, 20]


def test_rates_stated_by_only_some_links_cannot_be_compared():
    mixed = assembled("mixed", (replace(PATH.planes[0], timing=Timing(node_rate_mbps=np.full(3, 30))),))
    assert [are_rates_comparable(network) for network in (PATH, mixed)] == [True, False]
    require_refusal(lambda: transmission_times_of(mixed), "plane.rate_mbps: some links state a rate and others do not")


def numbered_links(network):
    """Return all links in order: plane, kind, and either source switch and port, or node link."""
    found = []
    for number, plane in enumerate(network.planes):
        found += [(number, "between", *link) for link in np.argwhere(plane.topology.peer >= 0).tolist()]
        if plane.node_cable_mm is not None:
            found += [(number, kind, link) for kind in ("out", "into") for link in range(len(plane.node_switch))]
    return found


NETWORKS = {
    "random": random_network(3),
    "two planes": next(net for net in map(random_network, range(99)) if len(net.planes) == 2 and net.nodes > 5),
    "direct": Network(Torus(shape=(3, 4))),
    "tree": Network(FatTree(switch_ports=4)),
    "cubes": dual_cube(3, (3, 5, 7), nodes_per_switch=2),
}


@for_each("name", NETWORKS)
def test_the_links_of_a_route_are_those_of_its_hops_and_of_its_two_nodes(name):
    network = NETWORKS[name]
    links = numbered_links(network)
    assert sum(each.links for each in network.plane_links) == len(links)
    source, destination = (each.ravel() for each in np.meshgrid(np.arange(network.nodes), np.arange(network.nodes)))
    for number, plane in enumerate(network.planes):
        start, route_links = network.route_links(source, destination, number)
        targets = plane.routes.targets(plane.node_switch)
        for i in range(0, len(source), 7):
            ends = int(plane.node_switch[source[i]]), int(targets[destination[i]])
            hops = links_of_route(plane.topology, plane.routes, *ends)
            expected = [(number, "between", *hop[:2]) for hop in hops]
            if plane.node_cable_mm is not None:
                expected = [(number, "out", source[i]), *expected, (number, "into", destination[i])]
            assert [links[link] for link in route_links[start[i] : start[i + 1]]] == expected


def test_values_are_in_the_order_of_the_links():
    (links,) = NETWORKS["tree"].plane_links
    plane = links.plane
    between = np.arange(plane.topology.peer.size).reshape(plane.topology.peer.shape)
    values = links.values(between, -np.arange(16) - 1, -np.arange(16) - 100)
    start, route_links = NETWORKS["tree"].route_links(np.array([5]), np.array([0]), 0)
    # Node 5 is at edge 2 of pod 1: twice up through the first uplink, as 0 is even; from core 0 down to pod 0, edge 0.
    ports = [2 * 4 + 0, (8 + 2) * 4 + 2, 16 * 4 + 0, 8 * 4 + 0]
    assert values[route_links].tolist() == [-6, *ports, -100]
    assert start.tolist() == [0, 6]
