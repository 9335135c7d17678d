"""Figs. 7 to 9 of the paper on routing-table caches: gains of benchmarks, run by run, their means and files."""

from dataclasses import replace
from statistics import mean, median

import pytest

from isoplane.models import Network, Site
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import npb
from isoplane.objectives.fluid import plane_runs_ns
from isoplane.runs.config.config_values import Config
from isoplane.runs.figures.hirasawa import FIGURES
from isoplane.runs.records import switch_from
from tests.cases import for_each, require_refusal
from tests.runs.cli.conftest import composed_config, files

SMALL = ("sizes=[16]", "problem_class=S")
RULES = ("both", "cm02")
CABLES = {"assumed_cable_m": 4.0, "node_cable_m": 4.0}


def config_of(name, *overrides):
    return Config(composed_config("reproduce", f"experiment=hirasawa/{name}", *SMALL, *overrides))


def rows_of(figure, suffix):
    table = figure.tables[suffix]
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def runs_ns(config, family, workload, *rules):
    """Return the completion of all runs with and without caches."""
    switch = switch_from(config["switch"].plain())
    sites = Site(switch=switch), Site(switch=replace(switch, cache=None))
    return [plane_runs_ns(Network(family, site), workload, *rules) for site in sites]


@pytest.fixture(scope="module")
def tori(tmp_path_factory):
    config = config_of("fig7", "benchmarks=[ep,lu,dt]", "readings=[rendezvous,buffered,simgrid]")
    return config, FIGURES["fig7"](config)(tmp_path_factory.mktemp("fig7"))


def test_gains_are_ratios_of_medians_of_whole_programs(tori):
    config, figure = tori
    torus = Torus(shape=(4, 2, 2), **CABLES)
    shown = {(row["benchmark"], row["reading"]): row for row in rows_of(figure, "")}
    assert [title for title, reading in shown if reading == "rendezvous"] == ["dt BH", "ep", "ep, code", "lu"]
    for (title, reading), row in shown.items():
        common = {"processes": 16, "eager_bytes": 0 if reading == "rendezvous" else 65536}
        work = {
            "dt BH": lambda common=common: npb("dt", "S", graph="BH", **common),
            "ep": lambda common=common: npb("ep", "S", gflops=5000, **common),
            "ep, code": lambda common=common: npb("ep", "S", gflops=5000, operations_per_count="code", **common),
            "lu": lambda common=common: npb("lu", "S", gflops=5000, **common),
        }[title]()
        runs, others = runs_ns(config, torus, work, *(RULES if reading == "simgrid" else ()))
        # The jitter of the steps of LU is another one; it moves the ratio by less than 0.01 %.
        assert float(row["gain"].split()[0]) == pytest.approx(100 * (median(others) / median(runs) - 1), abs=0.02)
        assert row["verdict"] == "gains"
        assert ("periodic" in row["with caches"]) == (title == "lu")


def test_means_are_those_of_the_benchmarks(tori):
    _, figure = tori
    gains = {
        row["benchmark"]: float(row["gain"].split()[0]) for row in rows_of(figure, "") if row["reading"] == "rendezvous"
    }
    means = {
        (row["operations_per_count"], row["benchmarks"]): float(row["mean gain"].split()[0])
        for row in rows_of(figure, "-means")
        if row["reading"] == "rendezvous"
    }
    of_all = mean([gains["dt BH"], gains["ep"], gains["lu"]])
    assert means["1", "all"] == pytest.approx(of_all, abs=0.011)
    assert means["code", "all"] == pytest.approx(of_all + (gains["ep, code"] - gains["ep"]) / 3, abs=0.011)
    assert means["1", "without dt, ep"] == gains["lu"]


def test_every_run_is_written(tori, tmp_path):
    _, figure = tori
    figure.write(tmp_path, "fig7")
    rows = rows_of(figure, "-runs")
    assert len(rows) == 3 * 4 * 9  # readings, benchmarks, runs
    for row in rows:
        ratio = int(row["without_ns"]) / int(row["with_caches_ns"])
        assert float(row["gain_percent"]) == pytest.approx(100 * (ratio - 1), abs=1e-4)
    suffixes = ("-means.csv", "-published.csv", "-runs.csv", ".csv", ".html", ".png", ".svg")
    assert sorted(files(tmp_path)) == [f"fig7{suffix}" for suffix in suffixes]


def test_random_graphs_have_seeds_one_after_another(tmp_path):
    config = config_of("fig9", "benchmarks=[ep]", "replications=2", "seed=5", "readings=[rendezvous]")
    figure = FIGURES["fig9"](config)(tmp_path)
    medians = []
    for seed in (5, 6):
        graph = RandomRegular(switches=16, degree=6, seed=seed, nodes_per_switch=1, **CABLES)
        runs, others = runs_ns(config, graph, npb("ep", "S", 16, gflops=50000, eager_bytes=0))
        medians.append(100 * (median(others) / median(runs) - 1))
    first = rows_of(figure, "")[0]
    assert first["gain"] == f"{mean(medians):.2f} %"
    assert rows_of(figure, "-means")[0]["of networks"] == f"{min(medians):.2f} to {max(medians):.2f} %"
    assert [row["network"] for row in rows_of(figure, "-runs")][:18] == ["0"] * 9 + ["1"] * 9


@for_each(
    ("name", "overrides", "message"),
    [
        ("fig7", ["sizes=[17]"], "sizes=[17]: expected 16, 64, 256, 1024"),
        ("fig8", ["readings=[]"], "readings=[]: expected a list of some of rendezvous, buffered, simgrid"),
        ("fig7", ["readings=[eager]"], "readings='eager': expected rendezvous, buffered, simgrid"),
        ("fig7", ["half_width_percent=0"], "half_width_percent=0: expected a number above 0 and at most 100"),
        ("fig9", ["replications=0"], "replications=0: expected"),
        ("fig7", ["problem_class=Q"], "problem_class='Q': expected S,"),
        ("fig9", ["sizes=[24]", "benchmarks=[bt]"], "workload.processes=24: expected for bt"),
    ],
)
def test_wrong_options_are_refused(name, overrides, message):
    require_refusal(lambda: FIGURES[name](config_of(name, *overrides)), message)
