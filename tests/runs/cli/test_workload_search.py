"""Searches of connection sets and graphs for a workload on the command line."""

import json

import pytest

from isoplane.models import InputError
from isoplane.runs.records import read_record, verify
from isoplane.runs.report.page import sentence
from isoplane.runs.report.report_data import ReportData
from tests.cases import for_each

SMALL = ("network=hypercube", "network.n=3", "network.nodes_per_switch=1")
WORK = ("workload=all_to_all", "workload.processes=8", "workload.message_bytes=10001")
SEARCH = ("search", *SMALL, *WORK, "strategy.chains=2", "strategy=anneal", "hydra.run.dir=run")


@pytest.fixture
def run(ended_search, tmp_path):
    return ended_search(*SEARCH[1:-1], "objective=throughput", "stop.evaluations=2000"), tmp_path / "run"


def record_of(folder):
    return read_record(folder / "records" / json.loads((folder / "summary.json").read_text())["best"])


def test_a_record_carries_the_workload_and_agrees_with_the_reference_and_evaluate(isoplane, run):
    result, folder = run
    record = record_of(folder)
    assert (record["objective"], record["score_names"]) == ("throughput", ["synchronised", "total"])
    assert record["workload"]["name"] == "all_to_all"
    assert record["metrics"]["synchronised_ns"] == record["score"][0]
    assert verify(record) == []

    assert "synchronised_ns" in result.out
    evaluated = isoplane("evaluate", f"record={next((folder / 'records').iterdir())}")
    assert evaluated.code == 0
    assert result.out.startswith(evaluated.out)


def test_an_altered_time_is_found(run):
    record = record_of(run[1])
    score = [record["score"][0] + 1, *record["score"][1:]]
    found = [str(each) for each in verify({**record, "score": score})]
    assert found == [f"score[0]: recorded {score[0]}, recomputed {record['score'][0]}"]
    metrics = {**record["metrics"], "completion_ns": 7}
    assert [each.field for each in verify({**record, "metrics": metrics})] == ["metrics.completion_ns"]


def test_a_small_cube_is_proven_by_default_and_its_record_names_the_enumeration(isoplane, tmp_path, no_drawing):
    result = isoplane("search", *SMALL, *WORK, "hydra.run.dir=run")
    assert result.code == 0, result.err
    record = record_of(tmp_path / "run")
    assert (record["objective"], record["status"], record["bound"]) == ("completion", "optimal", record["score"])
    assert record["bound_source"] == {"by": "enumeration", "bases": 28}
    assert verify(record) == []
    wrong = {**record, "bound_source": {"by": "enumeration", "bases": 27}}
    assert [str(each) for each in verify(wrong)] == ["bound_source.bases: recorded 27, recomputed 28"]


def test_the_page_begins_with_the_completion_of_the_workload(run):
    data = ReportData(record_of(run[1]))
    assert "all_to_all takes" in sentence(data)
    assert data.disagreements() == []


def test_the_simulator_judges_and_the_record_states_it(isoplane, tmp_path, no_drawing):
    result = isoplane(*SEARCH, "objective=completion", "judge=simulator", "shorten=2", "stop.evaluations=30000")
    assert result.code == 0, result.err
    record = record_of(tmp_path / "run")
    assert record["judge"] == {"by": "simulator", "shorten": 2}
    assert record["score_names"] == ["simulated", "completion", "bottleneck", "total"]
    assert record["metrics"]["simulated_ns"] == record["score"][0]
    assert f"simulated flit by flit: {record['score'][0]} ns, identical planes" in result.out
    assert "with messages shortened by a factor of 2" in result.out
    assert verify(record) == []
    altered = {**record, "metrics": {**record["metrics"], "simulated_ns": 7}}
    assert [each.field for each in verify(altered)] == ["metrics.simulated_ns"]
    assert ReportData(record).disagreements() == []
    assert not (tmp_path / "run" / "simulation").exists()
    resumed = isoplane("search", "resume=run", "stop.evaluations=40000")
    assert resumed.code == 0, resumed.err


