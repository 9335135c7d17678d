"""Numbering of the links of networks, and the links on routes."""

import numpy as np
import pytest

from isoplane.models import InputError, Network, dual_cube
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.torus import Torus
from isoplane.models.routing import links_of_route
from tests.cases import for_each
from tests.objectives.general.networks import random_network


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
        start, route_links = network.links(source, destination, number)
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
    start, route_links = NETWORKS["tree"].links(np.array([5]), np.array([0]), 0)
    # Node 5 is at edge 2 of pod 1: twice up through the first uplink, as 0 is even; from core 0 down to pod 0, edge 0.
    ports = [2 * 4 + 0, (8 + 2) * 4 + 2, 16 * 4 + 0, 8 * 4 + 0]
    assert values[route_links].tolist() == [-6, *ports, -100]
    assert start.tolist() == [0, 6]


@for_each(
    ("source", "message"),
    [([-1], "node link -1"), ([16], "node link 16: expected .* 0 to 15"), ([[0]], r"shape \(1, 1\)")],
)
def test_nonexistent_node_links_are_rejected(source, message):
    with pytest.raises(InputError, match=message):
        NETWORKS["tree"].links(np.array(source), np.array([0]), 0)
