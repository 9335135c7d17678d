"""Endless files, pipes that nobody writes to and YAML that expands are rejected at once, in one line and unread."""

import gzip
import os
from pathlib import Path

import pytest
import yaml

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input, read_uncompressed
from isoplane.runs.inputs.yaml_files import read_yaml
from tests.cases import for_each

from .conftest import files

BILLION_LAUGHS = "a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol, lol]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 10)}]\n" for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HYBRID = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "workload.processes=4")
SPARSE = (*HYBRID, "workload=sparse", "workload.partners=2")
CUBE = ("network.n=3", "network.generators=identical")
TERABYTE = 1 << 40  # of a file with one hole, which takes no space on the disk


@for_each(
    ("kind", "reason"),
    [
        ("/dev/zero", "not a regular file"),
        ("/dev/random", "not a regular file"),
        ("pipe", "not a regular file"),
        ("stdin", "not a regular file"),
        ("sparse", "larger than"),
        (".", "a folder"),
    ],
)
def test_what_has_no_bounded_size_is_rejected_before_it_is_read(tmp_path, kind, reason):
    pipe = os.pipe()
    (tmp_path / "sparse").open("wb").truncate(TERABYTE)
    if not (tmp_path / "pipe").exists():
        os.mkfifo(tmp_path / "pipe")
    path = Path(f"/dev/fd/{pipe[0]}") if kind == "stdin" else tmp_path / kind
    with pytest.raises(OSError, match=reason):
        read_input(path)
    for end in pipe:
        os.close(end)


@for_each(
    ("option", "words"),
    [
        ("program", ("simulate",)),
        ("messages", ("simulate", *CUBE)),
        ("record", ("simulate",)),
        ("record", ("evaluate",)),
        ("warm_start", ("search", "network.n=3")),
        ("network.circuits", ("evaluate", *SPARSE)),
        ("found", ("check-cables", *CUBE)),
        ("design", ("check-cables", "found=none.txt")),
        ("jobs", ("reproduce", "paper=hirasawa", "figure=fig1", "sizes=[8]")),
        ("guids", ("export", *CUBE, "format=opensm")),
    ],
)
def test_every_option_that_names_a_file_rejects_an_endless_one(refuse, tmp_path, option, words):
    # A program that reads all of it runs out of memory, and says so instead.
    (tmp_path / "endless").open("wb").truncate(TERABYTE)
    result = refuse(*words, f"{option}=endless")
    assert (result.out, result.err.count("\n")) == ("", 1)
    assert "endless: larger than" in result.err
    assert "expected" in result.err
    assert files(tmp_path) == ["endless"]


REPORT, RESUME = ("report", "run=run"), ("search", "resume=run", "stop.evaluations=1000000")


@for_each(
    ("words", "name"),
    [
        *((REPORT, name) for name in ("summary.json", "history.csv", "records/*")),
        *((RESUME, name) for name in ("config.yaml", "summary.json", "history.csv", "checkpoint/anneal.json")),
    ],
)
def test_an_endless_file_in_the_folder_of_a_run_is_rejected(isoplane, ended_search, tmp_path, words, name):
    ended_search("network.n=9", "strategy=anneal", "stop.evaluations=600000")
    (path,) = (tmp_path / "run").glob(name)
    path.unlink()
    path.symlink_to("/dev/zero")
    result = isoplane(*words)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert path.name in result.err


@for_each(
    ("text", "message"),
    [
        (BILLION_LAUGHS, "too many values; expected at most 20000, with aliases expanded"),
        ("a: &a [*a]\n", "alias a; expected an alias of a complete earlier value"),
        ("a: " + "[" * 5000 + "]" * 5000, "at most 20000, with aliases expanded, in 50 levels"),
        ("a: " + "x" * (1 << 19), "larger than 262144 bytes"),
        ("a: [1, 2\nb: 3\n", "line 2, column 2: expected ',' or ']', but got ':'; expected YAML"),
        ("a: !mine 3\n", "line 1, column 4: tag !mine; expected plain values"),
        ("a: !!python/object/apply:os.getpid []\n", "tag tag:yaml.org,2002:python/object/apply:os.getpid"),
        ("a: 1\na: 2\n", "line 2, column 1: found duplicate key a"),
        ("? [a]\n: 3\n", "line 1, column 3: found unhashable key"),
        ("a: \x07\n", "special characters are not allowed"),
        (b"a: \xff\n", "invalid start byte"),
        ("# c\ntrue\n", "line 2, column 1: 'true'; expected keys with values"),
        ("a: ${", "expected YAML"),
        ("null: 1", "expected YAML"),
    ],
)
def test_yaml_that_expands_or_is_invalid_is_reported_with_its_position(tmp_path, text, message):
    (tmp_path / "a.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises((InputError, OSError)) as caught:
        read_yaml(tmp_path / "a.yaml")
    assert "a.yaml" in str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_configs_of_the_user_and_of_runs_are_checked_before_they_are_read(isoplane, ended_search, tmp_path):
    (tmp_path / "mine" / "layout").mkdir(parents=True)
    for text, message in (
        (BILLION_LAUGHS, "too many values; expected"),
        ("a: " + "x" * (1 << 19), "larger than 262144"),
    ):
        (tmp_path / "mine" / "layout" / "hall.yaml").write_text(text)
        for words in (("--config-dir", "mine"), (f"hydra.searchpath=[file://{tmp_path}/mine]",)):
            result = isoplane("evaluate", *CUBE, "layout=hall", *words)
            assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
            assert "mine/layout/hall.yaml" in result.err
            assert message in result.err
        ended_search("network.n=3", "stop.evaluations=10")
        (tmp_path / "run" / "config.yaml").write_text(text)
        result = isoplane("search", "resume=run")
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert "resume=run: config.yaml is damaged (" in result.err
        assert message in result.err


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
