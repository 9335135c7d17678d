"""Zero-load latencies and throughput bounds, from the routes alone; loads of fat-trees."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from isoplane.models import InputError, Network, Plane, Topology, dual_cube, uniform_attachment
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.routing import NO_ROUTE, links_of_route, torus_order, up_down, vector_routing
from isoplane.models.topologies import rdt, torus
from isoplane.objectives import exact_metrics, metrics
from isoplane.simulator import Hardware, Simulation, Traffic, throughput_bound, zero_load_latency_ns
from isoplane.simulator.hardware import FLOW_CONTROLS
from isoplane.simulator.theory import link_loads
from isoplane.simulator.theory.theory import typical_latency_ticks
from tests.assembled import assembled
from tests.cases import for_each, require_refusal

from .networks import cube, direct_torus, identical_planes, send_one_by_one, steps_ahead, tree, tree_and_ring


def without_cables(topology, routes, nodes_per_switch=1):
    nodes = uniform_attachment(topology.switches, nodes_per_switch)
    return assembled("", (Plane(topology, np.zeros(topology.peer.shape), nodes, routes=routes),))


@for_each("flow_control", FLOW_CONTROLS)
@for_each(
    "network",
    [
        cube(),
        cube(folded=True),
        identical_planes(),
        direct_torus(),
        tree(),
        tree_and_ring(),
    ],
)
def test_an_uncontended_packet_takes_exactly_the_zero_load_latency_between_any_two_nodes(network, flow_control):
    hardware = Hardware(flow_control=flow_control)
    pairs = [pair for pair in permutations(range(network.nodes), 2) for _ in range(2)]  # equally near planes alternate
    engine = send_one_by_one(network, hardware, pairs)
    for pair, row in zip(sorted(set(pairs)), engine.by_pair().tolist(), strict=True):
        assert row[0] == 2
        assert Fraction(row[1], 2) * hardware.tick_ns == zero_load_latency_ns(network, hardware, *pair), pair


def test_the_131_ns_of_the_paper_are_a_switch_two_node_cables_and_a_packet():
    # 90 + 2 · 2 m · 5 ns/m + 256 bytes at 100 Gbit/s; each delay is rounded to ticks of 1.28 ns.
    latency = zero_load_latency_ns(cube(), Hardware(), 0, 1)
    assert abs(latency - Fraction(90 + 20 + 20.48)) <= 3 * Fraction("0.64")


def test_the_mean_zero_load_latency_is_the_delay_of_the_objectives():
    network = dual_cube(4, (7, 11, 13, 14))
    switches = network.plane_switches[0]
    pairs = permutations(range(0, network.nodes, network.family.nodes_per_switch), 2)
    total = sum(zero_load_latency_ns(network, Hardware(), *pair) for pair in pairs)
    total += switches * zero_load_latency_ns(network, Hardware(), 0, 1)  # offset 0: within a switch
    expected = metrics(network, exact_metrics(network))["delay_ns"]
    assert float(total / switches**2) == pytest.approx(expected, abs=1.5)


@for_each("folded", [False, True])
@for_each("generators", [(1, 2, 4, 8), (7, 11, 13, 14), (3, 6, 12, 7)])
def test_the_bound_of_a_dual_cube_is_its_max_traffic_without_the_node_itself(generators, folded):
    # max_traffic counts the node itself as a destination: N destinations instead of N - 1.
    network = cube(4, generators, folded)
    planes, nodes = 2, 32
    traffic = Fraction(2 * 16, exact_metrics(network).max_load)
    node_bound = Fraction(nodes - 1) / max(_messages_in_a_plane(network))
    assert throughput_bound(network) == min(traffic / planes * Fraction(nodes - 1, nodes), node_bound)


def _messages_in_a_plane(network):
    """Number of messages in each plane, for one message from node 0 to each other node."""
    messages = [Fraction(0), Fraction(0)]
    for node in range(1, network.nodes):
        hops = [len(links_of_route(plane.topology, plane.routes, 0, node // 2)) for plane in network.planes]
        nearest = [p for p in range(2) if hops[p] == min(hops)]
        for p in nearest:
            messages[p] += Fraction(1, len(nearest))
    return messages


def test_one_switch_represents_its_equivalence_class(monkeypatch):
    network = without_cables(rdt(8), vector_routing(8))
    assert len(link_loads.switch_classes(network)[1]) < network.plane_switches[0]
    bound = throughput_bound(network)
    monkeypatch.setattr(link_loads, "switch_classes", lambda network: None)
    assert throughput_bound(network) == bound


def test_a_permutation_is_bounded_by_the_link_with_the_most_pairs():
    # Complement in identical planes: both nodes of a switch send everything over the first link of both planes.
    assert throughput_bound(identical_planes(), "complement") == 1
    # Neighbours on a ring: every link in one direction carries one pair.
    assert throughput_bound(without_cables(torus((5,)), torus_order((5,))), np.array(steps_ahead(5))) == 1


@for_each("pattern", ["hot_spot", "unknown"])
def test_a_bound_exists_only_for_uniform_traffic_and_permutations(pattern):
    planes = identical_planes()
    require_refusal(lambda: throughput_bound(planes, pattern), f"traffic.pattern={pattern}: no bound; expected uniform")


def test_a_single_node_has_no_destination():
    unconnected = np.full((1, 1), -1, dtype=np.int32)
    topology = Topology(unconnected, unconnected)
    single = without_cables(topology, up_down(topology))
    for function in (throughput_bound, lambda network: typical_latency_ticks(network, Hardware())):
        with pytest.raises(InputError, match=r"^network\.nodes=1: no other node to send to; expected at least 2$"):
            function(single)


@for_each("node", [-1, 16, 1.0])
def test_an_unknown_node_has_no_latency(node):
    with pytest.raises(InputError, match="node="):
        zero_load_latency_ns(cube(), Hardware(), 0, node)
    with pytest.raises(InputError, match="sends to itself"):
        zero_load_latency_ns(cube(), Hardware(), 3, 3)


DEFAULT = Hardware()


def nearest_routes(network, source, destination):
    """Index of each nearest plane, and the links of its route."""
    routes = []
    for number, plane in enumerate(network.planes):
        target = int(plane.routes.targets(plane.node_switch)[destination])
        links = links_of_route(plane.topology, plane.routes, int(plane.node_switch[source]), target)
        routes.append((number, [(number, switch, port) for switch, port, _ in links]))
    nearest = min(len(links) for _, links in routes)
    return [(number, links) for number, links in routes if len(links) == nearest]


def loads(network, pairs):
    """Number of messages on each link, node links included, with one message per pair."""
    load = Counter()
    for source, destination in pairs:
        nearest = nearest_routes(network, source, destination)
        for plane, links in nearest:
            for link in [*links, ("from", source, plane), ("to", destination, plane)]:
                load[link] += Fraction(1, len(nearest))
    return load


@for_each("family", [FullMesh(), OrthogonalFatTree(q=2, nodes_per_leaf=3)])
def test_spines_without_routes_to_all_leaves_need_one_virtual_channel(family):
    network, hardware = Network(family), replace(DEFAULT, virtual_channels=1)
    assert (network.planes[0].routes.next_port == NO_ROUTE).any()
    expected = loads(network, permutations(range(family.nodes), 2))
    traffic = Traffic(pattern="all_to_all", load=0.9, max_created=family.nodes * (family.nodes - 1))
    simulation = Simulation(network, hardware, traffic, seed=1)
    simulation.run(10**6)
    assert simulation.ended
    assert simulation.audit() is None
    packet_ticks = hardware.packet_flits * hardware.speedup
    for (start, end, port), ticks in zip(simulation.links().tolist(), simulation.link_busy().tolist(), strict=True):
        if max(start, end) < family.switches:
            assert ticks // packet_ticks == expected[0, start, port]


@for_each("network", [tree(), tree_and_ring()])
def test_uniform_traffic_at_a_low_load_has_the_latency_and_the_loads_of_theory(network):
    load = 0.01
    simulation = Simulation(network, DEFAULT, Traffic(load=load), seed=1)
    simulation.run(2 * 10**6)
    assert simulation.audit() is None
    totals = simulation.totals()
    measured = totals["network_latency"] / totals["packets_arrived"] * float(DEFAULT.tick_ns)
    pairs = list(permutations(range(16), 2))
    zero_load = sum(zero_load_latency_ns(network, DEFAULT, *pair) for pair in pairs) / len(pairs)
    # A packet waits for another one on a link of load r for about r/2 packet times: less than 1 % of the latency.
    assert measured == pytest.approx(float(zero_load), rel=0.01)
    expected = loads(network, pairs)
    starts = np.cumsum([0, *network.plane_switches])
    for (start, end, port), ticks in zip(simulation.links().tolist(), simulation.link_busy().tolist(), strict=True):
        if max(start, end) < starts[-1]:
            plane = int(np.searchsorted(starts, start, side="right")) - 1
            offered = load * float(expected[plane, start - int(starts[plane]), port]) / 15
            flits = simulation.now / DEFAULT.speedup * offered
            expected_packets = flits / DEFAULT.packet_flits  # arrivals are random
            packets = ticks / DEFAULT.speedup / DEFAULT.packet_flits
            assert abs(packets - expected_packets) <= 4 * expected_packets**0.5, (plane, start, port)
