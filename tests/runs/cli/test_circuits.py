"""Circuits in a two-level tree on the command line: every verb, bounds, records and simulations."""

import json
import re
import shlex
from html import unescape

import pytest

from isoplane.runs.records import read_record, verify
from tests.cases import for_each
from tests.search.programs.test_assign import failing

from .conftest import rows

SMALL = ("network=hybrid", "network.groups=2", "network.nodes_per_group=4", "network.up_gbps=10")
WORK = ("workload=sparse", "workload.processes=8", "workload.partners=2", "workload.message_bytes=1000000")
OPTIONS = (*SMALL, *WORK, "objective=completion", "network.circuits=2")
SEARCH = ("search", *OPTIONS, "hydra.run.dir=run")
BRIEF = (*OPTIONS, "stop.evaluations=500", "stop.seconds=null")
PROGRAM = (*SEARCH, "objective=bottleneck", "strategy=program", "network.placement=by_switch")
JUDGED = ("search", *OPTIONS, "workload.message_bytes=4000000", "strategy=matching", "judge=simulator")
SPREAD = [f"{name}_{end}_ns" for name in ("completion", "completion_by_packets") for end in ("min", "max")]


@pytest.fixture
def run(ended_search, tmp_path):
    return ended_search(*BRIEF), tmp_path / "run"


def record_and_summary(folder):
    """The best record of a run, after its verification, and the summary."""
    summary = json.loads((folder / "summary.json").read_text())
    record = read_record(folder / "records" / summary["best"])
    assert verify(record) == []
    return record, summary


def differing_fields(record, **changed):
    return {difference.field for difference in verify(record | changed)}


def only_json(folder):
    """The path and the content of the only file in a folder."""
    (path,) = folder.iterdir()
    return path, json.loads(path.read_text())


def test_a_search_leaves_a_verified_record_and_its_cross_connects(isoplane, run):
    result, folder = run
    record, summary = record_and_summary(folder)
    assert record["network"]["family"] == "hybrid"
    assert record["score_names"] == ["completion", "bottleneck", "total"]
    assert summary["printed"] == record["metrics"]["completion_ns"] / 1e6  # ms
    assert summary["evaluations"] == 500
    lines = rows(folder / "cross_connects.csv")
    assert [[int(line["node_a"]), int(line["node_b"])] for line in lines] == record["circuits"]
    assert [line["group_a"] + line["group_b"] for line in lines] == ["01"] * len(lines)
    words = (*SMALL, *WORK, "network.circuits=run/cross_connects.csv", f"network.placement={record['placement']}")
    evaluated, *_ = json.loads(isoplane("evaluate", *words, "format=json").out)
    assert evaluated["completion_ns"] == record["metrics"]["completion_ns"]
    assert "packets only" in result.out
    path = f"record={folder / 'records' / summary['best']}"
    assert isoplane("verify", path).code == 0
    shown = [line.split()[:2] for line in isoplane("evaluate", path).out.splitlines()]
    assert [line.split()[:2] for line in result.out.splitlines()[: len(shown)]] == shown


def test_a_resumed_run_equals_an_uninterrupted_one(isoplane, run, tmp_path, no_drawing):
    assert isoplane("search", "resume=run", "stop.evaluations=1500").code == 0
    assert isoplane("search", *BRIEF, "stop.evaluations=1500", "hydra.run.dir=uninterrupted").code == 0
    resumed, expected = (
        [line | {"seconds": ""} for line in rows(path / "history.csv")] for path in (run[1], tmp_path / "uninterrupted")
    )
    assert resumed == expected


