"""A full disk ends a search with one line; what was written before is intact, and the run can be resumed."""

import errno
import os
import resource
import subprocess
from pathlib import Path

import pytest

from isoplane.runs.folder import run_folder
from isoplane.runs.records import files as record_files

from .conftest import PROGRAM
from .test_interruption import require_intact
from .test_resume import outcome

WORDS = ("network.n=9", "objective=front", "strategy=pareto", "seed=2", "stop.evaluations=600001")


@pytest.mark.parametrize("capacity", [0, 1, 2, 5, 9, 14])
def test_a_search_that_filled_the_disk_can_be_resumed(isoplane, tmp_path, no_drawing, monkeypatch, capacity):
    capacity_left, fsync = [capacity], os.fsync

    def fsync_until_full(descriptor):
        capacity_left[0] -= 1
        if capacity_left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(record_files.os, "fsync", fsync_until_full)
        result = isoplane("search", *WORDS, "hydra.run.dir=run")
    assert (result.code, result.out) == (2, "")
    assert "run/" in result.err
    assert "No space left on device; expected a place with room" in result.err
    assert [line for line in result.err.splitlines() if "evaluations" not in line] == [result.err.splitlines()[-1]]
    run = tmp_path / "run"
    require_intact(run, set())
    assert not list(run.rglob("*.tmp"))
    if capacity == 0:
        assert not (run / "config.yaml").exists()
        return
    assert isoplane("search", "resume=run").code == 0
    assert isoplane("search", *WORDS, "hydra.run.dir=uninterrupted").code == 0
    assert outcome(run) == outcome(tmp_path / "uninterrupted")


def test_a_line_of_the_history_that_does_not_fit_is_not_written_at_all(isoplane, tmp_path, no_drawing):
    isoplane("search", *WORDS, "hydra.run.dir=run")
    history = tmp_path / "run" / "history.csv"
    before = history.read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    folder = run_folder.RunFolder(tmp_path / "run", None, {}, {}, resumed=True)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 5, hard))
        with pytest.raises(OSError, match="No space left on device"):
            folder._append("0.1,100,7,")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert history.read_bytes() == before


def test_a_verb_without_a_run_does_not_suggest_a_resume():
    with Path("/dev/full").open("w") as full:
        result = subprocess.run([PROGRAM, "best", "n=3"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 2
    assert "No space left on device; expected a place with room" in result.stderr
    assert "resume" not in result.stderr
