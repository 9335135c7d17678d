"""`isoplane import`: an existing fabric in every verb, and wrong input."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

import isoplane as ip
from isoplane.models import Network, Site, dual_cube
from isoplane.models.families.torus import Torus
from isoplane.objectives.failures import throughput_per_node
from tests.cases import for_each
from tests.runs.formats.copies import dump_lines, graphml_text
from tests.runs.formats.fabrics import discovery_text

from .conftest import files

# A tree of three leaf switches below two others, with different numbers of nodes, and a second plane without some.
TREE = "l0 s0 3\nl0 s1\nl1 s0\nl1 s1\nl2 s0\nl2 s1 5.5\nl0 N1\nl0 N2\nl1 N3\nl2 N4\nl2 N5\nl2 N6\n"
RING = "a b\nb c\nc a\na N1\nb N3\nc N6\nc N6\n"


def metric(text, name):
    return next(line.split()[1] for line in text.splitlines() if line.startswith(f"{name} "))


@pytest.fixture
def fabric(isoplane, tmp_path):
    """The tree and the ring, imported."""
    (tmp_path / "tree.edges").write_text(TREE, encoding="utf-8")
    (tmp_path / "ring.edges").write_text(RING, encoding="utf-8")
    result = isoplane("import", "file=[tree.edges,ring.edges]", "hydra.run.dir=fabric")
    assert (result.code, result.err) == (0, "")
    return result


def test_it_prints_what_it_found_and_keeps_the_names_beside(fabric, tmp_path):
    assert re.fullmatch(
        r"next: isoplane evaluate network=fabric network.file=\S+/fabric\.json", fabric.out.splitlines()[-1]
    )
    assert fabric.out.splitlines()[:3] == [
        "plane 0: edge list, 5 switches, 6 cables, 6 links of nodes",
        "plane 1: edge list, 3 switches, 3 cables, 4 links of nodes",
        "6 nodes, at most 5 ports of a switch, routing=balanced",
    ]
    assert files(tmp_path / "fabric") == ["fabric.json", "names.csv"]
    names = (tmp_path / "fabric" / "names.csv").read_text(encoding="utf-8").splitlines()
    assert names[:4] == ["name,device", "l0,P0-S0", "l1,P0-S1", "l2,P0-S2"]
    assert names[6:] == ["a,P1-S0", "b,P1-S1", "c,P1-S2", *(f"N{node + 1},N{node}" for node in range(6))]


def test_the_cables_of_an_imported_fabric_can_be_checked_later_by_its_names(isoplane, tmp_path):
    ends = [(("S0", 1), ("S1", 1)), (("S0", 2), ("S2", 1)), (("S1", 4), ("S2", 2))]
    ends += [((f"S{node % 3}", 5 + node // 3), (f"N{node}", 1 + node % 2)) for node in range(6)]
    names = {"S0": "leaf zero", "S1": "leaf one", "S2": "spine"} | {
        f"N{node}": f"host{node} HCA-1" for node in range(6)
    }
    moved = [(a if b[0] != "N4" else ("S1", 7), b) for a, b in ends]
    for name, listed in (("now", ends), ("later", moved)):
        (tmp_path / f"{name}.txt").write_text(discovery_text(listed, names=names), encoding="utf-8")
    imported = isoplane("import", "file=now.txt", "hydra.run.dir=site")
    words = ("network=fabric", "network.file=site/fabric.json", "names=site/names.csv")
    assert "at most 4 of 64 ports of a switch" in imported.out
    same = isoplane("check-cables", *words, "found=now.txt", "identify=names")
    assert same.code == 0
    other = isoplane("check-cables", *words, "found=later.txt", "identify=names")
    assert other.code == 5
    assert "P0-S0:7" in other.out  # switches in the order of their names: leaf one, leaf zero, spine
    assert "N4" in other.out


def test_a_fabric_of_no_family_is_evaluated_verified_simulated_exported_and_gets_a_page(
    isoplane, tmp_path, monkeypatch
):
    used = Counter()
    tree = []
    for a, b in (line.split()[:2] for line in TREE.splitlines()):  # nodes at ports 1 to 3 of leaves, cables from 6
        used.update((a, b))
        tree.append(((a, used[a] + 5 if b[0] == "s" else used[a] - 2), (b, used[b] + 5 if b[0] == "s" else 1)))
    (tmp_path / "tree.txt").write_text(discovery_text(tree), encoding="utf-8")
    (tmp_path / "ring.edges").write_text(RING, encoding="utf-8")
    refused = isoplane("import", "file=tree.txt", "link_gbps=8", "hydra.run.dir=refused")
    assert refused.code == 2
    assert "link_gbps=8: no effect, since every link of the files states its rate" in refused.err
    assert isoplane("import", "file=[tree.txt,ring.edges]", "link_gbps=8", "hydra.run.dir=fabric").code == 0
    network = ("network=fabric", "network.file=fabric/fabric.json", "network.policy=spray")
    evaluated = isoplane("evaluate", *network, "network.routing=balanced", "save=record.json")
    assert evaluated.code == 0
    assert "fabric of 5 + 3 switches, 6 nodes" in evaluated.out
    verified = isoplane("verify", "record=record.json")
    assert (verified.code, verified.out) == (0, "record.json: every number agrees with the reference\n")
    monkeypatch.setattr(
        "isoplane.runs.report.write.write_simulation_report", lambda folder, built: folder
    )  # its page takes longer
    simulated = isoplane("simulate", "record=record.json", "loads=[0.1]", "measurement=rough", "saturation=false")
    assert simulated.code == 0
    assert isoplane("report", "record=record.json").code == 0
    assert "fabric of 5 + 3 switches" in (tmp_path / "record.html").read_text(encoding="utf-8")
    assert isoplane("export", "record=record.json", "format=edges", "hydra.run.dir=out").code == 0
    again = isoplane("import", "file=out/edges/plane0.edges", "hydra.run.dir=again")
    # The edge list has no nodes: that those of the tree became one at each switch is said.
    assert "plane0.edges: lists no nodes; assumed: 1 at each switch, or nodes_per_switch=" in again.out
    assert again.out.startswith("plane 0: edge list, 5 switches, 6 cables, 5 links of nodes")


def test_imported_tables_are_followed_and_copied_beside_a_record(isoplane, tmp_path):
    network = Network(dual_cube(3, (3, 5, 7)).family, Site(layout=None))
    (tmp_path / "cubes.graphml").write_text(graphml_text(network), encoding="utf-8")
    for plane in (0, 1):
        (tmp_path / f"plane{plane}.lft").write_text("\n".join(dump_lines(network, plane)), encoding="utf-8")
    result = isoplane("import", "file=cubes.graphml", "tables=[plane1.lft,plane0.lft]", "hydra.run.dir=fabric")
    assert result.code == 0
    assert "routing=tables" in result.out
    tables = [name for name in files(tmp_path / "fabric") if name.endswith(".npy")]
    assert len(tables) == 2
    (tmp_path / "elsewhere").mkdir()
    network_words = ("network=fabric", "network.file=fabric/fabric.json")
    imported = isoplane("evaluate", *network_words, "save=elsewhere/record.json")
    assert files(tmp_path / "elsewhere") == sorted(["record.json", *tables])
    cubes = isoplane("evaluate", "network.n=3", "network.generators=[3,5,7]")
    assert float(metric(imported.out, "aspl")) == pytest.approx(float(metric(cubes.out, "aspl")))
    assert isoplane("verify", "record=elsewhere/record.json").code == 0
    shortest = isoplane("evaluate", *network_words, "network.routing=shortest")
    assert metric(shortest.out, "diameter") == metric(imported.out, "diameter")


@for_each(
    ("routing", "says"),
    [
        ({}, "routing=tables: may deadlock: 5 channels form a dependency cycle: P0-S0:1 class 0, "),
        ({"routing": "up_down"}, "routing=tables: free from deadlock with 1 virtual channel; all-to-all"),
    ],
)
def test_imported_tables_are_judged_beside_other_routings(isoplane, tmp_path, routing, says):
    ring = Torus(shape=(5,), datelines=False, nodes_per_switch=2, node_cable_m=2.0, **routing)
    network, folder = Network(ring, Site(layout=None)), f"fabric{len(routing)}"
    (tmp_path / "ring.graphml").write_text(graphml_text(network), encoding="utf-8")
    (tmp_path / "ring.lft").write_text("\n".join(dump_lines(network, 0)), encoding="utf-8")
    result = isoplane("import", "file=ring.graphml", "tables=ring.lft", f"hydra.run.dir={folder}")
    judged, others = (line for line in result.out.splitlines() if line.startswith(("routing=", "others by")))
    assert judged.startswith(says)
    assert f"; all-to-all throughput {float(throughput_per_node(network)):.6g} per node" in judged
    assert "up_down 0." in others
    evaluated = isoplane("evaluate", "network=fabric", f"network.file={folder}/fabric.json")
    assert f"\n{judged}\n{others}\n" in evaluated.out
    shortest = isoplane("evaluate", "network=fabric", f"network.file={folder}/fabric.json", "network.routing=shortest")
    assert "\nrouting=shortest: may deadlock: 5 channels form a dependency cycle: " in shortest.out
    assert "up_down 0." in shortest.out


def test_the_same_files_give_the_same_bytes_and_a_folder_is_not_written_again(isoplane, fabric, tmp_path):
    assert isoplane("import", "file=[tree.edges,ring.edges]", "hydra.run.dir=b").code == 0
    for name in ("fabric.json", "names.csv"):
        assert (tmp_path / "b" / name).read_bytes() == (tmp_path / "fabric" / name).read_bytes()
    assert isoplane("export", "network=torus", "format=edges", "hydra.run.dir=out").code == 0
    before = files(tmp_path)
    for folder in ("b", "out"):
        result = isoplane("import", "file=tree.edges", f"hydra.run.dir={folder}")
        assert (result.code, files(tmp_path)) == (2, before)
        assert "holds a run already; expected a new or empty folder" in result.err


def test_listings_are_read_alike_by_import_and_check_cables(isoplane, tmp_path, monkeypatch):
    cables = [(("S0", 1), ("S1", 1)), (("S0", 2), ("N0", 2)), (("S1", 2), ("N1", 1))]
    text = discovery_text(cables, names={"S0": "R\xfccken", "N0": "h\xf6st HCA-1"})
    (tmp_path / "old.txt").write_bytes(text.encode("latin-1"))
    assert isoplane("import", "file=old.txt", "hydra.run.dir=site").code == 0
    words = ("network=fabric", "network.file=site/fabric.json", "names=site/names.csv", "identify=names")
    assert isoplane("check-cables", *words, "found=old.txt").code == 0
    spreadsheet = (tmp_path / "site" / "names.csv").read_text(encoding="utf-8").replace("\n", "\r\n")
    (tmp_path / "edited.csv").write_bytes(spreadsheet.encode("utf-8-sig"))
    assert isoplane("import", "file=old.txt", "names=edited.csv", "hydra.run.dir=again").code == 0
    opensm = ("format=opensm", "guids=edited.csv", "hydra.run.dir=out")
    assert isoplane("export", *words[:2], *opensm).code == 0
    (tmp_path / "mark.txt").write_bytes(text.encode("utf-8-sig"))
    (tmp_path / "lines.txt").write_bytes(text.encode("utf-8").replace(b"\n", b"\r\n"))
    for name in ("mark.txt", "lines.txt"):
        assert isoplane("import", f"file={name}", f"hydra.run.dir={name[:4]}").code == 0
        here = ("network=fabric", "network.file=mark/fabric.json", "names=mark/names.csv")
        assert isoplane("check-cables", *here, f"found={name}").code == 0
    monkeypatch.setattr("isoplane.runs.imports.importer.MAX_BYTES", 99)
    for result in (isoplane("import", "file=old.txt"), isoplane("check-cables", *words, "found=old.txt")):
        assert (result.code, result.out) == (2, "")
        assert "=old.txt: larger than 99 bytes; expected a file that describes a fabric" in result.err


def test_the_routings_that_an_import_prints_are_those_of_its_file_and_of_evaluate(isoplane, tmp_path):
    tree = "".join(f"l{leaf} s{top}\n" for leaf in range(3) for top in range(2)) + "l0 N0\nl0 N1\nl1 N2\nl2 N3\n"
    (tmp_path / "tree.edges").write_text(tree, encoding="utf-8")
    result = isoplane("import", "file=tree.edges", "hydra.run.dir=run")
    fabric, lines = json.loads((tmp_path / "run" / "fabric.json").read_text()), result.out.splitlines()
    chosen = fabric["routings"][0]
    assert lines[1].endswith(f"routing={fabric['routing']}")
    shown = dict(re.findall(r"(\w+) ([0-9.]+) \(", lines[3]))
    shown[fabric["routing"]] = re.search(r"throughput ([0-9.]+) per node", lines[2])[1]
    assert {each["routing"]: f"{each['throughput_per_node']:.6g}" for each in fabric["routings"]} == shown
    assert f"with {chosen['virtual_channels']} virtual channel" in lines[2]
    words = ("network=fabric", "network.file=run/fabric.json")
    for more, value in (((), chosen["throughput_per_node"]), (("network.routing=up_down",), shown["up_down"])):
        evaluated = isoplane("evaluate", *words, *more)  # what the user states is taken
        assert float(metric(evaluated.out, "throughput_per_node")) == pytest.approx(float(value), rel=1e-5)


def test_an_imported_fabric_is_read_from_its_folder_and_its_file(isoplane):
    Path("ring.edges").write_text("a b 3\nb c 3\nc a 4\n")
    assert isoplane("import", "file=ring.edges", "hydra.run.dir=site").code == 0
    expected = ip.load("ring.edges")
    Path("ring.txt").write_bytes(Path("site/fabric.json").read_bytes())
    for path in ("site", "site/fabric.json", "ring.txt"):
        fabric = ip.load(path)
        assert (repr(fabric), fabric.rows) == (repr(expected), expected.rows)
        assert ip.verify(fabric) == ()
    Path("ring.txt").write_bytes(Path("site/fabric.json").read_bytes()[:-9])
    with pytest.raises(ip.InputError, match=r"^record=ring\.txt: damaged JSON"):
        ip.load("ring.txt")


def test_routes_longer_than_shortest_paths_are_said_beside_their_distances(isoplane):
    words = ("network=graph", "network.edges=[[0,1],[1,2],[2,3],[3,4],[4,0]]")
    # Two switches are two hops apart over one below both, which takes three hops over the root, each way: 32 for 30.
    result = isoplane("evaluate", *words, "network.routing=up_down")
    assert "plane 0: routes of 1.28 hops between nodes on average" in result.out
    assert "those of aspl and network.routing=balanced, have 1.2\n" in result.out
    assert "hops between nodes" not in isoplane("evaluate", *words, "network.routing=shortest").out


def test_what_failed_cables_leave_has_the_units_of_the_metrics_with_stated_rates(isoplane):
    Path("ring.edges").write_text("0 1\n1 2\n2 0\n0 N0\n1 N1\n2 N2\n")
    assert isoplane("import", "file=ring.edges", "link_gbps=100", "hydra.run.dir=site").code == 0
    result = isoplane("evaluate", "network=fabric", "network.file=site/fabric.json", "failed_cables=[P0-S0:1-S1:1]")
    assert float(metric(result.out, "throughput_per_node")) == 3
    # Of three packets one is to the other end of the failed cable, and takes the links of that to the third switch.
    assert re.search(r"^ +intact +without +unit$", result.out, re.M)
    assert re.search(r"^throughput_per_node +3 +1\.5 +links of 100 Gbit/s$", result.out, re.M)
