"""Hybrid networks on the command line: search, evaluate, verify, and what is rejected."""

import json

import numpy as np
import pytest

from isoplane.runs.records import read_record, verify
from tests.cases import for_each
from tests.search.programs.test_gurobi import failing

from .conftest import rows

SMALL = ("network=hybrid", "network.groups=2", "network.nodes_per_group=4", "network.up_gbps=10")
WORK = ("workload=sparse", "workload.processes=8", "workload.partners=2", "workload.message_bytes=1000000")
OPTIONS = (*SMALL, *WORK, "objective=completion", "network.circuits=2")
SEARCH = ("search", *OPTIONS, "hydra.run.dir=run")
BRIEF = (*OPTIONS, "stop.evaluations=500", "stop.seconds=null")


@pytest.fixture
def run(ended_search, tmp_path):
    return ended_search(*BRIEF), tmp_path / "run"


def test_a_search_leaves_a_verified_record_and_its_cross_connects(isoplane, run):
    result, folder = run
    summary = json.loads((folder / "summary.json").read_text())
    record = read_record(folder / "records" / summary["best"])
    assert verify(record) == []
    assert record["network"]["family"] == "hybrid"
    assert record["score_names"] == ["completion", "bottleneck", "total"]
    assert summary["printed"] == record["metrics"]["completion_ns"] / 1e6  # ms
    lines = rows(folder / "cross_connects.csv")
    assert [[int(line["node_a"]), int(line["node_b"])] for line in lines] == record["circuits"]
    assert [line["group_a"] + line["group_b"] for line in lines] == ["01"] * len(lines)
    assert "packets only" in result.out
    assert summary["evaluations"] == 500


def test_evaluate_and_verify_agree_with_the_record(isoplane, run):
    result, folder = run
    record = f"record={next((folder / 'records').iterdir())}"
    assert isoplane("verify", record).code == 0
    evaluated = isoplane("evaluate", record)
    assert evaluated.code == 0
    shown = [line.split()[:2] for line in evaluated.out.splitlines()]
    assert [line.split()[:2] for line in result.out.splitlines()[: len(shown)]] == shown


def test_altered_circuits_are_rejected(isoplane, run, tmp_path):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    (tmp_path / "altered.json").write_text(json.dumps(record | {"circuits": [[0, 1]]}))
    result = isoplane("evaluate", "record=altered.json")
    assert result.code == 2
    assert "altered" in result.err


def test_a_resumed_run_equals_an_uninterrupted_one(isoplane, run, tmp_path):
    _, folder = run
    assert isoplane("search", "resume=run", "stop.evaluations=1500").code == 0
    uninterrupted = isoplane(*SEARCH[:-1], "hydra.run.dir=uninterrupted", "stop.evaluations=1500", "stop.seconds=null")
    assert uninterrupted.code == 0
    resumed, expected = (
        [line | {"seconds": ""} for line in rows(path / "history.csv")] for path in (folder, tmp_path / "uninterrupted")
    )
    assert resumed == expected


@for_each("strategy", ["round_robin", "matching", "greedy", "balanced", "anneal", "program"])
def test_every_strategy_for_circuits_ends_with_a_record(isoplane, tmp_path, no_drawing, strategy):
    objective = "objective=bottleneck" if strategy == "program" else "objective=completion"
    words = (objective, f"strategy={strategy}", "stop.evaluations=100", "stop.seconds=null")
    result = isoplane("search", *OPTIONS, *words, f"hydra.run.dir={strategy}")
    assert result.code == 0, result.err
    (record,) = (tmp_path / strategy / "records").iterdir()
    assert verify(read_record(record)) == []


@for_each("name", ["traffic.csv", "traffic.npz"])
def test_a_traffic_matrix_comes_from_a_file(isoplane, tmp_path, name):
    matrix = np.zeros((8, 8), dtype=np.int64)
    matrix[0, 5] = matrix[5, 0] = 1_250_000  # a millisecond over the link of a node
    if name.endswith("csv"):
        np.savetxt(tmp_path / name, matrix, fmt="%d", delimiter=",")
    else:
        np.savez(tmp_path / name, matrix)
    result = isoplane("evaluate", *SMALL, "workload=matrix", f"workload.file={name}", "network.circuits=[[0,5]]")
    assert result.code == 0, result.err
    # 10 Mbit over a circuit of 32 Gbit/s, plus 80 ns.
    assert "312580" in result.out


