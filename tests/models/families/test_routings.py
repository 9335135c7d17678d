"""Families with their own routing, and with the routings that work on any topology."""

from dataclasses import replace

import numpy as np

from isoplane.models import Cube, Design, Network, cube_planes, family_named
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.models.routing import ROUTINGS, channel_cycle, hops
from isoplane.objectives import metrics_of
from isoplane.objectives.reference import reference_metrics
from tests.cases import for_each
from tests.models.graphs import distances
from tests.strategies import random_basis

SMALL = {
    "torus": Torus(shape=(3, 4), datelines=False),
    "mesh": Mesh(shape=(3, 4)),
    "rdt": RecursiveDiagonalTorus(side=4, tile="1212 2121 1212 2121"),
    "direct_hypercube": DirectHypercube(n=4, folded=True, generators=(3, 5, 7, 8)),
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
    written = family.write()
    assert family_named(name).read({**written["network"], "nodes_per_switch": 1}) == family


def test_a_record_of_an_rdt_without_a_routing_has_vector_routing_without_classes():
    family = replace(SMALL["rdt"], routing="vector")
    assert "routing" not in family.write()["network"]
    assert SMALL["rdt"].write()["network"]["routing"] == "turn_classes"
    for written in (family, SMALL["rdt"]):
        assert family_named("rdt").read({**written.write()["network"], "nodes_per_switch": 1}) == written


@for_each("name", ["torus", "mesh"])
def test_a_record_without_a_routing_has_the_default_of_the_family(name):
    family = SMALL[name]
    assert "routing" not in family.write()["network"]
    assert replace(family, routing="up_down").write()["network"]["routing"] == "up_down"
    assert family_named(name).read({**family.write()["network"], "nodes_per_switch": 1}).routing == family.routing


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
