"""Endless files, pipes that nobody writes to and YAML that expands are rejected at once, in one line and unread."""

import gzip
import io
import os
import zipfile

import numpy as np
import pytest
import yaml

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input, read_uncompressed
from isoplane.runs.inputs.yaml_files import read_yaml

from .conftest import files

BILLION_LAUGHS = "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HYBRID = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "workload.processes=4")
SPARSE = (*HYBRID, "workload=sparse", "workload.partners=2")
MATRIX = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "network.circuits=[]", "workload=matrix")
CUBE = ("network.n=3", "network.generators=identical")


@pytest.fixture(params=["/dev/zero", "/dev/random", "pipe", "stdin", "sparse", "folder"])
def endless(request, tmp_path):
    """The path of something that is not a file of bounded size, and the reason that the message gives."""
    path, pipe = tmp_path / "endless", os.pipe()
    reason = {"sparse": "larger than", "folder": "a folder"}.get(request.param, "not a regular file")
    if request.param == "pipe":
        os.mkfifo(path)
    elif request.param == "sparse":  # a terabyte that takes no space on the disk
        with path.open("wb") as file:
            file.truncate(1 << 40)
    elif request.param == "folder":
        path.mkdir()
    else:
        path = f"/dev/fd/{pipe[0]}" if request.param == "stdin" else request.param
    yield path, reason
    for end in pipe:
        os.close(end)


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("program", ("simulate",)),
        ("messages", ("simulate", *CUBE)),
        ("record", ("simulate",)),
        ("record", ("evaluate",)),
        ("record", ("verify",)),
        ("record", ("report",)),
        ("warm_start", ("search", "network.n=3")),
        ("network.circuits", ("evaluate", *SPARSE)),
        ("found", ("check-cables", *CUBE)),
        ("names", ("check-cables", *CUBE, "found=none.txt")),
        ("design", ("check-cables", "found=none.txt")),
        ("guids", ("export", *CUBE, "format=opensm")),
    ],
)
def test_an_endless_file_is_rejected_before_it_is_read(isoplane, tmp_path, endless, option, words):
    path, reason = endless
    before = files(tmp_path)
    result = isoplane(*words, f"{option}={path}")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert str(path) in result.err
    assert reason in result.err
    assert "expected" in result.err
    assert files(tmp_path) == before


@pytest.mark.parametrize("suffix", ["csv", "npz"])
def test_an_endless_matrix_is_rejected(isoplane, tmp_path, suffix):
    path = tmp_path / f"matrix.{suffix}"
    path.symlink_to("/dev/zero")
    result = isoplane("evaluate", *MATRIX, f"workload.file={path}")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert f"workload.file={path}: not a regular file; expected a file with a matrix" in result.err


def test_a_small_archive_of_a_huge_matrix_is_rejected(isoplane, tmp_path):
    array = {"descr": "<f8", "fortran_order": False, "shape": (1 << 13, 1 << 13)}
    with (
        zipfile.ZipFile(tmp_path / "matrix.npz", "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("arr_0.npy", "w") as file,
    ):
        np.lib.format.write_array_header_1_0(file, array)
        for _ in range(512):
            file.write(bytes(1 << 20))
    assert (tmp_path / "matrix.npz").stat().st_size < 1 << 20
    result = isoplane("evaluate", *MATRIX, "workload.file=matrix.npz")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "bytes when unpacked, more than 268435456" in result.err


def test_an_array_that_is_larger_than_its_file_is_rejected(isoplane, tmp_path):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (1 << 25, 1 << 25)})
    with zipfile.ZipFile(tmp_path / "matrix.npz", "w") as archive:
        archive.writestr("arr_0.npy", header.getvalue())
    result = isoplane("evaluate", *MATRIX, "workload.file=matrix.npz")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "workload.file=matrix.npz: " in result.err


@pytest.mark.parametrize("name", ["summary.json", "history.csv", "records"])
def test_an_endless_file_in_the_folder_of_a_run_is_rejected(isoplane, tmp_path, name):
    words = ("search", "network.n=3", "strategy=anneal", "stop.evaluations=100", "hydra.run.dir=run")
    assert isoplane(*words).code == 0
    path = tmp_path / "run" / name
    if path.is_dir():
        (path,) = path.iterdir()
    path.unlink()
    path.symlink_to("/dev/zero")
    result = isoplane("report", "run=run")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert str(path.name) in result.err


