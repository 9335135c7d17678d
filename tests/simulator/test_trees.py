"""Fat-trees: some switches have no nodes, and routes depend on the destination node."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from isoplane.models import Network
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.oft import OrthogonalFatTree
from isoplane.models.routing import NO_ROUTE, links_of_route
from isoplane.simulator import Hardware, Simulation, Traffic, throughput_bound, zero_load_latency_ns

from .networks import cube, direct_torus, identical_planes, tree, tree_and_ring

HARDWARE = Hardware()


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


def test_all_to_all_is_exactly_balanced_over_the_links_of_a_tree():
    # Up: 4 nodes of a leaf send to the 6 nodes of other leaves that are routed over one spine. Down: 12 nodes of other
    # leaves send to the 2 of a leaf that are routed over one spine. A node sends to 15 others and receives from 15.
    load = loads(tree(), permutations(range(16), 2))
    switch_loads = {count for link, count in load.items() if isinstance(link[0], int)}
    assert switch_loads == {4 * 6} == {12 * 2}
    assert {count for link, count in load.items() if not isinstance(link[0], int)} == {15}
    assert sum(isinstance(link[0], int) for link in load) == 2 * 4 * 2
    assert throughput_bound(tree()) == Fraction(15, 24)


@pytest.mark.parametrize("network", [tree(), tree_and_ring(), cube(), identical_planes()])
def test_the_bound_of_uniform_traffic_is_that_of_the_busiest_link(network):
    busiest = max(loads(network, permutations(range(network.nodes), 2)).values())
    assert throughput_bound(network) == (network.nodes - 1) / busiest


def test_the_bound_of_a_direct_network_has_no_node_links():
    load = loads(direct_torus(), permutations(range(12), 2))
    assert throughput_bound(direct_torus()) == 11 / max(n for link, n in load.items() if isinstance(link[0], int))


@pytest.mark.parametrize("network", [tree(), tree_and_ring()])
def test_the_bound_of_a_permutation_is_that_of_the_busiest_link(network):
    shifted = (np.arange(16) * 5 + 3) % 16
    pairs = [(source, destination) for source, destination in enumerate(shifted.tolist()) if source != destination]
    assert throughput_bound(network, shifted) == 1 / max(loads(network, pairs).values())


def test_a_round_of_all_to_all_puts_24_packets_on_each_link_between_switches():
    traffic = Traffic(pattern="all_to_all", load=0.3, max_created=240)
    simulation = Simulation(tree(), HARDWARE, traffic, seed=1)
    simulation.run(10**6)
    assert simulation.ended
    assert simulation.received().tolist() == [15] * 16
    busy = {}
    for (start, end, port), ticks in zip(simulation.links().tolist(), simulation.link_busy().tolist(), strict=True):
        if ticks:
            busy[start, end, port] = ticks // (HARDWARE.packet_flits * HARDWARE.speedup)
    assert len(busy) == 16 + 32
    assert all(packets == (24 if max(link[:2]) < 6 else 15) for link, packets in busy.items())


@pytest.mark.parametrize("family", [FullMesh(), OrthogonalFatTree(q=2, nodes_per_leaf=3)])
def test_spines_without_routes_to_all_leaves_need_one_virtual_channel(family):
    network, hardware = Network(family), replace(HARDWARE, virtual_channels=1)
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


@pytest.mark.parametrize("network", [tree(), tree_and_ring()])
def test_uniform_traffic_at_a_low_load_has_the_latency_and_the_loads_of_theory(network):
    load = 0.01
    simulation = Simulation(network, HARDWARE, Traffic(load=load), seed=1)
    simulation.run(2 * 10**6)
    assert simulation.audit() is None
    totals = simulation.totals()
    measured = totals["network_latency"] / totals["packets_arrived"] * float(HARDWARE.tick_ns)
    pairs = list(permutations(range(16), 2))
    zero_load = sum(zero_load_latency_ns(network, HARDWARE, *pair) for pair in pairs) / len(pairs)
    # A packet waits for another one on a link of load r for about r/2 packet times: less than 1 % of the latency.
    assert measured == pytest.approx(float(zero_load), rel=0.01)
    expected = loads(network, pairs)
    starts = np.cumsum([0, *network.plane_switches])
    for (start, end, port), ticks in zip(simulation.links().tolist(), simulation.link_busy().tolist(), strict=True):
        if max(start, end) < starts[-1]:
            plane = int(np.searchsorted(starts, start, side="right")) - 1
            flits = (
                simulation.now / HARDWARE.speedup * load * float(expected[plane, start - int(starts[plane]), port]) / 15
            )
            expected_packets = flits / HARDWARE.packet_flits  # arrivals are random
            packets = ticks / HARDWARE.speedup / HARDWARE.packet_flits
            assert abs(packets - expected_packets) <= 4 * expected_packets**0.5, (plane, start, port)
