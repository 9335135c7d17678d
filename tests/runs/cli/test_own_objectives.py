"""Objectives and limits of one's own on the command line: as typed in a shell, and again by verify and resume."""

import csv
import functools
import json
import re
import sys
import types
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import isoplane as ip
from isoplane.objectives.scoring.functions import function_named, imported_function
from isoplane.runs.records import verify
from tests.cases import for_each

WEAR = """
def wear(metrics):
    return round(metrics["delay_ns"] * metrics["max_load"])
"""


@pytest.fixture
def wear(tmp_path, monkeypatch):
    (tmp_path / "wear_of_test.py").write_text(WEAR, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield "wear_of_test:wear"
    imported_function.cache_clear()


def only_record(folder):
    (path,) = (folder / "records").iterdir()
    return path, json.loads(path.read_text(encoding="utf-8"))


@for_each(
    ("words", "code", "names"),
    [
        (["objective=min delay_ns, then cost_usd_per_node"], 0, ["delay", "cost"]),
        (
            ["objective=min 2*aspl + 0.1*max_load", "subject_to=max_traffic >= 4"],
            0,
            ["excess", "5*sum_of_distances+2*"],
        ),
        (["objective=aspl", "subject_to=cable_length_m <= 2, cost_usd_per_node <= 1800"], 4, ["excess", "sum_of_"]),
        (["objective=max max_traffic", "stop.target=5"], 0, ["max_load"]),
        (
            ["objective=cost", "cable_m=5", "diameter=2", "throughput=0.4", "budget_usd_per_node=2500"],
            0,
            ["excess", "c"],
        ),
    ],
)
def test_words_are_recorded_verified_and_resumed(isoplane, no_drawing, tmp_path, words, code, names):
    folder = tmp_path / "-".join(re.findall(r"\w+", " ".join(words)))
    run = isoplane("search", "network.n=3", *words, f"hydra.run.dir={folder}")
    assert run.code == code, run.err
    path, record = only_record(folder)
    assert [part[: len(name)] for part, name in zip(record["score_names"], names, strict=True)] == names
    assert record["objective"].startswith(words[0].removeprefix("objective="))
    assert isoplane("verify", f"record={path}").code == 0
    assert isoplane("search", f"resume={folder}").code == code
    damaged = {**record, "objective": record["objective"].replace("max_traffic >= 4", "max_traffic >= 6")}
    if damaged != record:
        path.write_text(json.dumps(damaged), encoding="utf-8")
        assert "score[0]: recorded 0, recomputed" in isoplane("verify", f"record={path}").out


def test_a_record_has_the_numbers_of_its_function_in_all_formats_unless_its_module_is_missing(
    isoplane, no_drawing, wear, monkeypatch, tmp_path
):
    words = ("network.n=3", f"objective={wear}", "stop.evaluations=50", "hydra.run.dir=run")
    searched = isoplane("search", *words)
    shown = next(line.split() for line in searched.out.splitlines() if line.startswith(f"{wear} "))
    path, record = only_record(Path("run"))
    assert [int(shown[1])] == record["score"]
    table = isoplane("evaluate", f"record={path}").out.splitlines()
    assert shown in [line.split() for line in table]
    latex = isoplane("evaluate", f"record={path}", "format=latex").out
    assert any(line.startswith(wear.replace("_", r"\_")) and f" {shown[1]}" in line for line in latex.splitlines())
    ours, theirs = csv.DictReader(isoplane("evaluate", f"record={path}", "format=csv").out.splitlines())
    assert [ours[wear], theirs[wear]] == shown[1:3]
    assert ip.load(path)[wear] == int(shown[1])
    monkeypatch.delitem(sys.modules, module := wear.partition(":")[0])
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place != str(tmp_path)])
    imported_function.cache_clear()
    without = isoplane("evaluate", f"record={path}")
    assert without.code == 0
    assert f"without the values of the objective: function {wear}: no module {module}" in without.out


