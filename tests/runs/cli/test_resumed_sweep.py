"""`resume=FOLDER` of a sweep: the results of an undisturbed one, no orphans, and what is refused."""

import csv
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from isoplane.runs.folder.folder_lock import locked
from isoplane.runs.folder.job_list import kept_job_list
from isoplane.runs.folder.sweep_table import sweep_rows
from tests.cases import for_each
from tests.search.raylets import descendants, wait_until

from .conftest import PROGRAM, wait_for
from .test_resume import outcome


def test_a_sweep_whose_driver_was_killed_leaves_no_processes_and_resumes_as_if_it_had_not_been(
    isoplane, tmp_path, no_drawing
):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    words = ("--multirun", "network.n=8,9", "layout=none", "strategy=anneal")
    endless = (
        "hydra/launcher=processes",
        "hydra.launcher.cpus_per_task=null",
        "stop.evaluations=10000000001",
        "hydra.sweep.dir=sweep",
    )
    with (tmp_path / "log").open("w") as log:
        driver = subprocess.Popen([PROGRAM, "search", *words, *endless], cwd=tmp_path, stdout=log, stderr=log)
    try:
        for job in "01":
            wait_for(tmp_path / "sweep" / job / "checkpoint" / "anneal.json")
        jobs = descendants(driver.pid)
    finally:
        driver.kill()
        driver.wait()
    assert jobs
    wait_until(lambda: not [job for job in jobs if Path(f"/proc/{job}").exists()])
    shutil.rmtree(tmp_path / "sweep" / "0")  # as if it had not begun
    job_list = (tmp_path / "sweep" / "multirun.yaml").read_bytes()

    rounds = json.loads((tmp_path / "sweep" / "1" / "checkpoint" / "anneal.json").read_text())["data"]
    stop = f"stop.evaluations={rounds['rounds'] * rounds['share'] * 8 + 200001}"
    resumed = isoplane("search", "resume=sweep", stop, "hydra/launcher=basic", "workers=2")
    assert resumed.code == 0, resumed.err
    assert isoplane("search", *words, stop, "hydra.sweep.dir=undisturbed").code == 0
    for job in "01":
        assert outcome(tmp_path / "sweep" / job) == outcome(tmp_path / "undisturbed" / job)
    assert (tmp_path / "sweep" / "multirun.yaml").read_bytes() == job_list
    assert {path.name for path in (tmp_path / "sweep").iterdir()} == {"0", "1", "multirun.yaml", ".submitit"}


def write_job_list(folder, **parts):
    """Write the job list of a sweep of two searches, with other parts."""
    hydra = {
        "job": {"config_name": "search"},
        "sweeper": {"_target_": "hydra.BasicSweeper", "params": None},
        "overrides": {"task": ["network.n=3", "seed=1,2"], "hydra": ["hydra.mode=MULTIRUN"]},
    }
    folder.mkdir()
    (folder / "multirun.yaml").write_text(json.dumps({"hydra": hydra | parts}))


FOREIGN = {"task": ["seed=1,2", "strategy._target_=os.system"], "hydra": []}
LIMITED = {"task": ["stop.evaluations=1,2"], "hydra": []}
NAMED = {"task": ["seed=1,2"], "hydra": ["hydra.sweep.subdir='${hydra.job.override_dirname}'"]}
COMMANDS = {"task": ["seed=1,2"], "hydra": ["hydra/launcher=processes", "hydra.launcher.setup=[reboot]"]}


