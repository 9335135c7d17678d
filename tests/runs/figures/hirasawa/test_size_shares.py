"""Fig. 1 of the paper on routing-table caches: sizes of jobs, hit rates, verdicts and files."""

import csv
import re
from collections import OrderedDict
from math import sqrt

import numpy as np
import pytest

from isoplane.runs.figures.hirasawa.job_sizes import expected_hit_rates, shares_up_to, size_distribution
from isoplane.runs.figures.hirasawa.size_shares import check, figure_of, read_logs
from isoplane.runs.inputs.job_logs import JobLog
from tests.cases import for_each, require_refusal
from tests.runs.cli.conftest import files

HOUR_S = 3600


def log_of(name, sizes, node_processors=None, **header):
    """Jobs of an hour each."""
    column = np.array(sizes)
    return JobLog(name, 0 * column, 0 * column + HOUR_S, column, column, 0 * column + 1, header, node_processors)


def lru_hit_rate(feed, entries):
    """The share of hits of the second half of a feed in a cache that replaces what was used least recently."""
    cache, hits = OrderedDict(), 0
    for number, destination in enumerate(feed.tolist()):
        hits += destination in cache and number >= len(feed) // 2
        cache[destination] = True
        cache.move_to_end(destination)
        if len(cache) > entries:
            cache.popitem(last=False)
    return hits / (len(feed) // 2)


@for_each(("nodes", "entries"), [(2, 1), (129, 128), (130, 128), (257, 64), (513, 200)])
def test_the_expected_hit_rate_of_a_job_is_that_of_a_simulated_cache(nodes, entries):
    rate, by_hours = expected_hit_rates((np.array([nodes]), np.array([1]), np.array([2.0])), entries)
    assert rate == by_hours == min(1, entries / (nodes - 1))
    lookups = 20_000
    feed = np.random.default_rng(nodes).integers(nodes - 1, size=2 * lookups)
    assert abs(lru_hit_rate(feed, entries) - rate) <= 3 * sqrt(rate * (1 - rate) / lookups)


def test_favourite_destinations_raise_the_hit_rate_and_a_loop_over_more_than_fit_has_none():
    uniform = np.random.default_rng(1).integers(100, size=20_000)
    favourites = uniform * uniform // 100
    assert lru_hit_rate(favourites, 50) > lru_hit_rate(uniform, 50) > lru_hit_rate(np.arange(20_000) % 51, 50) == 0


def test_hit_rates_are_means_over_jobs_or_over_their_node_hours():
    # Jobs on 1, 5 and 9 nodes with 2 entries hit always, with 2 of 4 and with 2 of 8 destinations.
    distribution = np.array([1, 5, 9]), np.array([2, 1, 1]), np.array([2.0, 10.0, 4.0])
    assert expected_hit_rates(distribution, 2) == ((2 + 1 / 2 + 1 / 4) / 4, (2 + 10 / 2 + 4 / 4) / 16)


def test_shares_count_processors_and_nodes_of_each_job():
    log = log_of("any", [1, 8, 9, 128, 129, 129], node_processors=8)
    processors, nodes = (size_distribution(log, in_nodes=unit) for unit in (False, True))
    assert [values.tolist() for values in processors] == [[1, 8, 9, 128, 129], [1, 1, 1, 1, 2], [1, 8, 9, 128, 258]]
    # 128 processors of 8 a node are 16 nodes, not 32 as printed; one more needs a seventeenth.
    assert [values.tolist() for values in nodes] == [[1, 2, 16, 17], [2, 1, 1, 2], [2, 2, 16, 34]]
    for distribution, sizes in ((processors, [0, 128, 1000]), (nodes, [0, 16, 1000])):
        jobs, _ = shares_up_to(distribution, sizes)
        assert jobs.tolist() == [0, 4 / 6, 1]
    assert shares_up_to(processors, [128])[1] == pytest.approx((1 + 8 + 9 + 128) / (1 + 8 + 9 + 128 + 258))


def test_hours_without_run_times_are_unknown():
    log = log_of("any", [4, 5])
    still = JobLog("any", log.submit_s, log.run_s * 0 - 1, log.allocated, log.requested, log.status)
    rows = figure_of([still], [2]).tables["-hit-rates"].rows
    # 2 of 3 and 2 of 4 destinations
    assert rows == [["any", "1 (assumed)", "2", "58.33 %", "unknown"]]


@pytest.fixture(scope="module")
def figure(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fig1")
    # Of 200 jobs, 196 have at most 128 processors: 98 %. Of the other machine 89 of 100 have at most 1,024.
    ricc = log_of("RICC-2010", [8] * 100 + [128] * 96 + [129] * 3 + [8192], 8, MaxProcs="8192")
    other = log_of("other", [16] * 89 + [2048] * 11)
    made = figure_of([ricc, other], [4, 1000])
    made.write(folder, "fig1")
    return made, folder


def rows_of(folder, name):
    with (folder / name).open(newline="") as file:
        return list(csv.DictReader(file))


def test_shares_are_compared_with_the_machine_that_the_paper_names(figure):
    rows = rows_of(figure[1], "fig1-published.csv")
    assert [(row["ours"], row["verdict"]) for row in rows] == [
        ("98.00 % of RICC-2010", "agrees"),
        ("89.00 % of other", "not compared (another machine)"),
        ("99.50 % of RICC-2010", "holds"),
        ("89.00 % of other", "fails"),
    ]
    assert [row["statement"] for row in rows[::2]] == [
        "98 % of the jobs of RICC use at most 128 processors",
        "at least 90 % of the jobs of many systems use at most 1024 processors",
    ]
    judged = figure_of([log_of("x", [8] * 97 + [256] * 3, Installation="RICC, in Wako")], [4]).tables["-published"].rows
    assert judged[0][1:] == ["97.00 % of x", "differs"]


def test_all_tables_a_drawing_and_a_page_are_written(figure):
    _, folder = figure
    ends = ("-hit-rates.csv", "-published.csv", "-shares.csv", ".csv", ".html", ".png", ".svg")
    assert files(folder) == [f"fig1{end}" for end in ends]
    points = {(row["log"], row["size_in"], row["size"]): row for row in rows_of(folder, "fig1.csv")}
    assert len(points) == 4 + 2 + 4
    assert points["RICC-2010", "nodes", "16"]["share_of_jobs"] == "0.980000"
    assert points["other", "processors", "2048"]["hours"] == f"{11 * 2048}.000"
    shares = rows_of(folder, "fig1-shares.csv")
    assert [(row["log"], row["size in"], row["jobs up to 128"], row["jobs up to 1024"]) for row in shares] == [
        ("RICC-2010", "processors", "98.00 %", "99.50 %"),
        ("other", "processors", "89.00 %", "89.00 %"),
        ("RICC-2010", "nodes", "99.50 %", "100.00 %"),
    ]
    # Of RICC in nodes: 100 on 1, 96 on 16, 3 on 17 and 1 on 1,024; of the other each processor is a node.
    expected = [(100 + 96 * 4 / 15 + 3 * 4 / 16 + 4 / 1023) / 200, (199 + 1000 / 1023) / 200]
    expected += [(89 * 4 / 15 + 11 * 4 / 2047) / 100, (89 + 11 * 1000 / 2047) / 100]
    rates = [row["hit rate by jobs"] for row in rows_of(folder, "fig1-hit-rates.csv")]
    assert rates == [f"{100 * rate:.2f} %" for rate in expected]


def test_the_page_says_what_the_paper_has_wrong(figure):
    made, folder = figure
    page = re.sub(r"\s+", " ", (folder / "fig1.html").read_text())
    for text in (page, "\n".join(map(str, made.text))):
        assert "gives 128 processors of RICC as 32 nodes" in text
        assert "they are 16" in text
    assert "min(1, M / (N - 1))" in page


def test_a_synthetic_log_is_made_by_the_seed_and_never_judged(tmp_path):
    data = {"sizes": [8], "jobs": None, "processors_per_node": 8}
    first, again, other = (check({**data, "seed": seed})(tmp_path) for seed in (1, 1, 2))
    assert first.files["synthetic.swf"] == again.files["synthetic.swf"] != other.files["synthetic.swf"]
    assert {row[-1] for row in first.tables["-published"].rows} == {"not compared (a model, no machine)"}
    (tmp_path / "written.swf").write_text(first.files["synthetic.swf"])
    (written,) = read_logs(str(tmp_path / "written.swf"), 8)
    tables = figure_of([written], [8]).tables
    assert [row[1:] for row in tables["-hit-rates"].rows] == [row[1:] for row in first.tables["-hit-rates"].rows]
    assert tables["-published"].rows[0][-1] == "not compared (a model, no machine)"


@for_each(
    ("changed", "problem"),
    [
        ({"sizes": []}, "^sizes=[]: expected at least one number of entries of a cache$"),
        ({"sizes": [0]}, "^sizes=0: expected an integer from 1 to 1048576$"),
        ({"jobs": []}, "^jobs=[]: expected at least one log, or null for a synthetic one$"),
        ({"jobs": ["missing.swf"]}, "^jobs=missing.swf: No such file or directory; expected a log in the"),
        ({"jobs": [True]}, "^jobs=True: expected the path of a file"),
        ({"jobs": ["a.swf", "./a.swf"]}, "^jobs=a.swf: given twice"),
        ({"processors_per_node": 0}, "^processors_per_node=0: expected an integer from 1 to 65536$"),
        ({"processors_per_node": [-8]}, "^processors_per_node=-8: expected an integer from 1"),
        ({"processors_per_node": "eight"}, "^processors_per_node='eight': expected an integer"),
        ({"processors_per_node": [8, 8]}, "^processors_per_node=[8, 8]: expected one number, or a list of 1, one for"),
        ({"jobs": ["a.swf", "b.swf"], "processors_per_node": [8]}, "^processors_per_node=[8]: expected one number, or"),
        ({"seed": -1}, "^seed=-1: expected an integer of at least 0$"),
    ],
)
def test_options_out_of_range_are_bad_input(changed, problem):
    data = {"sizes": [8], "jobs": None, "processors_per_node": None, "seed": 1, **changed}
    require_refusal(lambda: check(data), problem)


def test_logs_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.swf").write_text("1 0 0 60 4 -1 -1 4 -1 -1 1 1 1 -1 0 -1 -1 -1\n")
    paths = [str(tmp_path / folder / "x.swf") for folder in ("a", "b")]
    assert [log.name for log in read_logs(paths, [None, 2])] == paths
    assert [log.name for log in read_logs(paths[:1], 2)] == ["x"]
