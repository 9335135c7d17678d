"""`isoplane search --multirun`: a folder for each job, and the worst exit code."""

import csv
import json
import os
import re
import shutil
import subprocess
from io import StringIO

import pytest

import isoplane as ip
from isoplane.runs.records import read_record
from tests.cases import for_each
from tests.runs.pages import page_of

from .conftest import PROGRAM, files, latex_cells

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
        f"job {number} of 3 (folder {number - 1}): network.n={n}" for number, n in ((1, 3), (2, 40), (3, 4))
    ]
    for job in ("0", "2"):
        assert (tmp_path / "sweep" / job / "summary.json").is_file()

    again = isoplane("search", "--multirun", *words)
    resume = "isoplane search resume=sweep to continue it"
    assert again.err == (
        f"isoplane search: hydra.sweep.dir=sweep: holds a run already; expected a new or empty folder, or {resume}\n"
    )

    sweep = tmp_path / "sweep"
    before = {name: (sweep / name).read_bytes() for name in files(sweep) if (sweep / name).is_file()}
    resumed = isoplane("search", "resume=sweep")
    assert (resumed.code, resumed.out.count("nothing to do: ")) == (2, 2)
    assert resumed.err.count("isoplane search: network.n=40: expected an integer from 2 to 16") == 1
    assert {name: (sweep / name).read_bytes() for name in files(sweep) if (sweep / name).is_file()} == before

    table = isoplane("report", "sweep=sweep")
    assert (table.code, table.err) == (0, "")
    # The size is the option, and what all runs share is said below.
    assert table.out.split()[:4] == ["run", "network.n", "ASPL", "status"]
    assert "all runs: family hypercube, objective aspl_and_traffic, seed 1\n" in table.out
    shown = [" ".join(row.split()) for row in re.split(r"^(?=\d)", table.out, flags=re.MULTILINE)[1:]]
    # 8 hops and 3 packets; 22 and 6.
    assert shown[0].startswith("0 3 24 ASPL x load proven optimal, evaluations 1000 ")
    assert "cables within 16.67 %" in shown[0]
    assert shown[1].startswith("1 40 - failed: network.n=40: ")
    assert shown[2].startswith("2 4 132 ")
    chosen = isoplane("report", "sweep=sweep", "columns=[network.n,gap]", "format=markdown").out.splitlines()
    assert chosen[2:] == ["| 3 | ASPL x load 0.00 %, cables 16.67 % |", "| 40 | - |", chosen[-1]]
    head = isoplane("report", "sweep=sweep", "columns=[score,run]", "format=csv").out.splitlines()[0]
    assert head == "score,run"
    both = isoplane("report", "sweep=sweep", "columns=[run,gap,stopped by,score]", "format=markdown").out.splitlines()
    assert both[2].startswith("| 0 | ASPL x load 0.00 %, cables 16.67 % | evaluations | 24 ")
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
    loaded = ip.load(sweep)
    assert loaded.to_dict() == {"jobs": rows}
    assert [row["aspl"] for row in loaded.rows] == [row["aspl"] for row in rows]
    assert loaded.save(tmp_path / "a.md").read_text() == isoplane("report", "sweep=sweep", "format=markdown").out
    (axes,) = loaded.plot().axes  # of the chart of the page, without the failed job
    drawn = {(x, y) for line in axes.lines for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}
    assert drawn == {(row["cost_usd_per_node"], row["aspl"]) for row in (rows[0], rows[2])}
    assert loaded.to_frame(dict)["network.n"] == [3, 40, 4]
    (line,) = loaded.plot(metrics=("network.n", "aspl")).axes[0].lines
    assert list(line.get_xdata()) == [3, 4]
    with pytest.raises(ip.InputError, match="expected isoplane report sweep="):
        loaded.save(tmp_path / "a.html")
    (page,) = (line.removeprefix("report: ") for line in table.out.splitlines() if line.startswith("report: "))
    (runs,) = page_of(tmp_path / page).tables
    assert [row[0].text for row in runs] == ["run", "0", "1", "2"]
    assert any(cell.text == f"failed: {failure['message']}" for cell in runs[2])
    text = (tmp_path / page).read_text(encoding="utf-8")
    assert "2 designs by network.n (3, 40, 4); 2 of 3 jobs finished; 1 failed" in text
    assert "Best ASPL" not in text  # values of two sizes do not compare
    assert [cell.text for cell in runs[1]][:7] == ["0", "3", "hypercube", "3", "aspl_and_traffic", "1", "24"]


