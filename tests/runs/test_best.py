"""The best known designs shipped with the package: complete, bounded, and recomputed."""

import json
from collections import Counter
from functools import cache, lru_cache
from importlib import resources
from itertools import combinations, permutations, product
from math import factorial, prod
from pathlib import Path
from random import Random

import pytest

from isoplane.objectives import CABLE_METRICS, CUBES, Lexicographic
from isoplane.objectives.bounds import metric_bound, score_bounds, stored_enumeration
from isoplane.objectives.structure import concurrent_flow
from isoplane.runs.cli.main import main
from isoplane.runs.published import published_designs
from isoplane.runs.records import file_name, network_of, read_record, verify
from tests.cases import for_each
from tests.test_tables import documented_table

BEST = Path(str(resources.files("isoplane.runs") / "best"))
FAMILIES = ("hypercube", "folded_hypercube")
WITHOUT_LAYOUT = ("aspl", "aspl_and_traffic", "max_traffic")
RELABELLED = {"aspl": range(6, 11), "max_traffic": range(6, 9)}
WITH_LAYOUT = ("cable_length", "cost", "delay", "delay_and_traffic", "delay_paper", "delay_paper_and_traffic")
FRONTS = ("delay", "delay_paper")
# The reference takes seconds for larger cubes; `make records` verifies all records.
VERIFIED_UP_TO = 9
SAMPLE = 16


@lru_cache(maxsize=1)
def records():
    return {path: read_record(path) for path in sorted(BEST.glob("*-n*.json"))}  # not of relabelled planes


@cache
def relabelled():
    """The records of relabelled planes, by the family and n of plane 0 and the objective."""
    found = {path: read_record(path) for path in sorted(BEST.glob("relabelled-*.json"))}
    assert [path.name for path in found] == list(map(file_name, found.values()))
    return {(r["network"]["plane"]["family"], r["network"]["plane"]["n"], r["objective"]): r for r in found.values()}


def key(record):
    return record["network"]["family"], record["network"]["n"], record["objective"]


def components(record):
    return tuple(tuple(name.split("*")) for name in record["score_names"])


@cache
def bounds_of(family, n, names, *, enumerated):
    """Bounds by certificate, which all records of a family, a size and a score share."""
    record = next(r for r in records().values() if (*key(r)[:2], tuple(r["score_names"])) == (family, n, names))
    network = network_of(record)
    if enumerated:
        return score_bounds(Lexicographic("any", components(record), CUBES), network)
    return tuple(prod(metric_bound(m, network, enumerated=False) for m in metrics) for metrics in components(record))


def certificate(record, *, enumerated=True):
    """The bound by certificate of a record."""
    return bounds_of(*key(record)[:2], tuple(record["score_names"]), enumerated=enumerated)


def front(family, n, metric):
    wanted = ((family, n, "front"), [f"{metric}*max_load"])
    return [record for record in records().values() if (key(record), record["score_names"]) == wanted]


def test_there_is_one_record_for_each_family_dimension_and_objective():
    found = [key(record) for record in records().values() if record["objective"] != "front"]
    expected = [*product(FAMILIES, range(2, 17), WITHOUT_LAYOUT), *product(FAMILIES, range(2, 13), WITH_LAYOUT)]
    assert sorted(found) == sorted(expected)


def test_records_are_named_after_their_content_and_have_a_layout_up_to_the_size_that_the_catalogue_allows():
    for path, record in records().items():
        assert path.name == file_name(record)
        assert (record["layout"] is not None) == (record["network"]["n"] <= 12)


def test_every_bound_is_between_certificate_and_score_and_names_the_enumeration_that_its_proof_needs():
    named = 0
    for record in records().values():
        assert None not in record["bound"]
        proven = certificate(record)
        # A complete search may prove more than the certificates do.
        parts = zip(proven, record["bound"], record["score"], strict=True)
        assert all(low <= stated <= part for low, stated, part in parts), record
        assert (record["status"] == "optimal") == (record["bound"] == record["score"])
        # The exact search is a proof of its own; with cables, however, its cuts need the bounds.
        cables = any(CABLE_METRICS & set(metrics) for metrics in components(record))
        needs_enumeration = (
            stored_enumeration(record["network"]["n"], record["network"]["folded"]) is not None
            and (cables or record["provenance"]["strategy"] != "exact")
            and proven != certificate(record, enumerated=False)
        )
        assert ("bound_source" in record) == needs_enumeration, record["id"]
        named += needs_enumeration
    assert named > 0


def test_the_documented_table_of_bounds_follows_from_the_certificates_and_the_records(import_script):
    bounds = import_script("bounds")  # of the certificates of the test above, which are computed once
    table = bounds.markdown(bounds.metrics_table(bounds.WITH_CABLES))
    assert documented_table(import_script, "metrics") == list(table)


def test_no_record_beats_the_best_record_of_a_metric_in_that_metric():
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


