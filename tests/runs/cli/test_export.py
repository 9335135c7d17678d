"""`isoplane export`: files, the manifest, and wrong input."""

import hashlib
import json

import pytest

from .conftest import files

TORUS = ("network=torus", "network.shape=[3,4]")


def test_an_edge_list_is_the_same_network_again(isoplane, tmp_path):
    assert isoplane("export", *TORUS, "format=[edges]", "hydra.run.dir=out").code == 0
    lines = (tmp_path / "out" / "edges" / "plane0.edges").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1 + 24  # 12 switches with 4 cables each
    given, again = (
        isoplane("evaluate", *words)
        for words in (TORUS, ("network=graph", "network.file=out/edges/plane0.edges", "network.routing=balanced"))
    )
    assert given.code == again.code == 0
    aspl = [
        next(line.split()[1] for line in each.out.splitlines() if line.startswith("aspl")) for each in (given, again)
    ]
    assert aspl[0] == aspl[1]


def test_the_manifest_has_the_hash_of_every_file_and_the_same_input_gives_the_same_bytes(isoplane, tmp_path):
    for folder in ("a", "b"):
        assert isoplane("export", *TORUS, "format=[edges]", f"hydra.run.dir={folder}").code == 0
    manifest, other = ((tmp_path / folder / "manifest.json").read_bytes() for folder in ("a", "b"))
    assert manifest == other
    listed = [entry for form in json.loads(manifest)["formats"] for entry in form["files"]]
    assert {entry["file"] for entry in listed} == {"edges/plane0.edges"}
    for entry in listed:
        content = (tmp_path / "a" / entry["file"]).read_bytes()
        assert (entry["bytes"], entry["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())


def test_a_folder_with_an_export_is_not_written_again(isoplane, tmp_path):
    assert isoplane("export", *TORUS, "format=[edges]", "hydra.run.dir=out").code == 0
    before = files(tmp_path)
    result = isoplane("export", *TORUS, "format=[edges]", "hydra.run.dir=out")
    assert result.code == 2
    assert "holds a run already" in result.err
    assert files(tmp_path) == before


@pytest.mark.parametrize("name", ["json/other.txt", "fabric.json", "config.yaml"])
def test_a_folder_with_results_of_another_command_or_of_a_format_is_not_written(isoplane, tmp_path, name):
    (tmp_path / "out" / name).parent.mkdir(parents=True)
    (tmp_path / "out" / name).touch()
    before = files(tmp_path)
    result = isoplane("export", *TORUS, "format=[edges,json]", "hydra.run.dir=out")
    assert result.code == 2
    assert "holds a run already; expected a new or empty folder" in result.err
    assert files(tmp_path) == before


def test_all_graphs_and_simulators_of_one_design_are_written_and_listed(isoplane, tmp_path):
    formats = ["graphml", "dot", "json", "svg", "booksim", "ns3", "evalnet", "sst_merlin"]
    words = ("network.n=3", "network.generators=[3,5,7]", f"format=[{','.join(formats)}]", "routes=true")
    assert isoplane("export", *words, "hydra.run.dir=out").code == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert [each["format"] for each in manifest["formats"]] == formats
    listed = {entry["file"] for each in manifest["formats"] for entry in each["files"]}
    assert listed | {"manifest.json"} == {
        name for name in files(tmp_path / "out") if (tmp_path / "out" / name).is_file()
    }
    written = json.loads((tmp_path / "out" / "json" / "network.json").read_text(encoding="utf-8"))
    assert written["record"] == manifest["record"]
    assert len(written["routes"]) == 2 * 8


def test_a_program_that_is_exported_is_the_same_network_again(isoplane):
    words = ("network=torus", "network.shape=[3,4]", "network.cable_m=0")
    assert isoplane("export", *words, "format=program", "hydra.run.dir=out").code == 0
    given, again = (
        {line.split()[0]: line.split()[1] for line in isoplane("evaluate", *each).out.splitlines() if line.strip()}
        for each in (words, ("program=out/program/network.ndl",))
    )
    names = ("aspl", "diameter", "total_hops", "peak_load")
    assert [given[name] for name in names] == [again[name] for name in names]


LARGER = ("network.n=4", "network.generators=[3,5,7,9]")


@pytest.mark.parametrize(
    "name", ["cabling", "netbox", "opensm", "plane_table", "source_routes", "graphml", "dot", "json"]
)
def test_formats_with_ports_of_nodes_keep_those_of_a_built_design(isoplane, tmp_path, name):
    cube = ("network.n=3", "network.generators=[3,5,7]")
    assert isoplane("evaluate", *cube, "save=built.json").code == 0
    given = ("export", *cube, f"format={name}", "rewired_from=built.json", "hydra.run.dir=out")
    assert isoplane(*given).code == 0
    other = isoplane(*given[:1], *LARGER, *given[3:5], "hydra.run.dir=more")
    assert (other.code, other.err.count("\n")) == (2, 1)
    assert other.err.startswith("isoplane export: rewired_from: ")
    assert not (tmp_path / "more").exists()
