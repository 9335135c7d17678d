"""Of several programs started in one folder at once, exactly one gets it; the others write and destroy nothing."""

import fcntl
import json
import os
from pathlib import Path
from threading import Timer

import pytest

from isoplane.models import InputError
from isoplane.runs.folder.folder_lock import LOCK, is_locked, locked
from isoplane.runs.records import read_record
from tests.cases import for_each, require_refusal

from .conftest import HANG_S, files, messages
from .test_interruption import require_intact

CONCURRENT_PROGRAMS = 3
SEARCH = ("search", "network.n=6", "strategy=anneal", "stop.evaluations=200000")
SIMULATE = ("simulate", "network.n=3", "network.generators=identical", "measurement=rough", "loads=[0.2]",
            "saturation=false")  # fmt: skip
HYBRID = ("simulate", "network=hybrid", "network.groups=2", "network.nodes_per_group=2", "network.circuits=[[0,2]]",
          "workload=sparse", "workload.processes=4", "workload.partners=2", "shorten=100")  # fmt: skip
FIGURE = ("reproduce", "experiment=hosomi/fig3", "sizes=[3]", "stop.evaluations=1000")


def results_of(processes):
    """The exit code, output and errors of every process, after the last has exited."""
    for process, _, _ in processes:
        process.join(HANG_S)
    return [(process.exitcode, out.read_text(), err.read_text()) for process, out, err in processes]


def require_one_winner(processes, option):
    results = results_of(processes)
    assert sorted(code for code, _, _ in results) == [0] + [2] * (len(processes) - 1), results
    for code, out, err in results:
        if code == 2:
            assert out == ""
            assert len(messages(err)) == 1, err
            assert f"{option}=" in err
            assert "in use by another program" in err or "holds a run already" in err
    return next(index for index, result in enumerate(results) if result[0] == 0)


def test_exactly_one_search_wins_a_new_folder_and_has_it_for_itself(start_isoplane, tmp_path):
    processes = [
        start_isoplane(*SEARCH, f"seed={seed}", "hydra.run.dir=deep/run") for seed in range(1, CONCURRENT_PROGRAMS + 1)
    ]
    winner = require_one_winner(processes, "hydra.run.dir")
    run = tmp_path / "deep" / "run"
    require_intact(run, set())
    summary = json.loads((run / "summary.json").read_text())
    assert summary["seed"] == winner + 1
    assert f"seed: {winner + 1}\n" in (run / "config.yaml").read_text()
    for name in summary["records"]:
        assert read_record(run / "records" / name)["provenance"]["seed"] == winner + 1
    assert sorted(summary["records"]) == sorted(path.name for path in (run / "records").iterdir())
    assert not (run / LOCK).exists()


def test_different_verbs_do_not_share_a_new_folder(start_isoplane, tmp_path):
    processes = [start_isoplane(*words, "hydra.run.dir=run") for words in (SEARCH, SIMULATE, HYBRID)]
    winner = require_one_winner(processes, "hydra.run.dir")
    assert (tmp_path / "run" / "history.csv").exists() == (winner == 0)
    assert not [name for name in files(tmp_path / "run") if name.endswith((".tmp", LOCK))]


def test_exactly_one_sweep_wins_a_new_folder(start_isoplane, tmp_path):
    words = (*SEARCH, "--multirun", "hydra.sweep.dir=sweep")
    processes = [start_isoplane(*words, f"seed={10 * first},{10 * first + 1}") for first in range(1, 3)]
    winner = require_one_winner(processes, "hydra.sweep.dir")
    seeds = [10 * (winner + 1), 10 * (winner + 1) + 1]
    assert f"seed={seeds[0]},{seeds[1]}" in (tmp_path / "sweep" / "multirun.yaml").read_text()
    assert [json.loads((tmp_path / "sweep" / job / "summary.json").read_text())["seed"] for job in "01"] == seeds


