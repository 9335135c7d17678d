"""`isoplane export`: files that are read again, the manifest, the same bytes, and folders that are left alone."""

import hashlib
import json
import random
import shutil

import pytest

from isoplane.models import Network, Site
from isoplane.models.exchanges.all_to_all import ExchangeOrder
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.objectives.exchanges import check_order
from isoplane.runs.exports.infiniband.check_tables import main as check_tables
from tests.cases import for_each
from tests.runs.formats.copies import cable_ends
from tests.runs.formats.ibsim import simulated_subnet

from .conftest import files, rows

CUBE = ("network.n=3", "network.generators=[3,5,7]")
TORUS = ("network=torus", "network.shape=[4,4]")
RING = ("network=torus", "network.shape=[4]")
EXCHANGE = ("workload=all_to_all", "workload.message_bytes=1000", "workload.processes=16")


@pytest.fixture
def export(isoplane, tmp_path):
    """Return a function that exports into a folder, and returns that folder."""

    def run(*words, folder="out"):
        result = isoplane("export", *words, f"hydra.run.dir={folder}")
        assert result.code == 0, result.err
        assert [line for line in result.err.splitlines() if not line.startswith(("moves", "opensm: GUIDs"))] == []
        return tmp_path / folder

    return run


def shown(isoplane, *words):
    """The values that `evaluate` prints, by their names."""
    result = isoplane("evaluate", *words)
    assert result.code == 0, result.err
    return {line.split()[0]: line.split()[1] for line in result.out.splitlines() if line.strip()}


@for_each(
    ("form", "again"),
    [
        ("edges", ("network=graph", "network.file=out-edges/edges/plane0.edges", "network.routing=balanced")),
        ("program", ("program=out-program/program/network.ndl",)),
    ],
)
def test_a_network_that_is_exported_and_read_is_the_same_again(isoplane, export, form, again):
    words = ("network=torus", "network.shape=[3,4]", "network.assumed_cable_m=0")
    folder = export(*words, f"format={form}", folder=f"out-{form}")
    given, read = shown(isoplane, *words), shown(isoplane, *again)
    if form == "edges":
        lines = (folder / "edges" / "plane0.edges").read_text(encoding="utf-8").splitlines()
        assert len(lines) == 1 + 24  # 12 switches with 4 cables each
    names = ("aspl", "diameter", *(("total_hops", "peak_load") if form == "program" else ()))
    assert [given[name] for name in names] == [read[name] for name in names]


