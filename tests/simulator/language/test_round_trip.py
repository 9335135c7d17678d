"""Every program survives a round trip through its text, and no text breaks the parser."""

import time
from fractions import Fraction
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Cube
from isoplane.simulator.language import (
    DeadlockRecovery,
    Duration,
    FlowControl,
    Graph,
    Program,
    Rdt,
    Torus,
    Traffic,
    default_routing,
    parse_program,
    write_program,
)
from isoplane.simulator.language.rules import routings
from tests.cases import for_each, require_refusal
from tests.strategies import bases_up_to

from .fuzz import fuzzed, is_valid, shipped
from .listing import RDT_PROGRAM

SHAPES = st.lists(st.integers(2, 9), min_size=1, max_size=4).map(tuple)
SHARES = st.integers(1, 10**14).map(lambda parts: Fraction(parts, 10**14))
# At 1 MHz or more, at least one message in 10^6 s.
RATES = st.integers(100, 10**14).map(lambda parts: Fraction(parts, 10**14))
HOT_SPOTS = st.builds(Traffic, st.just("HotSpot"), st.just(1), SHARES)
FILE_NAMES = st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters='"'), min_size=1, max_size=9)


@st.composite
def graphs(draw):
    """A tree with additional links."""
    switches = draw(st.integers(2, 9))
    tree = [(draw(st.integers(0, b - 1)), b) for b in range(1, switches)]
    pairs = st.tuples(st.integers(0, switches - 1), st.integers(0, switches - 1)).filter(lambda pair: pair[0] < pair[1])
    extra_links = draw(st.lists(pairs, unique=True, max_size=4))
    ends = draw(st.permutations(list(dict.fromkeys([*tree, *extra_links]))))
    return Graph(switches, tuple((a, b, draw(st.integers(0, 10**6))) for a, b in ends))


TOPOLOGIES = st.one_of(
    SHAPES.map(Torus),
    SHAPES.map(lambda shape: Torus(shape, wraps=False)),
    st.builds(Cube, bases_up_to(7), st.booleans()),
    st.builds(Rdt, st.just(4), st.sampled_from([(4, 4), (64, 64)])),
    st.just(Rdt(2, (8, 8), ("1212", "2121", "1212", "2121"))),
    graphs(),
)


@st.composite
def durations(draw, min_psec=1):
    if draw(st.booleans()):
        return Duration(Fraction(draw(st.integers(10**12, 10**18)), 10**12), clocks=True)
    return Duration(Fraction(draw(st.integers(min_psec * 10**12, 10**18 * 10)), 10**24))


@st.composite
def programs(draw):
    topology = draw(TOPOLOGIES)
    channel, flits = draw(st.integers(1, 4096)), draw(st.integers(1, 64))
    packet = channel * flits
    by_interval = draw(st.sampled_from([True, False]))
    datelines = isinstance(topology, Torus) and topology.wraps and draw(st.booleans())
    low = draw(st.integers(1, 1 << 30))
    routing = default_routing(topology) if datelines else draw(st.sampled_from(routings(topology)))
    return Program(
        topology=topology,
        routing=routing,
        flow_control=draw(st.sampled_from(get_args(FlowControl))),
        channel_bits=channel,
        # A clock of at most a microsecond, so that the shortest interval below has at least one clock.
        frequency_hz=Fraction(draw(st.integers(10**18, 10**21)), 10**12),
        packet_bits=packet,
        data_bits=draw(st.integers(1, packet)),
        hardware_delay=Duration(Fraction(draw(st.integers(0, 10**6)), 10**12)),
        buffer_bits=packet * draw(st.integers(1, 3)),
        virtual_channels=draw(st.integers(2, 16)),
        date_lines=datelines,
        hop_classes=routing == "ShortestPath" and draw(st.booleans()),
        deadlock_recovery=draw(st.sampled_from(get_args(DeadlockRecovery))),
        cable_delay=Duration(Fraction(draw(st.integers(0, 10**6)), 10**12)),
        traffic=draw(st.one_of(HOT_SPOTS, st.sampled_from(["Uniform", "Complement"]).map(Traffic))),
        message_creation_max=draw(st.integers(1, 1 << 31)),
        message_interval=draw(durations(10**6)) if by_interval else None,
        message_rate=None if by_interval else draw(RATES),
        message_bytes=(low, draw(st.integers(low, min(low + (1 << 20), 1 << 30)))),
        message_max_count=draw(st.none() | st.integers(1, 1 << 31)),
        simulation_interval=draw(st.none() | durations(10**6)),
        pattern_file=draw(st.none() | FILE_NAMES),
        processor_performance=Fraction(draw(st.integers(1, 10**15)), 10**14),
        data_output_file=draw(st.none() | FILE_NAMES),
        screen_output_file=draw(st.none() | FILE_NAMES),
        random_seed=draw(st.integers(0, (1 << 63) - 1)),
    )


@given(programs())
def test_a_program_equals_the_program_of_its_text(program):
    assert parse_program(write_program(program)) == program


def test_defaults_are_written():
    lines = write_program(parse_program(RDT_PROGRAM)).splitlines()
    assert "(RoutingAlgorithm VectorRouting)" in lines
    assert "(NetworkCableDelay 5nsec)" in lines
    assert "(RankTile 1443 2312 4314 1223)" in lines
    assert not [line for line in lines if line.startswith("(CommunicationPatternFile")]


@for_each("value", [Fraction(1, 3), Fraction(1, 10**25), Fraction(-1), Fraction(10**7)])
def test_a_duration_without_exact_text_is_rejected(value):
    require_refusal(lambda: Duration(value), "sec: expected 0sec to 1000000sec, with at most 12 decimals")


@for_each(
    ("change", "says"),
    [
        ({"frequency_hz": Fraction(10**9, 3)}, "^NetworkFrequency 1000000000/3: expected"),
        ({"message_rate": Fraction(1, 3)}, "^MessageCreationRate 1/3: expected above 0% and at most 100%"),
        ({"data_output_file": 'a"b'}, "^DataOutputFile 'a\"b': expected"),
        ({"routing": "UpDown", "date_lines": True}, "^DateLines Yes: expected No, except with"),
    ],
)
def test_a_program_without_exact_text_is_rejected_by_statement_name(change, says):
    require_refusal(lambda: write_program(Program(**{**vars(parse_program(RDT_PROGRAM)), **change})), says)


def test_every_fuzzed_program_is_valid_or_rejected_in_one_line():
    valid, longest = 0, 0.0
    for text in fuzzed(1, 3000):
        start = time.thread_time()
        valid += is_valid(text)
        longest = max(longest, time.thread_time() - start)
    assert 300 < valid < 2700  # the mutations are neither hopeless nor harmless
    assert longest < 5


def test_a_seed_determines_the_fuzzed_programs():
    assert list(fuzzed(2, 50)) == list(fuzzed(2, 50)) != list(fuzzed(3, 50))


def test_the_mutated_texts_are_programs():
    assert all(is_valid(text) for text in shipped())
