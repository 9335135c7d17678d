"""Look-ups in routing tables and their caches: latencies to the tick, counts of every port, and the rate of tables."""

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np

from isoplane.models import Network, RoutingCache, Site, SwitchModel
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.routing import links_of_route
from isoplane.objectives.caches import look_ups_of_pairs
from isoplane.simulator import Hardware, Simulation, Traffic, zero_load_latency_ns
from isoplane.simulator.hardware import FLOW_CONTROLS
from tests.cases import for_each, require_refusal
from tests.objectives.general.networks import random_network

from .networks import direct_torus, tree
from .test_report import message_list

DELAY_NS, ROUTING_NS, HIT_NS = 100, 25, 2  # case study 1 of Hirasawa et al. 2020
SWITCH = SwitchModel(delay_ns=DELAY_NS, endpoint_delay_ns=None, link_gbps=200, routing_ns=ROUTING_NS)
SMALL = RoutingCache(entries=6, ways=2)
# Flits of 200 bits take 1 ns, and a tick half of it: no time is rounded. A packet has 8 flits.
FLITS, FLIT_NS = 8, 1
HARDWARE = Hardware(link_gbps=200, flit_bits=200, packet_bits=1600, switch=SWITCH)
PACKET_BYTES = 200
SPACING_NS = 20_000  # between packets that must not meet
GRID = Network(Torus(shape=(4, 4), nodes_per_switch=2, node_cable_m=2.0, assumed_cable_m=None), Site())


def with_cache(hardware=HARDWARE, **values):
    return replace(hardware, switch=replace(SWITCH, cache=RoutingCache(**values)))


def one_by_one(network, hardware, pairs):
    """Send a packet between each pair of nodes, long after the one before."""
    messages = [(*pair, PACKET_BYTES, 1000 * SPACING_NS * index) for index, pair in enumerate(pairs)]
    run = Simulation(network, hardware, message_list(network.nodes, *messages), 1)
    run.run(1 << 60)
    assert run.ended
    assert run.audit() is None
    return run


def latencies_ns(run):
    return ((run.listed_arrived() - run.listed_created()) * run.hardware.tick_ns).tolist()


@cache
def path_of(source, destination):
    """The cable lengths in m on the way of a packet, and the input ports of its switches, as (switch, link into it)."""
    (plane,) = GRID.planes
    first, last = (int(plane.node_switch[node]) for node in (source, destination))
    route = [(switch, port) for switch, port, _ in links_of_route(plane.topology, plane.routes, first, last)]
    lengths = [int(mm) / 1000 for mm in (plane.node_cable_mm, *(plane.cable_mm[link] for link in route))]
    ports = [(first, ("node", source)), *((int(plane.topology.peer[link]), link) for link in route)]
    return [*lengths, plane.node_cable_mm / 1000], ports


@for_each(("flow_control", "start"), product(FLOW_CONTROLS, ("warm", "cold", "exchange")))
def test_the_latency_of_one_packet_is_the_sum_over_its_path(flow_control, start):
    hardware = with_cache(replace(HARDWARE, flow_control=flow_control), start=start)
    pairs = [(a, b) for a in range(32) for b in range(32) if a != b]
    expected, passed = [], set()
    for source, destination in 2 * pairs:  # 32 ids have no conflicts, so a destination misses where it is new
        lengths, ports = path_of(source, destination)
        misses = [start == "cold" and (port, destination) not in passed for port in ports]
        passed |= {(port, destination) for port in ports}
        cables = sum(5 * length for length in lengths)
        switches = sum(DELAY_NS + HIT_NS - (0 if miss else ROUTING_NS) for miss in misses)
        transmissions = len(lengths) if flow_control == "store_and_forward" else 1
        expected.append(cables + switches + transmissions * FLITS * FLIT_NS)
    assert len(pairs) == 992
    assert GRID.planes[0].cable_mm.max() > 2000  # so that delays of cables differ
    assert latencies_ns(one_by_one(GRID, hardware, 2 * pairs)) == expected
    if start == "warm":
        assert [zero_load_latency_ns(GRID, hardware, *pair) for pair in pairs[:40]] == expected[:40]


