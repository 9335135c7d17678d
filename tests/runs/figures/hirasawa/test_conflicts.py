"""Figs. 5 and 6 of the paper on routing-table caches: conflicts, hit rates, verdicts and files."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from isoplane.models import Crc, Network, RoutingCache
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import npb
from isoplane.models.workloads.npb import allowed_processes
from isoplane.objectives.caches import evicted_share_of_random_ids, look_ups_of_messages, look_ups_of_pairs
from isoplane.runs.config.config_values import Config
from isoplane.runs.figures.hirasawa import FIGURES
from tests.cases import for_each, require_refusal
from tests.runs.cli.conftest import composed_config, files

BENCHMARKS = {"cg": "", "dt BH": "BH", "dt WH": "WH", "dt SH": "SH", "is": ""}
OPTIONS = {"fig5": ["seed=3"], "fig6": ["problem_class=S", "benchmarks=[cg,dt,is]"]}
NETWORKS = {64 * nodes: Network(Torus(shape=(4, 4, 4), nodes_per_switch=nodes, node_cable_m=2.0)) for nodes in (1, 4)}


def config_of(name, *overrides):
    return Config(composed_config("reproduce", f"experiment=hirasawa/{name}", *overrides))


def figure_of(folder, name, *overrides):
    return FIGURES[name](config_of(name, *overrides))(folder)


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    return {name: figure_of(tmp_path_factory.mktemp(name), name, *options) for name, options in OPTIONS.items()}


def rows_of(figure, *key):
    table = figure.tables[""]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {tuple(row[column] for column in key): row for row in rows}


def percent(text):
    return float(text.removesuffix(" %"))


@cache
def messages_of(name):
    """Return the messages of a benchmark of class S, and the number of its processes."""
    benchmark, graph = name.split()[0], BENCHMARKS[name]
    processes = max(count for count in allowed_processes(benchmark, "S", graph) if count <= 256)
    return npb(benchmark, "S", processes, graph=graph or None).message_list(), processes


def placement_of(processes, nodes):
    """Return the nodes of the processes."""
    return np.arange(processes) * nodes // 256


def test_drawn_ids_conflict_as_often_as_balls_in_bins(figures):
    rows = rows_of(figures["fig5"], "ids", "ways")
    assert list(rows) == [(str(ids), str(ways)) for ids in (256, 512, 1024) for ways in (1, 2, 4, 8, 16)]
    for (ids, ways), row in rows.items():
        exact = 100 * float(evicted_share_of_random_ids(RoutingCache(2048, int(ways)), int(ids)))
        assert row["random ids, exact"] == f"{exact:.4f} %"
        # Numbers of the table are rounded to 0.0001 %.
        assert abs(percent(row["drawn"]) - exact) <= 3 * percent(row["standard error"]) + 3e-4
        assert row["consecutive ids"] == "0 %"


def test_the_limit_of_the_paper_at_512_ids_holds_for_consecutive_ids_alone(figures):
    verdicts = {row[0]: row[1:] for row in figures["fig5"].tables["-published"].rows}
    four, sixteen = "at 4 ways conflicts evict at most 0.1 % of", "at 16 ways conflicts evict at most 0.1 % of"
    assert verdicts[f"{four} 512 ids, if random"] == ["0.4289 %", "fails"]
    assert verdicts[f"{four} 512 ids, if consecutive"] == ["0 %", "holds"]
    assert verdicts[f"{four} 256 ids, if random"] == ["0.0362 %", "holds"]
    assert verdicts[f"{sixteen} 1024 ids, if random"] == ["0.0760 %", "holds"]
    assert [judged for _, judged in verdicts.values()].count("fails") == 1
    assert any("neither the 0.4289 % of random ids" in str(words) for words in figures["fig5"].text)


def test_random_ids_conflict_by_the_destinations_of_each_port(figures):
    # Every pair of 128 processes communicates in IS: the ports of nodes have 31 destinations, or 127, and others fewer.
    table = figures["fig6"].tables["-random-ids"]
    for nodes, most in (("64", 31), ("256", 127)):
        (shares,) = [row[2:] for row in table.rows if row[:2] == ["is", nodes]]
        for share, ways in zip(shares, (1, 2, 4), strict=True):
            bound = 100 * float(evicted_share_of_random_ids(RoutingCache(2048, ways), most))
            assert percent(share) <= bound + 5e-4
            assert ways > 1 or percent(share) > bound / 10


@for_each(("name", "nodes"), [("cg", 64), ("dt WH", 256)])
def test_look_ups_and_hits_are_those_of_the_messages_in_their_order(figures, name, nodes):
    row = rows_of(figures["fig6"], "benchmark", "nodes")[name, str(nodes)]
    messages, processes = messages_of(name)
    placement = placement_of(processes, nodes)
    counts = look_ups_of_messages(NETWORKS[nodes], RoutingCache(start="cold"), messages, placement.tolist())
    assert int(row["look-ups"]) == counts.look_ups.sum()
    assert int(row["entries"]) == counts.cold.sum() == counts.misses.sum()
    assert (
        row["hits, by message"] == f"{100 * float(Fraction(int(counts.hits.sum()), int(counts.look_ups.sum()))):.3f} %"
    )
    assert [row[f"evicted, {ways}"] for ways in ("1 way", "2 ways", "4 ways")] == ["0 %"] * 3


def test_evicted_entries_miss_when_they_are_looked_up_again(tmp_path):
    # A hash of three bits uses eight sets. After all destinations in ascending order, and with LRU, those beyond the
    # ways of their set miss once more in descending order.
    words = [f"switch.cache.hash.{key}={value}" for key, value in (("width", 3), ("polynomial", 3), ("initial", 0))]
    options = [*words, "switch.cache.hash.final_xor=0", "problem_class=S", "benchmarks=[is]", "sizes=[1,2,4]"]
    rows = rows_of(figure_of(tmp_path, "fig6", *options), "benchmark", "nodes")
    crc = Crc(width=3, polynomial=3, initial=0, final_xor=0)
    messages, processes = messages_of("is")
    for nodes, network in NETWORKS.items():
        placement = placement_of(processes, nodes)
        source, destination = np.unique(placement[[messages.source, messages.destination]], axis=1)
        order = np.argsort(destination, kind="stable")
        order = np.concatenate([order, order[::-1]])
        row = rows["is", str(nodes)]
        for ways in (1, 2, 4):
            cache = RoutingCache(2048, ways, hash=crc, start="cold")
            counts = look_ups_of_pairs(network, cache, source[order], destination[order])
            share = 100 * int(counts.conflict.sum()) / int(counts.cold.sum())
            assert (share > 0) == (ways < 4 or nodes == 256)  # 32 of the 64 nodes are used, four for each set
            assert row[f"evicted, {ways} way{'s' if ways > 1 else ''}"] == (f"{share:.3f} %" if share else "0 %")
        assert row["hits, by message"].startswith("at most ") == (nodes == 256)


def test_conflicts_and_hit_rates_of_class_a_are_beside_the_paper(tmp_path):
    rows = figure_of(tmp_path, "fig6").tables["-published"].rows
    for nodes in (64, 256):
        here = {(row[0], row[1]): row[2] for row in rows if row[0].startswith(f"{nodes} nodes")}
        conflicts = [judged for (stated, _), judged in here.items() if "conflicts evict" in stated]
        assert conflicts == ["agrees", "agrees"]
        # Few messages for each destination: EP is below the least rate, and so is DT, whatever its graph.
        assert [judged for (stated, _), judged in here.items() if "DT: least" in stated] == ["differs"]
        assert [judged for (stated, _), judged in here.items() if ", DT: hit" in stated] == ["differs"] * 3


@for_each("name", OPTIONS)
def test_tables_a_drawing_and_a_page_are_written(figures, tmp_path, name):
    folder = tmp_path / name
    figures[name].write(folder, name)
    more = {"fig5": [], "fig6": ["-random-ids.csv"]}[name]
    assert files(folder) == [f"{name}{end}" for end in ("-published.csv", *more, ".csv", ".html", ".png", ".svg")]
    assert f"Fig. {name[3:]} of Hirasawa" in (folder / f"{name}.html").read_text()


@for_each(
    ("name", "override", "problem"),
    [
        ("fig5", "sizes=[3]", "switch.cache.ways=3: expected a divisor of switch.cache.entries=2048"),
        ("fig5", "sizes=[0]", "sizes=0: expected an integer from 1 to 2048"),
        ("fig5", "switch.cache.entries=512", "switch.cache.entries=512: expected at least 1024, since"),
        ("fig6", "switch.cache.entries=128", "switch.cache.entries=128: expected at least 256, since"),
        ("fig6", "switch.cache=null", "switch.cache=null: expected a cache"),
        ("fig6", "switch.packet_bytes=0", "switch.packet_bytes=0: expected a number above 0"),
        ("fig6", "benchmarks=[]", "benchmarks=[]: expected a list of some of bt, cg, dt, ep, ft, is, lu, mg, sp"),
        ("fig6", "benchmarks=[ua]", "benchmarks='ua': expected bt, cg, dt, ep, ft, is, lu, mg, sp"),
        ("fig6", "problem_class=C", "problem_class=C: dt SH needs more than 256 processes; expected a smaller class"),
        ("fig6", "problem_class=E", "problem_class='E': expected S, W, A, B, C, D"),
    ],
)
def test_options_out_of_range_are_bad_input(name, override, problem):
    require_refusal(lambda: FIGURES[name](config_of(name, override)), problem)
