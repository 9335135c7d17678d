"""Packet-level simulation of hybrid networks, against exact times and the fluid model."""

from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, MessageList
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.models.workloads import Workload, from_matrix, sparse, stencil
from isoplane.objectives.fluid import RELAYS, FluidModel
from isoplane.simulator import simulate_hybrid
from isoplane.simulator._native import PacketNetwork
from isoplane.simulator.transfer_plan import common_tick_ns, transfer_plan
from isoplane.simulator.transfers import links_of, transfers_of

NONE = Circuits()
SMALL = Hybrid(2, 4)  # nodes 0 to 3 and 4 to 7
MEGABYTE = 1_250_000  # a millisecond at 10 Gbit/s
INSIDE, BETWEEN, CIRCUIT = 2 * 20 + 420, 4 * 20 + 3 * 420, 80


def messages(*rows, nodes=8):
    """Messages (source, destination, bytes), or (source, destination, bytes, predecessors, delay in ps)."""
    rows = [(*row, (), 0)[:5] if len(row) == 3 else row for row in rows]
    waits = [list(row[3]) for row in rows]
    starts = np.cumsum([0, *map(len, waits)])
    columns = [np.array([row[i] for row in rows]) for i in (0, 1, 2, 4)]
    return MessageList(nodes, *columns, starts, np.array([*chain.from_iterable(waits)], dtype=np.int64))


def arrivals(work, circuits=NONE, hybrid=SMALL, **options):
    return simulate_hybrid(hybrid, circuits, work, **options).arrived_ns.tolist()


@pytest.mark.parametrize("length", [1, 4096, 4097, MEGABYTE])
def test_an_uncontended_message_takes_its_bits_over_the_slowest_rate_and_all_delays(length):
    slow = 8 * length / 10
    assert arrivals(messages((0, 1, length))) == pytest.approx([slow + INSIDE])
    assert arrivals(messages((0, 4, length))) == pytest.approx([slow + BETWEEN])
    fast = 8 * length / 32
    assert arrivals(messages((0, 4, length)), Circuits(((0, 4),))) == pytest.approx([fast + CIRCUIT])


def test_times_are_exact_at_any_rates():
    hybrid = Hybrid(2, 1, node_gbps=Fraction(10, 3), up_gbps=0.7, link_ns=Fraction(1, 7))
    found = simulate_hybrid(hybrid, NONE, messages((0, 1, 5000), nodes=2))
    assert found.completion_ns == 8 * 5000 / Fraction(7, 10) + Fraction(4, 7) + 3 * 420


def test_messages_into_one_node_share_its_link_packet_by_packet():
    # The link of node 2 alternates between both: the first ends a packet before the second.
    packet = 4096 * 8 / 10
    first, second = arrivals(messages((0, 2, 100 * 4096), (1, 2, 100 * 4096)))
    assert second == pytest.approx(200 * packet + INSIDE)
    assert first == pytest.approx(199 * packet + INSIDE)


def test_a_node_serves_its_messages_round_robin():
    packet = 4096 * 8 / 10
    short, long = arrivals(messages((0, 1, 10 * 4096), (0, 2, 100 * 4096)))
    assert short == pytest.approx(19 * packet + INSIDE)  # 10 of its own and 9 of the other
    assert long == pytest.approx(110 * packet + INSIDE)


def test_an_uplink_is_shared_per_message_and_not_per_input_port():
    # Uplink of 10: node 0 sends two messages over it, node 1 one; each gets a third, so node 1 does not get half.
    hybrid = Hybrid(2, 4, up_gbps=10)
    work = messages((0, 4, 300 * 4096), (0, 5, 300 * 4096), (1, 6, 300 * 4096))
    packet = 4096 * 8 / 10
    assert arrivals(work, hybrid=hybrid) == pytest.approx([900 * packet + BETWEEN] * 3, rel=5e-3)


def test_a_congested_node_does_not_block_messages_for_others():
    # Three messages from group 0 wait for node 4. The one for node 5 passes them, at the rate of its own links.
    work = messages((0, 4, MEGABYTE), (1, 4, MEGABYTE), (2, 4, MEGABYTE), (3, 5, MEGABYTE))
    found = arrivals(work)
    assert 1e6 + BETWEEN <= found[3] <= 1e6 + BETWEEN + 3 * 512  # behind a packet of each of the others on the uplink
    assert max(found) == pytest.approx(3e6 + BETWEEN, rel=1e-3)


@pytest.mark.parametrize(("relay", "slow"), [("messages", 1e6 + 312500 + 1e6), ("packets", 1e6)])
def test_relaying_messages_adds_up_the_segments_and_relaying_packets_does_not(relay, slow):
    # 1 -> 0 at 10 Gbit/s, 0 -> 4 over the circuit at 32, 4 -> 6 at 10.
    work, circuits = messages((1, 6, MEGABYTE)), Circuits(((0, 4),))
    assert arrivals(work, circuits, relay=relay) == pytest.approx([slow + 2 * INSIDE + CIRCUIT])