def test_the_simulator_judges_objectives_in_words_under_limits(isoplane, tmp_path, no_drawing):
    words = ("objective=min total_ns + 2*bottleneck_ns, then aspl", "subject_to=aspl <= 2", "judge=simulator")
    result = isoplane(*SEARCH, *words, "shorten=20", "stop.evaluations=3000")
    assert result.code == 0, result.err
    record = record_of(tmp_path / "run")
    assert record["score_names"] == ["excess", "simulated", "total+2*bottleneck", "sum_of_distances"]
    assert record["score"][:2] == [0, record["metrics"]["simulated_ns"]]
    assert verify(record) == []
    assert ReportData(record).objective.printed(record["score"], ReportData(record).network) > 0


def test_a_simulated_time_needs_a_judge_and_a_judge_a_workload(run):
    record = record_of(run[1])
    with pytest.raises(InputError, match=r"^score_names\[0\]: 'simulated' "):
        verify({**record, "score_names": ["simulated", *record["score_names"][1:]]})
    without = {name: value for name, value in record.items() if name != "workload"}
    with pytest.raises(InputError, match="^judge: expected no such field in a record of this kind$"):
        verify({**without, "judge": {"by": "simulator", "shorten": 1}})


@for_each(
    ("changes", "message"),
    [
        ({"kind": "loop"}, "workload.kind: 'loop' is not one of"),
        ({"speed": 3}, "workload: Additional properties are not allowed ('speed' was unexpected)"),
    ],
)
def test_a_damaged_workload_is_named_by_its_field(run, changes, message):
    npb = {
        "kind": "npb", "benchmark": "cg", "problem_class": "S", "processes": 8, "iterations": 1, "gflops": 0,
        "graph": None, "eager_bytes": 65536,
    }  # fmt: skip
    with pytest.raises(InputError) as error:
        verify({**record_of(run[1]), "workload": {**npb, **changes}})
    assert message in str(error.value)


MIX = (
    "workload=mix",
    "workload.parts=[{kind: all_to_all, processes: 8, message_bytes: 1000, weight: 2}, "
    "{kind: ring_all_reduce, processes: 8, vector_bytes: 64000}]",
)


def test_a_mix_is_searched_recorded_and_verified(isoplane, tmp_path, no_drawing):
    words = ("search", *SMALL, *MIX, "objective=throughput", "stop.evaluations=2000", "hydra.run.dir=run")
    result = isoplane(*words)
    assert result.code == 0, result.err
    record = record_of(tmp_path / "run")
    assert [part["weight"] for part in record["workload"]["parts"]] == [2, 1]
    assert verify(record) == []
    assert "2 x all_to_all + 1 x ring_all_reduce" in result.out
    assert isoplane("evaluate", f"record={next((tmp_path / 'run/records').iterdir())}").code == 0


def test_a_record_of_a_graph_with_times_is_verified(isoplane, no_drawing, monkeypatch, tmp_path):
    monkeypatch.setattr("isoplane.search.graphs.measured.CALLS", 2)
    monkeypatch.setattr("isoplane.models.routing.balanced.MIN_MOVES", 1 << 12)  # most of the time
    size = ("network=free_graph", "network.switches=8", "network.degree=3")
    work = ("workload=ring_all_reduce", "workload.processes=8")
    run = isoplane("search", *size, *work, "stop.evaluations=16", f"hydra.run.dir={tmp_path}")
    assert run.code == 0, run.err
    (path,) = (tmp_path / "records").iterdir()
    record = json.loads(path.read_text(encoding="utf-8"))
    assert (record["schema"], record["objective"], record["workload"]["name"]) == (2, "completion", "ring_all_reduce")
    assert isoplane("verify", f"record={path}").code == 0
    assert isoplane("search", f"resume={tmp_path}").code == 0
    for changes, difference in (
        ({"metrics": {**record["metrics"], "total_ns": 1}}, "metrics.total_ns: recorded 1,"),
        ({"score": [record["score"][0] - 1, *record["score"][1:]]}, "score[0]: recorded "),
    ):
        path.write_text(json.dumps({**record, **changes}), encoding="utf-8")
        assert difference in isoplane("verify", f"record={path}").out


def test_judges_of_graphs_and_other_numbers_of_processes_are_refused(isoplane):
    size = ("network=free_graph", "network.switches=8", "network.degree=3", "workload=all_to_all")
    for words, message in (
        (("judge=simulator",), "judge=simulator: regular graphs under a workload expect null"),
        (("workload.processes=4",), "workload.processes=4: expected one for each of 8 nodes"),
    ):
        run = isoplane("search", *size, "workload.processes=8", *words)
        assert (run.code, run.out) == (2, "")
        assert message in run.err
