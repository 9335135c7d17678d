"""Hybrid networks on the command line: search, evaluate, verify, and what is rejected."""

import json

import numpy as np
import pytest

from isoplane.runs.records import read_record, verify
from tests.search.programs.test_gurobi import failing

from .conftest import files, rows

SMALL = ("network=hybrid", "network.groups=2", "network.nodes_per_group=4", "network.up_gbps=10")
WORK = ("workload=sparse", "workload.processes=8", "workload.partners=2", "workload.message_bytes=1000000")
SEARCH = ("search", *SMALL, *WORK, "objective=completion", "network.circuits=2", "hydra.run.dir=run")


@pytest.fixture
def run(isoplane, tmp_path, no_drawing):
    ended = isoplane(*SEARCH, "stop.evaluations=500", "stop.seconds=null")
    assert ended.code == 0, ended.err
    return ended, tmp_path / "run"


def test_a_search_leaves_a_verified_record_and_its_cross_connects(isoplane, run):
    ended, folder = run
    summary = json.loads((folder / "summary.json").read_text())
    record = read_record(folder / "records" / summary["best"])
    assert verify(record) == []
    assert record["network"]["family"] == "hybrid"
    assert record["score_names"] == ["completion", "bottleneck", "total"]
    assert summary["printed"] == record["metrics"]["completion_ns"] / 1e6  # ms
    lines = rows(folder / "cross_connects.csv")
    assert [[int(line["node_a"]), int(line["node_b"])] for line in lines] == record["circuits"]
    assert [line["group_a"] + line["group_b"] for line in lines] == ["01"] * len(lines)
    assert "packets only" in ended.out
    assert summary["evaluations"] == 500


def test_evaluate_and_verify_agree_with_the_record(isoplane, run):
    ended, folder = run
    record = f"record={next((folder / 'records').iterdir())}"
    assert isoplane("verify", record).code == 0
    evaluated = isoplane("evaluate", record)
    assert evaluated.code == 0
    shown = [line.split()[:2] for line in evaluated.out.splitlines()]
    assert [line.split()[:2] for line in ended.out.splitlines()[: len(shown)]] == shown


def test_circuits_that_were_altered_are_refused(isoplane, run, tmp_path):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    (tmp_path / "altered.json").write_text(json.dumps(record | {"circuits": [[0, 1]]}))
    ended = isoplane("evaluate", "record=altered.json")
    assert ended.code == 2
    assert "altered" in ended.err


def test_a_resumed_run_equals_an_uninterrupted_one(isoplane, run, tmp_path):
    _, folder = run
    assert isoplane("search", "resume=run", "stop.evaluations=1500").code == 0
    whole = isoplane(*SEARCH[:-1], "hydra.run.dir=whole", "stop.evaluations=1500", "stop.seconds=null")
    assert whole.code == 0
    both = (folder, tmp_path / "whole")
    one, other = ([line | {"seconds": ""} for line in rows(place / "history.csv")] for place in both)
    assert one == other


@pytest.mark.parametrize("strategy", ["round_robin", "matching", "greedy", "balanced", "anneal", "program"])
def test_every_strategy_for_circuits_ends_with_a_record(isoplane, tmp_path, no_drawing, strategy):
    goal = "objective=bottleneck" if strategy == "program" else "objective=completion"
    ended = isoplane(*SEARCH, goal, f"strategy={strategy}", "stop.evaluations=100", "stop.seconds=null")
    assert ended.code == 0, ended.err
    (record,) = (tmp_path / "run" / "records").iterdir()
    assert verify(read_record(record)) == []


@pytest.mark.parametrize("name", ["traffic.csv", "traffic.npz"])
def test_a_traffic_matrix_comes_from_a_file(isoplane, tmp_path, name):
    matrix = np.zeros((8, 8), dtype=np.int64)
    matrix[0, 5] = matrix[5, 0] = 1_250_000  # a millisecond over the link of a node
    if name.endswith("csv"):
        np.savetxt(tmp_path / name, matrix, fmt="%d", delimiter=",")
    else:
        np.savez(tmp_path / name, matrix)
    ended = isoplane("evaluate", *SMALL, "workload=matrix", f"workload.file={name}", "network.circuits=[[0,5]]")
    assert ended.code == 0, ended.err
    # 10 Mbit over a circuit of 32 Gbit/s, and 80 ns.
    assert "312580" in ended.out


def test_a_search_for_circuits_that_states_no_objective_minimises_the_completion(isoplane, tmp_path, no_drawing):
    words = [word for word in SEARCH if not word.startswith("objective=")]
    ended = isoplane(*words, "stop.evaluations=100", "stop.seconds=null")
    assert ended.code == 0, ended.err
    (record,) = (tmp_path / "run" / "records").iterdir()
    read = read_record(record)
    assert (read["objective"], read["score_names"][0]) == ("completion", "completion")
    assert read["provenance"]["config"]["objective"]["name"] == "completion"