@for_each("flow_control", FLOW_CONTROLS)
def test_a_stated_look_up_of_constant_time_changes_nothing_but_the_front_of_wormhole_queues(flow_control):
    hardware = replace(HARDWARE, flow_control=flow_control)
    pairs, plain = [(0, 31), (5, 6), (9, 2)], replace(SWITCH, routing_ns=None)
    expected = latencies_ns(one_by_one(GRID, replace(hardware, switch=plain), pairs))
    assert latencies_ns(one_by_one(GRID, hardware, pairs)) == expected
    assert not len(one_by_one(GRID, hardware, pairs).look_ups())
    if flow_control == "wormhole":
        assert hardware.routing_ticks == replace(hardware, switch=plain, routing_ns=ROUTING_NS).routing_ticks == 50


def test_a_look_up_time_of_the_hardware_must_be_that_of_the_switch():
    worm = replace(HARDWARE, flow_control="wormhole")
    assert replace(worm, routing_ns=25.0).routing_ticks == worm.routing_ticks
    require_refusal(
        lambda: replace(worm, routing_ns=10), "^hardware.routing_ns=10: expected 0, or switch.routing_ns=25$"
    )
    assert with_cache(worm).routing_ticks == HIT_NS * 2  # of a hit; the rest is added by misses
    assert with_cache(worm).miss_ticks == ROUTING_NS * 2


def heads_by_link(run, flits):
    """The packets that each switch received from each element at the other end of a link."""
    heads, ticks = {}, run.hardware.speedup * flits
    switches = sum(run.network.plane_switches)
    for (source, target, _), busy in zip(run.links().tolist(), run.link_busy().tolist(), strict=True):
        if target < switches:
            assert busy % ticks == 0
            heads[target, source] = heads.get((target, source), 0) + busy // ticks
    return {link: count for link, count in heads.items() if count}


@for_each(("seed", "flow_control", "cached"), product((1, 2, 3), FLOW_CONTROLS, (True, False)))
def test_hits_and_misses_sum_to_the_heads_at_each_port(seed, flow_control, cached):
    network = random_network(seed)
    hardware = replace(
        HARDWARE,
        flow_control=flow_control,
        switch=replace(SWITCH, cache=SMALL if cached else None, table_interval_ns=3),
    )
    run = Simulation(network, hardware, Traffic(load=0.5, max_created=400), 1, check_deadlock=False)
    run.run(10**6)
    assert (run.ended, run.audit()) == (True, None)
    counted = {}
    for (element, _, source), counts in zip(run.input_ports().tolist(), run.look_ups().tolist(), strict=True):
        heads = sum(counts[:5]) if cached else counts[5]
        assert counts[5] == (sum(counts[2:5]) if cached else heads)
        assert cached or not sum(counts[:5])
        counted[element, source] = counted.get((element, source), 0) + heads
    assert {link: heads for link, heads in counted.items() if heads} == heads_by_link(run, FLITS)


@for_each(("start", "replacement"), product(("warm", "cold", "exchange"), ("lru", "fifo", "random")))
def test_every_port_hits_and_misses_as_in_look_ups_of_the_same_messages_in_the_same_order(start, replacement):
    # Single paths: where a message may take several, only the look-ups of objectives use all of them.
    for network in (GRID, tree(), direct_torus((3, 4))):
        hardware = with_cache(entries=6, ways=2, start=start, replacement=replacement, seed=4)
        pairs = np.random.default_rng(1).integers(network.nodes, size=(300, 2))
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        run = one_by_one(network, hardware, pairs.tolist())
        counts = look_ups_of_pairs(network, hardware.switch.cache, *pairs.T)
        expected = [counts.hits - counts.extra_hits, counts.extra_hits, counts.cold, counts.conflict, counts.capacity]
        assert run.look_ups()[:, :5].T.tolist() == [column.tolist() for column in expected]
        assert min(counts.hits.sum(), counts.conflict.sum(), counts.capacity.sum()) > 0


