"""Hybrid networks and circuits over packet networks: how many fit, what they cost, and how nodes forward."""

from fractions import Fraction
from itertools import combinations, pairwise, permutations

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import (
    BasisVariable,
    Circuits,
    CircuitsVariable,
    Family,
    Hybrid,
    InputError,
    Network,
    OpticalOverlay,
    OpticalSwitch,
    PlacementVariable,
    Site,
    SwitchModel,
    dual_cube,
    family_named,
    family_names,
)
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.megafly import Megafly
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.distance_vector import (
    UNREACHED,
    distance_vector,
    least_costs,
    route_over,
    segment_costs,
)
from isoplane.models.placement import by_groups, by_switch
from isoplane.models.routing import channel_cycle, links_of_route
from isoplane.objectives.general import all_to_all_loads, general_exact, pairs_at_distances, sum_of_hops
from isoplane.objectives.reference.general import measure_general
from isoplane.objectives.reference.transfers.plane_transfers import link_rates, share_paths
from tests.cases import for_each
from tests.strategies import circuit_pairs

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
    assert exact.total_hops == network.nodes * 2 * others == sum_of_hops(pairs_at_distances(network))
    assert Fraction(exact.peak_load, exact.parts) == Fraction(size * others * 10, 64)
    assert all_to_all_loads(network).load[0].max() == size * others


SMALL = Hybrid(groups=3, nodes_per_group=2)


def test_the_network_of_the_paper_has_at_most_64_circuits():
    assert (Hybrid().nodes, Hybrid().max_circuits) == (128, 64)
    assert Hybrid(ports_per_node=2).max_circuits == 128
    assert Hybrid(groups=3, nodes_per_group=3).max_circuits == 4  # nine ports, two per circuit


def test_circuits_are_the_same_in_any_order():
    assert Circuits(((3, 0), (1, 5))) == Circuits(((5, 1), (0, 3)))
    assert len(Circuits(((3, 0), (1, 5)))) == 2


def test_a_placement_matches_its_groups_and_its_inverse():
    groups = (2, 0, 1, 1, 2, 0)
    placement = by_groups(groups, 2)
    assert [SMALL.group_of(node) for node in placement.nodes] == list(groups)
    assert [placement.nodes[process] for process in placement.processes] == list(range(6))
    assert by_switch(6) == by_groups((0, 0, 1, 1, 2, 2), 2)


@given(st.lists(st.integers(0, 2), min_size=2, max_size=5).filter(lambda group: len(set(group)) > 1), st.integers(1, 2))
def test_max_circuits_is_the_most_that_the_ports_allow(group, ports):
    optical = OpticalSwitch(tuple(group), ports)
    pairs = [pair for pair in combinations(range(len(group)), 2) if group[pair[0]] != group[pair[1]]]
    parallel = [pair for pair in pairs for _ in range(ports)]

    def fits(chosen):
        try:
            Circuits(chosen).require_fit(optical)
        except InputError:
            return False
        return True

    counts = range(len(parallel) + 1)
    most = max(count for count in counts if any(map(fits, combinations(parallel, count))))
    assert optical.max_circuits == most


def test_a_network_has_an_optical_switch_if_its_family_has_circuits():
    assert Network(Hybrid(2, 2, ports_per_node=3)).optical_switches == (OpticalSwitch((0, 0, 1, 1), 3),)
    assert [name for name in family_names() if family_named(name).kind == "circuits"] == ["hybrid", "optical_overlay"]


def test_the_variable_of_cubes_is_the_basis_and_those_of_hybrids_are_circuits_and_placement():
    assert dual_cube(3, (3, 5, 7)).family.variables == {"generators": BasisVariable(3)}
    hybrid = Hybrid(2, 4, ports_per_node=3)  # 8 nodes with 3 ports each have at most 12 circuits
    assert hybrid.variables == {"circuits": CircuitsVariable(3, 12), "placement": PlacementVariable(8, "free")}


def test_only_these_built_in_families_have_variables():
    names = [name for name in family_names() if family_named(name).variables is not Family.variables]
    assert names == [
        "folded_hypercube",
        "free_graph",
        "host_graph",
        "hybrid",
        "hypercube",
        "optical_overlay",
        "relabelled",
    ]