@for_each("strategy", ["round_robin", "greedy", "balanced", "anneal", "program"])
def test_every_strategy_for_circuits_ends_with_a_record(ended_search, tmp_path, strategy):
    objective = "objective=bottleneck" if strategy == "program" else "objective=completion"
    ended_search(*OPTIONS, objective, f"strategy={strategy}", "stop.evaluations=100", "stop.seconds=null")
    record, summary = record_and_summary(tmp_path / "run")
    if strategy == "program":  # named even without a bound for all placements
        assert record["provenance"]["solver"] == summary["solver"] == "cp_sat"
        assert record["bound_source"] == {"by": "formula", "circuits": 2, "placement": "free"}


def test_without_an_objective_the_completion_is_minimised_and_a_process_may_be_without_traffic(
    isoplane, tmp_path, no_drawing
):
    (tmp_path / "m.csv").write_text("0,5,0,0\n0,0,0,0\n0,0,0,7\n0,0,0,0\n")
    size = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2")
    words = ("workload=matrix", "workload.file=m.csv", "stop.evaluations=50", "hydra.run.dir=run")
    assert isoplane("search", *size, *words).code == 0
    record, _ = record_and_summary(tmp_path / "run")
    assert (record["objective"], record["score_names"][0]) == ("completion", "completion")
    assert record["provenance"]["config"]["objective"]["name"] == "completion"


def test_a_time_below_a_nanosecond_has_no_gap(isoplane, no_drawing):
    tiny = ("workload=stencil", "workload.shape=[2,2]", "workload.message_bytes=1", "workload.iterations=1")
    rates = (f"network.{name}_gbps=1000" for name in ("node", "up", "circuit"))
    size = ("network=hybrid", "network.groups=2", "network.nodes_per_group=2")
    assert isoplane("search", *size, *rates, *tiny, "objective=bottleneck", "stop.evaluations=100").code == 0


def test_packets_of_a_record_take_about_as_long_as_the_fluid_model_predicts(isoplane, run, tmp_path):
    path, _ = only_json(run[1] / "records")
    assert isoplane("simulate", f"record={path}", "shorten=10", "hydra.run.dir=packets").code == 0
    packets = tmp_path / "packets"
    summary = json.loads((packets / "summary.json").read_text())
    for name, predicted in summary["fluid"].items():
        assert summary[name] == pytest.approx(predicted, rel=0.03)
    assert max(float(link["busy_ns"]) for link in rows(packets / "links.csv")) == pytest.approx(
        summary["busiest_link_ns"]
    )
    arrived = [float(line["arrived_ns"]) for line in rows(packets / "messages.csv")]
    assert max(arrived) == pytest.approx(summary["completion_ns"], abs=1e-3)
    assert (packets / "design.json").read_bytes() == path.read_bytes()
    assert "<dt>Objective</dt>" in (packets / "report.html").read_text()


def test_the_report_of_simulated_packets_has_a_command_that_verifies_and_can_be_rewritten(isoplane, tmp_path):
    words = (*SMALL, *WORK, "network.circuits=[[0,4]]", "shorten=10", "hydra.run.dir=packets")
    result, report = isoplane("simulate", *words), tmp_path / "packets" / "report.html"
    assert (result.code, result.out.splitlines()[-1]) == (0, f"report: {report}"), result.err
    page = report.read_text()
    assert page.count('<section id="packets">') == 1
    assert "<dt>Objective</dt>" not in page
    assert isoplane(*shlex.split(unescape(re.search(r"isoplane (verify [^<]*)<", page)[1]))).code == 0
    report.unlink()
    assert isoplane("report", "run=packets").code == 0
    assert report.read_text() == page
    for text in ("{", "[]", '{"id": "0"}'):
        (tmp_path / "packets" / "design.json").write_text(text)
        damaged = isoplane("report", "run=packets")
        assert (damaged.code, len(damaged.err.splitlines())) == (2, 1)
        assert "design=packets/design.json: damaged" in damaged.err


