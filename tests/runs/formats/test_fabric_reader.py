"""Files that list a fabric give the cables they were written from; damage is an error with its line."""

import re
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.runs.imports.fabric_reader import read_fabric
from isoplane.runs.imports.importers import importer_named, importer_names
from isoplane.runs.imports.importers.iblinkinfo import parse_iblinkinfo
from isoplane.runs.imports.importers.ibnetdiscover import parse_ibnetdiscover
from isoplane.runs.imports.importers.opensm_subnet import parse_subnet_dump
from tests.cases import for_each, require_refusal

from .fabrics import discovery_text, dump_text, guids, kind_of
from .ibsim import simulated_subnet
from .import_sources import planes_of, source

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
    fabric = parse(source(text, "x", "found"))
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
        return parse(source("\n".join(lines), "x", "found")).cables
    except InputError as error:
        return str(error)


@for_each("form", FORMS)
def test_a_file_of_a_connected_fabric_that_ends_early_is_an_error(form):
    write, parse = FORMS[form]
    text = write(TRIANGLE).rstrip("\n")
    whole = parse(source(text, "x", "found")).cables
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
        require_refusal(lambda: parse_ibnetdiscover(source(text.replace(old, new), "x", "found")), says)


def test_a_device_that_differs_between_lines_is_named():
    lines = [*DUMP[:3], DUMP[3].replace("{B}", "{b}"), *DUMP[4:]]
    message = "line 4: device 0000000000100010 differs from line 1"
    require_refusal(lambda: parse_subnet_dump(source("\n".join(lines), "x", "found")), message)


@for_each("text", ["", "# nothing\n", "switchguid=0x1\n", "hello\n", "{ SW }\n", '[1] "A"[1]\n'])
def test_other_files_are_errors(tmp_path, text):
    path = tmp_path / "file"
    path.write_text(text, encoding="utf-8")
    require_refusal(lambda: read_fabric("found", path), "expected")
    (tmp_path / "site.log").write_text("# edges\n0 1\n")
    says = "line 2: '0 1'; expected the output of ibnetdiscover or iblinkinfo, a fabric file of ibsim, opensm-subnet"
    require_refusal(lambda: read_fabric("found", tmp_path / "site.log"), says)
    require_refusal(lambda: read_fabric("found", tmp_path / "none"), "none: No such file or directory; expected")


STATES = {"4xHDR": "4X        53.125 Gbps", "1xSDR": "1X           2.5 Gbps", "4xFDR10": "4X   10.0 Gbps (FDR10)"}


def linkinfo_text(cables, rates=None, names=None):
    """The output of iblinkinfo, with a port that is down at each device."""
    ends = {}
    for number, (a, b) in enumerate(cables):
        for (device, port), other in ((a, b), (b, a)):
            ends.setdefault(device, {})[port] = other, number
    guid, shown = guids(ends), names or {}
    lids = {device: 9 * number + 1 for number, device in enumerate(ends)}  # adapters have a LID for each port

    def lid(device, port):
        return lids[device] + (port % 9 if kind_of(device) == "adapter" else 0)

    lines = []
    for device, used in ends.items():
        is_switch = kind_of(device) == "switch"
        head = f"Switch: {guid[device]:#018x}" if is_switch else "CA:"
        lines.append(f"{head} {shown.get(device, device)}:")
        lead = "" if is_switch else f"{guid[device] + 1:#018x}"
        for port, ((other, other_port), number) in sorted(used.items()):
            lead = "" if is_switch else f"{guid[device] + port:#018x}"
            state = STATES[(rates or {}).get(number, "4xHDR")]
            far = f'{lid(other, other_port):8}{other_port:5}[  ] "{shown.get(other, other)}" ( )'
            lines.append(f"{lead:>6}{lid(device, port):12}{port:5}[  ] ==( {state} Active/  LinkUp)==>{far}")
        if is_switch:
            lines.append(f'{lids[device]:12}{60:5}[  ] ==(                Down/ Polling)==>             [  ] "" ( )')
    return "\n".join([*lines, ""])


@settings(max_examples=60, deadline=None)
@given(cables=cable_lists())
def test_a_fabric_is_read_from_links_as_it_was_written(cables):
    fabric = parse_iblinkinfo(source(linkinfo_text(cables), "x", "found"))
    names = [device.name for device in fabric.devices]
    found = [((names[c.device], c.port), (names[c.other], c.other_port)) for c in fabric.cables]
    assert unordered(found) == unordered(cables)
    assert {f"{cable.rate}" for cable in fabric.cables} == {"4xHDR"}
    used = guids(dict.fromkeys(device for pair in cables for device, _ in pair))
    switches = {name: guid for name, guid in used.items() if kind_of(name) == "switch"}
    assert {d.name: d.guid for d in fabric.devices if d.kind == "switch"} == switches
    known = {d.key: d.name for d in fabric.devices}
    adapters = {(name, port) for pair in cables for name, port in pair if kind_of(name) == "adapter"}
    assert {(known[key], port): guid for (key, port), guid in fabric.port_guids.items()} == {
        (name, port): used[name] + port for name, port in adapters
    }


