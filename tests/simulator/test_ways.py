"""Throughput bounds and zero-load latencies under plane policies, node links, rates and delays."""

from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import lcm

import numpy as np
import pytest

from isoplane.models import InputError, Network, Plane, SwitchModel, Timing, port_aggregate
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.routing import forwarding_table, links_of_route
from isoplane.models.topologies import graph
from isoplane.simulator import (
    Hardware,
    Precision,
    Scenario,
    Simulation,
    Traffic,
    throughput_bound,
    zero_load_latency_ns,
)
from isoplane.simulator.hardware import FLOW_CONTROLS, MAX_SPILL_FLITS
from isoplane.simulator.theory.theory import estimated_bound, typical_latency_ticks
from tests.assembled import assembled
from tests.cases import for_each, require_refusal
from tests.models.test_path_shares import enumerated_shares
from tests.objectives.general.networks import random_rails

from .networks import cube
from .test_report import message_list

HARDWARE = Hardware(link_gbps=25)


def with_policy(network, policy):
    return Network(replace(network.family, policy=policy), network.site)


def busiest_link(network, offered):
    """The load of the busiest link over its rate, in units of 25 Gbit/s, given the load offered by each pair."""
    used = {}
    for (a, b), amount in offered.items():
        for (number, source_link, destination_link), share in enumerated_shares(network, a, b).items():
            plane = network.planes[number]
            target = plane.routes.targets(plane.node_switch)[destination_link]
            route = links_of_route(plane.topology, plane.routes, int(plane.node_switch[source_link]), int(target))
            switch_rates, node_rates = plane.timing.rate_mbps, plane.timing.node_rate_mbps
            links = [(number, switch, port) for switch, port, _ in route]
            rates = [25_000 if switch_rates is None else int(switch_rates[switch, port]) for switch, port, _ in route]
            links += [(number, "sent", source_link), (number, "received", destination_link)]
            rates += [
                25_000 if node_rates is None else int(node_rates[link]) for link in (source_link, destination_link)
            ]
            for link, rate in zip(links, rates, strict=True):
                used[link] = used.get(link, 0) + amount * share * Fraction(25_000, rate)
    return max(used.values())


@for_each("seed", range(20))
def test_the_throughput_bound_is_that_of_the_busiest_link_under_any_policy_with_any_links_and_rates(seed):
    network = random_rails(seed)
    nodes = network.nodes
    if nodes < 2:
        return
    uniform = {(a, b): Fraction(1, nodes - 1) for a in range(nodes) for b in range(nodes) if a != b}
    assert throughput_bound(network, "uniform", HARDWARE) == 1 / busiest_link(network, uniform)
    table = np.random.default_rng(seed).permutation(nodes)
    if (table != np.arange(nodes)).any():
        offered = {(a, b): Fraction(1) for a, b in enumerate(table.tolist()) if a != b}
        assert throughput_bound(network, table, HARDWARE) == 1 / busiest_link(network, offered)


def test_the_two_links_of_a_port_aggregate_node_halve_the_load_of_each():
    network = port_aggregate(cube())
    # One plane of 16 switches with a node each: 16 / 2 of 15 messages cross each link between switches, more than the
    # half that crosses each of the two node links.
    assert throughput_bound(network) == Fraction(15, 8)
    scenario = Scenario(network, Hardware(), Traffic(load=1))
    assert scenario.max_sent == 2


@for_each(("policy", "idle"), [("adaptive", "spray"), ("spill", "nearest")])
def test_a_policy_of_queues_has_no_bound_but_at_zero_load_equals_one_without(policy, idle):
    with_queues, without = (with_policy(cube(), each) for each in (policy, idle))
    with pytest.raises(InputError, match=rf"^network.policy={policy}: its loads depend on queues; expected .*$"):
        throughput_bound(with_queues)
    assert estimated_bound(with_queues, "uniform", Hardware()) == throughput_bound(without)
    assert typical_latency_ticks(with_queues, Hardware()) == typical_latency_ticks(without, Hardware())


def run_of(policy, hardware, load=1.2):
    run = Simulation(with_policy(cube(), policy), hardware, Traffic(load=load), seed=5)
    run.run(40_000)
    assert run.audit() is None
    return run


def test_spill_is_nearest_until_a_queue_exceeds_the_threshold():
    nearest = run_of("nearest", Hardware()).link_busy().tolist()
    assert run_of("spill", Hardware(spill_flits=MAX_SPILL_FLITS)).link_busy().tolist() == nearest
    assert run_of("spill", Hardware(spill_flits=0)).link_busy().tolist() != nearest


@for_each(
    ("policy", "spill_flits", "message"),
    [
        (
            "nearest",
            8,
            "hardware.spill_flits=8: has no effect with network.policy=nearest; allowed with network.policy",
        ),
        ((2, 1), 8, "hardware.spill_flits=8: has no effect with network.policy=[2, 1]; allowed with network.policy"),
        ("spill", -1, "hardware.spill_flits=-1: expected an integer from 0 to 1099511627776"),
        ("spill", 0.5, "hardware.spill_flits=0.5: expected an integer from 0 to 1099511627776"),
    ],
)
def test_a_wrong_threshold_of_spill_is_rejected_in_one_line(policy, spill_flits, message):
    require_refusal(lambda: run_of(policy, Hardware(spill_flits=spill_flits)), f"^{message}")


