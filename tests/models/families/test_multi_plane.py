"""Identical planes of any family: formulas, loads, Port-Aggregate, records, and what cannot form a plane."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, InputError, Network, Site, dual_cube, family_named
from isoplane.models.families._dual_cube import port_aggregate
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane, with_layout_lengths
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.objectives import metrics_of
from isoplane.objectives.general import GeneralExact
from isoplane.objectives.reference import reference_metrics

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


@given(inner, st.integers(1, 4), st.sampled_from([1, 2]))
def test_formulas_match_the_planes_and_records_are_read_back(plane, planes, links):
    family = MultiPlane(plane=plane, planes=planes, links_per_node=links)
    built = Network(family).planes
    assert family.nodes == built[0].nodes == plane.nodes // links
    assert family.switches == sum(each.topology.switches for each in built)
    assert family.cables == sum(int((each.topology.peer >= 0).sum()) // 2 for each in built)
    assert family.ports == max(int(each.ports_used.max()) for each in built)
    written = json.loads(json.dumps(family.write()))
    keys = {**written["network"], "nodes_per_switch": written["nodes_per_switch"]}
    assert family_named(keys.pop("family")).read(keys) == family


@given(inner, st.integers(2, 4), st.sampled_from(["nearest", "spray"]))
def test_identical_planes_multiply_the_throughput_and_keep_the_distances(plane, planes, policy):
    one = GeneralExact(Network(plane))
    several = GeneralExact(Network(MultiPlane(plane=plane, planes=planes, policy=policy)))
    assert several.peak_load * one.parts * planes == one.peak_load * several.parts
    assert several.total_hops * one.hop_parts == one.total_hops * several.hop_parts
    assert several.diameter == one.diameter


@pytest.mark.parametrize("links", [1, 2])
def test_the_reference_agrees(links):
    network = Network(MultiPlane(plane=FullMesh(layers=2, uplinks=3, nodes_per_leaf=2), links_per_node=links))
    ours = metrics_of(Design(network))
    assert reference_metrics(network) == pytest.approx(ours)


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


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"plane": Torus()}, "network.plane.node_cable_m=null: expected a length"),
        ({"plane": dual_cube(3, (3, 5, 7)).family}, "network.plane.family=hypercube: expected a family of one plane"),
        ({"plane": HyperX(), "planes": 9}, "network.planes=9: expected an integer from 1 to 8"),
        ({"plane": HyperX(), "policy": "fast"}, "network.policy='fast': expected nearest"),
        ({"plane": HyperX(shape=(3, 3), nodes_per_switch=1), "links_per_node": 2}, "expected a divisor of 9"),
    ],
)
def test_what_cannot_form_planes_is_rejected_in_one_line(keys, message):
    with pytest.raises(InputError) as caught:
        MultiPlane(**keys)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_planes_of_planes_are_rejected():
    with pytest.raises(InputError, match=r"has 2 planes; expected a family of one"):
        _ = Network(MultiPlane(plane=MultiPlane(plane=HyperX()))).planes


def test_a_config_names_the_family_of_its_planes():
    keys = {"plane": {"family": "slim_fly", "q": 7}, "planes": 2}
    assert MultiPlane.read(keys) == MultiPlane(plane=SlimFly(q=7))
    with pytest.raises(InputError, match=r"network\.plane=None: expected the keys of a family"):
        MultiPlane.read({"planes": 2})
    assert MultiPlane.read({"plane": {"family": "slim_fly", "cable_m": None}}).cable_m is None


# --- formulas that choose sizes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["leaf_spine", "full_mesh"])
@given(st.integers(1, 600), st.integers(4, 40), st.fractions(min_value="1/4", max_value=1, max_denominator=8))
def test_a_taper_is_the_ratio_of_uplinks_to_nodes_of_a_leaf(name, nodes, ports, taper):
    for member in family_named(name).tapered(nodes, ports, taper):
        assert member.nodes >= nodes
        assert member.ports <= ports
        assert member.uplinks >= taper * member.nodes_per_leaf
