"""`isoplane search --multirun`: a folder for each job, and the worst exit code."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from isoplane.runs.records import read_record
from tests.runs.pages import page_of
from tests.search.raylets import descendants

from .conftest import HANG_S, PROGRAM, files, wait_for
from .test_interruption import require_intact

PROVEN = ("status", "score_names", "score", "bound")
SLURM = ("search", "--multirun", "hydra/launcher=slurm", "network.n=3,4", "hydra.sweep.dir=sweep")


def test_all_jobs_of_a_sweep_run_and_the_largest_code_counts(isoplane, tmp_path, no_drawing):
    words = ("network.n=3,40,4", "stop.evaluations=1000", "hydra.sweep.dir=sweep")
    result = isoplane("search", "--multirun", *words)
    assert result.code == 2
    assert result.err.count("isoplane search: ") == 1
    assert "network.n=40: expected an integer from 2 to 16" in result.err
    assert {path.name for path in (tmp_path / "sweep").iterdir()} == {"0", "1", "2", "multirun.yaml"}
    (failed,) = (tmp_path / "sweep" / "1").iterdir()
    failure = {
        "options": ["network.n=40", "stop.evaluations=1000"],
        "code": 2,
        "message": "network.n=40: expected an integer from 2 to 16",
    }
    assert json.loads(failed.read_text(encoding="utf-8")) == failure
    assert [line for line in result.err.splitlines() if line.startswith("job ")] == [
        f"job {number} of 3: network.n={n}" for number, n in ((1, 3), (2, 40), (3, 4))
    ]
    for job in ("0", "2"):
        assert (tmp_path / "sweep" / job / "summary.json").is_file()

    table = isoplane("report", "sweep=sweep")
    assert (table.code, table.err) == (0, "")
    assert table.out.split()[:6] == ["run", "network.n", "family", "size", "objective", "seed"]
    shown = [" ".join(row.split()) for row in re.split(r"^(?=\d)", table.out, flags=re.MULTILINE)[1:]]
    # 8 hops and 3 packets; 22 and 6.
    assert shown[0].startswith(
        "0 3 hypercube 3 aspl_and_traffic 1 24 ASPL x load proven optimal, cables within 16.67 %"
    )
    assert shown[1].startswith("1 40 - - - - - failed: network.n=40: expected an integer from 2 to 16")
    assert shown[2].startswith("2 4 hypercube 4 aspl_and_traffic 1 132 ")
    rows = json.loads(isoplane("report", "sweep=sweep", "format=json").out)
    assert [row["run"] for row in rows] == ["0", "1", "2"]
    assert [row["network.n"] for row in rows] == ["3", "40", "4"]
    assert [row["options"] for row in rows] == [[f"network.n={n}", "stop.evaluations=1000"] for n in (3, 40, 4)]
    assert {key: rows[1][key] for key in ("status", *failure)} == {"status": "failed", **failure}
    for row in (rows[0], rows[2]):
        record = read_record(tmp_path / "sweep" / row["run"] / "records" / row["record"])
        assert {name: row[name] for name in record["metrics"]} == record["metrics"]
        assert [row[name] for name in PROVEN] == [record[name] for name in PROVEN]
        assert row["gap"] == [(part - low) / part for part, low in zip(record["score"], record["bound"], strict=True)]
    (page,) = (line.removeprefix("report: ") for line in table.out.splitlines() if line.startswith("report: "))
    (runs,) = page_of(tmp_path / page).tables
    assert [row[0].text for row in runs] == ["run", "0", "1", "2"]
    assert any(cell.text == f"failed: {failure['message']}" for cell in runs[2])
    text = (tmp_path / page).read_text(encoding="utf-8")
    assert "2 designs by network.n (3, 40, 4); 1 job without a result" in text
    assert "Best ASPL" not in text  # values of two sizes do not compare
    assert [cell.text for cell in runs[1]][:7] == ["0", "3", "hypercube", "3", "aspl_and_traffic", "1", "24"]


def test_a_target_missed_by_one_job_decides_the_exit_code_of_the_sweep(isoplane, tmp_path, no_drawing):
    words = ("network.n=3,4", "objective=aspl", "stop.target=1", "hydra.sweep.dir=sweep", "-m")
    assert isoplane("search", *words).code == 3  # n = 4 needs 22 / 16 hops
    assert (tmp_path / "sweep" / "1" / "summary.json").is_file()


def test_a_sweep_that_only_prints_leaves_no_files(isoplane, tmp_path):
    result = isoplane("evaluate", "-m", "network.n=3", "network.generators=[3,5,7],[1,2,3]")
    assert result.code == 2
    assert result.out.startswith("hypercube n=3, 8 switches")
    assert "not a basis, since 3 = 1 ^ 2" in result.err
    assert files(tmp_path) == []


def test_jobs_in_processes_of_their_own_give_the_same_files_and_the_largest_code(isoplane, tmp_path, no_drawing):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    words = ["network.n=3,99", "stop.evaluations=1000"]
    command = [PROGRAM, "search", "--multirun", "hydra/launcher=processes", *words, "hydra.sweep.dir=sweep"]
    result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    line = "isoplane search: network.n=99: expected an integer from 2 to 16\n"
    assert (result.returncode, result.stderr) == (2, line)
    assert isoplane("search", "--multirun", *words, "hydra.sweep.dir=in_process").code == 2
    (separate,), (in_process,) = ((tmp_path / sweep / "0" / "records").iterdir() for sweep in ("sweep", "in_process"))
    assert (separate.name, separate.read_bytes()) == (in_process.name, in_process.read_bytes())
    assert not list((tmp_path / "sweep").glob(".code-*"))
    rows = json.loads(isoplane("report", "sweep=sweep", "format=json").out)
    assert [(row["run"], row["code"]) for row in rows] == [("0", None), ("1", 2)]


def test_a_signal_ends_the_jobs_in_processes_of_their_own_and_keeps_what_they_have(tmp_path):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    words = ("network.n=9,10", "stop.seconds=1000000", "hydra.sweep.dir=sweep")
    command = [PROGRAM, "search", "--multirun", "hydra/launcher=processes", *words]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log, start_new_session=True)
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
        assert interrupted == any(line == f"interrupted; continue with isoplane search resume={run}" for line in lines)
    assert not any("Traceback" in line for line in lines)
    assert {file.name for file in (tmp_path / "sweep").iterdir()} <= {"0", "1", "multirun.yaml", ".submitit"}


def test_without_slurm_its_launcher_is_rejected_in_one_line(isoplane, tmp_path, monkeypatch):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    monkeypatch.setenv("PATH", str(tmp_path))
    result = isoplane(*SLURM)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert (
        "isoplane search: hydra/launcher=slurm: srun not found, so this machine is not in a Slurm cluster; expected"
        in result.err
    )
    assert files(tmp_path) == []


def test_an_error_of_slurm_is_reported_in_one_line(tmp_path):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    for name in ("srun", "sbatch"):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text("#!/bin/sh\necho sbatch: error: invalid partition >&2\nexit 1\n")
        (tmp_path / "bin" / name).chmod(0o755)
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    result = subprocess.run([PROGRAM, *SLURM], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, "")
    assert "Traceback" not in result.stderr
    (line,) = [line for line in result.stderr.splitlines() if line.startswith("isoplane search: hydra/launcher: ")]
    assert "sbatch: error: invalid partition; expected a launcher" in line
