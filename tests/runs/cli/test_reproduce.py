"""`isoplane reproduce`: what it writes and prints."""

import pytest

from isoplane.runs.records import read_record, verify

from .conftest import files

OBJECTIVES = ("aspl_and_traffic", "delay_paper_and_traffic")


def test_reproduce_writes_a_figure_and_prints_the_comparison(isoplane, tmp_path):
    ended = isoplane("reproduce", "experiment=hosomi/fig3", "sizes=[2,3,4]", "hydra.run.dir=figure")
    assert ended.code == 0
    names = ["fig3-published.csv", "fig3.csv", "fig3.png", "fig3.svg"]
    assert [name for name in files(tmp_path) if "records" not in name] == ["figure", *(f"figure/{n}" for n in names)]
    rows = (tmp_path / "figure" / "fig3.csv").read_text(encoding="utf-8").splitlines()
    assert "DI-HC,3,aspl,hops,1.0" in rows
    assert "D-HC,4,max_traffic,link capacities per node,4.0" in rows
    assert "figure/fig3.svg" in ended.out
    assert "hypercube n=4 aspl_and_traffic" in ended.err


@pytest.fixture
def records(isoplane, tmp_path):
    """The records that the search of a figure leaves, by family, n and objective."""

    def found(*words):
        ended = isoplane("reproduce", *words, "hydra.run.dir=figure")
        assert ended.code == 0
        folder = tmp_path / "figure" / "records"
        assert ended.out.splitlines()[-1] == f"records: {folder}"
        all_of_them = [read_record(path) for path in folder.iterdir()]
        by_search = {(r["network"]["family"], r["network"]["n"], r["objective"]): r for r in all_of_them}
        assert len(by_search) == len(all_of_them)
        return by_search

    return found


def test_reproduce_writes_a_record_of_every_design_that_it_searched(records):
    found = records("experiment=hosomi/fig7", "sizes=[2,3]", "seed=5")
    families = ("hypercube", "folded_hypercube")
    assert set(found) == {(family, n, name) for family in families for n in (2, 3) for name in OBJECTIVES}
    for record in found.values():
        assert verify(record) == []
        assert (record["status"], record["provenance"]["seed"]) == ("optimal", 5)
        assert record["provenance"]["config"]["figure"] == "fig7"


@pytest.mark.parametrize(("strategy", "name"), [("auto", "portfolio"), ("anneal", "anneal")])
def test_a_record_of_a_figure_names_the_strategy_that_found_it(records, strategy, name):
    words = ("experiment=hosomi/fig3", "sizes=[3,9]", "exact_up_to=3", f"strategy={strategy}", "stop.evaluations=1000")
    named = {(n, r["provenance"]["strategy"], r["status"]) for (_, n, _), r in records(*words).items()}
    assert named == {(3, "exact", "optimal"), (9, name, "feasible")}


def test_sizes_without_a_published_number_are_said_to_have_none(isoplane):
    ended = isoplane("reproduce", "experiment=hosomi/fig7", "sizes=[2]", "hydra.run.dir=figure")
    first, *_ = ended.out.splitlines()
    assert (ended.code, first) == (0, "the paper states no number at these sizes")


def test_reproduce_simulates_a_figure_with_any_number_of_workers(isoplane, tmp_path):
    words = ("reproduce", "experiment=shibamura/fig9", "sizes=[64]", "replications=2")
    for workers in (1, 2):
        ended = isoplane(*words, f"workers={workers}", f"hydra.run.dir=workers-{workers}")
        assert ended.code == 0
        assert ended.out.splitlines()[0] == "the paper makes no statement about this figure at this size"
        assert "32 of 32 simulations" in ended.err
    first, second = (tmp_path / f"workers-{workers}" for workers in (1, 2))
    assert (first / "fig9.csv").read_bytes() == (second / "fig9.csv").read_bytes()
    assert (first / "fig9.svg").read_bytes() == (second / "fig9.svg").read_bytes()
