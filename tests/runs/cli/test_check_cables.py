"""`isoplane check-cables`: what a technician reads, files of the differences, and wrong input."""

import json
from pathlib import Path

import pytest

from isoplane.models import Network, dual_cube
from isoplane.models.families.torus import Torus
from tests.runs.cable_check.samples import cables_by_plane
from tests.runs.formats.fabrics import discovery_text, guids
from tests.runs.formats.ibsim import simulated_subnet

from .conftest import files, rows

TORUS = ("network=torus", "network.shape=[3]")
CABLES = cables_by_plane(Network(Torus(shape=(3,), node_cable_m=1.0)))[0]
SWAPPED = [*CABLES[:4], (CABLES[4][0], CABLES[5][1]), (CABLES[5][0], CABLES[4][1])]


@pytest.fixture
def write(tmp_path):
    def write(name, cables, **options):
        (tmp_path / name).write_text(discovery_text(cables, **options), encoding="utf-8")

    return write


def test_a_fabric_that_agrees_ends_with_code_0_and_a_swap_with_code_5_and_the_ends_that_mend_it(
    isoplane, tmp_path, write
):
    write("found.txt", CABLES)
    result = isoplane("check-cables", *TORUS, "found=found.txt")
    assert (result.code, result.err) == (0, "")
    assert result.out == "found.txt: every one of 6 cables agrees with the design\n"
    assert files(tmp_path) == ["found.txt"]
    write("found.txt", SWAPPED)
    result = isoplane("check-cables", *TORUS, "found=found.txt")
    assert (result.code, result.err) == (5, "")
    assert result.out == (
        "1. swapped: P0-S1:3 - N2:1, P0-S2:3 - N1:1; expected P0-S2:3 - N2:1, P0-S1:3 - N1:1\n"
        "   swap the ends at P0-S1:3 and P0-S2:3\n"
        "found.txt: 1 difference, 2 moves; 4 of 6 cables agree with the design\n"
    )


def test_nodes_that_are_not_bought_are_not_missed(isoplane, write):
    words = ("network=torus", "network.shape=[3]", "network.nodes_per_switch=2", "network.node_cable_m=2")
    cables = cables_by_plane(Network(Torus(shape=(3,), nodes_per_switch=2, node_cable_m=2)))[0]
    # Without the second node of switch 1, so that those of switch 2 are nodes 3 and 4.
    name = {f"N{place}": f"N{node}" for node, place in enumerate((0, 1, 2, 4, 5))}
    bought = [ends for ends in cables if "N3" not in dict(ends)]
    write("found.txt", [tuple((name.get(device, device), port) for device, port in ends) for ends in bought])
    result = isoplane("check-cables", *words, "nodes=5", "found=found.txt")
    assert (result.code, result.out) == (0, "found.txt: every one of 8 cables agrees with the design\n")
    assert isoplane("check-cables", *words, "found=found.txt").code == 5
    elsewhere = [*bought[:-1], (("P0-S1", 4), bought[-1][1])]  # at the free place of switch 1
    write("found.txt", [tuple((name.get(device, device), port) for device, port in ends) for ends in elsewhere])
    result = isoplane("check-cables", *words, "nodes=5", "found=found.txt")
    assert " ".join(result.out.split("\n   unplug")[1].split()).partition("P0-S2:4 ")[2] == (
        "1 cable of a node is at a switch with fewer nodes by nodes=5, which spreads them evenly: if so on purpose, "
        "import this fabric with the names of save_names= and give its record as rewired_from=, which leaves nodes "
        "where they are "
        "found.txt: 1 difference, 1 move; 7 of 8 cables agree with the design"
    )


def test_without_port_numbers_only_the_devices_at_both_ends_count(isoplane, tmp_path, write):
    moved = [((a, 9 - p), (b, 9 - q)) for (a, p), (b, q) in CABLES]
    write("same.txt", moved)
    assert isoplane("check-cables", *TORUS, "found=same.txt").code == 5
    result = isoplane("check-cables", *TORUS, "found=same.txt", "ports=ignore")
    assert (result.code, result.err) == (0, "")
    assert result.out == "port numbers are ignored\nsame.txt: every one of 6 cables agrees with the design\n"
    assert CABLES[0] == (("P0-S0", 1), ("P0-S1", 2))
    write("found.txt", [*moved[1:], (("P0-S0", 1), ("N3", 4))])
    words = (*TORUS, "found=found.txt", "ports=ignore")
    result = isoplane("check-cables", *words, "save=out.csv")
    assert result.code == 5
    assert result.out.startswith(
        "1. moved: P0-S0:1 - N3 (0x100060):4; expected P0-S0 - P0-S1\n"
        "   unplug P0-S0:1 - N3 (0x100060):4 from N3 (0x100060):4 and plug it into P0-S1\n"
    )
    listed = [row for row in rows(tmp_path / "out.csv") if row["difference"] == "1"]
    assert [(row["row"], row["port_a"], row["port_b"], row["to_device"], row["to_port"]) for row in listed] == [
        ("found", "1", "4", "", ""),
        ("designed", "", "", "", ""),
        ("move", "1", "4", "P0-S1", ""),
    ]
    assert isoplane("check-cables", *words, "save=out.json").code == 5
    data = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert data["ports"] == "ignore"
    assert data["differences"][0]["designed"] == [{"ends": [["P0-S0", None], ["P0-S1", None]]}]
    assert data["differences"][0]["moves"][0]["to"] == ["P0-S1", None]


