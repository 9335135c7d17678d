"""Fluid model against packet simulation: equal without contention, close if links are shared evenly."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from isoplane.models import Circuits, ConnectionSet, Cube, Hybrid, Network, cube_planes
from isoplane.models.families.fat_tree import FatTree
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import PhasedWorkload, from_matrix, sparse, stencil
from isoplane.objectives.fluid import NetworkFluidModel
from isoplane.objectives.fluid.link_timing import link_timing
from isoplane.simulator import Hardware, Simulation, simulate_hybrid, zero_load_latency_ns
from isoplane.simulator._native import PacketNetwork
from isoplane.simulator.transfers.hybrid_links import HybridLink
from isoplane.simulator.transfers.transfer_plan import transfer_plan
from isoplane.simulator.transfers.transfers import Transfers
from tests.cases import for_each

NETWORKS = {
    "direct torus": Network(Torus(shape=(4, 3))),
    "torus": Network(Torus(shape=(3, 3), nodes_per_switch=2, node_cable_m=2.0)),
    "tree": Network(FatTree(switch_ports=4)),
    "cube": Network(cube_planes((Cube(ConnectionSet(3, (3, 5, 7)), folded=True),))),
}


@for_each("name", NETWORKS)
def test_a_single_packet_takes_its_zero_load_latency(name):
    network, hardware = NETWORKS[name], Hardware()
    # A packet of 256 bytes is 8 flits. In a direct network they are at the switch of the source at once: one flit less.
    # The simulation rounds each cable with its switch, and each switch alone, to ticks of 1.28 ns.
    early = hardware.flit_ns if network.node_cable_mm is None else Fraction(0)
    for destination in range(1, network.nodes):
        matrix = np.zeros((network.nodes, network.nodes), dtype=np.int64)
        matrix[0, destination] = 256
        found = NetworkFluidModel(network, from_matrix(matrix).message_list()).times().completion_ns
        latency_ns = zero_load_latency_ns(network, hardware, 0, destination)
        hops = len(network.route_links([0], [destination], 0)[1])
        assert abs(found - (latency_ns + early)) <= (hops + 1) * hardware.tick_ns / 2 + Fraction(1, 2)


def test_long_messages_to_neighbours_take_as_long_in_the_flit_simulation():
    # All switches of a direct ring send 100 packets of 2,048 bits to the next one: the links are full from the start.
    network, node, hardware = Network(Torus(shape=(8,))), np.arange(8), Hardware()
    workload = PhasedWorkload("shift", 8, 0 * node, node, (node + 1) % 8, 0 * node + 25_600).message_list()
    simulation = Simulation(network, hardware, workload, seed=1)
    simulation.run(10**6)
    assert simulation.ended
    arrived_ns = simulation.listed_arrived().max() * float(hardware.tick_ns)
    found = NetworkFluidModel(network, workload).times()
    assert found.completion_ns == 100 * 2048 // 100 + 95
    assert arrived_ns == pytest.approx(found.completion_ns, abs=float(hardware.flit_ns + 2 * hardware.tick_ns))


def test_shared_links_take_as_long_in_the_flit_simulation():
    # Nodes 1 to 7 of a tree of 16 nodes send 64 packets each to node 0, over its only link.
    network, hardware = NETWORKS["tree"], Hardware()
    node = np.arange(1, 8)
    workload = PhasedWorkload("incast", 16, 0 * node, node, 0 * node, 0 * node + 64 * 256).message_list()
    simulation = Simulation(network, hardware, workload, seed=1)
    simulation.run(10**6)
    arrived_ns = simulation.listed_arrived().max() * float(hardware.tick_ns)
    found = NetworkFluidModel(network, workload).times()
    assert found.bottleneck_ns == round(7 * 64 * 20.48)
    # The fluid model adds the delay of the longest way after the last bit; packets from near nodes keep the link busy
    # meanwhile. So the times differ by at most that delay, of 6 cables and 5 switches, and a packet.
    assert abs(arrived_ns - found.completion_ns) <= 6 * 25 + 5 * 90 + 20.48


def packet_arrivals(hybrid, messages):
    """Return the arrival time of each message in a packet simulation over the plane of a hybrid network."""
    network = Network(hybrid)
    (links,), (plane,), timing = network.plane_links, network.planes, link_timing(network)
    wire_ns, switch_ns = Fraction(hybrid.link_ns), Fraction(hybrid.switch_ns)
    ends_at_switch = links.values(np.ones_like(plane.cable_mm), np.ones(hybrid.nodes), np.zeros(hybrid.nodes))
    hybrid_links = [
        HybridLink("up", None, None, timing.rates_gbps[rate], wire_ns, wire_ns + (switch_ns if switch else 0))
        for rate, switch in zip(timing.rate, ends_at_switch, strict=True)
    ]
    start, taken = network.route_links(messages.source, messages.destination, 0)
    paths = [taken[a:b].tolist() for a, b in pairwise(start)]
    ids = list(range(messages.messages))
    dependencies = [messages.dependency[a:b].tolist() for a, b in pairwise(messages.dependency_start)]
    transfers = Transfers(ids, paths, dependencies, ids, ids)
    packets = PacketNetwork(transfer_plan(hybrid_links, transfers, messages, Fraction(1, 40), hybrid.packet_bytes, 9))
    while not packets.run(1 << 18):
        pass
    return packets.arrived()


@for_each("workload", [stencil((4, 4), 100_000, 2), sparse(16, 3, 50_000)])
def test_packets_arrive_at_the_same_times_over_the_plane_of_a_hybrid_network_and_over_its_own_links(workload):
    hybrid, messages = Hybrid(4, 4), workload.message_list()
    hybrid_run = simulate_hybrid(hybrid, Circuits(), messages, window_packets=9)
    assert hybrid_run.tick_ns == Fraction(1, 40)
    assert packet_arrivals(hybrid, messages).tolist() == hybrid_run.arrived_ticks.tolist()
