"""Files that list a fabric: both forms give the cables they were written from; damage is an error with its line."""

from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.runs.imports.discovery.ibnetdiscover import parse_ibnetdiscover
from isoplane.runs.imports.discovery.subnet_dump import parse_subnet_dump
from isoplane.runs.imports.fabric_reader import read_fabric
from tests.cases import for_each, require_refusal

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


LINK, SWITCH = '[1]\t"S-0000000000100010"[1]', 'Switch\t64 "S-0000000000100010"'


@for_each(
    ("old", "new", "message"),
    [
        (LINK, LINK.replace("[1]\t", "[65]\t"), "port 65 of 'S-0000000000100000'; expected"),
        (LINK, LINK.replace('"[1]', '"[2]'), "a cable to port 2 of"),
        (LINK, LINK.replace("100010", "1000ff"), "no device 'S-00000000001000ff' in the file"),
        (LINK, LINK.replace("100010", "100000"), "port 1 of 'S-0000000000100000' to itself"),
        (SWITCH, SWITCH.replace("100010", "100000"), "again, after line"),
        ("switchguid=0x100010", "switchguid=0x100000", "GUID 0x100000 of 'S-0000000000100010' is that of line"),
        ("switchguid=0x100010", "switchguid=banana", "'switchguid=banana(100010)'; expected the output of"),
        ("switchguid=0x100000(100000)", "[1] x", "'[1] x'; expected the output of"),
    ],
)
def test_a_contradiction_names_its_line(old, new, message):
    text = "\n".join(DISCOVERY)
    assert text.count(old) == 1
    line = f"^found=x: line {text[: text.index(old)].count(chr(10)) + 1}: " if old == LINK else "^found=x: line "
    for says in (line, message):
        require_refusal(lambda: parse_ibnetdiscover("found=x", text.replace(old, new).split("\n")), says)


def test_a_device_that_differs_between_lines_is_named():
    lines = [*DUMP[:3], DUMP[3].replace("{B}", "{b}"), *DUMP[4:]]
    message = "line 4: device 0000000000100010 differs from line 1"
    require_refusal(lambda: parse_subnet_dump("found=x", lines), message)


@for_each("text", ["", "# nothing\n", "switchguid=0x1\n", "hello\n", "{ SW }\n", '[1] "A"[1]\n'])
def test_other_files_are_errors(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    require_refusal(lambda: read_fabric("found", path), "expected")
    require_refusal(lambda: read_fabric("found", tmp_path / "none"), "none: No such file or directory; expected")