def test_other_differences_are_sentences_as_well(isoplane, write):
    moved = (("P0-S0", 3), ("N0", 2))  # expected at port 1
    write("found.txt", [*CABLES[:2], moved, CABLES[4], CABLES[5], (("P0-S0", 9), ("P0-S1", 9))])
    result = isoplane("check-cables", *TORUS, "found=found.txt")
    assert result.code == 5
    lines = result.out.splitlines()
    assert CABLES[3] == (("P0-S0", 3), ("N0", 1))
    assert "moved: P0-S0:3 - N0:2; expected P0-S0:3 - N0:1" in lines[0]
    assert lines[1] == "   unplug P0-S0:3 - N0:2 from N0:2 and plug it into N0:1"
    assert [line.split(". ")[1] for line in lines[2:6:2]] == [
        "extra: P0-S0:9 - P0-S1:9",
        f"missing: {' - '.join(f'{device}:{port}' for device, port in CABLES[2])}",
    ]
    assert lines[3] == "   remove the cable P0-S0:9 - P0-S1:9"
    assert lines[-1] == "found.txt: 3 differences, 3 moves; 4 of 6 cables agree with the design"


def test_devices_identified_by_their_cables_get_the_ids_of_the_design_in_an_import(isoplane, write):
    """Two planes of which one has been cabled otherwise, with names in another order than ids."""
    planes = cables_by_plane(dual_cube(3, (3, 5, 7), nodes_per_switch=1))
    devices = sorted({device for plane in planes for cable in plane for device, _ in cable})
    names = {device: f"{'host' if device[0] == 'N' else 'switch'}{99 - each}" for each, device in enumerate(devices)}
    for plane, cables in enumerate(planes):
        write(f"p{plane}.txt", cables, names=names, guid=guids(devices))
    old, new = ("network=hypercube", "network.n=3", "network.nodes_per_switch=1"), "[p0.txt,p1.txt]"
    found = (f"found={new}", "save_names=names.csv")
    result = isoplane("check-cables", *old, "network.generators=[3,5,7]", *found)
    assert (result.code, result.err) == (0, "")
    assert isoplane("import", f"file={new}", "names=names.csv", "hydra.run.dir=site").code == 0
    fabric = ("network=fabric", "network.file=site/fabric.json", "network.assumed_cable_m=null", "save=site.json")
    assert isoplane("evaluate", *fabric).code == 0
    identical = ("network.generators=identical", "rewired_from=site.json", "format=cabling", "hydra.run.dir=moves")
    assert isoplane("export", *old, *identical).code == 0
    assert {row["plane"] for row in rows(Path("moves/cabling/moves.csv"))} == {"1"}
    refused = isoplane("check-cables", *old, *found)
    assert (refused.code, refused.err) == (
        2,
        "isoplane check-cables: save_names=names.csv: exists; expected a new file\n",
    )
    refused = isoplane("check-cables", *old, f"found={new}", "save=a.csv", "save_names=./a.csv")
    assert (refused.code, refused.err) == (
        2,
        "isoplane check-cables: save_names=a.csv: is the file of save=a.csv; expected another one\n",
    )
    another = isoplane("check-cables", "network=torus", "network.shape=[5,5]", "found=p0.txt", "save_names=other.csv")
    assert (another.code, another.out, Path("other.csv").exists()) == (2, "", False)
    assert another.err.startswith("isoplane check-cables: found=p0.txt: nothing was compared, as this seems to be ano")


