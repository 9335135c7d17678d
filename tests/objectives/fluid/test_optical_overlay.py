"""Fluid model of circuits over any packet network, against the two-level tree and the reference."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, InputError, Network, OpticalOverlay, Placement
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.workloads import sparse
from isoplane.objectives.fluid import RELAYS, FluidModel
from isoplane.objectives.reference.fluid_times import overlay_times
from tests.objectives.fluid.sample_networks import message_lists, random_network
from tests.objectives.fluid.test_circuit_model import designs
from tests.strategies import circuit_pairs


def over_tree(hybrid):
    """Return circuits over the planes of a two-level tree, as those of any packet network."""
    packet = PlanesFamily("tree", Network(hybrid).planes)
    return OpticalOverlay(
        packet=packet,
        group_size=hybrid.nodes_per_group,
        ports_per_node=hybrid.ports_per_node,
        circuit_gbps=hybrid.circuit_gbps,
        circuit_ns=hybrid.circuit_ns,
    )


@settings(deadline=None, max_examples=60)
@given(designs(), st.sampled_from(RELAYS))
def test_circuits_over_the_planes_of_a_tree_equal_the_hybrid_family(design, relay):
    hybrid, messages, circuits, placement = design
    tree, general = FluidModel(hybrid, messages, relay), FluidModel(over_tree(hybrid), messages, relay)
    assert general.times(circuits, placement) == tree.times(circuits, placement)
    assert general.routes(circuits, placement) == tree.routes(circuits, placement)
    assert general.arrivals_ns(circuits, placement).tolist() == tree.arrivals_ns(circuits, placement).tolist()
    ours, theirs = general.loads(circuits, placement), tree.loads(circuits, placement)
    assert (ours.out, ours.into, ours.ahead, ours.back) == (theirs.out, theirs.into, theirs.ahead, theirs.back)
    assert sorted(ours.cables) == sorted((*theirs.up, *theirs.down))


@st.composite
def overlays(draw):
    """Draw circuits over a random network of one to three planes, a placement, and messages."""
    network = random_network(draw(st.integers(0, 10**6)))
    nodes = network.nodes
    size = draw(st.sampled_from([each for each in range(1, nodes // 2 + 1) if nodes % each == 0]))
    ports = draw(st.integers(1, 2))
    overlay = OpticalOverlay(
        packet=network.family,
        group_size=size,
        ports_per_node=ports,
        circuit_gbps=draw(st.sampled_from(["32", "9.7", "100"])),
        circuit_ns=draw(st.sampled_from([0, 80, "33.3"])),
    )
    pairs = draw(circuit_pairs([node // size for node in range(nodes)], ports))
    placement = Placement(tuple(draw(st.permutations(list(range(nodes))))))
    return Network(overlay, network.site), draw(message_lists(nodes)), Circuits(pairs), placement


@settings(deadline=None, max_examples=80)
@given(overlays(), st.sampled_from(RELAYS))
def test_times_over_random_planes_equal_the_reference(design, relay):
    network, messages, circuits, placement = design
    try:
        model = FluidModel(network.family, messages, relay, network.site)
    except InputError as error:
        assume("share a link" not in str(error))
        raise
    found = model.times(circuits, placement)
    expected = overlay_times(network, messages, circuits, placement, relay)
    for name in ("completion_ns", "completion_min_ns", "completion_max_ns", "hops"):
        assert getattr(found, name) == expected[name], name
    assert abs(found.bottleneck_ns - expected["bottleneck_ns"]) <= 1
    assert abs(found.total_ns - expected["total_ns"]) <= 1
    assert abs(model.synchronised_ns(circuits, placement) - expected["synchronised_ns"]) <= 1
    assert max(map(max, filter(None, model.loads(circuits, placement).all()))) == expected["heaviest_load_bytes"]


def test_groups_whose_routes_share_links_are_rejected():
    packet = Torus(shape=(8,))  # groups of 4 nodes of a ring: routes inside use links of that arc only
    work = sparse(8, 2, seed=1).message_list()
    FluidModel(OpticalOverlay(packet=packet, group_size=4), work)
    star = LeafSpine(nodes_per_leaf=1, leaf_switches=4, spine_switches=1, assumed_cable_m=2.0)
    FluidModel(OpticalOverlay(packet=star, group_size=2), sparse(4, 2, seed=1).message_list())
    wide = LeafSpine(nodes_per_leaf=4, leaf_switches=3, spine_switches=1, assumed_cable_m=2.0)
    with pytest.raises(InputError, match=r"network.group_size=6: routes inside groups 0 and 1 share a link; expected"):
        FluidModel(OpticalOverlay(packet=wide, group_size=6), sparse(12, 2, seed=1).message_list())
