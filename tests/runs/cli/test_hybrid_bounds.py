"""Where bounds of hybrid networks come from, which solver solved a program, and how both are verified."""

import json

import pytest

from isoplane.runs.records import read_record, verify
from tests.cases import for_each
from tests.search.programs.test_gurobi import failing

from .conftest import rows
from .test_hybrid import OPTIONS, SEARCH

PROGRAM = (*SEARCH, "objective=bottleneck", "strategy=program", "network.placement=by_switch")


def record_and_summary(folder):
    """The best record of a run, and the summary."""
    summary = json.loads((folder / "summary.json").read_text())
    return read_record(folder / "records" / summary["best"]), summary


@pytest.fixture
def run(ended_search, tmp_path):
    """Return a function that gives the best record and the summary of a search."""

    def search(*words):
        ended_search(*OPTIONS, *words)
        return record_and_summary(tmp_path / "run")

    return search


def differing_fields(record, **changed):
    return {difference.field for difference in verify(record | changed)}


def test_a_record_names_cp_sat_if_it_replaced_gurobi(isoplane, tmp_path, no_drawing, monkeypatch):
    failing(monkeypatch, 10009, "Unable to open Gurobi license file")
    assert isoplane(*PROGRAM, "strategy.solver=gurobi").code == 0
    record, summary = record_and_summary(tmp_path / "run")
    assert record["provenance"]["config"]["strategy"]["solver"] == "gurobi"
    assert record["provenance"]["solver"] == summary["solver"] == "cp_sat"
    assert record["bound_source"] == {"by": "program:cp_sat", "circuits": 2, "placement": "given"}
    assert verify(record) == []
    lines = [(row["score"], row["bound"]) for row in rows(tmp_path / "run" / "history.csv")]
    assert len(set(lines)) == len(lines)


def test_the_solver_is_named_even_without_a_bound_for_all_placements(run):
    record, summary = run("objective=bottleneck", "strategy=program")
    assert record["provenance"]["solver"] == summary["solver"] == "cp_sat"
    assert record["bound_source"] == {"by": "formula", "circuits": 2, "placement": "free"}


@for_each("placement", ["by_switch", "free"])
def test_a_bound_by_formula_is_recomputed(run, placement):
    record, summary = run(f"network.placement={placement}", "strategy=greedy")
    assert "solver" not in {**record["provenance"], **summary}
    source, bound = record["bound_source"], record["bound"][0]
    assert source["by"] == "formula"
    assert verify(record) == []
    assert differing_fields(record, bound=[bound + 1, bound, None]) == {"bound[0]"}
    assert differing_fields(record, bound=[bound, bound, 1]) == {"bound[2]"}
    assert differing_fields(record, bound=[bound - 1, None, None]) == set()  # from a weaker formula
    program_source = source | {"by": "program:highs"}
    assert differing_fields(record, bound=[bound + 1, bound, None], bound_source=program_source) == set()


def test_a_source_for_fewer_circuits_than_the_design_has_is_reported(run):
    record, _ = run("network.placement=by_switch", "strategy=greedy")
    assert len(record["circuits"]) > 0
    assert differing_fields(record, bound_source=record["bound_source"] | {"circuits": 0}) == {"bound_source.circuits"}


def test_a_score_below_the_bound_by_formula_is_reported(run):
    record, _ = run("network.placement=by_switch", "strategy=greedy")
    assert {"score[0]", "score[1]"} <= differing_fields(record, score=[1, 1, record["score"][2]], bound=[None] * 3)


def test_a_record_without_the_source_of_its_bound_is_valid(run):
    record, _ = run("strategy=greedy")
    del record["bound_source"]
    assert verify(record) == []


@for_each("source", ["program", "program:abacus", "formula ", "gurobi"])
def test_an_impossible_source_of_a_bound_is_rejected(isoplane, run, tmp_path, source):
    record, _ = run("strategy=greedy")
    record["bound_source"]["by"] = source
    (tmp_path / "odd.json").write_text(json.dumps(record))
    result = isoplane("verify", "record=odd.json")
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert "bound_source.by" in result.err
