"""Simulated programs: exact times, reported numbers that add up, and the files that a program names."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.simulator.language import (
    Traffic,
    output_names,
    run_program,
    screen_text,
    simulate_program,
    simulation_of,
)
from isoplane.simulator.language.run import destinations
from tests.cases import for_each, require_refusal

from .programs import CLOCK_NS, FLOWS, program_of


def run_listed(program, lines, folder):
    """The report on a program with the given list of messages."""
    (folder / "messages.cpf").write_text("CommunicationPattern 1\n" + lines, encoding="utf-8")
    return run_program(replace(program, pattern_file="messages.cpf"), folder)


def clocks(time_ns):
    return time_ns / float(CLOCK_NS)


@for_each("flow", FLOWS)
@for_each(("width", "delay"), [(16, 2), (32, 2), (64, 2), (32, 0), (32, 5)])
def test_an_uncontended_packet_takes_exactly_the_time_of_its_flow_control(flow, width, delay, tmp_path):
    flits = 256 // width
    program = program_of(flow=flow, width=width, delay=f"{delay}clock")
    for hops in range(1, 5):
        report = run_listed(program, f"0 6 {(6 + hops) % 8} 24", tmp_path)
        # Stored and forwarded, 18, 10 and 6 clocks per hop for 16, 32 and 64 bits with a delay of 2.
        stored_clocks = hops * (flits + delay)
        expected = stored_clocks if flow == "StoreAndForward" else hops * (1 + delay) + flits - 1
        assert clocks(report.network_latency_ns) == clocks(report.message_latency_ns) == expected
        assert [row.packets for row in report.by_distance] == [*[0] * hops, 1]


@for_each("delay", [0, 2, 7])
def test_two_flits_of_buffer_are_enough_for_an_uncontended_worm(delay, tmp_path):
    for buffer, extra_clocks in ((2, 0), (1, 7)):  # with one, every flit waits for the credit of the previous one
        program = program_of(flow="Wormhole", delay=f"{delay}clock", buffer=32 * buffer)
        report = run_listed(program, "0 0 4 24", tmp_path)
        assert clocks(report.network_latency_ns) == 4 * (1 + delay) + 7 + extra_clocks


@for_each(("flow", "buffer", "clocks_per_packet"), [("StoreAndForward", 1, 18), ("VirtualCutThrough", 1, 11)])
def test_packets_of_a_stream_follow_each_other_as_soon_as_a_buffer_is_free(flow, buffer, clocks_per_packet, tmp_path):
    program = program_of("(NetworkTopology Mesh 3)", flow, buffer=256 * buffer)
    one, many = (run_listed(program, f"0 0 2 {24 * packets}", tmp_path) for packets in (1, 51))
    assert clocks(many.message_latency_ns - one.message_latency_ns) == 50 * clocks_per_packet


def test_times_of_cables_and_of_fractions_of_nanoseconds_are_exact(tmp_path):
    text = "(NetworkTopology Graph 2)(NetworkLink 0 1 6m)"
    program = replace(program_of(text), frequency_hz=300_000_000)  # a clock of 10/3 ns; 6 m take 9 of them
    report = run_listed(program, "0 0 1 24", tmp_path)
    assert report.network_latency_ns == pytest.approx((2 + 9 + 8) * 10 / 3, rel=1e-12)


def test_listed_messages_wait_and_processors_compute(tmp_path):
    lines = "5 0 1 24 delay 1usec\n7 1 2 24 after 5 delay 410nsec\n6 2 3 24 after 5,7"
    one_hop = 2 + 8  # clocks of one hop
    program = program_of()
    report = run_listed(program, lines, tmp_path)
    assert clocks(report.time_ns) - 1 == 50 + one_hop + 21 + one_hop + one_hop  # 410 ns end within the 21st clock
    half = run_listed(replace(program, processor_performance=Fraction(1, 2)), lines, tmp_path)
    assert clocks(half.time_ns) - 1 == 100 + one_hop + 41 + one_hop + one_hop
    assert (report.messages_created, report.messages_arrived, report.messages_never_created) == (3, 3, 0)
    assert report.sent.tolist() == [1, 1, 1, 0, 0, 0, 0, 0]
    assert report.received.tolist() == [0, 1, 1, 1, 0, 0, 0, 0]


CYCLE = "".join(f"{node} {node} {(node + 3) % 8} 24\n" for node in range(8))


@for_each(("recovery", "resolved"), [("Drop", True), ("Report", False)])
def test_a_deadlock_is_resolved_or_ends_the_simulation(recovery, resolved, tmp_path):
    program = program_of("(NetworkTopology Torus 8)", statements=f"(DeadlockRecovery {recovery})")
    report = run_listed(program, CYCLE + "99 0 1 24 after 0,1,2,3,4,5,6,7", tmp_path)
    assert report.deadlocks == 1
    assert report.messages_never_created == 1
    if resolved:
        assert (report.messages_arrived, report.messages_dropped, report.messages_remaining) == (7, 1, 0)
        assert report.deadlock == ()
    else:
        assert (report.messages_arrived, report.messages_dropped, report.messages_remaining) == (0, 0, 8)
        assert {node for node, _, _ in report.deadlock} == set(range(8))


@settings(max_examples=30, deadline=None)
@given(
    st.sampled_from(["Torus 4 4", "Mesh 3 4", "Hypercube 4", "FoldedHypercube 3", "RDT 2 4 1 8 8"]),
    st.sampled_from(FLOWS),
    st.sampled_from([32, 64, 256]),
    st.integers(0, 3),
    st.integers(1, 300),
    st.sampled_from(["20nsec", "100nsec", "2usec"]),
    st.integers(0, 99),
)
def test_the_numbers_of_a_report_add_up(topology, flow, buffer, delay, created, interval, seed):
    program = program_of(
        f"(NetworkTopology {topology})",
        flow,
        delay=f"{delay}clock",
        buffer=buffer if flow == "Wormhole" else 256,
        created=created,
        interval=interval,
        lengths="8byte to 60byte",
        statements=f"(SimulationInterval 1usec)(MessageMaxCount 100)(RandomSeed {seed})",
    )
    report = run_program(program)
    assert report.messages_created == created == report.sent.sum()
    assert report.messages_arrived + report.messages_dropped == created
    assert report.messages_arrived == report.received.sum()
    assert sum(row.packets for row in report.by_distance) == report.packets_arrived
    assert sum(row.injected_messages for row in report.series) == created
    assert sum(row.arrived_messages for row in report.series) == report.messages_arrived
    assert max(row.remaining_messages for row in report.series) <= 100
    assert (report.series[-1].remaining_messages, report.series[-1].remaining_bytes) == (0, 0)
    assert report.collisions.sum() / report.packets_arrived == pytest.approx(report.collisions_per_packet)
    for hops, row in enumerate(report.by_distance):
        assert not row.packets or row.network_ns >= 20 * hops * (1 + delay)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["Torus 8", "Torus 4 4", "Hypercube 4", "RDT 2 4 1 8 8"]),
    st.integers(1, 20),
    st.integers(0, 4),
    st.integers(1, 3),
    st.integers(0, 99),
)
def test_worms_obey_the_conservation_laws_at_all_times(topology, buffer, delay, channels, seed):
    program = program_of(
        f"(NetworkTopology {topology})",
        "Wormhole",
        delay=f"{delay}clock",
        buffer=32 * buffer,
        interval="200nsec",
        lengths="8byte to 60byte",
        statements=f"(VirtualChannels {channels})(RandomSeed {seed})",
    )
    simulation = simulation_of(program)
    while not simulation.ended:
        simulation.run(simulation.now + 17)
        assert simulation.audit() is None
        assert simulation.now < 10**5


def test_a_run_of_a_program_is_repeatable_and_depends_on_its_seed():
    program = program_of("(NetworkTopology Torus 4 4)", interval="200nsec")
    first, again, other = (run_program(p) for p in (program, program, replace(program, random_seed=2)))
    assert first.network_latency_ns == again.network_latency_ns != other.network_latency_ns
    assert np.array_equal(first.received, again.received)


def test_the_progress_callback_receives_the_number_of_messages():
    progress = []
    run_program(program_of(created=50), on_progress=lambda done, total: progress.append((done, total)))
    assert progress[-1] == (50, 50)


@for_each(
    ("topology", "pattern", "expected"),
    [
        ("Mesh 5", "Complement", [4, 3, 2, 1, 0]),
        ("Torus 8", "BitReverse", [0, 4, 2, 6, 1, 5, 3, 7]),
        ("Hypercube 3", "Shuffle", [0, 2, 4, 6, 1, 3, 5, 7]),
        ("Torus 9", "Transpose", [0, 3, 6, 1, 4, 7, 2, 5, 8]),
        ("Torus 4 2", "Tornado", [1, 2, 3, 0, 5, 6, 7, 4]),  # 4 / 2 - 1 = 1 further in x, 0 in y
        ("Torus 3 2", "Neighbour", [4, 5, 3, 1, 2, 0]),
    ],
)
def test_patterns_have_the_destinations_of_the_language(topology, pattern, expected):
    program = replace(program_of(f"(NetworkTopology {topology})", created=100), traffic=Traffic(pattern))
    assert destinations(program).tolist() == expected
    report = run_program(program)
    silent = [node for node, destination in enumerate(expected) if node == destination]
    assert report.sent[silent].sum() == 0
    assert report.received[expected].tolist() == report.sent.tolist()


def test_a_hot_spot_gets_its_share():
    report = run_program(
        program_of("(NetworkTopology Torus 4 4)", created=4000, statements="(TrafficPattern HotSpot 5 40%)")
    )
    assert 0.38 < report.received[5] / 4000 < 0.46  # 40 % from 15 of 16 nodes, plus its share of the uniform messages


def test_a_pattern_without_traffic_raises_input_error():
    program = program_of("(NetworkTopology Torus 2 2)", statements="(TrafficPattern Tornado)")
    require_refusal(lambda: run_program(program), "^TrafficPattern Tornado: expected a pattern in which nodes send")


OUTPUTS = '(DataOutputFile "ring.dof")(ScreenOutputFile "ring.sof")(SimulationInterval 1usec)'


def test_both_files_are_in_the_folder_for_outputs(tmp_path):
    program = program_of(statements=OUTPUTS)
    report = simulate_program(program, tmp_path, tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["ring.dof", "ring.sof"]
    data = json.loads((tmp_path / "out" / "ring.dof").read_text(encoding="utf-8"))
    assert data["network_latency_ns"] == report.network_latency_ns
    assert data["received"] == report.received.tolist()
    assert data["series"][0]["time_ns"] == 1000
    assert len(data["series"]) == len(report.series)
    assert (tmp_path / "out" / "ring.sof").read_text(encoding="utf-8") == screen_text(report)


def test_a_program_without_file_names_writes_nothing(tmp_path):
    simulate_program(program_of(created=5), tmp_path, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []


def test_the_screen_text_summarises_the_messages():
    lines = screen_text(run_program(program_of(created=20))).splitlines()
    assert lines[1] == "messages: 20 created, 20 arrived, 0 dropped"
    assert lines[-1].split()[0] == "4"  # the diameter of a ring of 8


@for_each("name", ["../a", "a/b", "/a", "..", "."])
def test_an_output_name_must_not_be_a_path(name):
    for statement in ("DataOutputFile", "ScreenOutputFile"):
        program = program_of(statements=f'({statement} "{name}")')
        require_refusal(lambda stated=program: output_names(stated), "expected a name without folders")


def test_two_outputs_cannot_share_a_file():
    program = program_of(statements='(DataOutputFile "a")(ScreenOutputFile "a")')
    require_refusal(lambda: output_names(program), "^ScreenOutputFile a: expected a name that differs")
