"""`isoplane report` for a run, a record, a network or a sweep."""

import json
import re
import shlex
import shutil
from html import unescape
from pathlib import Path

import isoplane as ip
from isoplane.runs.cli.typed_words import typed_words
from isoplane.runs.drawing.quantities import format_metric
from tests.cases import for_each, require_refusal

from .conftest import files

SIZE = ("network=hybrid", "network.groups=2", "network.nodes_per_group=4", "network.up_gbps=10")
CIRCUITS = "network.circuits=[[0,4],[1,5]]"
HYBRID = (*SIZE, "workload.shape=[2,4]", "workload.message_bytes=1000000", "workload=stencil")
NO_DESIGN = [{"existing": None, "least_throughput": 0.5, "reason": "too few ports"}]
NETWORK = ("network=hypercube", "network.n=3", "network.generators=[3,5,7]")


def page_of(result):
    """The text of the page whose path is the only line printed."""
    assert (result.code, result.err) == (0, "")
    (line,) = result.out.splitlines()
    return Path(line).read_text(encoding="utf-8")


@for_each("text", ["{", '{"best": 3}'])
def test_a_sweep_with_a_damaged_summary_is_rejected(refuse, tmp_path, text):
    (tmp_path / "sweep" / "0").mkdir(parents=True, exist_ok=True)
    (tmp_path / "sweep" / "0" / "summary.json").write_text(text)
    result = refuse("report", "sweep=sweep")
    assert (result.code, result.out) == (2, "")
    (line,) = result.err.splitlines()
    assert "sweep/0/summary.json" in line


@for_each(
    ("file", "message"),
    [
        ("curve.csv", "a sweep of simulations; expected one of searches or comparisons\n"),
        ("fabric.json", "a sweep of imports; expected one of searches or comparisons\n"),
    ],
)
def test_a_sweep_of_other_jobs_is_rejected(refuse, tmp_path, file, message):
    (tmp_path / "sweep" / "0").mkdir(parents=True)
    (tmp_path / "sweep" / "multirun.yaml").touch()
    (tmp_path / "sweep" / "0" / file).touch()
    result = refuse("report", "sweep=sweep")
    assert (result.code, result.out, result.err) == (2, "", f"isoplane report: sweep=sweep: {message}")
    shutil.rmtree(tmp_path / "sweep")


def save_sweep(folder, swept, jobs):
    for job, rows in enumerate(jobs):
        (folder / str(job)).mkdir(parents=True)
        (folder / str(job) / "comparison.json").write_text(json.dumps({"rows": rows}))
    job_list = {"overrides": {"task": [swept]}, "sweeper": {"_target_": "hydra.BasicSweeper", "params": None}}
    (folder / "multirun.yaml").write_text(json.dumps({"hydra": job_list}))


def test_a_sweep_of_comparisons_has_the_cheapest_design_of_each(isoplane, tmp_path):
    designs = [{"design": name, "existing": None, "least_throughput": 0.5, "values": {"nodes": 72}} for name in "ab"]
    save_sweep(tmp_path / "sweep", "nodes=64,99", [designs, NO_DESIGN])
    lines = isoplane("report", "sweep=sweep").out.splitlines()
    assert lines[0].split()[:4] == ["run", "nodes=", "design", "nodes"]
    assert [line.split()[:4] for line in lines if line[:1].isdigit()] == [["0", "64", "a", "72"]]
    assert lines[-1] == "job 1: no design"
    sweep = ip.load(tmp_path / "sweep")
    assert sweep.to_frame(dict)["nodes"] == [72, None]
    require_refusal(
        lambda: sweep.save(tmp_path / "a.svg"), "^plot: no numbers of this sweep to draw; expected metrics=, two of "
    )
    save_sweep(tmp_path / "of planes", "planes=2,3", [designs, NO_DESIGN])
    assert ip.load(tmp_path / "of planes").to_frame(dict)["planes="] == [2, 3]


def test_the_runs_of_several_sweeps_are_one_table(isoplane, tmp_path):
    designs = [{"design": "a", "existing": None, "least_throughput": 0.5, "values": {"nodes": 72}}]
    save_sweep(tmp_path / "all" / "m3", "nodes=64,99", [designs, designs])
    (tmp_path / "all" / "m3" / "2").mkdir()  # killed
    save_sweep(tmp_path / "all" / "m10" / "deep", "nodes=50,60", [designs])
    for place in ("m3/0/records", "m10/notes", "m10/deep/.submitit"):
        (tmp_path / "all" / place).mkdir()
    (tmp_path / "all" / "m10" / "export").mkdir()
    (tmp_path / "all" / "m10" / "export" / "manifest.json").touch()
    rows = json.loads(isoplane("report", "sweep=all", "format=json").out)
    assert [(row["run"], row["nodes="], row["nodes"]) for row in rows] == [
        ("m3/0", "64", 72), ("m3/1", "99", 72), ("m3/2", None, None), ("m10/deep/0", "50", 72),
        ("m10/deep/1", "60", None),  # has not begun
    ]  # fmt: skip


