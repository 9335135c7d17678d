"""An interrupted comparison continues in its folder, and ends with the files of one that was never interrupted."""

import errno
import json

import pytest

from isoplane.fleet import Processes
from isoplane.models import InputError
from isoplane.runs.cli import compare as verb
from isoplane.runs.folder.resume import code_of_comparison
from isoplane.runs.terminal.interrupt import INTERRUPT
from tests.cases import for_each

SMALL = ("compare", "nodes=8", "ports=6", "throughput=[0.5]", "families=[hyperx,torus,random_regular]", "workers=1")
FAMILIES = "families=[hypercube,folded_hypercube,hyperx,leaf_spine,mesh]"
EVERY = ("compare", "nodes=12", "ports=8", "throughput=[0.5]", FAMILIES, "failures=all", "workers=2")
FILES = ("comparison.csv", "comparison.json")


@pytest.fixture
def interrupt_at(monkeypatch):
    """Interrupt comparisons at the first step whose text contains a word, until told otherwise."""
    compare = verb.compare
    monkeypatch.setattr(INTERRUPT, "requested", False)

    def at(word):
        def steps(*arguments):
            for text, found in compare(*arguments):
                INTERRUPT.requested = word is not None and word in text
                yield text, found

        INTERRUPT.requested = False
        monkeypatch.setattr(verb, "compare", steps)

    return at


@pytest.mark.parametrize(("words", "word"), [(SMALL, "1 of 6 families"), (EVERY, "done")])
def test_a_resumed_comparison_ends_like_one_without_interruption(
    isoplane, tmp_path, interrupt_at, monkeypatch, words, word
):
    whole = isoplane(*words, "hydra.run.dir=whole")
    call = Processes.map
    interrupt_at(word)
    stopped = isoplane(*words, "hydra.run.dir=run")
    assert (stopped.code, stopped.out) == (130, "")
    assert stopped.err.splitlines()[-1] == f"interrupted; continue with isoplane compare resume={tmp_path / 'run'}"
    assert sorted(file.name for file in (tmp_path / "run").iterdir()) == ["calls.jsonl", "config.yaml"]
    interrupt_at(None)
    called = []
    monkeypatch.setattr(
        Processes, "map", lambda fleet, function, jobs: called.extend(jobs) or call(fleet, function, jobs)
    )
    resumed = isoplane("compare", "resume=run", "workers=1")
    if word == "done":  # all results are there, but for those of cubes whose nodes have several ports
        assert {getattr(job[0], "arrangement", job[0]).family for job in called} <= {"hypercube", "folded_hypercube"}
    assert resumed.code == whole.code == 0
    for name in FILES:
        assert (tmp_path / "run" / name).read_text() == (tmp_path / "whole" / name).read_text()
    assert not (tmp_path / "run" / "calls.jsonl").exists()
    assert isoplane("compare", "resume=run").out.startswith("nothing to do: run holds a complete comparison")


def test_what_a_comparison_cannot_continue_with_is_named(isoplane, tmp_path, interrupt_at):
    assert "no run in it; expected the folder of a comparison" in isoplane("compare", "resume=nowhere").err
    interrupt_at("1 of 6 families")
    assert isoplane(*SMALL, "hydra.run.dir=run").code == 130
    interrupt_at(None)
    found = isoplane("compare", "resume=run", "nodes=9")
    assert (found.code, found.out) == (2, "")
    assert "resume=run, nodes=9: fixed by the comparison; expected workers, fleet" in found.err
    assert "holds a run already" in isoplane(*SMALL, "hydra.run.dir=run").err
    journal = tmp_path / "run" / "calls.jsonl"
    (line,) = journal.read_text().splitlines()
    assert set(json.loads(line)) == {"id", "result"}
    journal.write_text(f"{line[:-1]}\n")
    assert "calls.jsonl: damaged" in isoplane("compare", "resume=run").err
    journal.write_text(f"{line}\n{line[:50]}")  # a line that was cut by a kill is dropped
    assert isoplane("compare", "resume=run").code == 0


@for_each(
    ("rows", "code"),
    [([{"existing": None, "design": "4x4"}], 0), ([{"existing": None}, {"existing": "a.json", "design": "4"}], 4)],
)
def test_a_complete_comparison_returns_its_exit_code_again(tmp_path, rows, code):
    (tmp_path / "report.html").unlink(missing_ok=True)
    (tmp_path / "comparison.json").write_text(json.dumps({"rows": rows}))
    assert code_of_comparison(tmp_path) is None
    (tmp_path / "report.html").touch()
    assert code_of_comparison(tmp_path) == code
    (tmp_path / "comparison.json").write_text("[]")
    with pytest.raises(InputError, match=r"comparison.json is damaged .*; expected that of a comparison"):
        code_of_comparison(tmp_path)


def test_an_error_of_the_system_says_how_to_continue(isoplane, tmp_path, monkeypatch):
    def fails(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(verb, "compare", fails)
    found = isoplane(*SMALL, "hydra.run.dir=run")
    assert (found.code, found.out) == (2, "")
    assert f"continue with isoplane compare resume={tmp_path / 'run'}" in found.err
