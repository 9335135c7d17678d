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


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "format=null: expected a list of formats, some of "),
        (("format=[]",), "format=[]: expected a list of formats, some of "),
        (("format=[edges,gif]",), "format=gif: expected some of "),
        (("format=[edges,edges]",), "format=edges,edges: edges twice; expected each format once"),
        (("record=none.json", "format=edges"), "record=none.json: "),
    ],
)
def test_bad_formats_are_rejected_and_leave_nothing(isoplane, tmp_path, words, message):
    result = isoplane("export", *words)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"isoplane export: {message}")
    assert files(tmp_path) == []


def test_a_folder_with_an_export_is_not_written_again(isoplane, tmp_path):
    assert isoplane("export", *TORUS, "format=[edges]", "hydra.run.dir=out").code == 0
    before = files(tmp_path)
    result = isoplane("export", *TORUS, "format=[edges]", "hydra.run.dir=out")
    assert result.code == 2
    assert "holds a run already" in result.err
    assert files(tmp_path) == before