def test_a_sweep_of_comparisons_without_a_design_says_so_of_each(isoplane, tmp_path):
    save_sweep(tmp_path / "none", "nodes=16,20", [NO_DESIGN, NO_DESIGN])
    lines = isoplane("report", "sweep=none").out.splitlines()
    assert [line.split() for line in lines] == [
        ["run", "nodes", "status"], ["0", "16", "no", "design"], ["1", "20", "no", "design"],
    ]  # fmt: skip
    shutil.rmtree(tmp_path / "none")


def test_the_page_of_a_network_goes_into_the_given_folder(isoplane, tmp_path):
    (tmp_path / "notes.html").write_text("mine")
    page_of(isoplane("report", *NETWORK, "hydra.run.dir=pages"))
    written = files(tmp_path)
    assert (written[:2], len(written)) == (["notes.html", "pages"], 3)
    second = isoplane("report", *NETWORK, "hydra.run.dir=pages")
    assert (second.code, files(tmp_path)) == (0, written)


def test_the_command_on_the_page_of_a_network_verifies_that_network(isoplane, tmp_path):
    (tmp_path / "mine" / "layout").mkdir(parents=True)
    (tmp_path / "mine" / "layout" / "hall.yaml").write_text("{name: hall, switches_per_rack: 2, aspects: [1, 2]}")
    page = page_of(isoplane("report", "--config-dir", "mine", "layout=hall", "switch.delay_ns=200", *NETWORK))
    command = shlex.split(unescape(re.search(r"isoplane (verify [^<]*)<", page)[1]))
    assert {"layout=hall", "switch.delay_ns=200", *NETWORK} < set(command)
    result = isoplane(*command)
    assert (result.code, result.out) == (0, "network: every number agrees with the reference\n")


def test_the_page_of_a_workload_is_headed_by_its_time_and_verified(isoplane):
    words = ("network=torus", "network.shape=[3,3]", "workload=all_to_all", "workload.processes=9")
    page = page_of(isoplane("report", *words))
    completion = next(
        line for line in isoplane("evaluate", *words).out.splitlines() if line.startswith("completion_ns")
    )
    milliseconds = format_metric("completion_ns", int(completion.split()[1]))
    assert f"Torus 3x3: all_to_all takes {milliseconds} ms" in page
    assert "busy time" in page
    command = shlex.split(unescape(re.search(r"isoplane (verify [^<]*)<", page)[1]))
    assert set(words) < set(command)
    assert isoplane(*command).out == "network: every number agrees with the reference\n"
    saved = ip.evaluate(network="torus", shape=[3, 3], workload={"kind": "all_to_all", "processes": 9}).page()
    assert f"all_to_all takes {milliseconds} ms" in saved


@for_each(
    ("file", "key", "message"),
    [
        ("history.csv", "run", None),
        ("curve.csv", "run", None),
        ("multirun.yaml", "sweep", None),
        ("hypercube-n4/summary.json", "sweep", None),  # of a search of all sizes
        ("records/cube.json", "record", "e2: no run in it; expected a record, or the folder of a search, simulation"),
        ("manifest.json", "record", "e2: the folder of an export; expected a record"),
        ("comparison.json", "record", "e2: the folder of a comparison; expected a record"),
    ],
)
def test_a_folder_without_a_key_is_what_its_files_say(refuse, tmp_path, file, key, message):
    path = tmp_path / "e2" / file
    path.parent.mkdir(parents=True)
    path.touch()
    assert typed_words("report", ["e2"]) == [f"{key}=e2"]
    if message is not None:
        assert refuse("report", f"{key}=e2").err.startswith(f"isoplane report: {message}")
    shutil.rmtree(tmp_path / "e2")


def test_the_page_of_a_record_goes_into_the_given_folder_and_that_of_a_run_nowhere_else(isoplane, refuse, tmp_path):
    assert isoplane("search", "network.n=3", "stop.evaluations=100", "hydra.run.dir=run").code == 0
    (record,) = (tmp_path / "run" / "records").glob("*.json")
    before = files(tmp_path)
    page = page_of(isoplane("report", f"record=run/records/{record.name}", "hydra.run.dir=pages"))
    assert {*files(tmp_path)} - {*before} == {"pages", f"pages/{record.stem}.html"}
    command = shlex.split(unescape(re.search(r"isoplane (verify [^<]*)<", page)[1]))
    assert isoplane(*command).code == 0
    error = refuse("report", "run=run", "hydra.run.dir=pages").err
    assert "hydra.run.dir=pages: has no effect; expected none, as the page goes into the folder of run=" in error
