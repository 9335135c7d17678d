"""Families with their own routing, and with the routings that work on any topology."""

from dataclasses import replace

import numpy as np
import pytest

from isoplane.models import Cube, Design, InputError, Network, cube_planes, family_named
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.rdt import RecursiveDiagonalTorus
from isoplane.models.families.torus import Torus
from isoplane.models.routing import ROUTINGS, channel_cycle, hops
from isoplane.objectives import metrics_of
from isoplane.objectives.reference import reference_metrics
from tests.models.graphs import distances
from tests.strategies import random_basis

SMALL = {
    "torus": Torus(shape=(3, 4), datelines=False),
    "mesh": Mesh(shape=(3, 4)),
    "rdt": RecursiveDiagonalTorus(side=4, tile="1212 2121 1212 2121"),
    "direct_hypercube": DirectHypercube(n=4, folded=True, generators=(3, 5, 7, 8)),
}


@pytest.mark.parametrize("routing", ROUTINGS)
@pytest.mark.parametrize("name", SMALL)
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


@pytest.mark.parametrize("name", ["torus", "mesh"])
def test_a_record_without_a_routing_has_the_default_of_the_family(name):
    family = SMALL[name]
    assert "routing" not in family.write()["network"]
    assert replace(family, routing="up_down").write()["network"]["routing"] == "up_down"
    assert family_named(name).read({**family.write()["network"], "nodes_per_switch": 1}).routing == family.routing


@pytest.mark.parametrize("name", SMALL)
def test_an_unknown_routing_is_rejected_with_the_known_ones(name):
    own = "turn_classes, vector" if name == "rdt" else SMALL[name].routing
    with pytest.raises(
        InputError, match=f"^network.routing='x': expected {own}, up_down, shortest, hop_classes, balanced$"
    ):
        replace(SMALL[name], routing="x")


def test_only_dimension_order_has_datelines():
    with pytest.raises(InputError, match=r"^network\.datelines=true: .* expected false for network\.routing=shortest$"):
        Torus(routing="shortest")
    assert not Torus(routing="shortest", datelines=False).datelines


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("n", [2, 3, 6])
def test_a_direct_hypercube_is_the_plane_of_its_cube_without_node_cables(n, folded):
    basis = random_basis(n, n)
    (own,) = Network(DirectHypercube(n=n, folded=folded, generators=basis.generators[::-1], cable_m=2.5)).planes
    (plane,) = Network(cube_planes((Cube(basis, folded),), nodes_per_switch=1)).planes
    assert np.array_equal(own.topology.peer, plane.topology.peer)
    assert np.array_equal(hops(own.topology, own.routes), hops(plane.topology, plane.routes))
    assert np.array_equal(own.routes.next_port, plane.routes.next_port)
    assert (own.cable_mm == 2500).all()
    assert own.node_cable_mm is None


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"n": 18}, r"network\.n=18: expected an integer from 1 to 17"),
        ({"n": 1, "folded": True}, r"network\.n=1: expected an integer from 2 to 17"),
        ({"n": 3, "folded": 1}, r"network\.folded=1: expected true or false"),
        ({"n": 3, "generators": [1, 2, 3]}, r"not a basis, since 3 = 1 \^ 2"),
        ({"n": 3, "generators": [1, 2]}, "2 generators; expected 3 independent generators"),
        ({"n": 3, "generators": [1, 2, 8]}, "generator=8"),
        ({"n": 3, "generators": 7}, "expected a list"),
    ],
)
def test_an_invalid_direct_hypercube_is_rejected(keys, message):
    with pytest.raises(InputError, match=message):
        DirectHypercube.read(keys)