def test_cfg_job_lists_the_jobs_that_a_sweep_has_and_runs_none(isoplane, tmp_path, no_drawing):
    words = ("search", "--multirun", "network.n=2,3", "seed=1,2", "stop.evaluations=10")
    listed = isoplane(*words, "--cfg", "job")
    assert (listed.code, listed.err, files(tmp_path)) == (0, "", [])
    *jobs, launcher = listed.out.splitlines()
    said = isoplane(*words, "hydra.sweep.dir=sweep").err.splitlines()
    assert jobs == [re.sub(r" \(folder \d\)", "", line) for line in said if line.startswith("job ")]
    assert len(jobs) == 4
    assert launcher.startswith("hydra/launcher=basic: one job after the other")
    assert isoplane("search", "resume=sweep", "--cfg", "job").out == listed.out
    again = isoplane(*words, "hydra.sweep.dir=sweep", "--cfg", "job")
    assert (again.code, again.out) == (2, "")
    assert "hydra.sweep.dir=sweep: holds a run already; " in again.err


def test_an_option_that_differs_over_all_jobs_is_a_column_and_not_shared_though_only_failed_jobs_differ(
    isoplane, tmp_path, no_drawing
):
    plane = ("network=relabelled", "network@network.plane=hypercube", "network.plane.n=3", "network.plane.planes=1")
    planned = "network.routing=planned"  # whose loads no search minimises
    words = ("objective=aspl,max_traffic", "network.planes=2,3", "stop.evaluations=50", "hydra.sweep.dir=sweep")
    assert isoplane("search", "--multirun", *plane, planned, *words).code == 2
    table = isoplane("report", "sweep=sweep")
    assert table.out.split()[:4] == ["run", "network.planes", "size", "objective"]
    assert "\nall runs: family relabelled, seed 1\n" in table.out
    chosen = isoplane("report", "sweep=sweep", "columns=[run,network.planes,objective]", "format=csv").out.splitlines()
    rows = ["0,2,aspl", "1,3,aspl", "2,2,max_traffic", "3,3,max_traffic"]
    assert chosen[1:] == rows
    shown = isoplane("report", "sweep=sweep", "columns=[run,network.planes,objective,status]", "format=markdown").out
    assert [",".join(line.split(" | ")[:3]).removeprefix("| ") for line in shown.splitlines()[2:6]] == rows
    loaded = ip.load(tmp_path / "sweep")
    assert [row["objective"] for row in loaded.rows] == ["aspl", "aspl", "max_traffic", "max_traffic"]
    assert "all runs: family relabelled, seed 1" in str(loaded)
    (runs,) = page_of(tmp_path / "sweep" / "report.html").tables
    at = [cell.text for cell in runs[0]].index("objective")
    assert [row[at].text for row in runs[1:]] == ["aspl", "aspl", "max_traffic", "max_traffic"]

    wrong = isoplane("report", "sweep=sweep", "columns=[run,speed]")
    said, names = re.fullmatch(r"(.*): no such column; expected (.*); did you mean seed\?\n", wrong.err).groups()
    assert (wrong.code, said) == (2, "isoplane report: columns=speed")
    data = list(json.loads(isoplane("report", "sweep=sweep", "format=json").out)[0])
    assert sorted(names.split(", ")) == sorted({*data, "stopped by"})
    assert names.startswith("seed, run, network.planes, ")  # the nearest ones, whatever the limit of a line cuts


def test_what_only_the_jobs_with_a_result_share_is_not_said_of_all_runs(isoplane, no_drawing):
    words = ("network.n=3,40", "objective=aspl,cost", "stop.evaluations=1000", "hydra.sweep.dir=sweep")
    assert isoplane("search", "--multirun", *words).code == 2
    assert "\nall runs: family hypercube, seed 1\n" in isoplane("report", "sweep=sweep").out


def test_a_target_missed_by_one_job_decides_the_exit_code_of_the_sweep(isoplane, tmp_path, no_drawing):
    words = ("network.n=3,4", "objective=aspl", "stop.target=1", "hydra.sweep.dir=sweep", "-m")
    assert isoplane("search", *words).code == 3  # n = 4 needs 22 / 16 hops
    assert (tmp_path / "sweep" / "1" / "summary.json").is_file()


GIVEN = ("[3,5,7]", "[1,2,3]", "[1,2,4]")  # generators: the second are no basis


