"""`hydra/launcher=processes`: jobs of a sweep in processes of their own, which end with it."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from isoplane.runs.cli.sweep_jobs import LOCAL_JOBS
from isoplane.runs.terminal.interrupt import INTERRUPT
from tests.cases import for_each
from tests.search.raylets import descendants

from .conftest import HANG_S, PROGRAM, WITHOUT_PAGES, files, sleeping_job, wait_for
from .test_interruption import require_intact

AT_ONCE = ("hydra/launcher=processes", "hydra.launcher.cpus_per_task=null")


def test_jobs_in_processes_of_their_own_give_the_same_files_and_the_largest_code(isoplane, tmp_path, no_drawing):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    words = ["network.n=3,99", "stop.evaluations=1000"]
    command = [PROGRAM, "search", "--multirun", "hydra/launcher=processes", *words, "hydra.sweep.dir=sweep", "log=log"]
    result = subprocess.run(command, cwd=tmp_path, env=WITHOUT_PAGES, capture_output=True, text=True)
    shown = isoplane("search", "--multirun", *words, "hydra.sweep.dir=in_process")
    assert (result.returncode, shown.code) == (2, 2)
    assert result.stdout.replace("/sweep/", "/in_process/") == shown.out
    first, second = "network.n=3", "network.n=99"
    said = [line for line in result.stderr.splitlines() if line.startswith(("job ", "isoplane search: "))]
    assert sorted(said) == [
        "isoplane search: network.n=99: expected an integer from 2 to 16",
        f"job 1 of 2 (folder 0) ended with exit code 0: {first}",
        f"job 1 of 2 (folder 0): {first}",
        f"job 2 of 2 (folder 1) ended with exit code 2: {second}",
        f"job 2 of 2 (folder 1): {second}",
    ]
    assert said.index(f"job 2 of 2 (folder 1): {second}") + 1 < said.index(
        "isoplane search: network.n=99: expected an integer from 2 to 16"
    )
    logged = (tmp_path / "log").read_text()
    assert [line for line in said if f"  {line}\n" not in logged] == []
    assert all(f"  {line}\n" in logged for line in result.stdout.splitlines())
    (separate,), (in_process,) = ((tmp_path / sweep / "0" / "records").iterdir() for sweep in ("sweep", "in_process"))
    assert (separate.name, separate.read_bytes()) == (in_process.name, in_process.read_bytes())
    assert {path.name for path in (tmp_path / "sweep").iterdir()} == {"0", "1", "multirun.yaml", ".submitit"}
    rows = json.loads(isoplane("report", "sweep=sweep", "format=json").out)
    assert [(row["run"], row["code"]) for row in rows] == [("0", None), ("1", 2)]


def test_a_signal_ends_the_jobs_in_processes_of_their_own_and_keeps_what_they_have(tmp_path):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    words = ("network.n=8,9", "stop.seconds=1000000", "hydra.sweep.dir=sweep")
    command = [PROGRAM, "search", "--multirun", *AT_ONCE, *words]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            command, cwd=tmp_path, env=WITHOUT_PAGES, stdout=log, stderr=log, start_new_session=True
        )
    try:
        for job in "01":
            wait_for(tmp_path / "sweep" / job / "summary.json")
        jobs = descendants(process.pid)
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(HANG_S) == 130, (tmp_path / "log").read_text()
    finally:
        process.kill()
        process.wait()
    assert jobs
    assert not [job for job in jobs if Path(f"/proc/{job}").exists()]
    lines = (tmp_path / "log").read_text().splitlines()
    for job in "01":
        run = tmp_path / "sweep" / job
        require_intact(run, set())
        interrupted = json.loads((run / "summary.json").read_text())["stopped_by"] == "interrupt"
        assert interrupted == (f"interrupted; continue with isoplane search resume=sweep/{job}" in lines)
    assert not any("Traceback" in line for line in lines)
    assert {file.name for file in (tmp_path / "sweep").iterdir()} <= {"0", "1", "multirun.yaml", ".submitit"}


def test_a_sweep_whose_jobs_were_all_killed_keeps_its_job_list_and_says_how_to_continue(tmp_path):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    words = ("network.n=9", "stop.seconds=1000000", "hydra.sweep.dir=sweep")
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            [PROGRAM, "search", "--multirun", *AT_ONCE, *words], cwd=tmp_path, stdout=log, stderr=log
        )
    try:
        wait_for(tmp_path / "sweep" / "0" / "summary.json")
        for job in descendants(process.pid):
            os.kill(job, signal.SIGKILL)
        assert process.wait(HANG_S) == 2
    finally:
        process.kill()
        process.wait()
    (line,) = [line for line in (tmp_path / "log").read_text().splitlines() if "hydra/launcher: " in line]
    assert "results of the other jobs are intact" in line
    assert line.endswith("continue with isoplane search resume=sweep")
    assert (tmp_path / "sweep" / "multirun.yaml").exists()


def test_no_more_jobs_run_at_once_than_their_limit(tmp_path, monkeypatch):
    monkeypatch.setattr(INTERRUPT, "requested", False)
    LOCAL_JOBS.watch(tmp_path, 2)
    jobs = []
    for _ in range(5):
        jobs.append(LOCAL_JOBS.start(lambda: sleeping_job(0.2)))
        assert sum(not job.done() for job in jobs) <= 2
    LOCAL_JOBS.wait(end=False)
    assert [job.process.returncode for job in jobs] == [0] * 5


def test_a_signal_while_a_job_starts_is_heard_when_the_job_can_be_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(INTERRUPT, "requested", False)
    LOCAL_JOBS.watch(tmp_path, None)
    jobs = []

    def submit():
        os.kill(os.getpid(), signal.SIGTERM)
        jobs.append(sleeping_job(HANG_S))
        return jobs[0]

    with pytest.raises(KeyboardInterrupt):
        LOCAL_JOBS.start(submit)
    LOCAL_JOBS.wait(end=True)
    assert jobs[0].process.returncode == -signal.SIGTERM
    assert files(tmp_path) == []


def test_the_launcher_of_submitit_whose_jobs_would_outlive_a_sweep_is_refused_in_one_line(isoplane, tmp_path):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    result = isoplane("search", "--multirun", "hydra/launcher=submitit_local", "network.n=3,4", "hydra.sweep.dir=sweep")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("isoplane search: hydra/launcher=submitit_local: ")
    assert result.err.endswith("; expected processes\n")
    assert files(tmp_path) == []


@for_each(
    ("word", "expected"),
    [
        ("tasks_per_node=0", "1, as each job is a process on one machine, with workers= for more threads"),
        ("tasks_per_node=2", "1, as each job is a process on one machine, with workers= for more threads"),
        ("nodes=2", "1, as each job is a process on one machine, with workers= for more threads"),
        ("tasks_per_node=1.5", "an integer"),
        ("tasks_per_node=two", "an integer"),
        ("tasks_per_node=null", "a value, not null"),
        ("stderr_to_stdout=maybe", "true or false"),
        ("timeout_min=-5", "an integer of at least 1"),
        ("cpus_per_task=0", "an integer of at least 1"),
        ("mem_gb=-2", "an integer of at least 0"),
        ("gpus_per_node=-1", "an integer of at least 0"),
    ],
)
def test_a_value_that_no_launcher_takes_is_refused_in_one_line(isoplane, tmp_path, word, expected):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    # Without Slurm's own programs, its launcher is refused first.
    for launcher in ("processes", "slurm") if shutil.which("srun") else ("processes",):
        words = (f"hydra/launcher={launcher}", f"hydra.launcher.{word}", "network.n=3,4", "hydra.sweep.dir=sweep")
        result = isoplane("search", "--multirun", *words)
        assert (result.code, result.out) == (2, "")
        assert result.err == f"isoplane search: hydra.launcher.{word}: expected {expected}\n"
        assert files(tmp_path) == []


def test_an_unknown_option_of_processes_is_refused_in_one_line(isoplane, tmp_path):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    words = ("hydra/launcher=processes", "+hydra.launcher.speed=1", "network.n=3,4", "hydra.sweep.dir=sweep")
    result = isoplane("search", "--multirun", *words)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("isoplane search: hydra.launcher.speed: unknown; expected cpus_per_task, ")
    assert files(tmp_path) == []
