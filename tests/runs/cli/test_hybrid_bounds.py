"""Where bounds of hybrid networks come from, who solved programs, and what verification makes of both."""

import json

import pytest

from isoplane.runs.records import read_record, verify
from tests.search.programs.test_gurobi import failing

from .conftest import rows
from .test_hybrid import SEARCH

PROGRAM = (*SEARCH, "objective=bottleneck", "strategy=program", "network.placement=by_switch")


def found(folder):
    """The record of a run, and its summary."""
    summary = json.loads((folder / "summary.json").read_text())
    return read_record(folder / "records" / summary["best"]), summary


@pytest.fixture
def run(isoplane, tmp_path, no_drawing):
    def search(*words):
        ended = isoplane(*words)
        assert ended.code == 0, ended.err
        return found(tmp_path / "run")

    return search


def named(record, **changed):
    return {difference.field for difference in verify(record | changed)}


def test_a_record_names_cp_sat_if_it_replaced_gurobi(run, tmp_path, monkeypatch):
    failing(monkeypatch, 10009, "Unable to open Gurobi license file")
    record, summary = run(*PROGRAM, "strategy.solver=gurobi")
    assert record["provenance"]["config"]["strategy"]["solver"] == "gurobi"
    assert record["provenance"]["solver"] == summary["solver"] == "cp_sat"
    assert record["bound_source"] == {"by": "program:cp_sat", "circuits": 2, "placement": "given"}
    assert verify(record) == []
    lines = [(row["score"], row["bound"]) for row in rows(tmp_path / "run" / "history.csv")]
    assert len(set(lines)) == len(lines)


def test_a_program_without_a_bound_for_all_placements_is_still_named(run):
    record, summary = run(*SEARCH, "objective=bottleneck", "strategy=program")
    assert record["provenance"]["solver"] == summary["solver"] == "cp_sat"
    assert record["bound_source"] == {"by": "formula", "circuits": 2, "placement": "free"}


@pytest.mark.parametrize("placement", ["by_switch", "free"])
def test_a_bound_by_formula_is_computed_again(run, placement):
    record, summary = run(*SEARCH, f"network.placement={placement}", "strategy=greedy")
    assert "solver" not in {**record["provenance"], **summary}
    source, low = record["bound_source"], record["bound"][0]
    assert source["by"] == "formula"
    assert verify(record) == []
    assert named(record, bound=[low + 1, low, None]) == {"bound[0]"}
    assert named(record, bound=[low, low, 1]) == {"bound[2]"}
    assert named(record, bound=[low - 1, None, None]) == set()  # of a weaker formula
    by_program = source | {"by": "program:highs"}
    assert named(record, bound=[low + 1, low, None], bound_source=by_program) == set()


def test_a_source_for_fewer_circuits_than_there_are_is_named(run):
    record, _ = run(*SEARCH, "network.placement=by_switch", "strategy=greedy")
    assert len(record["circuits"]) > 0
    assert named(record, bound_source=record["bound_source"] | {"circuits": 0}) == {"bound_source.circuits"}


def test_a_score_below_the_bound_by_formula_is_named(run):
    record, _ = run(*SEARCH, "network.placement=by_switch", "strategy=greedy")
    assert {"score[0]", "score[1]"} <= named(record, score=[1, 1, record["score"][2]], bound=[None] * 3)


def test_a_record_that_does_not_tell_where_its_bound_comes_from_is_one_all_the_same(run):
    record, _ = run(*SEARCH, "strategy=greedy")
    del record["bound_source"]
    assert verify(record) == []


@pytest.mark.parametrize("by", ["program", "program:abacus", "formula ", "gurobi"])
def test_a_source_that_cannot_be_is_refused(isoplane, run, tmp_path, by):
    record, _ = run(*SEARCH, "strategy=greedy")
    record["bound_source"]["by"] = by
    (tmp_path / "odd.json").write_text(json.dumps(record))
    ended = isoplane("verify", "record=odd.json")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "bound_source.by" in ended.err