@pytest.mark.parametrize("name", ["config.yaml", "summary.json", "history.csv", "checkpoint/anneal.json"])
def test_a_run_with_an_endless_file_is_not_resumed(isoplane, tmp_path, no_drawing, name):
    words = ("search", "network.n=9", "strategy=anneal", "stop.evaluations=600000", "hydra.run.dir=run")
    assert isoplane(*words).code == 0
    path = tmp_path / "run" / name
    path.unlink()
    path.symlink_to("/dev/zero")
    result = isoplane("search", "resume=run", "stop.evaluations=1000000")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert name.partition("/")[2] in result.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (BILLION_LAUGHS, "too many values; expected at most 20000, with aliases expanded"),
        ("a: &a [*a]\n", "alias a; expected an alias of a complete earlier value"),
        ("a: " + "[" * 5000 + "]" * 5000, "at most 20000, with aliases expanded, in 50 levels"),
        ("a: " + "x" * (1 << 19), "larger than 262144 bytes"),
        ("a: [1, 2\nb: 3\n", "line 2, column 2: expected ',' or ']', but got ':'; expected YAML"),
        ("a: b: c\n", "line 1, column 5: mapping values are not allowed here"),
        ("a: !mine 3\n", "line 1, column 4: tag !mine; expected plain values"),
        ("a: !!python/object/apply:os.getpid []\n", "tag tag:yaml.org,2002:python/object/apply:os.getpid"),
        ("a: 1\na: 2\n", "line 2, column 1: found duplicate key a"),
        ("a: !!int many\n", "invalid literal"),
        ("? [a]\n: 3\n", "line 1, column 3: found unhashable key"),
        ("a: *b\n", "alias b; expected an alias of a complete earlier value"),
        ("a: \x07\n", "special characters are not allowed"),
        (b"a: \xff\n", "invalid start byte"),
    ],
)
def test_yaml_that_expands_or_is_invalid_is_reported_with_its_position(isoplane, tmp_path, no_drawing, text, message):
    content = text if isinstance(text, bytes) else text.encode()
    (tmp_path / "mine" / "layout").mkdir(parents=True)
    (tmp_path / "mine" / "layout" / "hall.yaml").write_bytes(content)
    for words in (("--config-dir", "mine"), (f"hydra.searchpath=[file://{tmp_path}/mine]",)):
        result = isoplane("evaluate", *CUBE[:1], "network.generators=[3,5,7]", "layout=hall", *words)
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert "mine/layout/hall.yaml" in result.err
        assert message in result.err
    assert isoplane("search", "network.n=3", "stop.evaluations=10", "hydra.run.dir=run").code == 0
    (tmp_path / "run" / "config.yaml").write_bytes(content)
    result = isoplane("search", "resume=run")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "resume=run: config.yaml is damaged (" in result.err
    assert message in result.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9" * 30, "line 1, column 1: '9999999999"),
        ("# c\ntrue\n", "line 2, column 1: 'true'; expected keys with values"),
        ("a: ${", "expected YAML"),
        ("a: " + "9" * 5000, "expected YAML"),
        ("null: 1", "expected YAML"),
    ],
)
def test_yaml_of_a_single_value_or_beyond_what_configs_can_hold_is_an_error(tmp_path, text, message):
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_yaml(tmp_path / "a.yaml")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_deeply_nested_yaml_is_not_read_to_its_end(tmp_path, monkeypatch):
    events = []

    def record_events(*arguments, **options):
        for event in parse(*arguments, **options):
            events.append(event)
            yield event

    parse = yaml.parse
    monkeypatch.setattr(yaml, "parse", record_events)
    (tmp_path / "deep.yaml").write_text("a: " + "[" * 5000 + "]" * 5000)
    with pytest.raises(InputError, match="in 50 levels"):
        read_yaml(tmp_path / "deep.yaml")
    assert len(events) < 60


def test_a_few_short_aliases_are_allowed(isoplane, tmp_path):
    (tmp_path / "mine" / "prices").mkdir(parents=True)
    text = (
        "name: shop\ncables_usd: &all [{length_m: 1.0, price_usd: &one 110}, {length_m: 100.0, price_usd: *one}]\n"
        "nics_usd: [{ports: 1, price_usd: *one}, {ports: 2, price_usd: *one}]\nswitch_port_usd: 310\n"
    )
    (tmp_path / "mine" / "prices" / "shop.yaml").write_text(text, encoding="utf-8")
    words = ("network.n=3", "network.generators=[3,5,7]", "prices=shop", "--config-dir", "mine")
    assert isoplane("evaluate", *words).code == 0


def test_a_file_may_be_as_large_as_allowed_and_no_larger(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"12345")
    (tmp_path / "file.gz").write_bytes(gzip.compress(bytes(100)))
    assert read_uncompressed(tmp_path / "file.gz", 100) == bytes(100)
    with pytest.raises(OSError, match="larger than 99 bytes uncompressed"):
        read_uncompressed(tmp_path / "file.gz", 99)
    assert read_input(path, 5) == b"12345"
    with pytest.raises(OSError, match="larger than 4 bytes"):
        read_input(path, 4)
    path.write_bytes(b"")
    assert read_input(path, 5) == b""
