"""The best known designs that the package ships: complete, bounded, and recomputed."""

from collections import defaultdict
from functools import lru_cache
from importlib import resources
from itertools import combinations, product
from math import prod
from pathlib import Path

import pytest

from isoplane.objectives import CABLE_METRICS, CubeObjective
from isoplane.objectives.bounds import metric_bound, score_bounds
from isoplane.runs.published import published_points
from isoplane.runs.records import file_name, network_of, read_record, verify
from isoplane.runs.report.papers import published_precision

BEST = Path(str(resources.files("isoplane.runs") / "best"))
FAMILIES = ("hypercube", "folded_hypercube")
BARE = ("aspl", "aspl_and_traffic", "max_traffic")
CABLES = ("cable_length", "cost", "delay", "delay_and_traffic", "delay_paper", "delay_paper_and_traffic")
FRONTS = ("delay", "delay_paper")
# The reference takes seconds for larger ones; CI verifies them all by `python benchmarks/best.py --verify`.
VERIFIED_UP_TO = 11


@lru_cache(maxsize=1)
def records():
    return {path: read_record(path) for path in sorted(BEST.glob("*.json"))}


def key(record):
    return record["network"]["family"], record["network"]["n"], record["objective"]


def front(family, n, metric):
    wanted = ((family, n, "front"), [f"{metric}*max_load"])
    return [record for record in records().values() if (key(record), record["score_names"]) == wanted]


def test_there_is_one_record_for_every_family_dimension_and_objective():
    found = [key(record) for record in records().values() if record["objective"] != "front"]
    wanted = [*product(FAMILIES, range(2, 17), BARE), *product(FAMILIES, range(2, 13), CABLES)]
    assert sorted(found) == sorted(wanted)


def test_there_is_a_layout_as_far_as_the_catalogue_goes():
    for record in records().values():
        assert (record["layout"] is not None) == (record["network"]["n"] <= 12)


def test_every_record_has_its_bound():
    for record in records().values():
        components = tuple(tuple(name.split("*")) for name in record["score_names"])
        bound = score_bounds(CubeObjective("any", components), network_of(record))
        assert None not in record["bound"]
        # A complete search proves more than certificates do.
        parts = zip(bound, record["bound"], record["score"], strict=True)
        assert all(low <= stated <= part for low, stated, part in parts), record
        assert (record["status"] == "optimal") == (record["bound"] == record["score"])


def test_a_record_names_the_enumeration_without_which_its_bound_would_not_be_proven():
    found = 0
    for record in records().values():
        components = [name.split("*") for name in record["score_names"]]
        network, cables = network_of(record), any(CABLE_METRICS & set(component) for component in components)
        certified = [prod(metric_bound(m, network, enumerated=False) for m in metrics) for metrics in components]
        by_formulas = score_bounds(CubeObjective("any", tuple(map(tuple, components))), network)
        searched = record["provenance"]["strategy"] == "exact"  # by its own proof, whose cuts with cables need bounds
        rests_on_it = list(by_formulas) != certified and (cables or not searched)
        assert ("bound_source" in record) == rests_on_it, record["id"]
        found += rests_on_it
    assert found > 0


def test_no_record_is_better_than_the_best_for_its_own_objective():
    best = {key(record): record["metrics"] for record in records().values()}
    for record in records().values():
        family, n, _ = key(record)
        metrics = record["metrics"]
        assert metrics["aspl"] >= best[family, n, "aspl"]["aspl"]
        assert metrics["max_load"] >= best[family, n, "max_traffic"]["max_load"]
        if n <= 12:
            assert metrics["delay_ns"] >= best[family, n, "delay"]["delay_ns"]
            assert metrics["delay_paper_ns"] >= best[family, n, "delay_paper"]["delay_paper_ns"]
            assert metrics["cost_usd_per_node"] >= best[family, n, "cost"]["cost_usd_per_node"]


@pytest.mark.parametrize("path", records(), ids=lambda path: path.stem)
def test_a_best_record_is_named_after_its_content_and_verifies(path):
    record = records()[path]
    assert path.name == file_name(record)
    if record["network"]["n"] <= VERIFIED_UP_TO and record["objective"] != "front":
        assert verify(record) == []


@pytest.mark.parametrize("metric", FRONTS)
@pytest.mark.parametrize("n", range(8, 13))
@pytest.mark.parametrize("family", FAMILIES)
def test_no_design_of_a_front_beats_another(family, n, metric):
    points = [(r["metrics"][f"{metric}_ns"], r["metrics"]["max_load"]) for r in front(family, n, metric)]
    assert points
    for one, other in combinations(sorted(points), 2):
        assert one[0] < other[0]
        assert one[1] > other[1]


def published():
    for n, folded in product(range(8, 13), (False, True)):
        for design in published_points(folded, n):
            if None not in (design.delay_paper_ns, design.max_traffic):
                yield pytest.param(FAMILIES[folded], n, design, id=f"{design.network}-{n}")


@pytest.mark.parametrize(("family", "n", "design"), list(published()))
def test_a_front_has_a_point_that_is_no_worse_than_a_published_one_in_both_and_better_in_one(family, n, design):
    # No worse within the precision in which the paper prints, and better than what it prints in one.
    delay_digit, traffic_digit = (
        published_precision(design.network, n, metric) for metric in ("delay_paper_ns", "max_traffic")
    )
    ours = [(r["metrics"]["delay_paper_ns"], r["metrics"]["max_traffic"]) for r in front(family, n, "delay_paper")]
    no_worse = [
        (delay, traffic)
        for delay, traffic in ours
        if delay < design.delay_paper_ns + delay_digit and traffic > design.max_traffic - traffic_digit
    ]
    assert any(delay < design.delay_paper_ns or traffic > design.max_traffic for delay, traffic in no_worse)


def test_the_published_points_are_there():
    counts = defaultdict(int)
    for parameters in published():
        counts[parameters.values[1]] += 1
    assert counts == {8: 6, 12: 6}  # identical planes, and two isomorphic designs, in both families
