"""A full disk ends a search in one line; what was written before is whole, and the run can go on."""

import errno
import os
import resource
import subprocess
from pathlib import Path

import pytest

from isoplane.runs.folder import run_folder
from isoplane.runs.records import files as record_files

from .conftest import PROGRAM
from .test_interruption import require_whole
from .test_resume import outcome

WORDS = ("network.n=9", "objective=front", "strategy=pareto", "seed=2", "stop.evaluations=600001")


@pytest.mark.parametrize("room", [0, 1, 2, 5, 9, 14])
def test_a_disk_that_is_full_after_some_files(isoplane, tmp_path, no_drawing, monkeypatch, room):
    left, fsync = [room], os.fsync

    def full(descriptor):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(descriptor)

    with monkeypatch.context() as patched:
        patched.setattr(record_files.os, "fsync", full)
        ended = isoplane("search", *WORDS, "hydra.run.dir=run")
    assert (ended.code, ended.out) == (2, "")
    assert "run/" in ended.err
    assert "No space left on device; expected a place with room" in ended.err
    assert [line for line in ended.err.splitlines() if "evaluations" not in line] == [ended.err.splitlines()[-1]]
    run = tmp_path / "run"
    require_whole(run, set())
    assert not list(run.rglob("*.tmp"))
    if room == 0:
        assert not (run / "config.yaml").exists()
        return
    assert isoplane("search", "resume=run").code == 0
    assert isoplane("search", *WORDS, "hydra.run.dir=whole").code == 0
    assert outcome(run) == outcome(tmp_path / "whole")


def test_a_line_of_the_history_that_does_not_fit_is_not_there_at_all(isoplane, tmp_path, no_drawing):
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


def test_a_verb_without_a_run_advises_no_resume():
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run([PROGRAM, "best", "n=3"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert ended.returncode == 2
    assert "No space left on device; expected a place with room" in ended.stderr
    assert "resume" not in ended.stderr