def test_components_need_the_name_of_an_objective(isoplane):
    ended = isoplane("search", "network.n=3", "objective.components=[[aspl]]")
    assert (ended.code, ended.out) == (2, "")
    assert "objective.components=[['aspl']]: without effect with objective=auto" in ended.err


BAD = [
    (("network.circuits=5",), "network.circuits=5"),
    (("network.circuits=-1",), "network.circuits=-1"),
    (("network.circuits=two",), "network.circuits"),
    (("network.circuits=[[0,4]]",), "the search determines them"),
    (("network.placement=at_random",), "network.placement=at_random: expected by_switch"),
    (("network.groups=3",), "workload.processes=8: expected one for each of 12 nodes"),
    (("network.groups=1",), "network.groups=1"),
    (("network.up_gbps=0",), "network.up_gbps=0"),
    (("network.ports_per_node=0",), "network.ports_per_node=0"),
    (("objective=aspl",), "objective=aspl: a network with circuits expects completion"),
    (("objective.components=[[completion],[completion]]",), "objective.components of completion"),
    (("strategy=temper",), "strategy=temper"),
    (("strategy=exact",), "strategy=exact"),
    (("strategy.rule=tarot", "strategy=greedy"), "strategy.rule=tarot: expected round_robin"),
    (("workload=null",), "workload=null"),
    (("workload.partners=8",), "workload.partners=8"),
    (("workload.message_bytes=0",), "workload.message_bytes=0"),
    (("workload.kind=tea",), "workload.kind='tea': expected stencil"),
    (("workload.seed=-1",), "workload.seed=-1"),
    (("judge=nobody",), "judge='nobody': expected simulator, null"),
    (("shorten=10",), "shorten=10: without effect; allowed with judge=simulator"),
    (("judge=simulator", "shorten=0"), "shorten=0"),
    (("judge=simulator", "shorten=null"), "shorten"),
    (("layout=none",), "layout=none: without effect on network=hybrid"),
    (("prices.switch_port_usd=1",), "without effect on network=hybrid"),
    (("stop.target=-1",), "stop.target=-1"),
    (("network.n=8",), "network.n"),
]


@pytest.mark.parametrize(("words", "named"), BAD)
def test_bad_input_ends_in_one_line_and_leaves_nothing(isoplane, tmp_path, words, named):
    given = {word.partition("=")[0]: word for word in SEARCH[1:]} | {word.partition("=")[0]: word for word in words}
    ended = isoplane("search", *given.values())
    assert ended.code == 2
    assert named in ended.err
    assert len(ended.err.splitlines()) == 1
    assert files(tmp_path) == []


MATRICES = [
    ("m.csv", "0,-5\n1,0\n", "workload.matrix=-5.0 from process 0 to 1"),
    ("m.csv", "0,1.5\n1,0\n", "workload.matrix=1.5"),
    ("m.csv", "0,1,2\n1,0,3\n", "of shape (2, 3)"),
    ("m.csv", "0,0\n0,0\n", "no traffic between processes"),
    ("m.csv", "a,b\nc,d\n", "workload.file=m.csv"),
    ("m.csv", "", "workload.file=m.csv: empty"),
    ("m.csv", "0,nan\n1,0\n", "nan"),
    ("m.npz", "no archive", "workload.file=m.npz"),
    ("m.npz", "", "workload.file=m.npz"),
    ("m.txt", "0,1\n1,0\n", "expected files that end in .csv or .npz"),
]


@pytest.mark.parametrize(("name", "text", "named"), MATRICES)
def test_a_bad_matrix_is_named_in_one_line(isoplane, tmp_path, name, text, named):
    (tmp_path / name).write_text(text)
    ended = isoplane(
        "search", "network=hybrid", "network.groups=2", "network.nodes_per_group=1", "workload=matrix",
        f"workload.file={name}", "objective=completion",
    )  # fmt: skip
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert named in ended.err
    assert files(tmp_path) == [name]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("network.circuits=[[0,1]]",), "inside group 0"),
        (("network.circuits=[[0,4],[0,5]]",), "2 at node 0"),
        (("network.circuits=[[0,9]]",), "node=9"),
        (("network.circuits=[[0,4],[4,0]]",), "2 at node 0"),
        (("network.circuits=3",), "expected a list of pairs"),
        (("network.placement=[0,0,1,2,3,4,5,6]",), "no process on node 7"),
        (("network.placement=[0,1]",), "placement: 2 processes"),
    ],
)
def test_designs_that_cannot_be_set_up_are_refused(isoplane, words, named):
    ended = isoplane("evaluate", *SMALL, *WORK, *words)
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert named in ended.err