def test_limits_under_the_names_of_comparisons_are_those_of_subject_to(isoplane, no_drawing, tmp_path):
    # Four nodes at a switch, with a link to each of two planes: 8 link capacities.
    words = ("cable_m=3.0", "throughput=0.5", "subject_to=aspl <= 1.25", "diameter=2", "budget_usd_per_node=2500.5")
    run = isoplane("search", "network.n=3", "objective=cost", *words, f"hydra.run.dir={tmp_path}")
    assert run.code == 0, run.err
    _, record = only_record(tmp_path)
    limits = "aspl <= 1.25, cost_usd_per_node <= 2500.5, longest_cable_m <= 3, max_traffic >= 4, diameter <= 2"
    assert record["objective"] == f"cost subject to {limits}"
    config, metrics = record["provenance"]["config"], record["metrics"]
    assert config["subject_to"] == limits
    assert not {"cable_m", "throughput", "diameter"} & set(config)
    assert metrics["longest_cable_m"] == 3
    assert metrics["diameter"] <= 2
    assert metrics["max_traffic"] >= 4


def test_python_accepts_any_function_and_names_it_so_that_others_find_it_if_they_can(wear):
    function = function_named(wear)

    def local(metrics):
        return function(metrics)

    options = {"network": "hypercube", "n": 3, "stop": {"evaluations": 1000}}
    records = [ip.find(**options, objective=objective).best.to_dict() for objective in (wear, function)]
    assert [record["objective"] for record in records] == [wear, wear]
    assert records[0]["score"] == records[1]["score"]

    class Goal:
        def __call__(self, metrics):
            return function(metrics)

    here = types.FunctionType(local.__code__, globals(), "here", closure=local.__closure__)
    here.__module__ = here.__qualname__ = "__main__"  # as in a script or a notebook
    for nameless in (local, lambda metrics: function(metrics), Goal(), functools.partial(function), here):
        found = ip.find(**options, objective=nameless).best
        name = found.to_dict()["objective"]
        assert name.startswith("__main__:")
        assert (found[name], found.to_dict()["score"]) == (records[0]["score"][0], records[0]["score"])
        assert found.baseline[1][name] == function(found.baseline[1])
        assert ip.verify(found) == ()  # in this process


def test_functions_of_one_name_stay_apart_in_a_session():
    searches = []
    for sign in (1, -1):  # a cell of a notebook that is executed again

        def goal(metrics, sign=sign):
            return sign * metrics["sum_of_distances"]

        searches.append(ip.find(network="hypercube", n=3, stop={"evaluations": 1000}, objective=goal))
    least, most = (search.best.to_dict()["score"][0] for search in searches)
    assert (least, most < -least) == (8, True)  # 8 distances of 1: between the nearer planes no pair has more


@for_each("returned", [lambda value: Fraction(value), np.int64, int])
def test_a_whole_number_of_any_type_is_an_integer(returned):
    options = {"network": "hypercube", "n": 3, "stop": {"evaluations": 1000}}
    found = ip.find(**options, objective=lambda metrics: returned(metrics["max_load"])).best
    assert found.to_dict()["score"] == [found["max_load"]]


@for_each("returned", [Fraction(1, 2), 1.0, True, "1"])
def test_what_is_no_whole_number_is_refused(returned):
    with pytest.raises(ip.InputError, match=r"^function __main__:lambda\d*: returned .*; expected an integer, or"):
        ip.find(network="hypercube", n=3, objective=lambda metrics: returned)


def test_a_function_that_only_this_process_knows_is_refused_where_others_would_call_it():
    with pytest.raises(ip.InputError, match=r"^fleet=ray: .*__main__:lambda\d*; expected fleet=local, or a function"):
        ip.find(network="hypercube", n=3, objective=lambda metrics: 1, fleet="ray")
    with pytest.raises(ip.InputError, match=r"^objective=lambda\(a, b\): expected a function of one positional"):
        ip.find(network="hypercube", n=3, objective=lambda a, b: 1)
    with pytest.raises(ip.InputError, match=r"__main__:absent: of a script or notebook, known only there"):
        ip.find(network="hypercube", n=3, objective="__main__:absent")


