"""Hybrid networks and circuits over packet networks: groups, routing costs and rates of nodes."""

from fractions import Fraction
from itertools import permutations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Hybrid, Network, OpticalOverlay, Site, SwitchModel, dual_cube
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.megafly import Megafly
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.distance_vector import segment_costs
from isoplane.models.routing import channel_cycle, links_of_route
from isoplane.objectives.general import all_distances, all_to_all_loads, general_exact
from isoplane.objectives.reference.general import measure_general
from isoplane.objectives.reference.transfers.plane_transfers import link_rates, share_paths
from tests.cases import for_each

PACKET = [
    Dragonfly(),
    dual_cube(3, (3, 5, 7)).family,
    FatTree(switch_ports=4),
    FullMesh(layers=2, uplinks=3, nodes_per_leaf=2),
    HyperX(shape=(3, 2), nodes_per_switch=4),
    LeafSpine(nodes_per_leaf=3, leaf_switches=4, spine_switches=2),
    Megafly(),
    MultiPlane(plane=HyperX(shape=(3, 2), nodes_per_switch=4), links_per_node=2),
    Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=2.0),
    Torus(shape=(4, 3)),
]
packets = for_each("packet", PACKET)


@packets
def test_a_group_holds_the_nodes_of_a_switch_by_default(packet):
    overlay = OpticalOverlay(packet=packet)
    (plane, *_) = Network(overlay).planes
    at_switch = [set() for _ in range(plane.topology.switches)]
    for node, switch in zip(plane.node.tolist(), plane.node_switch.tolist(), strict=True):
        at_switch[switch].add(node)
    groups = [set(np.flatnonzero(overlay.group == group).tolist()) for group in range(overlay.groups)]
    assert sorted(map(sorted, groups)) == sorted(sorted(nodes) for nodes in at_switch if nodes)


@settings(deadline=None, max_examples=30)
@given(st.sampled_from(PACKET[1:6] + PACKET[7:]), st.sampled_from(["100", "12.8"]), st.data())
def test_the_cost_inside_a_group_is_the_greatest_sum_of_inverse_rates(packet, gbps, data):
    sizes = [size for size in range(1, packet.nodes // 2 + 1) if packet.nodes % size == 0]
    overlay = OpticalOverlay(packet=packet, group_size=data.draw(st.sampled_from(sizes)), circuit_gbps="3.2")
    network = Network(overlay, Site(layout=None, switch=SwitchModel(link_gbps=gbps)))
    rates = link_rates(network)
    size = overlay.nodes_per_group
    costs = [
        sum((1 / rates[link] for link in way.links), Fraction(0))
        for first in range(0, network.nodes, size)
        for a, b in permutations(range(first, first + size), 2)
        for way, _ in share_paths(network, a, b)
    ]
    assert overlay.inside_cost(network.site) == max(costs, default=Fraction(5, 16))
    inside, circuit, scale = segment_costs(overlay, network.site)
    assert (Fraction(inside, scale), Fraction(circuit, scale)) == (overlay.inside_cost(network.site), Fraction(5, 16))


@for_each(
    ("packet", "links"),
    [
        (Torus(shape=(4, 3)), 4),  # cables of the switch of a node
        (Torus(shape=(4, 3), nodes_per_switch=2, node_cable_m=2.0), 1),
        (MultiPlane(plane=HyperX(shape=(3, 2), nodes_per_switch=4), planes=3, links_per_node=2), 6),
        (dual_cube(3, (3, 5, 7)).family, 2),
    ],
)
def test_a_node_sends_over_all_its_links(packet, links):
    site = Site(switch=SwitchModel(link_gbps="12.8"))
    assert OpticalOverlay(packet=packet).max_node_gbps(site) == links * Fraction("12.8")


def test_messages_between_groups_go_through_the_root_switch():
    (plane,) = Network(Hybrid(3, 2)).planes
    targets = plane.routes.targets(plane.node_switch)
    routes = [links_of_route(plane.topology, plane.routes, 0, int(targets[node])) for node in (1, 2, 5)]
    assert [[(switch, port) for switch, port, _ in links] for links in routes] == [
        [],
        [(0, 0), (3, 1)],
        [(0, 0), (3, 2)],
    ]
    assert channel_cycle(plane.topology, plane.routes, 1) is None


def test_rates_and_delays_are_those_of_the_family():
    (plane,) = Network(Hybrid(2, 3, node_gbps=9.5, up_gbps=Fraction(32), link_ns="20.001", switch_ns=7)).planes
    timing, cabled = plane.timing, plane.topology.peer >= 0
    assert timing.rate_mbps.tolist() == np.where(cabled, 32_000, 0).tolist()
    assert timing.delay_ps.tolist() == np.where(cabled, 20_001, 0).tolist()
    assert set(timing.node_rate_mbps.tolist()) == {9500}
    assert set(timing.node_delay_ps.tolist()) == {20_001}
    assert timing.switch_delay_ps.tolist() == [7000] * 3


@for_each(("groups", "size"), [(2, 1), (3, 4), (5, 2)])
def test_the_general_evaluator_and_the_reference_agree(groups, size):
    network = Network(Hybrid(groups, size))
    exact, reference = general_exact(network), measure_general(network)
    assert (exact.total_hops, exact.diameter) == (reference.total_hops, reference.diameter)
    assert Fraction(exact.peak_load, exact.parts) == reference.peak_load
    # Two hops to each node of other groups; an uplink carries what a group sends them, at 64/10 of the rate of a node.
    others = (groups - 1) * size
    assert exact.total_hops == network.nodes * 2 * others == all_distances(network).total_hops
    assert Fraction(exact.peak_load, exact.parts) == Fraction(size * others * 10, 64)
    assert all_to_all_loads(network).load[0].max() == size * others
