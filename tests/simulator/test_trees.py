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
from isoplane.simulator import Hardware, Simulation, Traffic, zero_load_latency_ns
from tests.cases import for_each

from .networks import tree, tree_and_ring

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


@for_each("family", [FullMesh(), OrthogonalFatTree(q=2, nodes_per_leaf=3)])
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


@for_each("network", [tree(), tree_and_ring()])
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