def test_lines_fit_a_terminal_and_files_have_the_rest_of_long_lists(isoplane, tmp_path, write):
    spare = {"P0-S9": "spare-switch-in-the-last-row-of-the-hall", "P0-S8": "its-neighbour-with-a-name-as-long"}
    between = [(("P0-S9", port), ("P0-S8", port)) for port in range(1, 21)]
    write("found.txt", [*SWAPPED, *between], names=spare | {"P0-S1": "leaf-" + "x" * 40, "N1": "node-" + "y" * 40})
    (tmp_path / "names.csv").write_text(f"name,device\nleaf-{'x' * 40},P0-S1\nnode-{'y' * 40},N1\n")
    words = ("check-cables", *TORUS, "found=found.txt", "names=names.csv")
    for saved in (None, "out.csv", "out.json"):
        result = isoplane(*words, *([] if saved is None else [f"save={saved}"]))
        assert result.code == 5
        lines = result.out.splitlines()
        assert max(map(len, lines)) <= 100
        assert all(line.startswith("   ") for line in lines if "x" * 40 in line and " swapped: " not in line)
        rest = "save=FILE.csv or .json lists all" if saved is None else f"see {saved}"
        # Of 20 cables 8 are shown, for the first of the two devices.
        assert " ".join(result.out.split()).count(f" and 12 more: {rest}") == 1
    ends = {frozenset((f"{spare[a]}:{p}", f"{spare[b]}:{q}")) for (a, p), (b, q) in between}
    listed = [row for row in rows(tmp_path / "out.csv") if (row["kind"], row["row"]) == ("unknown", "found")]
    names = [frozenset(f"{row[f'name_{side}']}:{row[f'own_port_{side}']}" for side in "ab") for row in listed]
    assert (len(names), set(names)) == (len(ends), ends)
    data = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert sorted(len(device["cables"]) for device in data["unknown_devices"]) == [0, 20]


def test_a_record_is_a_design_and_differences_are_saved(isoplane, tmp_path, write, record):
    planes = cables_by_plane(dual_cube(3, (3, 5, 7)))
    (a, b), (c, d) = planes[1][0], planes[1][-1]
    write("p0.txt", planes[0])
    write("p1.txt", [(a, d), *planes[1][1:-1], (c, b)])
    words = (f"design={record}", "found=[p0.txt,p1.txt]")
    for name in ("out.csv", "out.json"):
        assert isoplane("check-cables", *words, f"save={name}").code == 5
    listed = rows(tmp_path / "out.csv")
    assert [row["row"] for row in listed] == ["found"] * 2 + ["designed"] * 2 + ["move"] * 2
    ends = {((row["device_a"], int(row["port_a"])), (row["device_b"], int(row["port_b"]))) for row in listed[2:4]}
    assert {frozenset(pair) for pair in ends} == {frozenset((a, b)), frozenset((c, d))}
    lines = (tmp_path / "p1.txt").read_text(encoding="utf-8").splitlines()
    for row in listed[:2]:
        assert row["file"] == "p1.txt"
        assert row["device_a"] in lines[int(row["line"]) - 1] or row["device_b"] in lines[int(row["line"]) - 1]
    data = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    (only,) = data["differences"]
    assert {frozenset(map(tuple, pair["ends"])) for pair in only["designed"]} == {frozenset((a, b)), frozenset((c, d))}
    assert data["cables"] == {"designed": 88, "found": 88, "agreeing": 86}  # 2 planes of 12 and 32 cables
    assert len({each["device"] for each in data["devices"]}) == 2 * 8 + 32


def test_a_file_of_names_pins_devices(isoplane, tmp_path, write):
    shown = {"P0-S0": "left", "P0-S1": "middle", "P0-S2": "right"}
    write("found.txt", SWAPPED, names=shown)
    numbers = guids(dict.fromkeys(device for pair in SWAPPED for device, _ in pair))
    lines = ["name,device", "left,P0-S0", f"{numbers['P0-S1']:#018x},P0-S1", "right,P0-S2"]
    (tmp_path / "names.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    result = isoplane("check-cables", *TORUS, "found=found.txt", "names=names.csv")
    assert result.code == 5
    ends = [f"{shown[name]}:3 ({name}:3, {numbers[name]:#x})" for name in ("P0-S1", "P0-S2")]
    assert f"   swap the ends at {' and '.join(ends)}\n" in result.out


def test_what_ibnetdiscover_and_opensm_find_in_simulated_fabrics_is_read(isoplane, tmp_path):
    for name, cables, code in (("designed", CABLES, 0), ("swapped", SWAPPED, 5)):
        folder = tmp_path / name
        folder.mkdir()
        with simulated_subnet(folder, cables) as run:
            (folder / "found.txt").write_text(run("ibnetdiscover").stdout, encoding="utf-8")
            assert run("opensm", "-o", "-D", "0x43", "-R", "minhop", "-f", str(folder / "log")).returncode == 0
        results = [
            isoplane("check-cables", *TORUS, f"found={folder / listing}")
            for listing in ("found.txt", "opensm-subnet.lst", "net")
        ]
        assert [result.code for result in results] == [code] * 3
        assert all(("swap the ends at P0-S1:3 and P0-S2:3" in result.out) == (code == 5) for result in results)
