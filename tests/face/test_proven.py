"""What is proven of designs that searches have found, as numbers of rows and of frames."""

from fractions import Fraction
from html import unescape

import pytest

import isoplane as ip
from isoplane.runs.cli.sized_search import request_of_sizes
from isoplane.runs.comparison.sizes.price_bound import price_bound
from tests.cases import for_each

PROVEN = ("score", "bound", "gap", "status", "bound_source", "seed")


@for_each(
    ("objective", "score", "hops"),
    [("aspl", "aspl", 32), ("max max_traffic", "max_traffic", None), ("delay_and_traffic", None, None)],
)
def test_rows_have_score_and_bound_in_one_unit_gap_status_and_seed(tmp_path, objective, score, hops):
    search = ip.find(
        network="hypercube", n=5, objective=objective, stop={"evaluations": 2000}, strategy="anneal", seed=3
    )
    best, record = search.best, search.best.to_dict()
    (row,) = search.front.rows
    assert {name: row[name] for name in PROVEN} == {name: best[name] for name in PROVEN}
    assert search.to_frame(dict)["gap"] == [best["gap"]]
    assert (best["seed"], best["status"]) == (3, best.status)
    exact, least = record["score"][0], record["bound"][0]
    assert best["gap"] == (exact - least) / exact
    if score is not None:
        assert best["score"] == best[score]
    # Traffic is the reciprocal of the load: its bound is above it, by as much as that of the load is below.
    quotient = best["bound"] / best["score"]
    assert (1 / quotient if objective.startswith("max") else quotient) == pytest.approx(least / exact)
    if hops is not None:  # a node has its distances to the 32 switches, its own included
        assert (best["score"], best["bound"]) == (exact / hops, least / hops)
    loaded = ip.load(best.save(tmp_path / "best.json"))
    assert {name: loaded[name] for name in PROVEN} == {name: best[name] for name in PROVEN}
    assert (loaded.score, loaded.bound, loaded.gap) == (best.score, best.bound, best.gap)
    assert (best.score, best.bound, best.gap) == (best["score"], best["bound"], best["gap"])
    assert best.bound_source == best["bound_source"] == "formulas and certificates of cubes"
    assert not set(best.metrics) & set(PROVEN)


def test_a_running_search_says_what_is_proven_of_the_best_design_so_far():
    search = ip.find(network="free_graph", switches=10, degree=3, stop={"evaluations": 20_000})
    proven = ("score", "bound", "gap", "status", "bound_source")
    assert [getattr(search, name) for name in proven] == [None, None, None, "", ""]
    found = next(search)
    assert [getattr(search, name) for name in proven] == [found[name] for name in proven]
    assert search.stopped_by is None
    for _ in search:
        pass
    # The Petersen graph reaches the Moore bound: 3 switches are one hop away, 6 are two.
    assert (search.score, search.bound, search.gap) == (1.5, 1.5, 0)
    assert (search.status, search.bound_source) == (search.best.status, "the Moore bound")


def test_designs_of_a_front_have_its_status_and_no_score(tmp_path):
    front = ip.find(network="hypercube", n=3, objective="front").front  # ends when all bases are searched
    best = ip.load(front[0].save(tmp_path / "design.json"))
    assert {(row["status"], row["seed"]) for row in front.rows} == {
        ("proven complete over all linear relabellings of plane 1", 1)
    }
    assert not any({"score", "bound", "gap", "bound_source"} & set(row) for row in (*front.rows, *best.rows))
    assert (front.score, best.bound, front.bound_source) == (None, None, "")


def test_a_record_whose_function_is_missing_has_its_metrics(tmp_path):
    objective = lambda metrics: metrics["max_load"]  # noqa: E731
    best = ip.find(network="hypercube", n=3, objective=objective, stop={"evaluations": 500}).best
    assert (best["score"], best["bound"], best["gap"]) == (best["max_load"], None, None)
    best.save(tmp_path / "lambda.json")
    record = best.to_dict()
    text = (tmp_path / "lambda.json").read_text(encoding="utf-8").replace(record["objective"], "__main__:absent")
    (tmp_path / "lambda.json").write_text(text, encoding="utf-8")
    loaded = ip.load(tmp_path / "lambda.json")
    assert ("score" in loaded.rows[0], loaded["seed"], loaded["max_load"]) == (False, 1, best["max_load"])


def test_a_limit_that_nothing_meets_is_named_with_the_nearest_design(tmp_path):
    limits = {"objective": "min delay_ns", "subject_to": "max_load <= 1"}
    search = ip.find(network="hypercube", n=3, stop={"evaluations": 2000}, **limits)
    proven = "proven over all linear relabellings of plane 1: no design meets all limits, and none is nearer"
    missed = f"max_load <= 1 (max_load={search.best['max_load']})"
    assert search.status == search.best.status == f"{proven}; misses {missed}"
    assert (search.gap, search.best["gap"], search.to_frame(dict)["gap"]) == (None, None, [None])
    loaded = ip.load(search.best.save(tmp_path / "nearest.json"))
    assert (loaded.status, loaded["gap"]) == (search.status, None)
    head = search.best.page().partition("</header>")[0]
    assert f"no design meets all limits; the nearest misses {missed}" in unescape(head)
    assert "Gap: (score" not in search.best.page()
    assert not search.is_target_reached


def test_a_price_for_nodes_and_ports_is_bounded_by_that_of_any_network():
    search = ip.find(nodes=16, ports=8, throughput=0.9, network="host_graph", stop={"evaluations": 500})
    best, lowest = search.best, price_bound(request_of_sizes({"nodes": 16, "ports": 8}), Fraction(9, 10)) / 1600
    assert (best.bound, best.gap) == (pytest.approx(lowest), pytest.approx(1 - lowest / best["cost_usd_per_node"]))
    assert f"limits met, cost within {100 * best.gap:.2f} %" in best.status
    assert search.front.status == search.status == best.status
    assert best.to_dict()["bound"] == [0, None]  # a record has what verify recomputes
