"""Searches over the caches of switches, around the search of connection sets."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from isoplane.models import Design, Site, dual_cube
from isoplane.objectives import CUBES, Lexicographic, metrics_of
from isoplane.objectives.cubes.batch import exact_batch
from isoplane.objectives.reference import reference_exact
from isoplane.search import Anneal, Auto, ConnectionSets, Enumerate, Exact, Limits, solve
from isoplane.search.cubes.all_bases import all_bases
from tests.cases import for_each, require_refusal
from tests.search.cached import (
    DELAY,
    HOLDING,
    MISSING,
    SWITCH,
    all_of_dimension,
    all_of_dimension_3,
    cache,
    found_cache,
    scored,
    space_with,
)
from tests.search.cases import OBJECTIVES, generators, search
from tests.search.pages import Pages

# Exact searches


@for_each(
    ("components", "entries"),
    [
        ((("delay",), ("cache_area",)), 256),  # the fastest
        ((("cache_area",), ("delay",)), 128),  # the smallest
        ((("delay", "cache_area"),), 128),  # half the area for one nanosecond a hop
        ((("delay", "max_load"), ("lookup_power",)), 256),
    ],
)
def test_exact_searches_with_every_cache_equal_brute_force_over_both(components, entries):
    caches = cache(128, 3, 0.2), cache(256, 2, 0.4), cache(2048, 4, 0.7)
    caches = tuple(replace(found, static_mw=10 + k, lookup_nj=0.039 + k / 1000) for k, found in enumerate(caches))
    objective, space = scored(*components), space_with(5, caches)
    best = list(solve(space, objective, Exact(head_start=1024), Limits(), seed=1))[-1]
    scores = []
    for found in caches:
        batch = all_of_dimension(5, replace(found, lookup_nj=None, static_mw=None, area_mm2=None))
        # Ports: 5 of generators and 4 of nodes; half of 9 · 200 Gbit/s in packets of 3,200 bits.
        watts = (36 + 9 * found.static_mw) / 1000 + 0.5 * 9 * 200 / 3200 * found.lookup_nj
        constants = {"cache_area": 9 * found.area_mm2, "lookup_power": 64 * watts}
        values = {"delay": batch.delay_ns, "max_load": batch.max_load, **constants}
        columns = [np.prod(np.broadcast_arrays(*(values[name] for name in names)), axis=0) for names in components]
        columns = [np.broadcast_to(column, len(batch.max_load)) for column in columns]
        first = np.lexsort(columns[::-1])[0]
        scores.append((tuple(float(column[first]) for column in columns), found.entries))
    assert (best.complete, best.status, found_cache(best).entries) == (True, "optimal", entries)
    assert min(scores)[1] == entries
    metrics = best.evaluation.metrics
    named = {"delay": metrics["delay_ns"], "max_load": metrics["max_load"], "cache_area": metrics["cache_area_mm2"]}
    named["lookup_power"] = metrics["lookup_power_w"]
    np.testing.assert_allclose(
        [np.prod([named[name] for name in names]) for names in components], min(scores)[0], rtol=1e-5
    )


@for_each("caches", [(MISSING,), (HOLDING, MISSING)])
def test_caches_that_miss_are_judged_over_all_bases_by_the_general_evaluator(caches):
    space = space_with(3, caches)
    best = list(solve(space, DELAY, Auto(), Limits(), seed=1))[-1]
    assert (best.complete, best.status) == (True, "optimal")
    assert "the general evaluator judges" in space.remark
    delays = [exact["delay"] for found in caches for exact in all_of_dimension_3(found)]
    assert best.evaluation.score == (min(delays),)
    assert found_cache(best) == caches[0]


def test_enumerated_caches_that_miss_or_not_equal_brute_force_over_both():
    caches = cache(8, 4), cache(3, 0)  # 8 nodes; up to 4 destinations of a link
    space, best = space_with(3, caches, nodes_per_switch=1), []
    bases = np.array(list(all_bases(3)), dtype=np.uint32)
    for part in space.spaces:
        with_hits, least = exact_batch(part.identical, bases)["delay"], np.inf
        for row in np.argsort(with_hits, kind="stable"):
            if with_hits[row] >= least:  # misses only add to it
                break
            least = min(least, DELAY.point(part.design(bases[row].tolist()))[0])
        best.append((least, part.site.switch.cache.entries))
    found = list(solve(space, DELAY, Enumerate(), Limits(), seed=1))[-1]
    assert (found.complete, found.status) == (True, "optimal")
    assert (found.evaluation.score[0], found_cache(found).entries) == min(best)
    assert min(best)[1] == 3


@for_each("n", [4, 5])
def test_heuristics_beyond_the_entries_keep_what_the_general_evaluator_judges_best(n):
    space = space_with(n, (cache(8),))
    run = search(space, DELAY, Anneal(chains=2), Limits(evaluations=20_000))
    best = run.last
    assert best.evaluation.score == (reference_exact(best.design.network)["delay"],)
    assert best.evaluation.score < DELAY(space.baseline).score
    assert space.bounds(DELAY)[0] <= best.evaluation.score[0]
    # With caches for all destinations every design is faster.
    with_hits = replace(best.design.network, site=Site(switch=replace(SWITCH, cache=cache(2048))))
    assert DELAY(Design(with_hits)).score < best.evaluation.score


def test_of_caches_that_score_alike_one_is_searched_and_the_first_is_kept():
    caches = tuple(cache(entries, ways=ways) for entries in (64, 128) for ways in (2, 1))
    space = space_with(4, caches)
    assert [part.numbers for part in space.parts(DELAY)] == [(0,)]
    best = list(solve(space, DELAY, Auto(), Limits(), seed=1))[-1]
    alone = list(solve(space.spaces[0], DELAY, Auto(), Limits(), seed=1))[-1]
    assert (best.design, best.evaluations) == (alone.design, alone.evaluations)
    assert found_cache(best) == caches[0]
    assert best.proof.site_scope == "the 4 given caches"


def test_a_front_of_delay_and_area_has_the_best_delay_of_every_cache_worth_its_area():
    caches = cache(64, 4, 0.1), cache(128, 3, 0.2), cache(256, 3, 0.3), cache(512, 2, 0.4)
    objective = Lexicographic("front", (("delay", "cache_area"),), CUBES, front=("delay", "cache_area"))
    last = list(solve(space_with(4, caches), objective, Auto(), Limits(), seed=1))[-1]
    entries = {design.network.site.switch.cache.entries: metrics_of(design) for design in last.kept}
    assert last.complete
    assert sorted(entries) == [64, 128, 512]
    for found in (caches[0], caches[1], caches[3]):
        alone = list(solve(space_with(4, (found,)), DELAY, Auto(), Limits(), seed=1))[-1]
        assert entries[found.entries]["delay_ns"] == alone.evaluation.metrics["delay_ns"]


def test_a_front_of_delay_and_a_power_that_kernels_do_not_know_has_the_least_delay():
    space, front = space_with(3, (cache(8),)), ("delay", "lookup_power")
    objective = Lexicographic("front", (front,), CUBES, front=front)
    last = search(space, objective, Auto(), Limits(evaluations=1 << 14)).last
    fastest = list(solve(space, DELAY, Auto(), Limits(), seed=1))[-1]
    delays = {metrics_of(design)["delay_ns"] for design in last.kept}
    assert min(delays) == fastest.evaluation.metrics["delay_ns"]


# Heuristics


def test_heuristics_take_turns_and_share_the_evaluations_equally():
    caches = cache(256, 2), cache(512, 3), cache(1024, 4)
    run = search(space_with(6, caches), DELAY, Anneal(chains=2), Limits(evaluations=200_001))
    alone = [
        search(space, DELAY, Anneal(chains=2), Limits(evaluations=66_667)) for space in space_with(6, caches).spaces
    ]
    assert run.progress[-1].evaluations == 200_001
    best = min(alone, key=lambda other: other.last.evaluation.score).last
    assert (generators(run.last.design), run.last.evaluation.score) == (generators(best.design), best.evaluation.score)
    assert found_cache(run.last).entries == 256
    # A round of 2 · 2^16 evaluations at most for one search, before the next has its turn.
    steps = [b.evaluations - a.evaluations for a, b in pairwise(run.progress)]
    assert max(steps) <= 2 << 16


def test_a_search_with_caches_is_resumed_where_it_ended():
    space, pages = space_with(4, (cache(8, 2), cache(512, 3))), Pages()

    def outcome(evaluations, checkpoint=None):
        found = solve(space, DELAY, Anneal(chains=1), Limits(evaluations=evaluations), seed=3, checkpoint=checkpoint)
        return [(each.evaluation.score, generators(each.design), each.evaluations) for each in found]

    whole = outcome(4 << 16)
    outcome(2 << 16, pages)
    assert {name.partition("-")[0] for name in pages} == {"caches0", "caches1", "clock"}
    assert outcome(4 << 16, pages) == whole


def test_a_start_on_any_site_serves_all_caches():
    space = space_with(5, (cache(128, 3), cache(256, 2)))
    start = Design(dual_cube(5, (3, 5, 9, 17, 31)))
    run = search(space, DELAY, Anneal(), Limits(evaluations=2), warm_start=start)
    assert run.last.evaluation.score <= DELAY(space.design((1, 3, 5, 9, 17, 31))).score


# What is refused


@for_each(
    ("caches", "components", "message"),
    [
        ((8, 256), (("delay_paper",),), "delay_paper has one delay for all hops; expected delay"),
        (
            (128, 256),
            (("delay",), ("cache_area",)),
            "switch.cache.area_mm2=0.1: cache_area of caches of 128, 256 entries",
        ),
        (
            (128, 256),
            (("delay",), ("lookup_power",)),
            "switch.cache.lookup_nj=0.039: lookup_power of caches of 128, 256",
        ),
        (
            (128,),
            (("delay",), ("cache_area",)),
            "cache_area of all designs is the same with one cache; expected others",
        ),
    ],
)
def test_objectives_that_caches_do_not_have_are_refused(caches, components, message):
    space = space_with(4, tuple(map(cache, caches)))
    require_refusal(lambda: space.fitted(scored(*components)), message)


def test_an_exact_search_needs_caches_that_miss_nothing():
    space = space_with(4, (cache(8),))
    require_refusal(
        lambda: next(solve(space, DELAY, Exact(), Limits(), seed=1)), "strategy=exact: caches of 8 entries miss"
    )
    # Without delays in the score, misses do not matter.
    aspl = OBJECTIVES["aspl"]
    with_hits, with_misses = (
        list(solve(found, aspl, Exact(head_start=64), Limits(), seed=1))[-1] for found in (ConnectionSets(4), space)
    )
    assert with_misses.evaluation.score == with_hits.evaluation.score


def test_every_search_needs_an_evaluation():
    space = space_with(6, (cache(256, 2), cache(512, 3)))
    require_refusal(
        lambda: next(solve(space, DELAY, Anneal(), Limits(evaluations=1), seed=1)),
        "stop.evaluations=1: expected at least 2",
    )


def test_a_cache_is_given_once():
    variable = space_with(3, (cache(64), cache(128))).spaces[0].baseline.network.variables["switch.cache"]
    require_refusal(lambda: variable.within("switch.cache", (cache(8), cache(8))), "switch.cache: 2 caches, 1 of them")


def test_an_objective_needs_a_metric_of_the_network():
    space = space_with(4, (cache(128, 2, 0.1), cache(256, 2, 0.2)))
    message = "scored: cache_area follow from the cache alone; expected a metric of the network as well"
    require_refusal(lambda: space.fitted(scored(("cache_area",))), message)