def test_a_config_narrows_the_limits():
    assert CircuitsVariable(1, 4).within("circuits", None) == CircuitsVariable(1, 4)
    assert CircuitsVariable(1, 4).within("circuits", 0) == CircuitsVariable(1, 0)
    assert PlacementVariable(8).within("placement", "by_communication").by == "by_communication"


@st.composite
def cases(draw):
    """Draw a small network, and circuits that it can set up."""
    hybrid = Hybrid(
        draw(st.integers(2, 4)),
        draw(st.integers(1, 5)),
        draw(st.integers(1, 3)),
        node_gbps=draw(st.sampled_from([10, 40])),
        circuit_gbps=draw(st.sampled_from([4, 10, 32])),
    )
    return hybrid, Circuits(draw(circuit_pairs(hybrid.group.tolist(), hybrid.ports_per_node, parallel=2)))


def shortest_costs(hybrid, circuits):
    """Return the minimum costs from igraph: vertices are nodes and edge switches, links cost half a segment."""
    inside_cost, circuit_cost, _ = segment_costs(hybrid)
    links = [(node, hybrid.nodes + hybrid.group_of(node)) for node in range(hybrid.nodes)]
    graph = igraph.Graph(hybrid.nodes + hybrid.groups, links + list(circuits.pairs))
    weights = [inside_cost / 2] * len(links) + [circuit_cost] * len(circuits.pairs)
    return np.array(graph.distances(range(hybrid.nodes), range(hybrid.nodes), weights=weights))


@given(cases())
def test_costs_between_groups_are_those_of_shortest_paths(case):
    hybrid, circuits = case
    cost, expected = least_costs(hybrid, circuits), shortest_costs(hybrid, circuits)
    other = hybrid.group[:, None] != hybrid.group[None, :]
    reached = other & np.isfinite(expected)
    # Inside a group only the edge switch is used, even if two circuits would be faster.
    if hybrid.ports_per_node == 1:
        assert (cost[reached] == expected[reached]).all()
    assert ((cost == UNREACHED) == (other & ~np.isfinite(expected))).all()
    assert (cost >= np.where(np.isfinite(expected), expected, 0)).all()


@given(cases())
def test_routes_have_the_cost_of_the_tables_and_change_groups_over_circuits_only(case):
    hybrid, circuits = case
    tables, costs = distance_vector(hybrid, circuits), least_costs(hybrid, circuits)
    inside_cost, circuit_cost, _ = segment_costs(hybrid)
    for source in range(hybrid.nodes):
        for destination in range(hybrid.nodes):
            route = route_over(tables, source, destination)
            segments = list(pairwise(route))
            if hybrid.group_of(source) == hybrid.group_of(destination) or costs[source, destination] == UNREACHED:
                assert route == ([source] if source == destination else [source, destination])
                continue
            crossings = [
                (min(segment), max(segment))
                for segment in segments
                if hybrid.group_of(segment[0]) != hybrid.group_of(segment[1])
            ]
            assert set(crossings) <= set(circuits.pairs)
            cost = len(crossings) * circuit_cost + (len(segments) - len(crossings)) * inside_cost
            assert cost == costs[source, destination]


def test_a_group_shares_its_circuits_among_its_nodes():
    # Nodes 0 and 1 own circuits; 2 and 3 use one each, and 0 and 1 their own.
    tables = distance_vector(Hybrid(2, 4), Circuits(((0, 4), (1, 5))))
    assert [route_over(tables, node, 7) for node in range(4)] == [[0, 4, 7], [1, 5, 7], [2, 0, 4, 7], [3, 1, 5, 7]]


def test_groups_without_circuits_between_them_use_the_packet_network():
    tables = distance_vector(Hybrid(3, 2), Circuits(((0, 2),)))
    assert route_over(tables, 1, 3) == [1, 0, 2, 3]
    assert route_over(tables, 1, 5) == [1, 5]


def test_invalid_circuits_are_rejected():
    with pytest.raises(InputError, match="inside group"):
        distance_vector(Hybrid(2, 2), Circuits(((0, 1),)))


def test_rates_without_a_common_unit_are_rejected():
    hybrid = Hybrid(2, 2, node_gbps=10.0000000000001, circuit_gbps=32.000000000001)
    with pytest.raises(InputError, match=r"network.node_gbps=10.0000000000001, network.circuit_gbps=32.000000000001"):
        distance_vector(hybrid, Circuits())
