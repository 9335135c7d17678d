"""Conversion of a network for the engine: stated rates and delays of planes, node links and plane policies."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

from isoplane.models import InputError, MessageList, Plane, SwitchModel, Timing
from isoplane.models.network import Network
from isoplane.models.routing import torus_order
from isoplane.models.topologies import torus
from isoplane.simulator import Hardware, Simulation, Traffic
from isoplane.simulator._native import PacketNetwork, TransferPlan
from isoplane.simulator.flits.plane_ticks import max_node_rate, plane_ticks
from isoplane.simulator.hardware import FLOW_CONTROLS
from tests.assembled import Assembled
from tests.cases import for_each, require_refusal

from .networks import direct_torus, send_one_by_one, steps_ahead

HARDWARE = Hardware(speedup=4)  # a tick is 0.64 ns
SIDE = 4


def ring(timing=None, links=None, **changes):
    """A ring of four switches with a node at each, or with the given node links."""
    topology = torus((SIDE,))
    node_switch, starts = (np.arange(SIDE), None) if links is None else links
    plane = Plane(
        topology, np.full((SIDE, 2), 2000), node_switch, 1000, starts, routes=torus_order((SIDE,), datelines=True)
    )
    return replace(plane, timing=timing or Timing(), **changes)


def network(*planes, policy="nearest"):
    return Network(Assembled("rings", planes, policy))


def rates(*cable_rates):
    """Rates by port, given the rate of the cable from each switch to the next one."""
    return np.array([[cable_rates[switch], cable_rates[switch - 1]] for switch in range(SIDE)])


def uncontended_ns(network, source, destination, hardware=HARDWARE):
    engine = send_one_by_one(network, hardware, [(source, destination)])
    return engine.totals()["network_latency"] * hardware.tick_ns


def test_a_plane_that_states_the_defaults_of_the_hardware_has_the_same_simulation():
    stated = Timing(
        rate_mbps=rates(*[100_000] * SIDE),
        node_rate_mbps=np.full(SIDE, 100_000),
        delay_ps=np.full((SIDE, 2), 10_000),  # 2 m
        node_delay_ps=np.full(SIDE, 5_000),
        switch_delay_ps=np.full(SIDE, 90_000),
    )
    results = []
    for timing in (None, stated):
        run = Simulation(network(ring(timing)), HARDWARE, Traffic(load=0.6), seed=5)
        run.run(20_000)
        assert run.audit() is None
        results.append((run.totals(), run.link_busy().tolist()))
    assert results[0] == results[1]


@for_each("flow_control", FLOW_CONTROLS)
def test_an_uncontended_packet_takes_the_sum_of_the_delays_and_the_time_of_the_slowest_link(flow_control):
    timing = Timing(
        rate_mbps=rates(50_000, 100_000, 100_000, 200_000),
        node_rate_mbps=np.array([100_000, 100_000, 400_000, 100_000]),
        delay_ps=rates(64_000, 12_800, 0, 0),
        node_delay_ps=np.array([6_400, 0, 12_800, 0]),
        switch_delay_ps=np.array([64_000, 128_000, 32_000, 0]),
    )
    hardware = replace(HARDWARE, flow_control=flow_control)
    # From node 0 over cables 0 and 1 to node 2; a flit of 256 bits takes 2.56 ns at 100 Gbit/s, a packet has 8 flits.
    cables, switches = Fraction("6.4") + 64 + Fraction("12.8") * 2, 64 + 128 + 32
    flit = {rate: Fraction(256, rate) for rate in (100, 50, 400)}
    if flow_control == "store_and_forward":
        expected = cables + switches + 8 * (flit[100] + flit[50] + flit[100] + flit[400])
    else:
        expected = cables + switches + 7 * flit[50] + flit[400]
    assert uncontended_ns(network(ring(timing)), 0, 2, hardware) == expected


@for_each("order", list(permutations((100_000, 50_000, 25_000, 200_000)))[::5])
@for_each("packets", [1, 2, 60])
def test_packets_over_links_of_several_rates_agree_with_the_packet_simulator(order, packets):
    timing = Timing(
        rate_mbps=rates(order[1], order[2], 100_000, 100_000),
        node_rate_mbps=np.array([order[0], 100_000, order[3], 100_000]),
        delay_ps=np.full((SIDE, 2), 6_400),
        node_delay_ps=np.full(SIDE, 12_800),
        switch_delay_ps=np.array([64_000, 128_000, 32_000, 0]),
    )
    message = MessageList(SIDE, *map(np.array, ([0], [2], [256 * packets], [0], [0, 0], [])))
    run = Simulation(network(ring(timing)), replace(HARDWARE, buffer_flits=2000), message, seed=1)
    run.run(10**6)
    # In the packet simulator all bits of a packet are as far apart as on the slowest link; in the engine only its flits
    # are, and the last flit takes the time of the last link.
    lag_ns = Fraction(256_000, min(order)) - Fraction(256_000, order[3])
    arrived_ns = int(run.listed_arrived()[0]) * HARDWARE.tick_ns + lag_ns
    assert arrived_ns == packet_simulator_ns(order, (12_800 + 64_000, 6_400 + 128_000, 6_400 + 32_000, 12_800), packets)


def packet_simulator_ns(rates_mbps, delays_ps, packets):
    """Return the arrival time of a message created at time 0, in packets of 256 bytes over links of these rates."""
    plan = TransferPlan()
    plan.packet_bytes, plan.window = 256, 1000
    byte_ps = np.array([8_000_000 // rate for rate in rates_mbps])
    plan.set_links(byte_ps, np.array(delays_ps), np.array(delays_ps))
    no_delay, links = np.zeros(1, dtype=np.int64), np.arange(len(rates_mbps), dtype=np.uint32)
    starts = np.array([0, len(links)], dtype=np.uint32)
    zeros = np.zeros(2, dtype=np.uint32)
    size = np.array([packets * 256], dtype=np.uint64)
    plan.set_transfers(size, no_delay, starts, links, zeros[:1], zeros, zeros[:0])
    packet_network = PacketNetwork(plan)
    assert packet_network.run(10**6)
    return Fraction(int(packet_network.arrived()[0]), 1000)


def test_the_delays_of_a_link_and_of_the_switch_at_its_end_are_rounded_together():
    timing = Timing(delay_ps=np.full((SIDE, 2), 1_000), switch_delay_ps=np.array([1_900, 1_500, 6_400, 6_400]))
    hardware = Hardware(switch=SwitchModel(delay_ns=10))  # ticks of 1.28 ns
    times = plane_ticks(ring(timing), hardware)
    assert times.switch_delay.tolist() == [2, 2, 5, 5]  # 1.5 and 1.2 ticks, but receiving a flit takes 2
    # 2.9 ns are 2.3 ticks, 2.5 ns 2.0 and 7.4 ns 5.8; of these the switch takes 2, 2 and 5.
    assert times.cable.tolist() == [[0, 1], [1, 0], [1, 0], [0, 1]]


def test_a_link_at_a_quarter_of_the_rate_carries_a_quarter_and_is_always_busy():
    hardware = Hardware(speedup=3)
    slow = ring(Timing(rate_mbps=rates(25_000, 100_000, 100_000, 100_000)))
    traffic = Traffic(pattern="table", table=steps_ahead(SIDE), load=1)
    run = Simulation(network(slow), hardware, traffic, seed=1)
    run.run(30_000)
    before, received = run.link_busy().astype(int), run.received().astype(int)
    window = 12 * 8 * 100  # 12 ticks per flit at 25 Gbit/s, for 100 packets of 8 flits
    run.run(30_000 + window)
    busy = dict(zip(map(tuple, run.links().tolist()), (run.link_busy() - before).tolist(), strict=True))
    assert busy[0, 1, 0] == window
    assert (run.received() - received)[1] == 100
    assert 390 <= (run.received() - received)[2] <= 400  # over a link of 100 Gbit/s


@for_each(
    ("hardware", "rate", "message"),
    [
        (Hardware(), 30_000, "plane.rate_mbps=30000: a flit takes 6.66667 ticks of 1.28 ns; expected whole ticks: "
         "200000 over an integer, or hardware.speedup=3"),
        (Hardware(), 400_000, "plane.rate_mbps=400000: a flit takes 0.5 ticks of 1.28 ns; expected whole ticks: "
         "200000 over an integer, or hardware.speedup=4"),
        (Hardware(), 99_991, "plane.rate_mbps=99991: a flit takes 2.00018 ticks of 1.28 ns; expected whole ticks: "
         "200000 over an integer, or hardware.link_gbps=49.9955"),
        (Hardware(), 1, "plane.rate_mbps=1: a flit takes 200000 ticks of 1.28 ns; expected at least "
         # an output of 32 and a packet of 8 flits
         f"{200_000 / (2**22 // (32 + 8 + 4)):.6g} Mbit/s with hardware.link_gbps=100"),
    ],
)  # fmt: skip
def test_a_rate_with_fractional_flit_times_is_rejected(hardware, rate, message):
    for timing in (Timing(rate_mbps=rates(*[rate] * SIDE)), Timing(node_rate_mbps=np.full(SIDE, rate))):
        require_refusal(lambda stated=timing: plane_ticks(ring(stated), hardware), message)


@for_each("rate", [30_000, 400_000, 99_991])
def test_the_remedy_in_the_message_works(rate):
    timing = Timing(node_rate_mbps=np.full(SIDE, rate))
    with pytest.raises(InputError) as raised:
        plane_ticks(ring(timing), Hardware())
    name, value = re.search(r"or hardware\.(\w+)=(\S+)$", str(raised.value)).groups()
    times = plane_ticks(ring(timing), Hardware(**{name: int(value) if name == "speedup" else float(value)}))
    assert len(set(times.node_flit_ticks.tolist())) == 1


@for_each("name", ["delay_ps", "node_delay_ps", "switch_delay_ps"])
def test_a_delay_beyond_the_horizon_of_the_engine_is_rejected(name):
    timing = Timing(**{name: np.full((SIDE, 2) if name == "delay_ps" else SIDE, 10**10)})
    require_refusal(lambda: plane_ticks(ring(timing), Hardware()), f"plane.{name.removeprefix('node_')}=10000000000: ")


def test_rates_of_node_links_are_rejected_in_a_direct_network():
    plane = direct_torus((SIDE,)).planes[0]
    rated = replace(plane, timing=Timing(node_rate_mbps=np.full(SIDE, 50_000)))
    require_refusal(lambda: plane_ticks(rated, Hardware()), "plane.node_rate_mbps: given in a direct network")


def test_rates_and_delays_apply_in_direct_networks():
    plane = direct_torus((SIDE,), 0).planes[0]
    timing = Timing(
        rate_mbps=rates(50_000, 100_000, 100_000, 100_000), switch_delay_ps=np.array([64_000, 128_000, 0, 0])
    )
    # The first switch already has the flit; the last link ends at the node: 2 switches, and 7 flits after the head.
    expected = 64 + 128 - Fraction("2.56") + 7 * Fraction("5.12") + Fraction("2.56")
    assert uncontended_ns(network(replace(plane, timing=timing)), 0, 2) == expected


def test_a_second_link_of_each_node_doubles_what_it_sends():
    accepted = []
    for links in (1, 2):
        plane = ring(links=(np.repeat(np.arange(SIDE), links), np.arange(SIDE + 1) * links))
        plane = replace(plane, timing=Timing(rate_mbps=rates(*[200_000] * SIDE)))
        run = Simulation(network(plane), HARDWARE, Traffic(pattern="table", table=steps_ahead(SIDE), load=2.5), seed=1)
        run.run(40_000)
        before = run.totals()["flits_arrived"]
        run.run(80_000)
        assert run.audit() is None
        accepted.append((run.totals()["flits_arrived"] - before) * HARDWARE.speedup / 40_000 / SIDE)
    assert accepted == pytest.approx([1, 2], rel=0.01)


def test_a_node_sends_at_most_the_total_rate_of_its_links():
    uneven = ring(
        Timing(node_rate_mbps=np.array([100_000, 50_000, 50_000, 25_000, 200_000])),
        links=(np.array([0, 0, 1, 2, 3]), np.array([0, 2, 3, 4, 5])),
    )
    assert max_node_rate(network(uneven), HARDWARE) == 2  # of node 3; node 0 has 1.5
    assert max_node_rate(network(uneven, ring()), HARDWARE) == 3
    assert max_node_rate(network(ring()), HARDWARE) == 1


def sent_by_planes(policy, planes, messages=600):
    """Number of flits that each plane carries from nodes to switches."""
    run = Simulation(network(*planes, policy=policy), HARDWARE, Traffic(load=0.5, max_created=messages), seed=3)
    run.run(10**6)
    assert run.ended
    assert run.audit() is None
    switches = SIDE * len(planes)
    flits = [0] * len(planes)
    for (start, end, _), busy in zip(run.links().tolist(), run.link_busy().tolist(), strict=True):
        if start >= switches and busy:
            node_rates = planes[end // SIDE].timing.node_rate_mbps
            rate = 100_000 if node_rates is None else int(node_rates[0])
            flits[end // SIDE] += busy // HARDWARE.speedup * rate // 100_000
    return flits


def test_policies_share_messages_among_planes():
    three = (ring(), ring(), ring())
    assert sum(sent_by_planes("nearest", three)) == 600 * 8
    assert sent_by_planes((1, 0, 0), three) == [4800, 0, 0]
    sprayed = sent_by_planes("spray", three)
    assert all(abs(flits - 1600) <= SIDE * 8 for flits in sprayed)  # each node may be in the middle of a round
    shared = sent_by_planes((3, 0, 1), three)
    assert shared[1] == 0
    assert abs(shared[0] - 3600) <= SIDE * 8


def test_a_slow_plane_gets_less_only_under_the_adaptive_policy():
    planes = (ring(), ring(Timing(node_rate_mbps=np.full(SIDE, 25_000))))
    sprayed, adaptive = (sent_by_planes(policy, planes)[1] for policy in ("spray", "adaptive"))
    assert sprayed >= 2400 - SIDE * 8
    assert adaptive < 0.75 * sprayed  # while both planes are idle, messages still alternate


def test_nodes_without_a_plane_in_common_are_rejected():
    no_first = ring(links=(np.arange(1, SIDE), np.array([0, 0, 1, 2, 3])))
    no_last = ring(links=(np.arange(SIDE - 1), np.array([0, 1, 2, 3, 3])))
    with pytest.raises(InputError, match="nodes 0 and 3 share no usable plane"):
        Simulation(network(no_first, no_last), HARDWARE, Traffic(load=0.1), seed=1)
    with pytest.raises(InputError, match="nodes 0 and 1 share no usable plane"):
        Simulation(network(no_first, ring(), policy=(1, 0)), HARDWARE, Traffic(load=0.1), seed=1)
    run = Simulation(network(no_first, no_last, ring()), HARDWARE, Traffic(load=0.5), seed=1)
    run.run(20_000)
    assert run.audit() is None


def test_too_many_links_of_a_node_are_rejected():
    many = ring(links=(np.zeros(256 + 3, dtype=int), np.array([0, 256, 257, 258, 259])))
    with pytest.raises(InputError, match="node 0 has 256 links in plane 0; expected at most 255"):
        Simulation(network(many), HARDWARE, Traffic(load=0.1), seed=1)