@for_each(("flow_control", "start"), product(FLOW_CONTROLS, ("warm", "cold")))
def test_cables_without_delay_leave_the_switches_and_the_transmission(flow_control, start):
    network = Network(Torus(shape=(5,), assumed_cable_m=0.0, node_cable_m=0.0))
    hardware = with_cache(replace(HARDWARE, flow_control=flow_control), start=start)
    switches = 3 * (DELAY_NS + HIT_NS - (ROUTING_NS if start == "warm" else 0))  # two hops
    transmissions = 4 if flow_control == "store_and_forward" else 1
    assert latencies_ns(one_by_one(network, hardware, [(0, 2)])) == [switches + transmissions * FLITS * FLIT_NS]


@for_each("flow_control", FLOW_CONTROLS)
def test_a_direct_network_looks_up_wherever_a_packet_is_forwarded(flow_control):
    network = direct_torus((3, 3), cable_mm=1000)
    hardware = with_cache(replace(HARDWARE, flow_control=flow_control), start="cold")
    run = one_by_one(network, hardware, [(0, 4), (0, 4), (3, 4)])
    # Two hops, over switch 1: a miss in switches 0 and 1, and two cables of 5 ns. The switch of the source has all
    # flits at once, so the first one takes no time on a link into it; with store and forward it receives a flit.
    stored = flow_control == "store_and_forward"
    two_hops = 2 * (DELAY_NS + HIT_NS + stored) + 2 * 5 + (1 + stored) * (FLITS - 1)
    one_hop = DELAY_NS + HIT_NS + stored + 5 + FLITS - 1
    assert latencies_ns(run) == [two_hops, two_hops - 2 * ROUTING_NS, one_hop]
    assert run.look_ups()[:, :5].sum(axis=0).tolist() == [2, 0, 3, 0, 0]


def test_a_packet_that_waits_for_another_does_not_wait_for_its_look_up_except_with_wormhole():
    network, later = STAR, {}
    for flow_control in ("virtual_cut_through", "wormhole"):
        hardware = with_cache(replace(HARDWARE, flow_control=flow_control, virtual_channels=1), start="cold")
        run = Simulation(network, hardware, message_list(7, (0, 1, PACKET_BYTES, 0), (0, 2, PACKET_BYTES, 0)), 1)
        run.run(10**6)
        first, second = (run.listed_arrived() * hardware.tick_ns).tolist()
        assert first == DELAY_NS + HIT_NS + FLITS + 2 * 10
        later[flow_control] = second - first
    # Both heads miss. Meanwhile the whole first packet has come, and leaves at the rate of the crossbar, half a ns for
    # a flit. With wormhole the second head begins its look-up as the last of these 8 flits leaves.
    assert later == {"virtual_cut_through": FLITS, "wormhole": (FLITS - 1) * 0.5 + HIT_NS + ROUTING_NS}


def test_a_hit_on_an_entry_that_is_still_on_its_way_from_the_table_waits_for_it():
    # Two nodes of one switch send to a node of another. A packet fills a buffer at its end, so that the second one
    # takes another channel of the cable, and could overtake the first, which misses.
    pair = Network(Torus(shape=(2,), nodes_per_switch=2, node_cable_m=2.0))
    hardware = with_cache(replace(HARDWARE, buffer_flits=FLITS), start="cold")
    run = Simulation(pair, hardware, message_list(4, (0, 2, PACKET_BYTES, 0), (1, 2, PACKET_BYTES, 0)), 1)
    run.run(10**6)
    first = 2 * 10 + 5 + 2 * (DELAY_NS + HIT_NS) + FLITS
    assert sorted(latencies_ns(run)) == [first, first + FLITS]
    assert run.look_ups()[:, :5].sum(axis=0).tolist() == [1, 0, 3, 0, 0]


def star(nodes):
    """Nodes at one switch."""
    links = tuple((node, 0, node + 1) for node in range(nodes))
    return Network(Fabric(planes=(FabricPlane(switches=1, cables=(), nodes=links),)))


STAR = star(7)
TABLE_NS = 25  # equation 6 of Hirasawa et al. 2020: 40 million look-ups a second


