"""Packet-level simulation of circuits and packet networks, against exact times, the fluid model and each other."""

from fractions import Fraction
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Hybrid, MessageList, Network, OpticalOverlay, Site
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.placement import Placement
from isoplane.models.workloads import PhasedWorkload, from_matrix, sparse
from isoplane.objectives.fluid import RELAYS, FluidModel
from isoplane.simulator import simulate_hybrid
from isoplane.simulator._native import PacketNetwork
from isoplane.simulator.transfers.transfer_plan import common_tick_ns, transfer_plan
from isoplane.simulator.transfers.transfers import links_of, transfers_of
from tests.cases import for_each, require_refusal
from tests.strategies import circuit_pairs

NO_CIRCUITS = Circuits()
SMALL = Hybrid(2, 4)  # nodes 0 to 3 and 4 to 7
MEGABYTE = 1_250_000  # a millisecond at 10 Gbit/s
INTRA_GROUP_NS, INTER_GROUP_NS, CIRCUIT_NS = 2 * 20 + 420, 4 * 20 + 3 * 420, 80  # delays of a route


def messages(*rows, nodes=8):
    """Messages (source, destination, bytes), or (source, destination, bytes, predecessors, delay in ps)."""
    rows = [(*row, (), 0)[:5] if len(row) == 3 else row for row in rows]
    predecessors = [list(row[3]) for row in rows]
    starts = np.cumsum([0, *map(len, predecessors)])
    columns = [np.array([row[i] for row in rows]) for i in (0, 1, 2, 4)]
    return MessageList(nodes, *columns, starts, np.array([*chain.from_iterable(predecessors)], dtype=np.int64))


def arrivals(message_list, circuits=NO_CIRCUITS, hybrid=SMALL, **options):
    return simulate_hybrid(hybrid, circuits, message_list, **options).arrived_ns.tolist()


@for_each("length", [1, 4096, 4097, MEGABYTE])
def test_an_uncontended_message_takes_its_bits_over_the_slowest_rate_plus_all_delays(length):
    at_10_gbps, at_32_gbps = 8 * length / 10, 8 * length / 32
    assert arrivals(messages((0, 1, length))) == pytest.approx([at_10_gbps + INTRA_GROUP_NS])
    assert arrivals(messages((0, 4, length))) == pytest.approx([at_10_gbps + INTER_GROUP_NS])
    assert arrivals(messages((0, 4, length)), Circuits(((0, 4),))) == pytest.approx([at_32_gbps + CIRCUIT_NS])


def test_times_are_exact_at_any_rates():
    hybrid = Hybrid(2, 1, node_gbps=Fraction(10, 3), up_gbps=0.7, link_ns=Fraction(1, 7))
    found = simulate_hybrid(hybrid, NO_CIRCUITS, messages((0, 1, 5000), nodes=2))
    assert found.completion_ns == 8 * 5000 / Fraction(7, 10) + Fraction(4, 7) + 3 * 420


def test_messages_into_one_node_share_its_link_packet_by_packet():
    # The link of node 2 alternates between them: the first ends one packet before the second.
    packet = 4096 * 8 / 10
    first, second = arrivals(messages((0, 2, 100 * 4096), (1, 2, 100 * 4096)))
    assert second == pytest.approx(200 * packet + INTRA_GROUP_NS)
    assert first == pytest.approx(199 * packet + INTRA_GROUP_NS)


def test_a_node_serves_its_messages_round_robin():
    packet = 4096 * 8 / 10
    short, long = arrivals(messages((0, 1, 10 * 4096), (0, 2, 100 * 4096)))
    assert short == pytest.approx(19 * packet + INTRA_GROUP_NS)  # 10 packets of its own and 9 of the other message
    assert long == pytest.approx(110 * packet + INTRA_GROUP_NS)


def test_an_uplink_is_shared_per_message_and_not_per_input_port():
    # Over an uplink of 10 Gbit/s node 0 sends two messages, node 1 one; each gets a third, so node 1 does not get half.
    hybrid = Hybrid(2, 4, up_gbps=10)
    message_list = messages((0, 4, 300 * 4096), (0, 5, 300 * 4096), (1, 6, 300 * 4096))
    packet = 4096 * 8 / 10
    assert arrivals(message_list, hybrid=hybrid) == pytest.approx([900 * packet + INTER_GROUP_NS] * 3, rel=5e-3)


def test_a_congested_node_does_not_block_messages_for_others():
    # Three messages from group 0 wait for node 4. The one for node 5 passes them, at the rate of its own links.
    message_list = messages((0, 4, MEGABYTE), (1, 4, MEGABYTE), (2, 4, MEGABYTE), (3, 5, MEGABYTE))
    found = arrivals(message_list)
    # It waits for a packet of each of the others on the uplink.
    assert 1e6 + INTER_GROUP_NS <= found[3] <= 1e6 + INTER_GROUP_NS + 3 * 512
    assert max(found) == pytest.approx(3e6 + INTER_GROUP_NS, rel=1e-3)


