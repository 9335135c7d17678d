"""Identical planes of any family: formulas, loads, Port-Aggregate, records, and what cannot form a plane."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import InputError, Network, Site, dual_cube, family_named
from isoplane.models.families._dual_cube import port_aggregate
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane, with_layout_lengths
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.objectives.general import GeneralExact
from tests.cases import for_each

inner = st.sampled_from(
    [
        HyperX(shape=(3, 2), nodes_per_switch=4),
        FatTree(switch_ports=4),
        FullMesh(layers=2, uplinks=3, nodes_per_leaf=2),
        SlimFly(q=3, nodes_per_switch=2),
        Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=2.0),
    ]
)


def test_links_of_a_plane_whose_nodes_have_several_are_grouped_by_node():
    hyperx = HyperX(shape=(3, 2), nodes_per_switch=4)
    nested = MultiPlane(plane=MultiPlane(plane=hyperx, planes=1, links_per_node=2), links_per_node=2)
    flat = MultiPlane(plane=hyperx, links_per_node=4)
    assert nested.nodes == flat.nodes == 6
    planes = zip(Network(nested).planes, Network(flat).planes, strict=True)
    assert all(one.starts.tolist() == other.starts.tolist() == list(range(0, 25, 4)) for one, other in planes)


@given(inner, st.integers(2, 4), st.sampled_from(["nearest", "spray"]))
def test_identical_planes_multiply_the_throughput_and_keep_the_distances(plane, planes, policy):
    one = GeneralExact(Network(plane))
    several = GeneralExact(Network(MultiPlane(plane=plane, planes=planes, policy=policy)))
    assert several.peak_load * one.parts * planes == one.peak_load * several.parts
    assert several.total_hops * one.hop_parts == one.total_hops * several.hop_parts
    assert several.diameter == one.diameter


def test_one_plane_with_two_links_per_node_is_port_aggregate():
    # Port-Aggregate of the dual-plane 3-cube: a 4-cube with both links of 2 nodes at each switch.
    baseline = port_aggregate(dual_cube(3, (1, 2, 4), layout=None))
    plane = Torus(shape=(2, 2, 2, 2), nodes_per_switch=4, node_cable_m=2.0, datelines=False)
    ours = GeneralExact(Network(MultiPlane(plane=plane, planes=1, links_per_node=2), Site(layout=None)))
    theirs = GeneralExact(baseline)
    assert (ours.total_hops, ours.diameter) == (theirs.total_hops, theirs.diameter)
    assert ours.peak_load * theirs.parts == theirs.peak_load * ours.parts


@given(inner)
def test_lengths_from_the_layout_are_those_of_the_plane(plane):
    family = MultiPlane(plane=plane)
    assert family.cable_m == plane.cable_m
    free = with_layout_lengths(family)
    assert free.cable_m is None
    built = Network(free, Site(layout=None)).planes
    assert all(not each.cable_mm.any() for each in built)


def test_a_config_names_the_family_of_its_planes():
    keys = {"plane": {"family": "slim_fly", "q": 7}, "planes": 2}
    assert MultiPlane.read(keys) == MultiPlane(plane=SlimFly(q=7))
    with pytest.raises(InputError, match=r"network\.plane=None: expected the keys of a family"):
        MultiPlane.read({"planes": 2})
    assert MultiPlane.read({"plane": {"family": "slim_fly", "cable_m": None}}).cable_m is None


# --- formulas that choose sizes -----------------------------------------------------------------------------------


@for_each("name", ["leaf_spine", "full_mesh"])
@given(st.integers(1, 600), st.integers(4, 40), st.fractions(min_value="1/4", max_value=1, max_denominator=8))
def test_a_taper_is_the_ratio_of_uplinks_to_nodes_of_a_leaf(name, nodes, ports, taper):
    for member in family_named(name).tapered(nodes, ports, taper):
        assert member.nodes >= nodes
        assert member.ports <= ports
        assert member.uplinks >= taper * member.nodes_per_leaf
