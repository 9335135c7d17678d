"""Files that list a fabric: both forms give the cables they were written from; damage is an error with its line."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.runs.imports.discovery.ibnetdiscover import parse_ibnetdiscover
from isoplane.runs.imports.discovery.subnet_dump import parse_subnet_dump
from isoplane.runs.imports.fabric_reader import read_fabric
from tests.cases import for_each

from .fabrics import discovery_text, dump_text, guids, kind_of

FORMS = {"discovery": (discovery_text, parse_ibnetdiscover), "dump": (dump_text, parse_subnet_dump)}
NAMES = ["A", "B", "C", "D", "N0", "N1", "N2"]
TRIANGLE = [(("A", 1), ("B", 1)), (("B", 2), ("C", 1)), (("C", 2), ("A", 2)), (("A", 3), ("N0", 1))]


@st.composite
def cable_lists(draw):
    """Cables between random ports, each port used once, of switches and adapters with up to 36 ports."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=7, unique=True))
    ends = [(name, port) for name in names for port in (1, 2, 9, 10, 17, 36)]
    chosen = draw(st.permutations(ends))
    count = draw(st.integers(1, len(ends) // 2))
    return [(chosen[2 * i], chosen[2 * i + 1]) for i in range(count)]


def unordered(cables):
    return {frozenset(pair) for pair in cables}


@for_each("form", FORMS)
@settings(max_examples=60, deadline=None)
@given(cables=cable_lists())
def test_a_fabric_is_read_as_it_was_written(form, cables):
    write, parse = FORMS[form]
    text = write(cables, ports=36)
    fabric = parse("found=x", text.split("\n"))
    names = [device.name for device in fabric.devices]
    found = [((names[c.device], c.port), (names[c.other], c.other_port)) for c in fabric.cables]
    assert len(found) == len(cables)
    assert unordered(found) == unordered(cables)
    used = dict.fromkeys(name for pair in cables for name, _ in pair)
    assert {d.name: (d.kind, d.guid, d.ports) for d in fabric.devices} == {
        name: (kind_of(name), guid, 36) for name, guid in guids(used).items()
    }
    lines = text.split("\n")
    for cable in fabric.cables:  # the line of a cable names both of its ends
        line = lines[cable.line - 1]
        far = fabric.devices[cable.other]
        assert f"{far.guid:016x}" in line.lower()
        assert (f"[{cable.port}]" in line) if form == "discovery" else (f"PN:{cable.port:02X} " in line)


def test_descriptions_may_hold_anything(tmp_path):
    names = {"A": 'MF0;sw "x" # {1}:MSB7700/U1', "N0": "host7 mlx5_0 } LID:0"}
    for form, (write, _) in FORMS.items():
        path = tmp_path / form
        path.write_text(write(TRIANGLE, names=names), encoding="utf-8")
        assert {device.name for device in read_fabric("found", path).devices} == {*names.values(), "B", "C"}


DISCOVERY = discovery_text(TRIANGLE).split("\n")
DUMP = dump_text(TRIANGLE).split("\n")


def at(lines, part, times=1):
    """The number of the line, from 1, that has a part for the given time."""
    return [number for number, line in enumerate(lines, start=1) if part in line][times - 1]


def cables_or_error(parse, lines):
    try:
        return parse("found=x", lines).cables
    except InputError as error:
        return str(error)


@for_each("form", FORMS)
def test_a_file_of_a_connected_fabric_that_ends_early_is_an_error(form):
    write, parse = FORMS[form]
    text = write(TRIANGLE).rstrip("\n")
    whole = parse("found=x", text.split("\n")).cables
    for end in range(len(text)):
        cables = cables_or_error(parse, text[:end].split("\n"))
        if isinstance(cables, str):
            assert cables.startswith("found=x: ")
            assert "; expected " in cables
        else:  # only a device without a cable, or only a comment was cut off
            assert cables in ((), whole)
    assert isinstance(cables_or_error(parse, text[: len(text) * 2 // 3].split("\n")), str)


@for_each(
    ("old", "new", "message"),
    [
        ('[1]\t"S-0000000000100010"[1]', '[65]\t"S-0000000000100010"[1]', "port 65 of 'S-0000000000100000'; expected"),
        ('[1]\t"S-0000000000100010"[1]', '[1]\t"S-0000000000100010"[2]', "a cable to port 2 of"),
        ('[1]\t"S-0000000000100010"[1]', '[1]\t"S-00000000001000ff"[1]', "no device 'S-00000000001000ff' in the file"),
        (
            '[1]\t"S-0000000000100010"[1]',
            '[1]\t"S-0000000000100000"[1]',
            "port 1 of 'S-0000000000100000' to itself",
        ),
        ('Switch\t64 "S-0000000000100010"', 'Switch\t64 "S-0000000000100000"', "again, after line"),
        ("switchguid=0x100010", "switchguid=0x100000", "GUID 0x100000 of 'S-0000000000100010' is that of line"),
        ("switchguid=0x100010", "switchguid=banana", "'switchguid=banana(100010)'; expected the output of"),
        ("switchguid=0x100000(100000)", "[1] x", "'[1] x'; expected the output of"),
    ],
)
def test_a_contradiction_names_its_line(old, new, message):
    text = "\n".join(DISCOVERY)
    assert text.count(old) == 1
    with pytest.raises(InputError, match=r"^found=x: line \d+: ") as caught:
        parse_ibnetdiscover("found=x", text.replace(old, new).split("\n"))
    assert message in str(caught.value)


def test_the_line_in_a_message_is_that_of_the_contradiction():
    number = at(DISCOVERY, '"S-0000000000100010"[1]')
    lines = [*DISCOVERY]
    lines[number - 1] = lines[number - 1].replace("[1]\t", "[70]\t")
    with pytest.raises(InputError, match=f"line {number}: port 70 "):
        parse_ibnetdiscover("found=x", lines)
    with pytest.raises(InputError, match="line 4: device 0000000000100010 differs from line 1"):
        parse_subnet_dump("found=x", [*DUMP[:3], DUMP[3].replace("{B}", "{b}"), *DUMP[4:]])


@for_each("text", ["", "# nothing\n", "switchguid=0x1\n", "hello\n", "{ SW }\n", '[1] "A"[1]\n'])
def test_other_files_are_errors(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"found=.*file: .*expected"):
        read_fabric("found", path)
    with pytest.raises(InputError, match=r"found=.*none: No such file or directory; expected"):
        read_fabric("found", tmp_path / "none")