@for_each(
    ("field", "value"),
    [("score_names", ["sum_of_distances", "bottleneck", "total"]), ("workload.length_bytes", [10**30] * 16),
     ("workload.processes", 9), ("bound_source.by", "gurobi"), ("bound_source.by", "program:abacus"),
     (f"metrics.{SPREAD[1]}", None)],
)  # fmt: skip
def test_an_impossible_record_is_rejected_in_one_line(refuse, run, tmp_path, field, value):
    _, record = only_json(run[1] / "records")
    group, _, last = field.rpartition(".")
    part = record[group] if group else record
    if value is None:
        del part[last]  # a minimum without a maximum
    else:
        part[last] = value
    (tmp_path / "odd.json").write_text(json.dumps(record))
    result = refuse("verify", "record=odd.json")
    assert result.err.count("\n") == 1
    assert last in result.err


def test_verify_names_what_was_altered_down_to_a_nanosecond(isoplane, run, tmp_path):
    _, record = only_json(run[1] / "records")
    metrics = record["metrics"]
    for name in ("completion_ns", "completion_by_packets_ns", *SPREAD):
        assert f"metrics.{name}" in differing_fields(record, metrics=metrics | {name: metrics[name] + 1})
    total = {"total_ns": metrics["total_ns"] + 10}  # a sum of floats
    assert "metrics.total_ns" in differing_fields(record, metrics=metrics | total)
    assert "metrics.mean_hops" in differing_fields(record, metrics=metrics | {"mean_hops": 9.5})
    altered = {"score": [1, 1, 1], "bound": [10**12, None, None]}
    (tmp_path / "altered.json").write_text(json.dumps(record | altered))
    result = isoplane("verify", "record=altered.json")
    assert (result.code, "score[0]" in result.out, "bound[0]" in result.out) == (5, True, True)


def test_times_missing_from_an_older_record_are_reported_and_a_search_rewrites_it(isoplane, run, tmp_path, no_drawing):
    _, record = only_json(run[1] / "records")
    metrics = {name: value for name, value in record["metrics"].items() if name not in SPREAD}
    (tmp_path / "old.json").write_text(json.dumps(record | {"metrics": metrics}))
    result = isoplane("verify", "record=old.json")
    assert result.code == 5
    for name in SPREAD:
        assert f"metrics.{name}: recorded null, recomputed {record['metrics'][name]}" in result.out
    options = ("strategy=round_robin", "warm_start=old.json", "stop.seconds=null", "hydra.run.dir=rewritten")
    assert isoplane("search", *OPTIONS, *options).code == 0
    rewritten, _ = record_and_summary(tmp_path / "rewritten")
    assert rewritten["id"] == record["id"]


def test_verify_agrees_with_the_record_of_a_chaotic_run(ended_search, tmp_path):
    work = ("workload=all_to_all", "workload.processes=20", "network.up_gbps=10", "network.circuits=8")
    size = ("network=hybrid", "network.groups=4", "network.nodes_per_group=5")
    ended_search(*size, *work, "objective=completion", "strategy=round_robin", "network.placement=by_switch")
    record, _ = record_and_summary(tmp_path / "run")
    # The search minimises the median; runs that start picoseconds apart differ from it by far more than rounding.
    assert record["score"][0] == record["metrics"][f"{record['objective']}_ns"]
    assert record["metrics"]["completion_max_ns"] > 1.001 * record["metrics"]["completion_min_ns"]


def test_an_error_of_a_solver_is_one_line_and_a_missing_licence_makes_another_solver_prove(
    isoplane, tmp_path, no_drawing, monkeypatch
):
    failing(monkeypatch, 10001, "Out of memory")
    result = isoplane(*SEARCH, "objective=bottleneck", "strategy=program", "strategy.solver=gurobi")
    assert result.code == 2
    assert result.err.splitlines()[-1] == (
        "isoplane search: solver=gurobi: Out of memory (error 10001); expected cp_sat, highs"
    )
    failing(monkeypatch, 10009, "Unable to open Gurobi license file")
    assert isoplane(*PROGRAM, "strategy.solver=gurobi", "hydra.run.dir=proof").code == 0
    record, summary = record_and_summary(tmp_path / "proof")
    assert record["provenance"]["config"]["strategy"]["solver"] == "gurobi"
    assert record["provenance"]["solver"] == summary["solver"] == "cp_sat"
    assert record["bound_source"] == {"by": "program:cp_sat", "circuits": 2, "placement": "given"}
    lines = [(row["score"], row["bound"]) for row in rows(tmp_path / "proof" / "history.csv")]
    assert len(set(lines)) == len(lines)