def test_a_function_is_found_by_verify_and_resume(isoplane, no_drawing, tmp_path, wear):
    words = (f"objective={wear}", "network.n=3", "strategy=anneal", "stop.evaluations=20000")
    run = isoplane("search", *words, f"hydra.run.dir={tmp_path / 'run'}")
    assert run.code == 0, run.err
    path, record = only_record(tmp_path / "run")
    metrics = record["metrics"]
    assert (record["objective"], record["score_names"]) == (wear, [wear])
    row = next(line.split() for line in run.out.splitlines() if line.startswith(wear))
    identical = ip.evaluate(network="hypercube", n=3, generators=[1, 2, 4])
    assert [float(word) for word in row[1:3]] == [
        *record["score"],
        round(identical["delay_ns"] * identical["max_load"]),
    ]
    summary = json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))
    assert (summary["bound"], summary["proven_over"]) == ([None], "")
    assert record["score"] == [round(metrics["delay_ns"] * metrics["max_load"])]
    assert isoplane("verify", f"record={path}").code == 0
    assert isoplane("search", f"resume={tmp_path / 'run'}", "stop.evaluations=40000").code == 0
    path.write_text(json.dumps({**record, "score": [record["score"][0] - 1]}), encoding="utf-8")
    assert isoplane("verify", f"record={path}").code == 5


@for_each(
    "objective",
    [
        *("absent_of_test:wear", "aspl subject to absent_of_test:wear <= 5", "__main__:wear", "needy_of_test:wear"),
        *("needy_of_test:renamed", "needy_of_test:two", "damaged_of_test:wear"),
        *("failing_of_test:divides", "failing_of_test:asks", "failing_of_test:halves"),
    ],
)
def test_a_score_whose_function_fails_is_not_verified_and_does_not_differ(isoplane, tmp_path, wear, objective):
    needy = "import absent_of_test\ndef wear(metrics): ...\ndef two(metrics, more): ...\n"
    (tmp_path / "needy_of_test.py").write_text(needy, encoding="utf-8")
    (tmp_path / "damaged_of_test.py").write_text("def wear(metrics:\n", encoding="utf-8")
    failing = 'def divides(metrics): return 1 / 0\ndef asks(metrics): return metrics["absent"]\n'
    (tmp_path / "failing_of_test.py").write_text(f"{failing}def halves(metrics): return 0.5\n", encoding="utf-8")
    found = ip.find(network="hypercube", n=3, objective=wear, stop={"evaluations": 1000}).best.to_dict()
    names = ["excess", "sum_of_distances"] if "subject" in objective else [objective]
    score = [0, found["metrics"]["sum_of_distances"]] if "subject" in objective else found["score"]
    bound = found["bound"] * len(names)
    path = tmp_path / "missing.json"
    found["provenance"]["config"]["objective"] = {"name": objective.partition(" subject to ")[0]}
    record = {**found, "objective": objective, "score_names": names, "score": score, "bound": bound}
    path.write_text(json.dumps(record), encoding="utf-8")
    run = isoplane("verify", f"record={path}")
    assert (run.code, run.out, run.err.count("\n")) == (2, "", 1)
    causes = r"no module absent_of_test;|of a script|ModuleNotFoundError|no renamed in|two\(metrics|.*line 1: "
    causes += r"|ZeroDivisionError: division by zero \(.*failing_of_test.py, line 1\)|no metric 'absent'|returned 0.5"
    assert re.search(rf"function \w+:\w+: ({causes})", run.err)
    for change, difference in (
        ({"metrics": {**found["metrics"], "max_load": 1}}, "metrics.max_load: recorded 1,"),
        ({"id": "0" * 64}, "id: recorded "),
    ):
        path.write_text(json.dumps({**record, **change}), encoding="utf-8")
        run = isoplane("verify", f"record={path}")
        assert (run.code, difference in run.out, "score_names: " in run.out) == (5, True, True)