@for_each(
    ("parts", "word", "message"),
    [
        (
            {},
            "network.n=4",
            "resume=sweep, network.n=4: fixed by the sweep; expected only stop, workers, fleet and a l",
        ),
        ({}, "stop.evaluations=1,2", "resume=sweep, stop.evaluations=1,2: jobs of a sweep differ in what it was start"),
        ({}, "seed=3", "resume=sweep, seed=3: fixed by the sweep; expected only stop, workers, fleet and a launcher"),
        (
            {"overrides": LIMITED},
            "stop.evaluations=3",
            "resume=sweep, stop.evaluations=3: jobs of a sweep differ in what",
        ),
        (
            {"job": {"config_name": "simulate"}},
            "workers=2",
            "resume=sweep: a sweep of simulate; expected one of search",
        ),
        (
            {"job": {}},
            "workers=2",
            "resume=sweep: multirun.yaml is damaged ('config_name'); expected that of a --multi",
        ),
        (
            {"sweeper": {"_target_": "a.Tuner"}},
            "workers=2",
            "resume=sweep: jobs of a.Tuner are not known before they r",
        ),
        (
            {"overrides": NAMED},
            "workers=2",
            "resume=sweep, workers=2: folders of jobs are named by their options; expected none",
        ),
        ({"overrides": FOREIGN}, "workers=2", "resume=sweep, strategy._target_=os.system: named in a file, not on the"),
        ({"overrides": COMMANDS}, "workers=2", "resume=sweep, hydra.launcher.setup=[reboot]: named in a file, not on"),
    ],
)
def test_what_cannot_be_resumed_as_a_sweep_is_refused_in_one_line(isoplane, tmp_path, parts, word, message):
    write_job_list(tmp_path / "sweep", **parts)
    job_list = (tmp_path / "sweep" / "multirun.yaml").read_bytes()
    result = isoplane("search", "resume=sweep", word)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith(f"isoplane search: {message}")
    assert [path.read_bytes() for path in (tmp_path / "sweep").iterdir()] == [job_list]
    shutil.rmtree(tmp_path / "sweep")


def test_a_resumed_sweep_prints_the_rows_of_all_its_jobs_as_one_table(isoplane, no_drawing, tmp_path):
    words = ("nodes=8", "ports=6,7", "families=[leaf_spine]", "throughput=0.5", "failures=none", "workers=1")
    whole = isoplane("compare", "--multirun", *words, "format=csv", "hydra.sweep.dir=sweep")
    designs = {(row["ports"], row["design"]) for row in csv.DictReader(whole.out.splitlines()) if row["design"]}
    assert {ports for ports, _ in designs} == {"6", "7"}
    shutil.rmtree(tmp_path / "sweep" / "1")  # as if it had not begun
    job_list = (tmp_path / "sweep" / "multirun.yaml").read_bytes()
    for complete in (1, 2):
        resumed = isoplane("compare", "resume=sweep", "format=csv")
        assert (resumed.code, resumed.out) == (whole.code, whole.out)
        assert resumed.err.count("holds a complete comparison") == complete
    assert (tmp_path / "sweep" / "multirun.yaml").read_bytes() == job_list


def test_a_resumed_sweep_that_was_killed_while_hydra_wrote_its_job_list_can_be_resumed(isoplane, no_drawing, tmp_path):
    words = ("--multirun", "network.n=2", "seed=1,2", "hydra.sweep.dir=sweep")
    assert isoplane("search", *words).code == 0
    sweep = tmp_path / "sweep"
    job_list = (sweep / "multirun.yaml").read_bytes()
    with kept_job_list(sweep):
        (sweep / "multirun.yaml").write_bytes(job_list[:100])
        shutil.copytree(sweep, tmp_path / "killed")
    sweep = tmp_path / "killed"
    shutil.rmtree(sweep / "1")
    assert [row["swept"] for row in sweep_rows(sweep)] == [{"seed": "1"}, {"seed": "2"}]
    assert isoplane("search", "resume=killed").code == 0
    assert (sweep / "multirun.yaml").read_bytes() == job_list
    assert {path.name for path in sweep.iterdir()} == {"0", "1", "multirun.yaml"}