@for_each("placement", ["by_switch", "free"])
def test_a_bound_by_formula_is_recomputed(ended_search, tmp_path, placement):
    ended_search(*OPTIONS, f"network.placement={placement}", "strategy=greedy")
    record, summary = record_and_summary(tmp_path / "run")
    assert "solver" not in {**record["provenance"], **summary}
    source, bound = record["bound_source"], record["bound"][0]
    assert source["by"] == "formula"
    assert differing_fields(record, bound=[bound + 1, bound, None]) == {"bound[0]"}
    assert differing_fields(record, bound=[bound, bound, 1]) == {"bound[2]"}
    assert differing_fields(record, bound=[bound - 1, None, None]) == set()  # from a weaker formula
    solved = source | {"by": "program:highs"}
    assert differing_fields(record, bound=[bound + 1, bound, None], bound_source=solved) == set()
    # An enumeration proves nothing before its end, when the best score is the bound.
    listed = source | {"by": "enumeration"}
    assert differing_fields(record, bound=[bound + 1, bound, None], bound_source=listed) == {"bound[0]"}
    low = differing_fields(record, score=[1, 1, record["score"][2]], bound=[None] * 3)
    assert {"score[0]", "score[1]"} <= low
    if placement == "by_switch":
        assert len(record["circuits"]) > 0
        assert differing_fields(record, bound_source=source | {"circuits": 0}) == {"bound_source.circuits"}
    del record["bound_source"]
    assert verify(record) == []


def test_the_judge_adds_a_simulation_and_a_section_of_the_page_and_alters_no_record(isoplane, ended_search, tmp_path):
    ended_search(*JUDGED[1:-1])
    plain, plain_record = only_json(tmp_path / "run" / "records")
    before = plain.read_bytes()
    result = isoplane(*JUDGED, "shorten=4", "hydra.run.dir=judged")
    assert result.code == 0, result.err
    assert re.search(
        r"\nsimulated: completion with relay by messages .* ms, .*; messages shorter by a factor of 4\n", result.out
    )
    assert (tmp_path / "judged" / "records" / plain.name).read_bytes() == before
    _, simulation = only_json(tmp_path / "judged" / "simulation")
    metrics = plain_record["metrics"]
    assert (simulation["record"], simulation["shorten"]) == (plain.name, 4)
    for name, predicted in simulation["fluid"].items():
        assert predicted == pytest.approx(metrics[name] / 4, rel=1e-3)
        assert simulation[name] == pytest.approx(predicted, rel=0.03)
        for curve in simulation["arrived"][name].values():
            assert curve["bytes"][-1] == 16 * 1_000_000
        assert simulation["arrived"][name]["packets"]["ns"][-1] == pytest.approx(simulation[name], abs=1e-3)
        assert simulation["arrived"][name]["fluid"]["ns"][-1] == pytest.approx(predicted, abs=0.6)
    times = [link["busy_ns"] for link in simulation["busiest_links"]]
    assert times == sorted(times, reverse=True)
    assert times[0] == simulation["busiest_link_ns"] == pytest.approx(metrics["bottleneck_ns"] / 4)
    page = (tmp_path / "judged" / "report.html").read_text(encoding="utf-8")
    assert page.count('<section id="packets">') == 1
    assert '<th scope="col">packets (ms)</th><th scope="col">fluid model (ms)</th>' in page
    assert "shorter than those of the workload by a factor of 4." in page