def lone_pair(policy, destination, load):
    """The accepted load of node 0 alone, which sends to one other node."""
    traffic, precision = Traffic("pair", load=load, pair=(0, destination)), Precision(latency=0.05, accepted=0.02)
    return Scenario(with_policy(cube(), policy), Hardware(), traffic, precision).run(None).accepted_load.mean


# Nodes 2 and 6 are at switches 1 and 3: 1 and 2 hops away in plane 0, 3 and 1 in plane 1.
@for_each("destination", [2, 6])
def test_a_lone_pair_uses_both_ports_under_spill_but_one_under_nearest(destination):
    assert lone_pair("spill", destination, load=2) > 1.9
    for policy, bound in (("nearest", Fraction(1)), ("spray", Fraction(2)), ((2, 1), Fraction(3, 2))):
        traffic = Traffic("pair", load=1, pair=(0, destination))
        assert throughput_bound(with_policy(cube(), policy), traffic) == bound
        # Beyond its bound a policy of shares goes on to fill the port that is not the busiest.
        assert lone_pair(policy, destination, load=bound) == pytest.approx(bound, rel=0.02)
    assert lone_pair("nearest", destination, load=2) == pytest.approx(1, rel=0.02)


@for_each("seed", range(30))
def test_the_zero_load_latency_is_the_mean_latency_of_packets_that_never_meet(seed):
    # Planes take turns, and so do the ways of each: after this many packets every way has had its exact share.
    network, hardware = random_rails(seed), Hardware(link_gbps=25, speedup=8)  # 40 Gbit/s: 5 ticks per flit
    if network.nodes < 2:
        return
    source, destination = np.random.default_rng(seed).choice(network.nodes, 2, replace=False).tolist()
    ways = paths_between(network, np.array([source]), np.array([destination]), network.policy)
    packets = int(ways.denominator[0]) * lcm(*np.unique(ways.plane, return_counts=True)[1].tolist())
    run = Simulation(network, hardware, message_list(network.nodes, *spaced(source, destination, packets)), 1)
    run.run(1 << 40)
    totals = run.totals()
    assert totals["packets_arrived"] == packets
    mean_ns = Fraction(totals["network_latency"], packets) * hardware.tick_ns
    assert mean_ns == zero_load_latency_ns(network, hardware, source, destination)


def spaced(source, destination, packets):
    """Messages of one packet between two nodes, 100 us apart."""
    return [(source, destination, 256, index * 10**8) for index in range(packets)]


def path_network(rates, delays_ps, switches_ps):
    """Switches in a row with a node at each end; rates and delays in the order node link, switch links, node link."""
    count = len(switches_ps)
    topology = graph([(i, i + 1) for i in range(count - 1)])
    rate, delay = np.zeros((2, *topology.peer.shape), dtype=np.int64)
    for switch, port in np.argwhere(topology.peer >= 0):
        link = 1 + min(switch, topology.peer[switch, port])
        rate[switch, port], delay[switch, port] = rates[link], delays_ps[link]
    ends = np.array([0, count - 1], dtype=np.int32)
    timing = Timing(rate, np.array([rates[0], rates[-1]]), delay, np.array([delays_ps[0], delays_ps[-1]]), switches_ps)
    return assembled(
        "", (Plane(topology, np.zeros(rate.shape), ends, 0, timing=timing, routes=forwarding_table(topology)),)
    )


def last_bit_ns(hardware, rates, delays_ps, switches_ps):
    """Arrival time of the last bit of a packet in ns, from the times of every flit on every link."""
    flit_ns = [Fraction(hardware.flit_bits * 1000, rate) for rate in rates]
    departures = [flit * flit_ns[0] for flit in range(hardware.packet_flits)]
    routing = Fraction(hardware.routing_ns)
    for (previous, own), delay, switch in zip(pairwise(flit_ns), delays_ps, switches_ps, strict=False):
        if hardware.flow_control == "store_and_forward":
            ready = [departures[-1] + Fraction(delay + int(switch), 1000) + previous] * len(departures)
        else:
            advance = Fraction(delay, 1000) + max(Fraction(int(switch), 1000) - routing, previous)
            ready = [flit + advance for flit in departures]
            ready[0] += routing
        departures = []
        for earliest in ready:
            departures.append(max(earliest, departures[-1] + own) if departures else earliest)
    return departures[-1] + flit_ns[-1] + Fraction(delays_ps[-1], 1000)


@for_each("flow_control", FLOW_CONTROLS)
@for_each(
    "rates",
    [(100, 100, 100, 100), (100, 50, 25, 100), (25, 100, 50, 200), (200, 100, 200, 50)],
)
def test_the_latency_over_links_of_several_rates_and_delays_follows_from_its_flits(rates, flow_control):
    # Flits of 100 bits at 200 Gbit/s take half a ns, the tick with speed-up 2 at 100 Gbit/s: no rounding.
    for routing in (0, 20) if flow_control == "wormhole" else (0,):
        hardware = Hardware(
            flow_control=flow_control,
            flit_bits=100,
            packet_bits=1600,
            buffer_flits=64,
            routing_ns=routing,
            switch=SwitchModel(delay_ns=30),
        )
        stated = [1000 * rate for rate in rates], [5000, 0, 2500, 1000], np.array([40_000, 21_000, 90_000])
        expected = last_bit_ns(hardware, *stated)
        assert zero_load_latency_ns(path_network(*stated), hardware, 0, 1) == expected