CABLES = [(("S0", 1), ("S1", 1)), (("S0", 2), ("N0", 1)), (("S1", 2), ("N1", 1)), (("S1", 3), ("N1", 2))]


def test_labels_on_the_outside_of_a_device_change_nothing_of_a_listing():
    text = discovery_text(CABLES)
    labelled = re.sub(r"^(\[\d+\])", r"\1[ext 2]", text, flags=re.MULTILINE)
    assert labelled != text
    assert parse_ibnetdiscover(source(labelled, "x", "found")) == parse_ibnetdiscover(source(text, "x", "found"))


def test_it_is_the_same_import_as_other_listings_with_its_rates():
    names = {"N1": "host mlx5_0", "S1": 'odd ==> "x" (y): z'}
    rates = {0: "1xSDR", 1: "4xHDR", 2: "4xFDR10", 3: "4xHDR"}
    (plane,), fabric = planes_of(linkinfo_text(CABLES, rates, names))
    (other,), same = planes_of(discovery_text(CABLES, names=names))
    assert (plane.cables, plane.nodes, fabric.nodes) == (other.cables, other.nodes, same.nodes)
    assert (plane.rates_gbps, plane.node_rates_gbps) == ((2,), (200, 40, 200))


@for_each(
    ("old", "new", "message"),
    [
        ("Switch: ", "Swatch: ", "line 1: 'Swatch: 0x"),
        ("53.125 Gbps", "54.125 Gbps", "line 2: rate 4x54.125; expected 1x, 2x, 4x, 8x, 12x of SDR"),
        ('1[  ] "S1"', '2[  ] "S1"', "line 2: a cable to port 2 of '0x100010', which leads elsewhere in line 7"),
        ('1[  ] "N0"', '1[  ] "N0', "line 3: '1    2[  ] ==( 4X        53.125 Gbps Act'; expected the output of"),
        ("10    1[  ] ==(", "1    1[  ] ==(", "LID 1 of two devices; expected LIDs as a subnet manager assigns them"),
        ('10    1[  ] "S1"', '77    1[  ] "S1"', "line 2: no device of LID 77; expected the output of iblinkinfo"),
    ],
)
def test_damage_is_an_error_that_names_its_line(old, new, message):
    text = linkinfo_text(CABLES)
    assert old in text
    require_refusal(lambda: parse_iblinkinfo(source(text.replace(old, new, 1), "x", "found")), message)


REPORTS = {
    "ibnetdiscover -p": "\nCA     4  1 0x0000000000100031 2x SDR - SW     3  3 0x0000000000100010 ( 'N1' - 'S1' )\n",
    "iblinkinfo -l": '0x0000000000100031 "    N1"      4    1[  ] ==( 2X  2.5 Gbps Active/  LinkUp)==>  '
    '0x0000000000100010      3    3[  ] "S1" ( )\n',
}


@for_each("command", REPORTS)
def test_reports_of_ports_are_refused_with_the_command_that_helps(command, tmp_path):
    program, option = command.split()
    text = REPORTS[command]
    expected = f"output of {command}, which does not tell which ports are those of one adapter; expected output of "
    (tmp_path / "x.txt").write_text(text, encoding="utf-8")
    for read in (lambda: planes_of(text), lambda: read_fabric("found", tmp_path / "x.txt")):
        require_refusal(read, f"{expected}{program} without {option}")


def test_routers_and_aggregation_nodes_are_left_out_and_told():
    aggregation = "Mellanox Technologies Aggregation Node"
    cables = [*CABLES, (("S0", 9), ("N8", 1)), (("S1", 9), ("N9", 1))]
    text = discovery_text(cables, names={"N8": "gateway", "N9": aggregation})
    routed = text.replace('Ca\t64 "H-0000000000100040"', 'Rt\t64 "H-0000000000100040"')
    planes, fabric = planes_of(routed)
    assert planes == planes_of(discovery_text(CABLES))[0]
    line = routed[: routed.index("Rt\t")].count("\n") + 1
    assert fabric.notes == (
        f"fabric.txt: 1 router left out: gateway (line {line})",
        "fabric.txt: 1 aggregation node inside of switches: left out",
    )


def test_the_tool_itself_lists_a_simulated_fabric_like_ibnetdiscover(tmp_path):
    with simulated_subnet(tmp_path, CABLES) as run:
        assert run("opensm", "-o").returncode == 0
        links, topology = run("iblinkinfo").stdout, run("ibnetdiscover").stdout
        reports = [run("iblinkinfo", "-l").stdout, run("ibnetdiscover", "-p").stdout]
    assert planes_of(links)[0] == planes_of(topology)[0]
    (tmp_path / "found.txt").write_text(links, encoding="utf-8")
    for fabric in (parse_ibnetdiscover(source(topology, "x")), read_fabric("found", tmp_path / "found.txt")):
        names = [device.name for device in fabric.devices]
        ends = [((names[c.device], c.port), (names[c.other], c.other_port)) for c in fabric.cables]
        assert unordered(ends) == unordered(CABLES)
    for text in reports:
        require_refusal(partial(planes_of, text), "which does not tell which ports")
    accepting = [kind for kind in importer_names() if importer_named(kind).accepts(source(links))]
    assert accepting == ["iblinkinfo"]