def test_the_delay_of_a_message_begins_after_its_predecessors():
    work = messages((0, 1, 4096), (1, 0, 4096, (0,), 5_500))
    one = 4096 * 8 / 10 + INSIDE
    assert arrivals(work) == pytest.approx([one, one + 5.5 + one])


def test_a_window_covers_long_delays_by_default_and_a_small_one_costs_time():
    # The credit round trip of a link of 10 us and a switch of 420 ns is 20.42 us, a packet takes 3.2768 us.
    hybrid = Hybrid(2, 4, link_ns=10_000)
    work, delays = messages((0, 1, 1000 * 4096)), 2 * 10_000 + 420
    packet = 4096 * 8 / 10
    assert arrivals(work, hybrid=hybrid) == pytest.approx([1000 * packet + delays])
    # With room for one packet the next one begins when the credit of the previous one has returned.
    slow = 999 * (10_420 + packet + 10_000) + packet + delays
    assert arrivals(work, hybrid=hybrid, window_packets=1) == pytest.approx([slow])


def test_both_directions_of_all_links_work_at_once():
    work = messages((0, 4, MEGABYTE), (4, 0, MEGABYTE), (0, 1, MEGABYTE), (1, 0, MEGABYTE))
    found = arrivals(work, Circuits(((0, 4),)))
    assert found == pytest.approx([312500 + CIRCUIT] * 2 + [1e6 + INSIDE] * 2)


def test_a_placement_moves_processes():
    work, circuits = messages((0, 1, MEGABYTE)), Circuits(((3, 5),))
    moved = Placement((3, 5, 0, 1, 2, 4, 6, 7))
    assert arrivals(work, circuits, placement=moved) == pytest.approx([312500 + CIRCUIT])


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"messages": messages((0, 1, 8), nodes=4)}, "workload.processes=4: expected one for each of 8 nodes"),
        ({"placement": Placement((1, 0))}, "placement: 2 processes; expected 8"),
        ({"relay": "flits"}, "network.relay=flits: expected messages, packets"),
        ({"window_packets": 0}, "window_packets=0: expected an integer from 1 to 65536"),
        ({"circuits": Circuits(((0, 1),))}, r"circuits: \[0, 1\] inside group 0"),
        ({"hybrid": Hybrid(2, 4, up_gbps=64.00000000000001)}, "network: rates and delays need ticks"),
    ],
)
def test_inconsistent_input_is_rejected_in_one_line(change, line):
    arguments = {"hybrid": SMALL, "circuits": NONE, "messages": messages((0, 1, MEGABYTE))} | change
    with pytest.raises(InputError, match=line) as caught:
        simulate_hybrid(**arguments)
    assert "\n" not in str(caught.value)


@st.composite
def designs(draw, shortest=1, longest=10**5):
    """A small network with circuits, a placement, and messages in a few phases."""
    hybrid = Hybrid(draw(st.integers(2, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 2)))
    nodes = range(hybrid.nodes)
    free, pairs = [hybrid.ports_per_node] * hybrid.nodes, []
    for a, b in draw(st.permutations(list(combinations(nodes, 2)))):
        if hybrid.group_of(a) != hybrid.group_of(b) and free[a] and free[b] and draw(st.booleans()):
            pairs.append((a, b))
            free[a], free[b] = free[a] - 1, free[b] - 1
    ends = st.tuples(st.sampled_from(nodes), st.sampled_from(nodes)).filter(lambda pair: pair[0] != pair[1])
    columns = draw(
        st.lists(st.tuples(st.integers(0, 2), ends, st.integers(shortest, longest)), min_size=1, max_size=12)
    )
    phase, both, lengths = zip(*columns, strict=True)
    source, destination = zip(*both, strict=True)
    work = Workload("drawn", hybrid.nodes, *map(np.array, (phase, source, destination, lengths)))
    return hybrid, Circuits(tuple(pairs)), work.message_list(), Placement(tuple(draw(st.permutations(list(nodes)))))


