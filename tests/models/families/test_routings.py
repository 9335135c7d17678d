"""Families with the routings that work on any topology, and the cables and loads of HyperX networks."""

from dataclasses import replace
from math import prod

import numpy as np
from hypothesis import given

from isoplane.models import Cube, Design, Network, cube_planes
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.graph import Graph
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.models.routing import ROUTINGS, channel_cycle, hops, links_of_route
from isoplane.objectives import metrics_of
from isoplane.objectives.reference import reference_metrics
from tests.cases import for_each
from tests.models.families.members import hyperx
from tests.models.families.test_every_family import read_back
from tests.models.graphs import distances
from tests.strategies import random_basis

SMALL = {
    "torus": Torus(shape=(3, 4), datelines=False),
    "mesh": Mesh(shape=(3, 4)),
    "rdt": RecursiveDiagonalTorus(side=4, tile="1212 2121 1212 2121"),
    "direct_hypercube": DirectHypercube(n=4, folded=True, generators=(3, 5, 7, 8)),
    "hyperx": HyperX(shape=(3, 4), cables_per_pair=(2, 3), nodes_per_switch=3),
    "graph": Graph(edges=((0, 1), (1, 2, 2.5), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))),  # a prism
}


@for_each("routing", ROUTINGS)
@for_each("name", SMALL)
def test_every_routing_arrives_and_the_reference_agrees(name, routing):
    family = replace(SMALL[name], routing=routing)
    network = Network(family)
    (plane,) = network.planes
    lengths, shortest = hops(plane.topology, plane.routes), distances(plane.topology)
    assert (lengths >= shortest).all()
    assert routing == "up_down" or np.array_equal(lengths, shortest)
    channels = 1 if routing == "up_down" else int(shortest.max())
    assert routing == "shortest" or channel_cycle(plane.topology, plane.routes, channels) is None
    assert metrics_of(Design(network)) == reference_metrics(network)
    assert read_back(family) == family


def test_a_record_of_an_rdt_without_a_routing_has_vector_routing_without_classes():
    family = replace(SMALL["rdt"], routing="vector")
    assert "routing" not in family.write()["network"]
    assert SMALL["rdt"].write()["network"]["routing"] == "turn_classes"
    assert read_back(family) == family


@for_each("name", ["torus", "mesh"])
def test_a_record_without_a_routing_has_the_default_of_the_family(name):
    family = SMALL[name]
    assert "routing" not in family.write()["network"]
    assert replace(family, routing="up_down").write()["network"]["routing"] == "up_down"
    assert read_back(family).routing == family.routing


@for_each("folded", [False, True])
@for_each("n", [2, 3, 6])
def test_a_direct_hypercube_is_the_plane_of_its_cube_without_node_cables(n, folded):
    basis = random_basis(n, n)
    (own,) = Network(DirectHypercube(n=n, folded=folded, generators=basis.generators[::-1], cable_m=2.5)).planes
    (plane,) = Network(cube_planes((Cube(basis, folded),), nodes_per_switch=1)).planes
    assert np.array_equal(own.topology.peer, plane.topology.peer)
    assert np.array_equal(hops(own.topology, own.routes), hops(plane.topology, plane.routes))
    assert np.array_equal(own.routes.next_port, plane.routes.next_port)
    assert (own.cable_mm == 2500).all()
    assert own.node_cable_mm is None


@given(hyperx())
def test_each_pair_of_a_line_has_as_many_cables_as_stated(family):
    (plane,) = Network(family).planes
    peer, peer_port = plane.topology.peer, plane.topology.peer_port
    cables = np.broadcast_to(family.cables_per_pair, len(family.shape))
    place = np.array(np.unravel_index(np.arange(family.switches), family.shape, order="F")).T
    count = np.zeros((family.switches, family.switches), dtype=int)
    np.add.at(count, (np.arange(family.switches)[:, None], peer), 1)
    differs = place[:, None] != place
    assert np.array_equal(
        count,
        np.where(differs.sum(axis=2) == 1, differs @ cables, 0),
    )
    assert (peer_port[peer, peer_port] == np.arange(peer.shape[1])).all()


@given(hyperx())
def test_parallel_cables_share_the_traffic_to_the_nodes_beyond_them(family):
    # Dimension order: the nodes of the switches that differ from one end in lower dimensions only send over a link to
    # the P E nodes of the switches that differ from its other end in higher ones; K cables take P E / K of these.
    (plane,) = Network(family).planes
    load = np.zeros(plane.topology.peer.shape, dtype=int)
    for source in plane.node_switch:
        for column in plane.routes.targets(plane.node_switch):
            for switch, port, _ in links_of_route(plane.topology, plane.routes, int(source), int(column)):
                load[switch, port] += 1
    first, cables = 0, np.broadcast_to(family.cables_per_pair, len(family.shape)).tolist()
    for i, (size, each) in enumerate(zip(family.shape, cables, strict=True)):
        sources = family.nodes_per_switch * prod(family.shape[:i])
        beyond = family.nodes_per_switch * prod(family.shape[i + 1 :])
        shares = load[:, first : first + (size - 1) * each].reshape(-1, each)
        expected = sorted(sources * (beyond // each + (cable < beyond % each)) for cable in range(each))
        assert (np.sort(shares, axis=1) == expected).all()
        first += (size - 1) * each


def test_equal_numbers_of_cables_are_one_number_and_one_cable_is_not_recorded():
    assert HyperX(shape=(3, 4), cables_per_pair=[2, 2]) == HyperX(shape=(3, 4), cables_per_pair=2)
    assert "cables_per_pair" not in HyperX(cables_per_pair=(1, 1)).write()["network"]
    assert HyperX(shape=(3, 4), cables_per_pair=(1, 2)).size_label == "3x4, 1x2 cables per pair"