def test_a_missing_function_hides_no_difference_of_circuits(tmp_path, monkeypatch):
    source = 'def slow(metrics):\n    return 2 * metrics["total_ns"]\n'
    (tmp_path / "slow_of_test.py").write_text(source, encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.syspath_prepend(str(tmp_path))
        small = {"family": "hybrid", "groups": 2, "nodes_per_group": 4}
        work = {"name": "sparse", "processes": 8, "partners": 2, "message_bytes": 1000000}
        options = {"workload": work, "objective": "slow_of_test:slow", "stop": {"evaluations": 500}}
        found = ip.find(network=small, **options).best.to_dict()
        assert found["score"] == [2 * found["metrics"]["total_ns"]]
        assert verify(found) == []
    name = "absent_of_test:slow"
    record = {**found, "objective": name, "score_names": [name]}
    with pytest.raises(ip.InputError, match="no module absent_of_test;"):
        verify(record)
    for change, field in (
        ({"metrics": {**found["metrics"], "total_ns": 1}}, "metrics.total_ns"),
        ({"id": "0" * 64}, "id"),
        ({"bound": [found["score"][0] + 1]}, "bound[0]"),
    ):
        assert [difference.field for difference in verify({**record, **change})] == [field, "score_names"]


def test_a_front_of_a_function_is_verified_resumed_loaded_and_drawn(isoplane, tmp_path, wear, blank_charts):
    words = ("objective=front", f"objective.metrics=[cable_length_m,{wear}]", "network.n=4", "strategy=pareto")
    folder = tmp_path / "run"
    run = isoplane("search", *words, "stop.evaluations=10000", f"hydra.run.dir={folder}")
    assert (run.code, "hypervolume" in run.out) == (0, False), run.err
    assert isoplane("search", f"resume={folder}", "stop.evaluations=20000").code == 0
    assert {isoplane("verify", f"record={path}").code for path in (folder / "records").iterdir()} == {0}
    front = ip.load(folder)
    assert len(front) > 1
    assert front.shown[:2] == ("cable_length_m", wear)
    assert [row[wear] for row in front.rows] == [round(row["delay_ns"] * row["max_load"]) for row in front.rows]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert f"against {wear}" in page
    assert re.search(rf"<th[^>]*>{wear}", page)


@for_each(
    ("words", "message"),
    [
        (
            ["objective=min dely_ns"],
            "objective=min dely_ns: did you mean delay_ns? unknown metric dely_ns; expected aspl,",
        ),
        (["objective=max throughput_per_node"], "throughput_per_node of cubes is max_traffic / nodes_per_switch;"),
        (["objective=min aspl", "subject_to=aspl < 2"], "subject_to=aspl < 2: 'aspl < 2'; expected METRIC <= NUMBER"),
        (["objective=min aspl, then max_traffic"], "then max_traffic; expected then min or then max, because more"),
        (["objective=min delay_ns * max_traffic^2"], "'^2'; expected metrics and numbers joined by *, / and +, or obj"),
        (
            ["objective=min delay_ns / max_traffic / max_traffic"],
            "/ max_traffic: expected products of at most two metrics, or objective=module:function",
        ),
        (["objective=min aspl / max_load"], "a quotient of aspl, max_load is no product of exact integers"),
        (["objective=min 0*aspl"], "objective=min 0*aspl: weight='0': expected a number above 0"),
        (["objective=min 1e999999999*aspl"], "weight='1e999999999': expected a number above 0 and at most 1000000000"),
        (
            ["objective=min aspl", "subject_to=aspl <= 1e999999999"],
            "limit='1e999999999': expected a number of at least 0",
        ),
        (["cable_m=long"], "cable_m='long': expected a number of at least 0"),
        (["throughput=[0.9,0.5]"], "throughput=[0.9, 0.5]: expected a number above 0 and at most 1"),
        (["objective=front", "objective.metrics=[delay,delay_ns]"], "['delay', 'delay_ns']: expected two different"),
        (["objective=front", "objective.metrics=[delay,max_trafic]"], "expects components of aspl, sum_of_distances,"),
        (["objective=min delay_ns", "objective.components=[[cost]]"], "has no effect with objective='min delay_ns'"),
    ],
)
def test_words_that_mean_nothing_are_refused(isoplane, words, message):
    run = isoplane("search", "network.n=3", *words)
    assert (run.code, run.err.count("\n")) == (2, 1)
    assert message in run.err
