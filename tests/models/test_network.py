import re
from dataclasses import replace

import pytest

from isoplane.models import (
    ConnectionSet,
    Cube,
    InputError,
    Layout,
    Network,
    cube_planes,
    dual_cube,
    port_aggregate,
)
from isoplane.models.family_kinds.cube import has_kernels
from tests.cases import for_each

UNIT_8 = tuple(1 << i for i in range(8))


@for_each(("folded", "ports", "family"), [(False, 12, "hypercube"), (True, 13, "folded_hypercube")])
def test_a_switch_uses_ports_for_its_links_and_for_its_nodes(folded, ports, family):
    network = dual_cube(8, UNIT_8, folded)
    assert (network.family.ports, network.family.node_ports, network.name) == (ports, 2, family)
    assert (network.family.plane_switches, network.nodes) == (256, 1024)


def test_the_default_layout_is_that_of_the_paper():
    assert dual_cube(3, (3, 5, 7)).site.layout == Layout()
    assert dual_cube(3, (3, 5, 7), layout=None).site.layout is None


@for_each("folded", [False, True])
def test_port_aggregate_has_the_same_nodes_switches_and_racks_in_one_plane(folded):
    dual = dual_cube(8, UNIT_8, folded)
    single = port_aggregate(dual)
    assert (single.family.n, single.family.folded, len(single.family.planes)) == (9, folded, 1)
    assert (single.nodes, single.family.switches, single.family.node_ports) == (1024, dual.family.switches, 2)
    assert single.site.layout.racks(512) == dual.site.layout.racks(256) == 64
    # 9 links and 2 nodes with 2 ports each, and the folded link
    assert single.family.ports == 13 + folded


def cube(n, folded=False):
    return Cube(ConnectionSet.unit(n), folded)


@for_each(
    ("make", "message"),
    [
        (lambda: dual_cube(1, (1,)), "network.n=1: expected an integer from 2 to 16"),
        (lambda: dual_cube(17, (1,)), "network.n=17: expected an integer from 2 to 16"),
        (lambda: dual_cube(3, (1, 2, 3)), "generators=[1, 2, 3]: not a basis, since 3 = 1 ^ 2"),
        (lambda: Network(cube_planes(())), "network.planes=0: expected an integer from 1 to 8"),
        (lambda: Network(cube_planes((cube(3),) * 9)), "network.planes=9: expected an integer from 1 to 8"),
        (
            lambda: Network(cube_planes((cube(3), cube(4)))),
            "network.planes: expected planes of the same dimension, all plain or all",
        ),
        (
            lambda: Network(cube_planes((cube(3), cube(3, True)))),
            "network.planes: expected planes of the same dimension, all plain",
        ),
        (
            lambda: Network(cube_planes((Cube(ConnectionSet(3, (3, 5, 7))), cube(3)))),
            "network.planes: plane 0 is [3, 5, 7]; expected the unit basis",
        ),
        (
            lambda: Network(cube_planes((cube(3),), nodes_per_switch=0)),
            "network.nodes_per_switch=0: expected an integer from 1 to 1024",
        ),
        (
            lambda: Network(cube_planes((cube(3),), ports_per_node=3)),
            "network.ports_per_node=3: expected an integer from 1 to 2",
        ),
        (
            lambda: port_aggregate(dual_cube(3, (3, 5, 7), nodes_per_switch=3)),
            "network.nodes_per_switch=3: expected an even number for Port-Aggregate",
        ),
    ],
)
def test_inconsistent_planes_are_reported_with_the_allowed_values(make, message):
    with pytest.raises(InputError, match=re.escape(message)):
        make()


def test_a_policy_distinguishes_otherwise_isomorphic_networks():
    nearest, isomorphic = dual_cube(3, (3, 5, 7)).family, dual_cube(3, (5, 6, 7)).family
    spray, isomorphic_spray = (replace(family, policy="spray") for family in (nearest, isomorphic))
    assert nearest.class_key() == isomorphic.class_key() != spray.class_key() == isomorphic_spray.class_key()
    assert replace(nearest, policy=(2, 1)).class_key() is None
    assert nearest.write()["network"].get("policy") is None
    for policy in ("spray", "adaptive", (2, 1)):
        family = replace(nearest, policy=policy)
        content = family.write()
        reread = type(family).read({**content["network"], "nodes_per_switch": content["nodes_per_switch"]})
        assert reread == family


def test_cube_kernels_apply_to_the_nearest_policy_only():
    assert has_kernels(dual_cube(3, (3, 5, 7)))
    for policy in ("spray", "adaptive", (2, 1)):
        cubes = replace(dual_cube(3, (3, 5, 7)).family, policy=policy)
        assert not has_kernels(Network(cubes))
        with pytest.raises(InputError, match=r"^network.policy=.*: expected nearest$"):
            cubes.require_kernels()
