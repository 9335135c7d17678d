"""`isoplane reproduce`: what it writes and prints."""

import re
from pathlib import Path

import pytest

import isoplane as ip
from isoplane.runs.records import read_record, verify

from .conftest import files

OBJECTIVES = ("aspl_and_traffic", "delay_paper_and_traffic")


def test_reproduce_writes_a_figure_and_prints_the_comparison(isoplane, tmp_path):
    result = isoplane("reproduce", "experiment=hosomi/fig3", "sizes=[2,3,4]", "hydra.run.dir=figure")
    assert result.code == 0
    names = ["fig3-published.csv", "fig3.csv", "fig3.html", "fig3.png", "fig3.svg"]
    assert [name for name in files(tmp_path) if "records" not in name] == ["figure", *(f"figure/{n}" for n in names)]
    rows = (tmp_path / "figure" / "fig3.csv").read_text(encoding="utf-8").splitlines()
    assert "DI-HC,3,aspl,hops,1.0,,," in rows
    assert "D-HC,4,max_traffic,link capacities per switch,4.0,,," in rows
    assert "figure/fig3.svg" in result.out
    assert "hypercube n=4 aspl_and_traffic" in result.err


@pytest.fixture
def reproduce_records(isoplane, tmp_path, no_drawing):
    """Reproduce a figure, and return its records by family, n and objective."""

    def run(*words):
        result = isoplane("reproduce", *words, "hydra.run.dir=figure")
        assert result.code == 0
        folder = tmp_path / "figure" / "records"
        assert result.out.splitlines()[-1] == f"records: {folder}"
        records = [read_record(path) for path in folder.iterdir()]
        by_search = {(r["network"]["family"], r["network"]["n"], r["objective"]): r for r in records}
        assert len(by_search) == len(records)
        return by_search

    return run


def test_reproduce_writes_a_record_of_every_design_that_it_searched(reproduce_records):
    found = reproduce_records("experiment=hosomi/fig7", "sizes=[2,3]", "seed=5")
    families = ("hypercube", "folded_hypercube")
    assert set(found) == {(family, n, name) for family in families for n in (2, 3) for name in OBJECTIVES}
    for record in found.values():
        assert verify(record) == []
        assert (record["status"], record["provenance"]["seed"]) == ("optimal", 5)
        assert record["provenance"]["config"]["figure"] == "fig7"


def test_a_record_of_a_figure_names_the_strategy_that_found_it(reproduce_records):
    words = ("experiment=hosomi/fig3", "sizes=[3,9]", "exact_up_to=3", "strategy=anneal", "stop.evaluations=1000")
    found = {(n, r["provenance"]["strategy"], r["status"]) for (_, n, _), r in reproduce_records(*words).items()}
    assert found == {(3, "exact", "optimal"), (9, "anneal", "feasible")}


def test_reproduce_simulates_a_figure(isoplane, tmp_path, no_drawing):
    words = ("reproduce", "experiment=shibamura/fig9", "sizes=[64]", "replications=2", "workers=2")
    result = isoplane(*words, "hydra.run.dir=run")
    assert result.code == 0
    assert result.out.splitlines()[0] == "the paper makes no statement about this figure at this size"
    assert "32 of 32 simulations" in result.err
    assert len((tmp_path / "run" / "fig9.csv").read_text().splitlines()) == 1 + 16


def test_reproduce_computes_exchanges_of_the_fourier_transform(isoplane, tmp_path):
    words = ("reproduce", "experiment=shimizu/fig10", "sizes=[8]", "hydra.run.dir=figure")
    times = {}
    for gflops in ("2.7", "5.4"):
        result = isoplane(*words[:-1], f"gflops={gflops}", f"hydra.run.dir=figure-{gflops}")
        assert result.code == 0
        assert re.fullmatch(r" *[\d.]+ s  Fig. 10 of Shimizu and Nakajima: computed, compared and drawn\n", result.err)
        times[gflops] = [line.split()[7:9] for line in result.out.splitlines() if line.startswith("B ")]
        # 7 phases instead of 10: -30 %
        statements = (tmp_path / f"figure-{gflops}" / "fig10-published.csv").read_text(encoding="utf-8")
        assert "the contention-free order takes less time to communicate" in statements
        assert "-30.0 %" in result.out
    assert len(times["2.7"]) == 4
    assert all(float(slow[0]) > float(fast[0]) for slow, fast in zip(*times.values(), strict=True))
    assert result.out.splitlines()[-1] == f"page: {tmp_path / 'figure-5.4' / 'fig10.html'}"


def test_reproduce_reads_logs_of_jobs(isoplane, tmp_path):
    jobs = [f"{number} 0 0 60 {number} -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1" for number in (1, 200)]
    (tmp_path / "any.swf").write_text("\n".join([*jobs, ""]))
    words = ("reproduce", "experiment=hirasawa/fig1", "jobs=any.swf", "processors_per_node=2", "sizes=[33]")
    result = isoplane(*words, "hydra.run.dir=figure")
    assert (result.code, result.err.count("\n")) == (0, 1)  # the time that it took
    # Half of the jobs, 1 of 201 hours; a third of the 99 destinations of the job on 100 nodes.
    assert [line.split()[3:] for line in result.out.splitlines() if line.startswith("any  processors")] == [
        ["0", "50.00", "%", "100.00", "%", "0.50", "%", "100.00", "%"]
    ]
    assert " 33           66.67 % " in result.out
    assert isoplane(*words, "seed=2").err.startswith("isoplane reproduce: seed=2: has no effect here; expected")
    (tmp_path / "any.swf").write_text("\n".join([*jobs, jobs[0].replace("60", "sixty")]))
    assert isoplane(*words).err.endswith("jobs=any.swf, line 3: 'sixty'; expected a number\n")


def test_a_reproduced_figure_is_that_of_the_command_line_and_is_read_again(isoplane):
    words = ("reproduce", "experiment=hosomi/fig3", "sizes=[8]", "exact_up_to=2", "stop.evaluations=2000")
    printed = isoplane(*words, "format=latex", "hydra.run.dir=there").out
    figure = ip.reproduce("hosomi/fig3", "here", sizes=[8], exact_up_to=2, stop={"evaluations": 2000})
    assert figure.save("figure.tex").read_text(encoding="utf-8") == printed
    assert printed.count(r"\begin{tabular}{llllrrrll}") == 1
    assert sorted(path.name for path in Path("here").iterdir()) == sorted(path.name for path in Path("there").iterdir())
    loaded = ip.load("here")
    assert (loaded.title, loaded.status, loaded.rows) == (figure.title, figure.status, figure.rows)
    assert loaded.to_dict() == figure.to_dict() == ip.load("there").to_dict()
    assert loaded.page() == figure.page()
    Path("here/fig5.svg").write_text("")
    Path("here/fig5.csv").write_text("")
    with pytest.raises(ip.InputError, match="path=here: figures fig3, fig5; expected the folder of one figure"):
        ip.load("here")
