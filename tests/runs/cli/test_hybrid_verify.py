"""`isoplane verify` of hybrid records: altered, older, and of runs too chaotic for any precision to settle."""

import json

import pytest

from tests.cases import for_each

from .test_hybrid import BRIEF, SEARCH

SPREAD = [f"{name}_{end}_ns" for name in ("completion", "completion_by_packets") for end in ("min", "max")]


@pytest.fixture
def run(ended_search, tmp_path):
    return ended_search(*BRIEF), tmp_path / "run"


@for_each(
    ("field", "value"),
    [("metrics.completion_ns", 7), ("score", [1, 1, 1]), ("bound", [10**12, None, None]), ("metrics.mean_hops", 9.5)],
)
def test_verify_names_what_was_altered(isoplane, run, tmp_path, field, value):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    *path, last = field.split(".")
    part = record[path[0]] if path else record
    part[last] = value
    (tmp_path / "altered.json").write_text(json.dumps(record))
    result = isoplane("verify", "record=altered.json")
    assert result.code == 5
    assert field in result.out


def test_verify_finds_a_completion_that_is_1_ns_off(isoplane, run, tmp_path):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    for name in ("completion_ns", "completion_by_packets_ns", *SPREAD):
        altered = record["metrics"] | {name: record["metrics"][name] + 1}
        (tmp_path / "altered.json").write_text(json.dumps(record | {"metrics": altered}))
        result = isoplane("verify", "record=altered.json")
        assert result.code == 5
        assert f"metrics.{name}" in result.out


def test_verify_reports_run_times_missing_from_an_older_record_and_a_search_rewrites_it(isoplane, run, tmp_path):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    metrics = {name: value for name, value in record["metrics"].items() if name not in SPREAD}
    (tmp_path / "old.json").write_text(json.dumps(record | {"metrics": metrics}))
    result = isoplane("verify", "record=old.json")
    assert result.code == 5
    for name in SPREAD:
        assert f"metrics.{name}: recorded null, recomputed {record['metrics'][name]}" in result.out
    options = ("strategy=round_robin", "warm_start=old.json", "stop.seconds=null", "hydra.run.dir=rewritten")
    words = [word for word in SEARCH if not word.startswith("hydra.run.dir")]
    assert isoplane(*words, *options).code == 0
    (rewritten,) = (tmp_path / "rewritten" / "records").iterdir()
    assert json.loads(rewritten.read_text())["id"] == record["id"]
    assert isoplane("verify", f"record={rewritten}").code == 0


def test_a_record_with_a_minimum_but_no_maximum_is_rejected(isoplane, run, tmp_path):
    _, folder = run
    record = json.loads(next((folder / "records").iterdir()).read_text())
    metrics = record["metrics"] | {SPREAD[0]: 7}
    del metrics[SPREAD[1]]
    (tmp_path / "old.json").write_text(json.dumps(record | {"metrics": metrics}))
    result = isoplane("verify", "record=old.json")
    assert result.code == 2
    assert SPREAD[1] in result.err


@pytest.mark.parametrize(
    "words",
    [
        ("objective=bottleneck", "strategy=round_robin", "network.placement=by_switch"),
        ("objective=completion", "stop.evaluations=100", "stop.seconds=null"),
    ],
)
def test_verify_agrees_with_the_record_of_a_chaotic_run(isoplane, tmp_path, no_drawing, words):
    work = ("workload=all_to_all", "workload.processes=32", "network.up_gbps=10", "network.circuits=12")
    size = ("network=hybrid", "network.groups=4", "network.nodes_per_group=8")
    assert isoplane("search", *size, *work, *words, "hydra.run.dir=chaos").code == 0
    path = next((tmp_path / "chaos" / "records").iterdir())
    record = json.loads(path.read_text())
    # The search minimises the median; runs that start picoseconds apart differ from it by far more than rounding.
    assert record["score"][0] == record["metrics"][f"{record['objective']}_ns"]
    assert record["metrics"]["completion_max_ns"] > 1.001 * record["metrics"]["completion_min_ns"]
    assert isoplane("verify", f"record={path}").code == 0