@for_each(("relay", "transfer_ns"), [("messages", 1e6 + 312500 + 1e6), ("packets", 1e6)])
def test_relaying_messages_adds_up_the_segments_and_relaying_packets_does_not(relay, transfer_ns):
    # 1 -> 0 at 10 Gbit/s, 0 -> 4 over the circuit at 32, 4 -> 6 at 10.
    message_list, circuits = messages((1, 6, MEGABYTE)), Circuits(((0, 4),))
    assert arrivals(message_list, circuits, relay=relay) == pytest.approx(
        [transfer_ns + 2 * INTRA_GROUP_NS + CIRCUIT_NS]
    )


def test_a_window_covers_long_delays_by_default_and_a_small_one_costs_time():
    # The credit round trip of a link of 10 us and a switch of 420 ns is 20.42 us, a packet takes 3.2768 us.
    hybrid = Hybrid(2, 4, link_ns=10_000)
    message_list, delays = messages((0, 1, 1000 * 4096)), 2 * 10_000 + 420
    packet = 4096 * 8 / 10
    assert arrivals(message_list, hybrid=hybrid) == pytest.approx([1000 * packet + delays])
    # With room for one packet the next one begins when the credit of the previous one has returned.
    slow = 999 * (10_420 + packet + 10_000) + packet + delays
    assert arrivals(message_list, hybrid=hybrid, window_packets=1) == pytest.approx([slow])


@for_each(
    ("changes", "message"),
    [
        ({"messages": messages((0, 1, 8), nodes=4)}, "workload.processes=4: expected one for each of 8 nodes"),
        ({"placement": Placement((1, 0))}, "placement: 2 processes; expected 8"),
        ({"relay": "flits"}, "network.relay=flits: expected messages, packets"),
        ({"window_packets": 0}, "window_packets=0: expected an integer from 1 to 65536"),
        ({"circuits": Circuits(((0, 1),))}, "circuits: [0, 1] inside group 0"),
        ({"hybrid": Hybrid(2, 4, up_gbps=64.00000000000001)}, "network: rates and delays need ticks"),
    ],
)
def test_inconsistent_input_is_rejected_in_one_line(changes, message):
    arguments = {"hybrid": SMALL, "circuits": NO_CIRCUITS, "messages": messages((0, 1, MEGABYTE))} | changes
    require_refusal(lambda: simulate_hybrid(**arguments), message)


@st.composite
def designs(draw, shortest=1, longest=10**5):
    """A small network with circuits, a placement, and messages in a few phases."""
    hybrid = Hybrid(draw(st.integers(2, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 2)))
    nodes = range(hybrid.nodes)
    pairs = draw(circuit_pairs(hybrid.group.tolist(), hybrid.ports_per_node))
    node_pairs = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes)).filter(lambda pair: pair[0] != pair[1])
    columns = draw(
        st.lists(st.tuples(st.integers(0, 2), node_pairs, st.integers(shortest, longest)), min_size=1, max_size=12)
    )
    phase, sent_between, lengths = zip(*columns, strict=True)
    source, destination = zip(*sent_between, strict=True)
    workload = PhasedWorkload("drawn", hybrid.nodes, *map(np.array, (phase, source, destination, lengths)))
    return hybrid, Circuits(pairs), workload.message_list(), Placement(tuple(draw(st.permutations(list(nodes)))))


@settings(deadline=None)
@given(designs(), st.sampled_from(RELAYS))
def test_links_carry_the_load_of_the_routes_and_bound_the_completion(design, relay):
    hybrid, circuits, message_list, placement = design
    found = simulate_hybrid(hybrid, circuits, message_list, placement, relay)
    model = FluidModel(hybrid, message_list, relay)
    expected = dict.fromkeys(((link.kind, link.source, link.destination) for link in found.links), 0)
    for number, route in enumerate(model.routes(circuits, placement)):
        for start, end in pairwise(route):
            ends = hybrid.group_of(start), hybrid.group_of(end)
            if tuple(sorted((start, end))) in circuits.pairs:
                used = [("circuit", start, end)]
            else:
                uplinks = [("up", ends[0], None), ("down", None, ends[1])] if ends[0] != ends[1] else []
                used = [("out", start, ends[0]), *uplinks, ("in", ends[1], end)]
            for link in used:
                expected[link] += int(message_list.length_bytes[number])
    assert found.link_bytes.tolist() == list(expected.values())
    times = model.times(circuits, placement)
    assert found.link_busy_ns.max() == pytest.approx(times.bottleneck_ns, abs=1)
    assert found.link_busy_ns.sum() == pytest.approx(times.total_ns, abs=1)
    assert found.completion_ns >= Fraction(found.link_busy_ns.max())


@settings(deadline=None, max_examples=50)
@given(designs(10**6, 4 * 10**6), st.sampled_from(RELAYS))
def test_small_networks_agree_with_the_fluid_model(design, relay):
    hybrid, circuits, message_list, placement = design
    packet_ns = float(simulate_hybrid(hybrid, circuits, message_list, placement, relay).completion_ns)
    fluid_ns = FluidModel(hybrid, message_list, relay).times(circuits, placement).completion_ns
    assert fluid_ns == pytest.approx(packet_ns, rel=0.03)


