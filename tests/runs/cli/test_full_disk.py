"""A full disk ends a search with one line; what was written before is intact, and the run can be resumed."""

import errno
import os
import subprocess
from pathlib import Path

import pytest

from tests.models.test_output_file import largest_file

from .conftest import PROGRAM
from .test_interruption import require_intact
from .test_resume import outcome

WORDS = ("network.n=9", "objective=front", "strategy=pareto", "seed=2", "stop.evaluations=600001")


@pytest.mark.parametrize("capacity", [0, 5])
def test_a_search_that_filled_the_disk_can_be_resumed(
    isoplane, search_once, tmp_path, no_drawing, monkeypatch, capacity
):
    capacity_left, fsync = [capacity], os.fsync

    def fsync_until_full(descriptor):
        capacity_left[0] -= 1
        if capacity_left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync_until_full)
        result = isoplane("search", *WORDS, "hydra.run.dir=run")
    assert (result.code, result.out) == (2, "")
    assert "run/" in result.err
    assert "No space left on device; expected a place with room" in result.err
    assert [line for line in result.err.splitlines() if "evaluations" not in line] == [result.err.splitlines()[-1]]
    run = tmp_path / "run"
    require_intact(run, set())
    assert not list(run.rglob("*.tmp"))
    assert (f"continue with isoplane search resume={tmp_path / 'run'}" in result.err) == (capacity > 0)
    if capacity == 0:
        assert not (run / "config.yaml").exists()
        return
    assert isoplane("search", "resume=run").code == 0
    assert outcome(run) == outcome(search_once(*WORDS)[1])


def test_a_verb_without_a_run_does_not_suggest_a_resume():
    with Path("/dev/full").open("w") as full:
        result = subprocess.run([PROGRAM, "best", "n=3"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2
    assert "No space left on device; expected a place with room" in result.stderr
    assert "resume" not in result.stderr


def test_files_of_a_figure_are_whole_or_absent_at_every_size_that_the_disk_allows(isoplane, tmp_path):
    words = ("reproduce", "experiment=shimizu/fig7", "sizes=[3,7]")
    result = isoplane(*words, "hydra.run.dir=whole")
    assert (result.code, result.err.count("\n")) == (0, 1)  # the time that it took
    assert "54 / 45 = 1.20" in result.out  # 2 d^3 servers and 5 d^2 switches with d = 3
    assert result.out.count("2 of 2 agree") == 2 * 6  # each polynomial, by formula and counted
    whole = {file.name: file.read_bytes() for file in (tmp_path / "whole").iterdir()}
    sizes = sorted(map(len, whole.values()))
    assert len(sizes) == 5
    for number, size in enumerate((0, *sizes)):
        with largest_file(size - 1 if size else 0):
            result = isoplane(*words, f"hydra.run.dir={number}")
        assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
        assert "File too large; expected a place with room: files already written are intact" in result.err
        kept = {file.name: file.read_bytes() for file in (tmp_path / str(number)).glob("*")}
        assert kept.items() < whole.items()
    assert isoplane(*words, f"hydra.run.dir={len(sizes)}").code == 0  # there was less room in it before
    assert {file.name: file.read_bytes() for file in (tmp_path / str(len(sizes))).iterdir()} == whole