def test_a_search_for_circuits_without_an_objective_minimises_the_completion(isoplane, tmp_path, no_drawing):
    words = [word for word in SEARCH if not word.startswith("objective=")]
    result = isoplane(*words, "stop.evaluations=100", "stop.seconds=null")
    assert result.code == 0, result.err
    (path,) = (tmp_path / "run" / "records").iterdir()
    record = read_record(path)
    assert (record["objective"], record["score_names"][0]) == ("completion", "completion")
    assert record["provenance"]["config"]["objective"]["name"] == "completion"


def test_a_process_without_traffic_is_allowed(isoplane, tmp_path, no_drawing):
    (tmp_path / "m.csv").write_text("0,5,0,0\n0,0,0,0\n0,0,0,7\n0,0,0,0\n")
    result = isoplane(
        "search", "network=hybrid", "network.groups=2", "network.nodes_per_group=2", "workload=matrix",
        "workload.file=m.csv", "objective=completion", "stop.evaluations=50",
    )  # fmt: skip
    assert result.code == 0, result.err


def test_packets_of_a_record_take_about_as_long_as_the_fluid_model_predicts(isoplane, run, tmp_path):
    _, folder = run
    record = f"record={next((folder / 'records').iterdir())}"
    result = isoplane("simulate", record, "shorten=10", "hydra.run.dir=packets")
    assert result.code == 0, result.err
    summary = json.loads((tmp_path / "packets" / "summary.json").read_text())
    for name, predicted in summary["fluid"].items():
        assert summary[name] == pytest.approx(predicted, rel=0.03)
    links = rows(tmp_path / "packets" / "links.csv")
    assert max(float(link["busy_ns"]) for link in links) == pytest.approx(summary["busiest_link_ns"])
    arrived = [float(line["arrived_ns"]) for line in rows(tmp_path / "packets" / "messages.csv")]
    assert max(arrived) == pytest.approx(summary["completion_ns"], abs=1e-3)
    second = isoplane("simulate", record, "hydra.run.dir=packets")
    assert second.code == 2
    assert "holds a run already" in second.err


@for_each(
    ("field", "value", "message"),
    [
        ("score_names", ["sum_of_distances", "bottleneck", "total"], "score_names"),
        ("workload.length_bytes", [10**30] * 16, "workload.length_bytes"),
        ("workload.processes", 9, "workload.processes=9"),
    ],
)
def test_impossible_records_are_rejected_in_one_line(isoplane, run, tmp_path, field, value, message):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    *path, last = field.split(".")
    (record[path[0]] if path else record)[last] = value
    (tmp_path / "odd.json").write_text(json.dumps(record))
    result = isoplane("verify", "record=odd.json")
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert message in result.err


def test_verify_detects_a_score_that_differs_from_its_metric(isoplane, run, tmp_path):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    record["score"] = [part + 1 for part in record["score"]]
    (tmp_path / "off.json").write_text(json.dumps(record))
    result = isoplane("verify", "record=off.json")
    assert result.code == 5
    assert "score[0]" in result.out


def test_a_time_below_a_nanosecond_has_no_gap(isoplane, no_drawing):
    tiny = ("workload=stencil", "workload.shape=[2,2]", "workload.message_bytes=1", "workload.iterations=1")
    rates = (f"network.{name}_gbps=1000" for name in ("node", "up", "circuit"))
    size = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2")
    result = isoplane("search", *size, *rates, *tiny, "objective=bottleneck", "stop.evaluations=100")
    assert result.code == 0, result.err


def test_a_solver_error_is_reported_in_one_line(isoplane, monkeypatch, no_drawing):
    failing(monkeypatch, 10001, "Out of memory")
    result = isoplane(*SEARCH, "objective=bottleneck", "strategy=program", "strategy.solver=gurobi")
    assert result.code == 2
    assert result.err.splitlines()[-1] == (
        "isoplane search: solver=gurobi: Out of memory (error 10001); expected cp_sat, highs"
    )
    assert "licence" not in result.err