def test_a_program_that_asks_whether_a_folder_is_locked_keeps_no_other_from_locking_it(tmp_path):
    (tmp_path / LOCK).touch()
    shared = os.open(tmp_path / LOCK, os.O_RDWR)
    fcntl.flock(shared, fcntl.LOCK_SH)  # as `is_locked` does for an instant
    Timer(0.02, os.close, (shared,)).start()
    with locked(tmp_path, "resume"):
        assert is_locked(tmp_path)
        require_refusal(locked(tmp_path, "resume").__enter__, "in use by another program")


def test_a_reproduced_figure_locks_its_folder_and_resumes_in_it(isoplane, tmp_path):
    with locked(tmp_path / "run", "test"):
        result = isoplane(*FIGURE, "hydra.run.dir=run")
        assert (result.code, result.out) == (2, "")
        assert "run: in use by another program; expected a new or empty folder" in result.err
        assert files(tmp_path / "run") == [LOCK]
    (tmp_path / "run").mkdir(exist_ok=True)
    (tmp_path / "run" / LOCK).touch()  # left behind by a killed program: it locks nothing
    assert isoplane(*FIGURE, "hydra.run.dir=run").code == 0
    assert not (tmp_path / "run" / LOCK).exists()
    assert isoplane(*FIGURE, "hydra.run.dir=run").code == 0


@for_each(
    "words",
    [
        (*SEARCH, "hydra.run.dir=run"),
        (*SIMULATE, "hydra.run.dir=run"),
        (*FIGURE, "hydra.run.dir=run"),
        ("export", "network=full_mesh", "format=[edges]", "hydra.run.dir=run"),
        ("compare", "nodes=16", "ports=8", "hydra.run.dir=run"),
        (*SEARCH, "--multirun", "seed=1,2", "hydra.sweep.dir=run"),
    ],
)
def test_a_folder_with_files_of_another_origin_is_not_used(isoplane, tmp_path, words):
    (tmp_path / "run").mkdir(exist_ok=True)
    (tmp_path / "run" / ".hidden").touch()
    (tmp_path / "run" / "thesis.tex").write_text("mine", encoding="utf-8")
    result = isoplane(*words)
    assert (result.code, result.out, len(messages(result.err))) == (2, "", 1)
    assert "run: holds thesis.tex; expected a new or empty folder" in result.err
    assert files(tmp_path) == ["run", "run/.hidden", "run/thesis.tex"]


def test_a_sweep_that_only_prints_leaves_an_existing_list_of_jobs_alone(isoplane, tmp_path):
    (tmp_path / "multirun.yaml").write_text("mine", encoding="utf-8")
    assert isoplane("evaluate", "-m", "network.n=3", "network.generators=[3,5,7],[1,2,7]").code == 0
    assert (tmp_path / "multirun.yaml").read_text() == "mine"
    assert files(tmp_path) == ["multirun.yaml"]


def test_locking_a_file_that_was_just_removed_locks_its_replacement(tmp_path, monkeypatch):
    flock, removed = fcntl.flock, []

    def flock_after_removal(descriptor, operation):
        if not removed:  # the holder releases its lock, and removes the file and the empty folder
            removed.append(True)
            (tmp_path / "run" / LOCK).unlink()
            (tmp_path / "run").rmdir()
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", flock_after_removal)
    with (
        locked(tmp_path / "run", "test"),
        pytest.raises(InputError, match="in use by another program"),
        locked(tmp_path / "run", "test"),
    ):
        pass
    assert removed


def test_a_run_that_another_program_begins_while_a_folder_is_looked_at_is_called_a_run(tmp_path, monkeypatch):
    listed = Path.iterdir

    def iterdir_of_a_run(path):
        (path / "config.yaml").touch()
        return listed(path)

    monkeypatch.setattr(Path, "iterdir", iterdir_of_a_run)
    require_refusal(locked(tmp_path, "test", ("config.yaml",)).__enter__, "holds a run already")


def test_a_file_system_without_locks_is_reported(tmp_path, monkeypatch):
    def fail(descriptor, operation):
        raise OSError(37, os.strerror(37))

    monkeypatch.setattr(fcntl, "flock", fail)
    message = r"test=.*: cannot be locked \(No locks available\); expected"
    with pytest.raises(InputError, match=message), locked(tmp_path / "run", "test"):
        pass