@settings(deadline=None)
@given(designs(), st.sampled_from(RELAYS), st.integers(1, 3), st.integers(1, 40))
def test_conservation_laws_hold_at_all_times(design, relay, window, events):
    hybrid, circuits, message_list, placement = design
    links, transfers = (
        links_of(hybrid, circuits),
        transfers_of(hybrid, circuits, message_list, placement, relay == "messages"),
    )
    plan = transfer_plan(
        links, transfers, message_list, common_tick_ns(links, message_list), hybrid.packet_bytes, window
    )
    network = PacketNetwork(plan)
    finished = False
    while not finished:
        finished = network.run(events)
        assert network.audit() is None
    assert (network.arrived() >= 0).all()


def test_the_progress_callback_receives_the_fraction_arrived_and_may_end_the_run(monkeypatch):
    monkeypatch.setattr("isoplane.simulator.transfers.hybrid.EVENTS", 100)
    progress = []
    arrivals(messages((0, 1, MEGABYTE), (0, 1, MEGABYTE, [0], 0)), on_progress=progress.append)
    assert progress == sorted(progress)
    assert set(progress) == {0.0, 0.5}

    def interrupt(fraction):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arrivals(messages((0, 1, MEGABYTE)), on_progress=interrupt)


@settings(deadline=None, max_examples=30)
@given(st.data())
def test_local_messages_and_delays_take_the_time_of_a_chain(data):
    """A chain of messages, each after the one before: nothing shares a link, so times add up exactly."""
    hybrid, relay = Hybrid(2, 2), data.draw(st.sampled_from(RELAYS))
    node = st.integers(0, 3)
    rows = data.draw(st.lists(st.tuples(node, node, st.integers(1, 3), st.integers(0, 10**5)), min_size=1, max_size=6))
    source, destination, kilobytes, delay_ps = np.array(rows).T
    starts = np.maximum(np.arange(len(rows) + 1) - 1, 0)
    chain = MessageList(4, source, destination, 1000 * kilobytes, delay_ps, starts, np.arange(len(rows) - 1))
    report = simulate_hybrid(hybrid, Circuits(), chain, relay=relay)
    expected = Fraction(0)
    for first, second, length, delay in zip(source, destination, kilobytes, delay_ps, strict=True):
        expected += Fraction(int(delay), 1000)
        if first != second:  # at 10 Gbit/s
            expected += 800 * int(length) + (INTRA_GROUP_NS if first // 2 == second // 2 else INTER_GROUP_NS)
    assert report.completion_ns == expected
    fluid = FluidModel(hybrid, chain, relay).times(Circuits())
    assert abs(fluid.completion_min_ns - expected) <= 1


@for_each(
    ("packet", "pairs", "completion_ns"),
    [
        (Torus(shape=(8,)), (), 100 + 4 * (90 + 5)),  # 10^4 bits at 100 Gbit/s; switches of 90 ns and cables of 1 m
        (Torus(shape=(8,), node_cable_m=2.0), (), 100 + 4 * (90 + 5) + 90 + 2 * 10),
        (Torus(shape=(8,)), ((0, 4),), 100 + 80),
        (Torus(shape=(8,)), ((0, 3),), 100 + 4 * (90 + 5)),  # node 3 is in another group, and no circuit leads to 4
    ],
)
def test_an_uncontended_message_takes_its_bits_and_the_delays_of_its_way(packet, pairs, completion_ns):
    sent = np.zeros((8, 8), dtype=int)
    sent[0, 4] = 1250
    overlay, messages = OpticalOverlay(packet=packet), from_matrix(sent).message_list()
    assert simulate_hybrid(overlay, Circuits(pairs), messages, site=Site()).completion_ns == completion_ns


@for_each("relay", ["messages", "packets"])
def test_a_message_alone_takes_as_long_over_the_planes_of_a_tree_as_in_it(relay):
    tree = Hybrid(3, 2)
    packet = PlanesFamily("tree", Network(tree).planes)
    overlay = OpticalOverlay(packet=packet, group_size=2, circuit_gbps=32, circuit_ns=80)
    circuits = Circuits(((0, 2),))
    for source, destination in ((0, 1), (0, 2), (1, 3), (1, 5)):
        sent = np.zeros((6, 6), dtype=int)
        sent[source, destination] = 10_000
        messages = from_matrix(sent).message_list()
        ours, theirs = (simulate_hybrid(each, circuits, messages, relay=relay) for each in (overlay, tree))
        assert ours.completion_ns == theirs.completion_ns


def test_links_carry_the_bytes_of_the_tree():
    tree, messages = Hybrid(3, 2), sparse(6, 2, message_bytes=100_000, seed=1).message_list()
    overlay = OpticalOverlay(
        packet=PlanesFamily("tree", Network(tree).planes), group_size=2, circuit_gbps=32, circuit_ns=80
    )
    ours, theirs = (simulate_hybrid(each, Circuits(((0, 2), (3, 5))), messages) for each in (overlay, tree))
    assert sorted(ours.link_bytes.tolist()) == sorted(theirs.link_bytes.tolist())