def test_a_report_has_all_jobs_of_the_job_list_and_says_how_many_finished(isoplane, no_drawing, tmp_path):
    assert isoplane("search", "--multirun", "network.n=2", "seed=1,2,3,4", "hydra.sweep.dir=sweep").code == 0
    sweep = tmp_path / "sweep"
    whole = isoplane("report", "sweep=sweep")
    assert "jobs" not in whole.out
    shutil.rmtree(sweep / "0")  # as if it had not begun
    summary = json.loads((sweep / "1" / "summary.json").read_text())
    (sweep / "1" / "summary.json").write_text(json.dumps(summary | {"stopped_by": "interrupt"}))
    (sweep / "3" / "summary.json").unlink()  # as if it had been killed

    counts = "1 of 4 jobs finished; 1 interrupted, 1 without a result, 1 not begun"
    table = isoplane("report", "sweep=sweep")
    assert f"\n{counts}\ncontinue with isoplane search resume=sweep\n" in table.out
    shown = [line.split()[:2] for line in table.out.splitlines() if line[:1].isdecimal()]
    assert shown[:4] == [["0", "1"], ["1", "2"], ["2", "3"], ["3", "4"]]
    rows = json.loads(isoplane("report", "sweep=sweep", "format=json").out)
    assert [(row["run"], row["seed"]) for row in rows] == [("0", "1"), ("1", 2), ("2", 3), ("3", "4")]
    assert [row["status"] for row in rows] == ["not begun", "optimal", "optimal", "no result"]
    assert rows[0]["options"] == ["network.n=2", "seed=1"]
    (sweep / "0").mkdir()  # Hydra makes the folder of a job that an interrupt keeps from beginning
    assert isoplane("report", "sweep=sweep").out == table.out
    assert f"; {counts}" in (sweep / "report.html").read_text(encoding="utf-8")
    for job in "12":
        shutil.rmtree(sweep / job)
    (sweep / "notes").mkdir()  # none of its jobs
    (sweep / "notes" / "text.md").touch()
    continued, running = "continue with isoplane search resume=sweep\n", "still running: sweep is in use by another"
    shown = isoplane("report", "sweep=sweep").out
    assert ("0 of 4 jobs finished; 1 without a result, 3 not begun" in shown, continued in shown) == (True, True)
    for place in (sweep, sweep / "0"):  # of a sweep that runs, and of a job alone
        with locked(place, "resume"):
            shown = isoplane("report", "sweep=sweep").out
            assert (running in shown, continued in shown) == (True, False)


def test_the_options_of_a_resumed_job_are_those_that_it_ran_with_last(isoplane, no_drawing, tmp_path):
    words = ("network.n=4", "layout=none", "seed=1,2", "stop.evaluations=500")
    assert isoplane("search", "--multirun", *words, "hydra.sweep.dir=sweep").code == 0

    def options():
        rows = json.loads(isoplane("report", "sweep=sweep", "format=json").out)
        return [[word for word in row["options"] if word.startswith("stop.")] for row in rows]

    assert options() == [["stop.evaluations=500"]] * 2
    assert isoplane("search", "resume=sweep", "stop.evaluations=900", "stop.target=1").code == 3  # is not reached
    assert options() == [["stop.evaluations=900", "stop.target=1"]] * 2


def test_jobs_that_have_not_begun_are_rows_without_a_name_where_the_sweep_names_folders_otherwise(
    isoplane, no_drawing, tmp_path
):
    subdir = "hydra.sweep.subdir=${seed}"  # folder 1 is that of job 0
    words = ("network.n=2", "seed=1,2,3", subdir, "hydra.sweep.dir=sweep")
    assert isoplane("search", "--multirun", *words).code == 0
    shutil.rmtree(tmp_path / "sweep" / "2")
    rows = json.loads(isoplane("report", "sweep=sweep", "format=json").out)
    assert [(row["run"], row["seed"], row["status"]) for row in rows] == [
        ("1", 1, "optimal"),
        ("3", 3, "optimal"),
        (None, None, "not begun"),
    ]