def test_the_manifest_lists_every_file_with_its_hash_and_the_same_input_gives_the_same_bytes(export, tmp_path):
    formats = ["edges", "graphml", "dot", "json", "svg", "booksim", "ns3", "evalnet", "sst_merlin"]
    formats += ["opensm", "plane_rule", "plane_table", "source_routes", "simgrid", "slurm"]
    words = (*CUBE, f"format=[{','.join(formats)}]", "routes=true", "slurm_tree=distance")
    folders = [export(*words, folder=folder) for folder in ("a", "b")]
    text, other = ((folder / "manifest.json").read_bytes() for folder in folders)
    assert text == other
    manifest = json.loads(text)
    assert [each["format"] for each in manifest["formats"]] == formats
    listed = {entry["file"]: entry for each in manifest["formats"] for entry in each["files"]}
    assert {*listed, "manifest.json"} == {name for name in files(tmp_path / "a") if (tmp_path / "a" / name).is_file()}
    for name, entry in listed.items():
        content = (folders[0] / name).read_bytes()
        assert (entry["bytes"], entry["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    written = json.loads((folders[0] / "json" / "network.json").read_text(encoding="utf-8"))
    assert written["record"] == manifest["record"]
    assert len(written["routes"]) == 2 * 8


@for_each("name", ["json/other.txt", "fabric.json", "config.yaml", "manifest.json"])
def test_a_folder_with_results_of_a_command_or_of_a_format_is_not_written(isoplane, tmp_path, name):
    folder = tmp_path / name.replace("/", "-")
    (folder / name).parent.mkdir(parents=True)
    (folder / name).touch()
    before = files(tmp_path)
    result = isoplane("export", *TORUS, "format=[edges,json]", f"hydra.run.dir={folder}")
    assert result.code == 2
    assert "holds a run already; expected a new or empty folder" in result.err
    assert files(tmp_path) == before


def test_formats_with_ports_of_nodes_keep_those_of_a_built_design(isoplane, export, refuse):
    assert isoplane("evaluate", *CUBE, "save=built.json").code == 0
    names = ("cabling", "netbox", "opensm", "plane_table", "source_routes", "graphml", "dot", "json")
    export(*CUBE, f"format=[{','.join(names)}]", "rewired_from=built.json")
    for name in names:
        other = refuse("export", "network.n=2", "network.generators=[1,3]", f"format={name}", "rewired_from=built.json")
        assert other.err.count("\n") == 1
        assert other.err.startswith("isoplane export: rewired_from: ")


def test_spares_and_moves_are_written_and_the_same_input_gives_the_same_bytes(isoplane, export):
    words = ("network=hypercube", "network.n=4", "layout.aspects=[]")
    assert isoplane("evaluate", *words, "network.generators=identical", "save=built.json").code == 0
    new = ("network.generators=[3,5,7,9]", "rewired_from=built.json", "format=[cabling,netbox]", "spares=0.1")
    a, b = (export(*words, *new, folder=folder) for folder in ("a", "b"))
    for name in ("cabling/schedule.csv", "cabling/schedule.html", "cabling/moves.csv", "manifest.json"):
        assert (a / name).read_bytes() == (b / name).read_bytes()
    assert [row["spares"] for row in rows(a / "cabling/materials.csv")][:2] == ["4", "7"]  # of 32 and 64
    assert [row["plane_connected"] for row in rows(a / "cabling/moves_summary.csv")] == ["in every step"] * 2


def test_the_moves_of_a_second_recabling_begin_at_the_ports_that_the_first_one_left(isoplane, export, refuse):
    words = ("network=hypercube", "network.n=3", "layout.aspects=[]", "format=cabling")
    names = ("a.json", "b.json", "c.json")
    for name, generators in zip(names, ("identical", "[2,3,5]", "[1,5,7]"), strict=True):
        assert isoplane("evaluate", *words[:3], f"network.generators={generators}", f"save={name}").code == 0

    def ends(folder, file="schedule.csv", columns=("from", "to")):
        return [
            frozenset((row[f"{end}_device"], row[f"{end}_port"]) for end in columns)
            for row in rows(folder / "cabling" / file)
        ]

    first = set(ends(export("record=b.json", words[3], "rewired_from=a.json", folder="first")))
    assert first != set(ends(export("record=b.json", words[3], folder="new")))
    second = export("record=c.json", words[3], "rewired_from=[a.json,b.json]", folder="second")
    plugged = set(first)
    actions = [row["action"] for row in rows(second / "cabling" / "moves.csv")]
    for action, cable in zip(actions, ends(second, "moves.csv", "ab"), strict=True):
        (plugged.remove if action.startswith("unplug") else plugged.add)(cable)
    assert plugged == set(ends(second))
    assert "rewired_from=[]: expected a record" in refuse("export", "record=c.json", words[3], "rewired_from=[]").err


def test_circuits_are_read_again_from_the_cross_connects(export):
    words = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "network.placement=[3,1,0,2]")
    written = [
        export(*words, f"network.circuits={circuits}", "format=optical_switch", folder=folder)
        for circuits, folder in (("[[0,2],[3,1]]", "a"), ("a/optical_switch/cross_connects.csv", "b"))
    ]
    assert len({(folder / "manifest.json").read_bytes() for folder in written}) == 1


def test_an_exported_order_is_the_one_that_evaluate_reads(isoplane, export):
    words = (*TORUS, "format=phases", "order=searched", "evaluations=2000")
    path, again = (export(*words, folder=folder) / "phases" / "phases.csv" for folder in ("out", "again"))
    assert path.read_bytes() == again.read_bytes()
    found = rows(path)
    phases = 1 + max(int(row["phase"]) for row in found)
    destination = [[-1] * 16 for _ in range(phases)]
    for row in found:
        destination[int(row["phase"])][int(row["source"])] = int(row["destination"])
    assert check_order(Network(Torus(shape=(4, 4))), ExchangeOrder("read", range(16), destination)).contention_free
    assert rows(path.with_name("collisions.csv")) == []
    result = isoplane("evaluate", *TORUS, *EXCHANGE, "workload.order=out/phases/phases.csv")
    assert f"exchange in {phases} phases, order phases, at least 15 over these routes: free of" in result.out
    copied = export(*TORUS, "format=phases", "order=out/phases/phases.csv", folder="copied")
    assert (copied / "phases" / "phases.csv").read_bytes() == path.read_bytes()


def test_collisions_and_chunks_of_collectives_are_exported(export):
    shift = export("network=full_mesh", "format=phases", "order=shift", folder="shift")
    found = rows(shift / "phases" / "collisions.csv")
    assert found[0] == {"phase": "1", "link": "switch 0 port 0 to switch 16", "messages": "2"}
    gather = export(*RING, "format=[phases,msccl]", "collective=all_gather", "order=recursive_doubling")
    assert [row["chunks"] for row in rows(gather / "phases" / "phases.csv")] == ["1"] * 4 + ["2"] * 4
    assert rows(gather / "phases" / "collisions.csv")[0]["phase"] == "1"  # two hops on the same ring
    assert (gather / "msccl" / "allgather.xml").read_text().count("<gpu ") == 4


def test_a_workload_takes_as_long_as_the_trace_that_is_written_of_it(isoplane, export):
    work = ("workload=pipeline", "workload.processes=4", "workload.micro_batches=3", "workload.message_bytes=20000")
    export(*RING, *work, "format=[tit,goal]")
    trace = ("workload=trace", "workload.file=out/tit/traces.txt", "workload.gflops=1")
    schedule = ("workload=goal", "workload.file=out/goal/workload.goal")
    assert len({shown(isoplane, *RING, *words)["completion_ns"] for words in (work, trace, schedule)}) == 1


def renamed(cables, rng):
    """Cables between devices with names and GUIDs in an order of their own, and the GUID of each name."""
    devices = sorted({device for pair in cables for device, _ in pair})
    rng.shuffle(devices)
    shown = {
        device: f"Nova{number} HCA-1" if device.startswith("N") else f"leaf {number}"
        for number, device in enumerate(devices)
    }
    guid = dict(zip(shown.values(), rng.sample(range(1 << 40, 1 << 60, 256), len(devices)), strict=True))
    return [((shown[a], p), (shown[b], q)) for (a, p), (b, q) in cables], guid


def test_opensm_sets_our_tables_in_a_fabric_that_was_imported(isoplane, tmp_path, capsys):
    network = Network(RandomRegular(switches=10, degree=3, nodes_per_switch=2), Site(layout=None))
    cables, guid = renamed(cable_ends(network, 0), random.Random(3))
    host = next(device for pair in cables for device, _ in pair if device.startswith("Nova"))
    folder = tmp_path / "fabric"
    folder.mkdir()
    with simulated_subnet(folder, cables, host, guid) as run:
        (folder / "found.txt").write_text(run("ibnetdiscover").stdout, encoding="utf-8")
        assert isoplane("import", f"file={folder}/found.txt", "hydra.run.dir=site").code == 0
        words = ("network=fabric", "network.file=site/fabric.json", "network.routing=up_down")
        result = isoplane("export", *words, "format=opensm", "guids=site/names.csv", "hydra.run.dir=out")
        assert (result.code, result.err) == (0, "")
        shutil.copytree(tmp_path / "out" / "opensm" / "plane0", folder, dirs_exist_ok=True)
        assert run("opensm", "-o", "-F", "opensm.conf", "-f", str(folder / "log")).returncode == 0
        (folder / "switches.fts").write_text(run("dump_fts").stdout, encoding="utf-8")
    lids = [int(line.split()[0], 16) for line in (folder / "guid2lid").read_text("utf-8").splitlines() if line]
    expected = {number + device.startswith("Nova") for device, number in guid.items()}  # port 1 of each adapter
    assert (set(lids), len(lids)) == (expected, 10 + 20)
    for dump in ("opensm-lfts.dump", "switches.fts"):
        assert check_tables([str(folder / file) for file in ("tables.lfts", dump, "log")]) == 0
        assert "entries of 10 switches are those exported" in capsys.readouterr().out
