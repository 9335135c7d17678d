"""Programs as hardware and messages."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from isoplane.models import InputError
from isoplane.simulator import Listed, Simulation, Traffic, measure, zero_load_latency_ns
from isoplane.simulator.language import (
    fabric_of_program,
    hardware_of_program,
    parse_program,
    traffic_of_program,
)

TEXT = """
(NetworkTopology Torus 4 3)
(FlowControlMethod StoreAndForward)
(NetworkChannelWidth 16bit)
(NetworkFrequency 50MHz)
(NetworkPacketSize 256bit)
(NetworkDataSize 192bit)
(NodeHardwareDelay 2clock)
(NodeBufferSize 256bit)
(MessageCreationMax 100)
(MessageCreationRate 1.0%)
(MessageLength 8byte to 32byte)
"""


def program(*changes):
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return parse_program(text)


def traffic(*changes):
    return traffic_of_program(program(*changes), Path())


@pytest.mark.parametrize(("bits", "clocks"), [(16, 18), (32, 10), (64, 6)])
def test_a_hop_of_store_and_forward_takes_the_packet_and_two_clocks(bits, clocks):
    own = program(("16bit", f"{bits}bit"))
    fabric, hardware = fabric_of_program(own), hardware_of_program(own)
    assert hardware.tick_ns == 20
    assert zero_load_latency_ns(fabric, hardware, 0, 2) == 2 * clocks * 20


@pytest.mark.parametrize("flow", ["VirtualCutThrough", "Wormhole"])
def test_a_hop_takes_the_head_flit_and_two_clocks_where_packets_cut_through(flow):
    own = program(("StoreAndForward", flow))
    # Two hops of 1 + 2 clocks; then the other 15 flits.
    assert zero_load_latency_ns(fabric_of_program(own), hardware_of_program(own), 0, 2) == (2 * 3 + 15) * 20


def test_random_messages_come_as_the_program_says():
    found = traffic(("(MessageLength", "(MessageMaxCount 7)\n(MessageLength"))
    assert (found.pattern, found.most_created, found.most_alive, found.message_bytes) == ("uniform", 100, 7, (8, 32))
    assert found.interval_ns == 2000  # 1 % for each clock of 20 ns
    # 17 of the 25 lengths take one packet of 16 flits, 8 take two.
    assert found.offered_load(hardware_of_program(program())) == Fraction(16 * 17 + 32 * 8, 25) / 100


@pytest.mark.parametrize(
    ("pattern", "table"),
    [
        ("Complement", [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]),
        ("Neighbour", [5, 6, 7, 4, 9, 10, 11, 8, 1, 2, 3, 0]),
        # By 1 of 4 along x, by 1 of 3 along y.
        ("Tornado", [5, 6, 7, 4, 9, 10, 11, 8, 1, 2, 3, 0]),
    ],
)
def test_patterns_are_those_of_the_language(pattern, table):
    assert traffic(("(MessageCreationMax", f"(TrafficPattern {pattern})\n(MessageCreationMax")).table == tuple(table)


def test_patterns_of_bits_and_squares_need_their_numbers_of_nodes():
    square = ("Torus 4 3", "Torus 4 4")
    for pattern, third in (("BitReverse", 12), ("Shuffle", 6), ("Transpose", 12)):
        found = traffic(square, ("(MessageCreationMax", f"(TrafficPattern {pattern})\n(MessageCreationMax"))
        assert found.table[3] == third
        assert sorted(found.table) == list(range(16))


def test_a_hot_spot_gets_its_share():
    found = traffic(("(MessageCreationMax", "(TrafficPattern HotSpot 5 20%)\n(MessageCreationMax"))
    assert (found.pattern, found.hot_nodes, found.hot_share) == ("hot_spot", (5,), Fraction(1, 5))


def test_a_pattern_file_is_looked_for_beside_the_program_and_sent_whole(tmp_path):
    (tmp_path / "two.cpf").write_text("CommunicationPattern 1\n0 1 0 24\n1 0 3 24 after 0 delay 1usec\n")
    own = program(
        ("(MessageCreationMax 100)\n(MessageCreationRate 1.0%)\n(MessageLength 8byte to 32byte)\n",
         '(CommunicationPatternFile "two.cpf")\n'),
    )  # fmt: skip
    messages = traffic_of_program(own, tmp_path)
    assert isinstance(messages, Listed)
    fabric, hardware = fabric_of_program(own), hardware_of_program(own)
    report = measure(Simulation(fabric, hardware, messages, 1))
    # One hop each, of 18 clocks, and a microsecond of computing between them.
    assert report.measured_ns == pytest.approx(2 * 360 + 1000, abs=40)
    assert (report.packets, report.steady, report.saturated) == (2, False, False)
    assert np.flatnonzero(report.sent).tolist() == [0, 1]
    with pytest.raises(InputError, match="CommunicationPatternFile .*two.cpf: No such file"):
        traffic_of_program(own, tmp_path / "elsewhere")


def test_a_program_is_run_to_its_last_message():
    own = program(("NodeBufferSize 256bit", "NodeBufferSize 512bit"))
    found = traffic_of_program(own, Path())
    assert isinstance(found, Traffic)
    report = measure(Simulation(fabric_of_program(own), hardware_of_program(own), found, 1))
    assert report.sent.sum() == report.received.sum() + report.dropped_messages == 100