@for_each("kind", ["csv", "json", "latex", "markdown"])
def test_tables_of_jobs_are_one_table_with_the_options_in_which_they_differ_and_no_file(isoplane, tmp_path, kind):
    words = ("evaluate", "network.n=3", f"format={kind}")
    result = isoplane(*words, "-m", f"network.generators={','.join(GIVEN)}")
    assert (result.code, result.err.count("isoplane evaluate: "), files(tmp_path)) == (2, 1, [])
    assert f"job 2 of 3: network.generators={GIVEN[1]}\n" in result.err  # no job has a folder
    alone = [isoplane(*words, f"network.generators={given}").out for given in (GIVEN[0], GIVEN[2])]
    if kind == "json":
        first, second = map(json.loads, alone)
        own = [{"network.generators": given} for given in (GIVEN[0], GIVEN[0], GIVEN[2], GIVEN[2])]
        assert json.loads(result.out) == [mine | row for mine, row in zip(own, first + second, strict=True)]
    elif kind == "csv":
        head, *rows = csv.reader(StringIO(result.out))
        parts = [list(csv.reader(StringIO(text))) for text in alone]
        assert head == ["network.generators", *parts[0][0]]
        values = [[given, *row] for given, part in zip(GIVEN[::2], parts, strict=True) for row in part[1:]]
        assert rows == values
    else:
        # A row for each design, as tables of several designs have elsewhere.
        if kind == "latex":
            head, rows = latex_cells(result.out)
        else:
            head, _, *rows = (line.strip("|").split("|") for line in result.out.splitlines())
        starts = [[cell.strip(" {[}]\\") for cell in row[:3]] for row in rows if "3,5,7" in row[0]]
        head = [name.strip().replace("_", " ") for name in head]
        assert head[:3] == ["network.generators", "design", "nodes"]
        assert starts == [["3,5,7", name, "32"] for name in ("hypercube n=3", "identical planes")]
        assert any(name.startswith("throughput per node") for name in head)
        assert "unit" not in head


def test_an_option_that_is_a_column_anyway_is_no_second_one(isoplane):
    result = isoplane("best", "-m", "n=3,4", "objective=aspl", "format=csv")
    head, *rows = csv.reader(StringIO(result.out))
    assert [row[head.index("n")] for row in rows] == ["3", "3", "4", "4"]
    assert head.count("n") == 1


def write_program(folder, name, script):
    """Write a program into a folder of programs."""
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\n{script}\n")
    (folder / name).chmod(0o755)


@for_each("missing", ["srun", "sbatch"])
def test_without_slurm_its_launcher_is_rejected_in_one_line(isoplane, tmp_path, monkeypatch, missing):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    for name in {"srun", "sbatch"} - {missing}:
        write_program(tmp_path / "bin", name, "exit 1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    result = isoplane(*SLURM)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    expected = f"hydra/launcher=slurm: {missing} not found, so this machine is not in a Slurm cluster; expected"
    assert f"isoplane search: {expected}" in result.err
    assert not (tmp_path / "sweep").exists()
    shutil.rmtree(tmp_path / "bin")


def test_what_slurm_refuses_is_one_line_that_says_which_options_to_change_and_it_gets_any_option(tmp_path):
    pytest.importorskip("hydra_plugins.hydra_submitit_launcher", reason="the extra isoplane[slurm] is not installed")
    # An option that no file of a launcher has.
    said = "sed -n 's/^#SBATCH --res/sbatch: res/p' \"$1\" >&2; "
    said += "echo sbatch: error: no host >&2; echo sbatch: fatal: invalid partition >&2"
    for name in ("srun", "sbatch"):
        write_program(tmp_path / "bin", name, f"{said}; exit 1")
    environment = os.environ | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    own = "hydra.launcher.additional_parameters.reservation=mine"
    result = subprocess.run([PROGRAM, *SLURM, own], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (2, "")
    assert "sbatch: reservation=mine" in result.stderr.splitlines()
    assert [line for line in result.stderr.splitlines() if not line.startswith("sbatch: ")] == [
        "isoplane search: hydra/launcher=slurm: sbatch has refused the jobs (fatal: invalid partition); "
        "expected options that this cluster takes, such as hydra.launcher.partition, account, timeout_min, "
        "cpus_per_task, mem_gb, additional_parameters, which isoplane search --help hydra/launcher=slurm explains"
    ]


def test_keys_beside_swept_networks_are_those_of_each_network_whatever_the_default_has(isoplane):
    words = ("evaluate", "-m", "--cfg", "job", "network.assumed_cable_m=5")
    listed = isoplane(*words, "network=random_regular,torus")
    assert listed.out.splitlines()[:2] == ["job 1 of 2: network=random_regular", "job 2 of 2: network=torus"]
    refused = isoplane(*words, "network=torus,folded_hypercube")
    assert refused.code == 2
    assert "network.assumed_cable_m: unknown with network=folded_hypercube; expected family, generators" in refused.err