@settings(deadline=None)
@given(designs(), st.sampled_from(RELAYS))
def test_links_carry_the_load_of_the_routes_and_bound_the_completion(design, relay):
    hybrid, circuits, work, placement = design
    found = simulate_hybrid(hybrid, circuits, work, placement, relay)
    model = FluidModel(hybrid, work, relay)
    expected = dict.fromkeys(((link.kind, link.source, link.destination) for link in found.links), 0)
    for number, route in enumerate(model.routes(circuits, placement)):
        for here, there in pairwise(route):
            ends = hybrid.group_of(here), hybrid.group_of(there)
            if tuple(sorted((here, there))) in circuits.pairs:
                used = [("circuit", here, there)]
            else:
                between = [("up", ends[0], None), ("down", None, ends[1])] if ends[0] != ends[1] else []
                used = [("out", here, ends[0]), *between, ("in", ends[1], there)]
            for link in used:
                expected[link] += int(work.length_bytes[number])
    assert found.link_bytes.tolist() == list(expected.values())
    times = model.times(circuits, placement)
    assert found.link_busy_ns.max() == pytest.approx(times.bottleneck_ns, abs=1)
    assert found.link_busy_ns.sum() == pytest.approx(times.total_ns, abs=1)
    assert found.completion_ns >= Fraction(found.link_busy_ns.max())


@settings(deadline=None, max_examples=50)
@given(designs(10**6, 4 * 10**6), st.sampled_from(RELAYS))
def test_small_networks_agree_with_the_fluid_model(design, relay):
    hybrid, circuits, work, placement = design
    packets = float(simulate_hybrid(hybrid, circuits, work, placement, relay).completion_ns)
    assert FluidModel(hybrid, work, relay).times(circuits, placement).completion_ns == pytest.approx(packets, rel=0.03)


@settings(deadline=None)
@given(designs(), st.sampled_from(RELAYS), st.integers(1, 3), st.integers(1, 40))
def test_laws_of_conservation_hold_at_all_times(design, relay, window, events):
    hybrid, circuits, work, placement = design
    links, transfers = links_of(hybrid, circuits), transfers_of(hybrid, circuits, work, placement, relay == "messages")
    plan = transfer_plan(links, transfers, work, common_tick_ns(links, work), hybrid.packet_bytes, window)
    network = PacketNetwork(plan)
    ended = False
    while not ended:
        ended = network.run(events)
        assert network.audit() is None
    assert (network.arrived() >= 0).all()


def random_circuits(hybrid, count, seed):
    """Random circuits between nodes of neighbouring groups."""
    random = np.random.default_rng(seed)
    size, groups = hybrid.nodes_per_group, hybrid.groups
    free = [(group * size + random.permutation(size)).tolist() for group in range(groups)]
    steps = [(i % groups, (i + 1) % groups) for i in range(count)]
    return Circuits(tuple((free[a].pop(), free[b].pop()) for a, b in steps))


@pytest.mark.parametrize("relay", RELAYS)
@pytest.mark.parametrize("circuits", [0, 12, 32, 60])
@pytest.mark.parametrize("work", [stencil(iterations=1), sparse(), sparse(partners=8, seed=2)], ids=lambda w: w.name)
def test_the_fluid_model_is_within_3_percent_of_the_packets(work, circuits, relay):
    hybrid, scaled = Hybrid(), work.scaled(20).message_list()
    chosen = random_circuits(hybrid, circuits, seed=circuits)
    packets = float(simulate_hybrid(hybrid, chosen, scaled, relay=relay).completion_ns)
    assert FluidModel(hybrid, scaled, relay).times(chosen).completion_ns == pytest.approx(packets, rel=0.03)


def test_equal_relayed_messages_end_together_only_in_the_fluid_model():
    # On a link n equal messages end within n packet times, one after the other, and each is relayed at once; in the
    # fluid model all end, and are relayed, at the same time. Messages that differ by parts of a packet change that.
    hybrid, circuits = Hybrid(), random_circuits(Hybrid(), 3, seed=1)
    work = stencil().scaled(100).message_list()
    less = np.random.default_rng(1).integers(0, 4096, work.messages)
    other = replace(work, length_bytes=work.length_bytes - less)
    packets = float(simulate_hybrid(hybrid, circuits, work).completion_ns)
    equal, different = (FluidModel(hybrid, messages).times(circuits).completion_ns for messages in (work, other))
    assert equal > 1.1 * packets
    assert equal > 1.1 * different


def test_watch_receives_the_fraction_arrived_and_may_end_the_run(monkeypatch):
    monkeypatch.setattr("isoplane.simulator.hybrid.EVENTS", 100)
    progress = []
    arrivals(messages((0, 1, MEGABYTE), (0, 1, MEGABYTE, [0], 0)), on_progress=progress.append)
    assert progress == sorted(progress)
    assert set(progress) == {0.0, 0.5}

    def end(share):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        arrivals(messages((0, 1, MEGABYTE)), on_progress=end)


def test_from_matrix_keeps_its_bytes():
    matrix = np.zeros((8, 8), dtype=int)
    matrix[0, 5] = matrix[5, 0] = 12345
    found = simulate_hybrid(SMALL, NONE, from_matrix(matrix).message_list())
    assert found.link_bytes[[0, 5, 8 + 0, 8 + 5]].tolist() == [12345] * 4