def test_options_of_workloads_have_no_effect_on_cubes(isoplane):
    for word in ("workload=stencil", "shorten=10"):
        ended = isoplane("search", "network.n=4", "judge=simulator", word)
        assert ended.code == 2
        assert f"{word}: without effect on network=hypercube" in ended.err


def test_a_process_without_traffic_is_no_problem(isoplane, tmp_path, no_drawing):
    (tmp_path / "m.csv").write_text("0,5,0,0\n0,0,0,0\n0,0,0,7\n0,0,0,0\n")
    ended = isoplane(
        "search", "network=hybrid", "network.groups=2", "network.nodes_per_group=2", "workload=matrix",
        "workload.file=m.csv", "objective=completion", "stop.evaluations=50",
    )  # fmt: skip
    assert ended.code == 0, ended.err


def test_packets_of_a_record_take_about_as_long_as_the_fluid_model_says(isoplane, run, tmp_path):
    _, folder = run
    record = f"record={next((folder / 'records').iterdir())}"
    ended = isoplane("simulate", record, "shorten=10", "hydra.run.dir=packets")
    assert ended.code == 0, ended.err
    summary = json.loads((tmp_path / "packets" / "summary.json").read_text())
    for name, said in summary["fluid"].items():
        assert summary[name] == pytest.approx(said, rel=0.03)
    links = rows(tmp_path / "packets" / "links.csv")
    assert max(float(link["busy_ns"]) for link in links) == pytest.approx(summary["busiest_link_ns"])
    arrived = [float(line["arrived_ns"]) for line in rows(tmp_path / "packets" / "messages.csv")]
    assert max(arrived) == pytest.approx(summary["completion_ns"], abs=1e-3)
    again = isoplane("simulate", record, "hydra.run.dir=packets")
    assert again.code == 2
    assert "holds a run already" in again.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ((*SMALL, *WORK, "loads=[0.1]"), "loads=[0.1]: without effect"),
        ((*SMALL, *WORK, "seed=3"), "seed=3: without effect"),
        ((*SMALL,), "workload=null"),
        ((*SMALL, *WORK, "shorten=0"), "shorten=0"),
        (("network.n=3", "network.generators=[3,5,7]", "shorten=2"), "shorten=2: without effect"),
        (("network.n=3", "network.generators=[3,5,7]", "workload=stencil"), "workload=stencil: without effect"),
    ],
)
def test_simulations_without_sense_are_refused(isoplane, tmp_path, words, named):
    ended = isoplane("simulate", *words)
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert named in ended.err
    assert files(tmp_path) == []


def test_an_array_that_is_called_an_archive_is_refused(isoplane, tmp_path):
    with (tmp_path / "m.npz").open("wb") as file:
        np.save(file, np.eye(8))
    ended = isoplane("evaluate", *SMALL, "workload=matrix", "workload.file=m.npz")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "not an archive of arrays" in ended.err


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("score_names", ["sum_of_distances", "bottleneck", "total"], "score_names"),
        ("workload.length_bytes", [10**30] * 16, "workload.length_bytes"),
        ("workload.processes", 9, "workload.processes=9"),
    ],
)
def test_records_that_cannot_be_are_refused_in_one_line(isoplane, run, tmp_path, field, value, named):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    *path, last = field.split(".")
    (record[path[0]] if path else record)[last] = value
    (tmp_path / "odd.json").write_text(json.dumps(record))
    ended = isoplane("verify", "record=odd.json")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert named in ended.err


def test_a_score_that_is_no_metric_is_found(isoplane, run, tmp_path):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    record["score"] = [part + 1 for part in record["score"]]
    (tmp_path / "off.json").write_text(json.dumps(record))
    ended = isoplane("verify", "record=off.json")
    assert ended.code == 5
    assert "score[0]" in ended.out


def test_a_time_of_less_than_a_nanosecond_has_no_gap(isoplane, no_drawing):
    tiny = ("workload=stencil", "workload.shape=[2,2]", "workload.message_bytes=1", "workload.iterations=1")
    rates = (f"network.{name}_gbps=1000" for name in ("node", "up", "circuit"))
    size = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2")
    ended = isoplane("search", *size, *rates, *tiny, "objective=bottleneck", "stop.evaluations=100")
    assert ended.code == 0, ended.err


def test_an_error_of_a_solver_ends_in_one_line(isoplane, monkeypatch, no_drawing):
    failing(monkeypatch, 10001, "Out of memory")
    ended = isoplane(*SEARCH, "objective=bottleneck", "strategy=program", "strategy.solver=gurobi")
    assert ended.code == 2
    assert ended.err.splitlines()[-1] == (
        "isoplane search: solver=gurobi: Out of memory (error 10001); expected cp_sat, highs"
    )
    assert "licence" not in ended.err