def test_best_records_verify():
    small = [record for record in records().values() if record["network"]["n"] <= VERIFIED_UP_TO]
    for record in Random(1).sample(small, SAMPLE):
        assert verify(record) == [], record["id"]


def test_there_is_one_record_of_relabelled_planes_for_each_family_dimension_and_objective():
    assert len(relabelled()) == len(list(BEST.glob("relabelled-*.json")))
    assert set(relabelled()) == {(f, n, goal) for f in FAMILIES for goal, sizes in RELABELLED.items() for n in sizes}


def test_relabelled_planes_are_at_least_as_good_as_the_best_known_bases():
    linear = {key(record): record["metrics"] for record in records().values()}
    for (family, n, objective), record in relabelled().items():
        basis, metrics = linear[family, n, objective], record["metrics"]
        packets = record["network"]["plane"]["nodes_per_switch"] ** 2  # from one switch to another
        if objective == "aspl":
            assert metrics["aspl"] <= basis["aspl"]
            assert record["score"] == [metrics["aspl"] * packets * 4**n]
        else:
            assert record["score"] == [metrics["peak_load"]] <= [basis["max_load"] * packets]


def even_loads(places):
    """The links' loads in two planes of a cube, of one packet for each pair on all its shortest paths evenly."""
    switches = len(places)
    hops = [
        [[(at[x] ^ at[y]).bit_count() for y in range(switches)] for x in range(switches)]
        for at in (range(switches), places)
    ]
    loads = Counter()
    for plane, at in enumerate((range(switches), places)):
        for x, y in permutations(range(switches), 2):
            here, other = hops[plane][x][y], hops[1 - plane][x][y]
            if here > other:
                continue
            offset = at[x] ^ at[y]
            crossed = offset
            while crossed:  # the subsets of the dimensions of a path: those before a hop
                crossed = crossed - 1 & offset
                before = crossed.bit_count()
                share = factorial(before) * factorial(here - before - 1) / factorial(here) / (2 if here == other else 1)
                for bit in range(offset.bit_length()):
                    if (offset & ~crossed) >> bit & 1:
                        loads[plane, at[x] ^ crossed, bit] += share
    return loads


@for_each(("n", "load"), [(7, 48), (8, 98)])
def test_even_splits_load_all_links_of_the_best_planes_alike(n, load):
    record = relabelled()["hypercube", n, "aspl"]
    assert concurrent_flow(network_of(record)).value * load * record["network"]["plane"]["nodes_per_switch"] == 2 ** (
        n + 1
    )
    if n == 7:
        loads = even_loads(record["network"]["places"][0])
        assert len(loads) == 2 * 2**n * n
        assert 2 * min(loads.values()) == pytest.approx(load) == pytest.approx(2 * max(loads.values()))


def test_relabelled_planes_are_listed_with_their_permutations_and_over_what_their_bounds_hold(capsys):
    words = ["best", "family=relabelled", "n=6"]
    assert main([*words, "format=markdown"]) == 0
    assert capsys.readouterr().out.count("over all permutations of the switches |") == 4
    assert main([*words, "format=json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert len(rows) == 4
    for row in rows:
        record = relabelled()[row["family"].removeprefix("relabelled "), row["n"], row["objective"]]
        assert (row["id"], [row["places"]]) == (record["id"], record["network"]["places"])
        assert row["max_traffic"] == 4 * record["metrics"]["throughput_per_node"]  # of four nodes at a switch


def test_best_records_of_relabelled_planes_verify():
    assert all((r["status"] == "optimal") == (r["bound"] == r["score"]) for r in relabelled().values())
    assert verify(relabelled()["hypercube", 6, "aspl"]) == []


@for_each("metric", FRONTS)
@for_each("n", range(8, 13))
@for_each("family", FAMILIES)
def test_no_design_of_a_front_beats_another(family, n, metric):
    points = [(r["metrics"][f"{metric}_ns"], r["metrics"]["max_load"]) for r in front(family, n, metric)]
    assert points
    for one, other in combinations(sorted(points), 2):
        assert one[0] < other[0]
        assert one[1] > other[1]


def published():
    for n, folded in product(range(8, 13), (False, True)):
        for stated in published_designs(folded, n).values():
            if {"delay_paper_ns", "max_traffic"} <= stated.keys():
                yield FAMILIES[folded], n, stated


@for_each(("family", "n", "stated"), list(published()))
def test_every_published_point_is_dominated_by_a_point_of_the_front(family, n, stated):
    # No worse in either metric, up to the precision of the printed numbers, and better than the printed number in one.
    (stated_ns, delay_precision), (stated_traffic, traffic_precision) = stated["delay_paper_ns"], stated["max_traffic"]
    ours = [(r["metrics"]["delay_paper_ns"], r["metrics"]["max_traffic"]) for r in front(family, n, "delay_paper")]
    no_worse = [
        (delay, traffic)
        for delay, traffic in ours
        if delay < stated_ns + delay_precision and traffic > stated_traffic - traffic_precision
    ]
    assert any(delay < stated_ns or traffic > stated_traffic for delay, traffic in no_worse)
