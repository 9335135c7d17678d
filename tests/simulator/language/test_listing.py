"""The published program, and the shipped programs."""

from dataclasses import replace
from fractions import Fraction
from importlib import resources
from itertools import chain
from pathlib import Path
from typing import get_args

from isoplane.models import ConnectionSet, Cube
from isoplane.simulator.language import (
    DeadlockRecovery,
    Duration,
    FlowControl,
    Pattern,
    Program,
    Rdt,
    Routing,
    Torus,
    notes,
    parse_program,
    read_program,
)
from isoplane.simulator.language.text.statements import STATEMENT_NAMES
from isoplane.simulator.language.units import UNITS
from tests.cases import for_each

from .listing import RDT_PROGRAM, TORUS_PROGRAM

CHOICES = (FlowControl, Routing, DeadlockRecovery, Pattern)
PROGRAMS = resources.files("isoplane.conf") / "programs"
EXPECTED = Program(
    topology=Rdt(4, (64, 64)),
    routing="VectorRouting",
    flow_control="VirtualCutThrough",
    channel_bits=32,
    frequency_hz=Fraction(50_000_000),
    packet_bits=256,
    data_bits=192,
    hardware_delay=Duration(Fraction(60, 10**9)),
    buffer_bits=256,
    message_creation_max=10_000,
    message_interval=Duration(Fraction(2, 10**6)),
    message_rate=Fraction(1, 100),
    message_bytes=(8, 32),
    message_max_count=10_000,
    simulation_interval=Duration(Fraction(1, 10**6)),
    data_output_file="rdt.4096.vct.dof",
    screen_output_file="rdt.4096.vct.sof",
)


def test_the_published_listing_parses_to_the_exact_values():
    assert parse_program(RDT_PROGRAM) == EXPECTED


def test_the_commented_statements_of_the_listing_are_statements_too():
    text = RDT_PROGRAM.replace(';(CommunicationPatternFile "cpf/pde', '(CommunicationPatternFile "cpf/pde')
    program = parse_program(text.replace(";(Processor", "(Processor"))
    assert (program.pattern_file, program.processor_performance) == ("cpf/pde.cpf", Fraction(1, 2))
    assert program.creation_probability is None


def test_an_interval_of_2_usec_at_50_mhz_is_a_rate_of_1_percent():
    for omitted in ("(MessageCreationInterval 2usec)\n", "(MessageCreationRate 1.0%)\n", ""):
        program = parse_program(RDT_PROGRAM.replace(omitted, ""))
        assert program.creation_probability == Fraction(1, 100)
        assert notes(program) == ()
    assert parse_program(RDT_PROGRAM.replace("1.0%", "2%")).creation_probability == Fraction(1, 100)


@for_each(
    ("text", "note"),
    [
        (
            RDT_PROGRAM.replace("1.0%", "2%"),
            "MessageCreationRate 2% is not the 1% of MessageCreationInterval 2usec; the",
        ),
        (RDT_PROGRAM + '(CommunicationPatternFile "pde.cpf")', "MessageCreationMax, MessageCreationInterval, Message"),
        (RDT_PROGRAM + "(ProcessorPerformanceExpandRate 50%)", "ProcessorPerformanceExpandRate: has no effect without"),
    ],
)
def test_a_statement_without_effect_is_noted(text, note):
    (noted,) = notes(parse_program(text))
    assert noted.startswith(note)


def test_a_pattern_file_needs_no_statements_about_random_messages():
    lines = [line for line in RDT_PROGRAM.splitlines() if not line.startswith(("(MessageC", "(MessageL"))]
    program = parse_program("\n".join([*lines, '(CommunicationPatternFile "pde.cpf")']))
    assert (notes(program), program.message_bytes) == ((), None)


@for_each(("frequency", "clocks", "count"), [("50MHz", 3, 0), ("25MHz", 2, 1), ("100MHz", 6, 0)])
def test_a_hardware_delay_of_60_nsec_is_3_clocks_at_50_mhz_and_rounded_up_with_a_note(frequency, clocks, count):
    program = parse_program(
        RDT_PROGRAM.replace("50MHz", frequency).replace("(MessageCreationRate 1.0%)", "(RandomSeed 7)")
    )
    assert (program.hardware_delay_clocks, len(notes(program))) == (clocks, count)
    stated = RDT_PROGRAM.replace("60nsec", "2clock").replace("50MHz", frequency)
    assert parse_program(stated).hardware_delay_clocks == 2


def test_a_message_of_8_to_32_bytes_travels_in_1_or_2_packets_of_8_flits():
    program = parse_program(RDT_PROGRAM)
    assert [program.packets(length) for length in (1, 8, 24, 25, 32)] == [1, 1, 1, 2, 2]
    assert (program.packet_flits, program.buffer_flits, program.nodes) == (8, 8, 4096)


@for_each(
    ("file", "topology", "routing", "stem"),
    [
        ("torus-64x64", Torus((64, 64)), "DimensionOrder", "torus2d"),
        ("torus-16x16x16", Torus((16, 16, 16)), "DimensionOrder", "torus3d"),
        ("hypercube-12", Cube(ConnectionSet.unit(12)), "DimensionOrder", "hypercube"),
        ("rdt-2-4-1", Rdt(4, (64, 64)), "VectorRouting", "rdt"),
    ],
)
def test_the_shipped_programs_have_the_published_settings_on_4096_nodes(file, topology, routing, stem):
    with resources.as_file(PROGRAMS / f"{file}.ndl") as path:
        program = read_program(path)
    files = {"data_output_file": f"{stem}.4096.vct.dof", "screen_output_file": f"{stem}.4096.vct.sof"}
    assert program == replace(EXPECTED, topology=topology, routing=routing, **files)
    assert (program.nodes, notes(program)) == (4096, ())


def test_the_order_and_line_breaks_of_statements_do_not_matter():
    lines = TORUS_PROGRAM.splitlines()
    text = "".join(line.replace(" ", "\t\r\n ; a comment (\n ") for line in reversed(lines) if line[0] != ";")
    assert parse_program("\ufeff" + text) == parse_program(TORUS_PROGRAM)


def test_every_statement_unit_and_choice_is_in_the_reference():
    page = (Path(__file__).parents[3] / "docs" / "language.md").read_text(encoding="utf-8")
    words = [*STATEMENT_NAMES, *filter(None, UNITS), *chain.from_iterable(map(get_args, CHOICES))]
    assert [word for word in words if f"`{word}" not in page] == []