def accepted_load(network, hardware, load, us):
    """The flits that arrive per node and flit time, without the first fifth of the run."""
    run = Simulation(network, hardware, Traffic(load=load), 1, check_deadlock=False)
    ticks = hardware.ticks(1000 * us)
    run.run(ticks // 5)
    before, start = run.totals()["flits_arrived"], run.now
    run.run(ticks)
    return (run.totals()["flits_arrived"] - before) * hardware.speedup / (run.now - start) / network.nodes


def table_hardware(packet_bytes, **values):
    """Switches without caches, and flits of 128 bits, a whole number of which is in a packet."""
    switch = replace(SWITCH, table_interval_ns=TABLE_NS)
    return Hardware(link_gbps=200, flit_bits=128, packet_bits=8 * packet_bytes, switch=switch, **values)


@for_each(
    ("packet_bytes", "load"),
    [
        (256, 0.0585),  # 40 of 7 · 200 / 2.048 = 684 million packets a second
        (400, 0.0914),  # 40 of 7 · 200 / 3.2 = 437.5
    ],
)
def test_the_table_of_a_switch_limits_its_throughput(packet_bytes, load):
    hardware = table_hardware(packet_bytes)
    assert abs(40 / (7 * 200_000 / (8 * packet_bytes)) - load) < 5e-5
    for offered, accepted in ((2 * load, load), (load * 0.98, load * 0.98)):
        assert abs(accepted_load(STAR, hardware, offered, 300) / accepted - 1) < 0.02
    cached = replace(hardware, switch=replace(hardware.switch, cache=RoutingCache()))
    assert abs(accepted_load(STAR, cached, 2 * load, 300) / (2 * load) - 1) < 0.02


def test_on_a_torus_the_tables_limit_the_throughput_to_their_rate_over_the_switches_of_a_route():
    torus = Network(Torus(shape=(5, 5), node_cable_m=2.0))
    # In a ring of 5, a packet makes 0, 1, 1, 2, 2 hops; so 2 · 6/5 for all pairs, and 2.5 without those of one node.
    switches = 1 + 2.4 * 25 / 24
    limit = 40 / switches * 2.048 / 200  # of 200 / 2.048 million packets a second
    hardware = table_hardware(256)
    # Far beyond the limit, packets that wait block others, and fewer arrive until the buffers are full everywhere.
    stable, beyond = (accepted_load(torus, hardware, part * limit, 200) / limit for part in (0.98, 1.02))
    assert abs(stable / 0.98 - 1) < 0.01
    assert 0.98 < beyond < 1


def test_the_waiting_times_at_a_table_are_those_of_its_queue():
    # Seven heads arrive together: they are looked up 25 ns apart, and the last one waits for six.
    hardware = replace(HARDWARE, switch=replace(SWITCH, table_interval_ns=TABLE_NS))
    messages = [(node, (node + 1) % 7, PACKET_BYTES, 0) for node in range(7)]
    run = Simulation(STAR, hardware, message_list(7, *messages), 1)
    run.run(10**6)
    first_ns = 2 * 10 + DELAY_NS + FLITS
    assert sorted(latencies_ns(run)) == [first_ns + place * TABLE_NS for place in range(7)]
    waited_ns = sorted((run.look_ups()[:, 6] * hardware.tick_ns).tolist())
    assert waited_ns == [place * TABLE_NS for place in range(7)]
    assert run.look_ups()[:, 5].tolist() == [1] * 7


def test_slices_of_a_run_do_not_change_the_counts():
    hardware = with_cache(entries=4, ways=2, replacement="random", seed=3)
    hardware = replace(hardware, switch=replace(hardware.switch, table_interval_ns=10))
    whole, sliced = (Simulation(GRID, hardware, Traffic(load=0.3), 7, check_deadlock=False) for _ in range(2))
    whole.run(4000)
    for tick in range(0, 4001, 37):
        sliced.run(tick)
    sliced.run(4000)
    assert sliced.look_ups().tolist() == whole.look_ups().tolist()
    assert sliced.totals() == whole.totals()
    assert whole.look_ups()[:, 6].sum() > 0
