"""Limits of area and power of caches in searches."""

import random
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from isoplane.objectives import CUBES
from isoplane.objectives.scoring.sums import sum_value
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, Auto, Exact, Limits, solve
from tests.cases import for_each
from tests.search.cached import (
    DELAY,
    HOLDING,
    MISSING,
    all_of_dimension,
    all_of_dimension_3,
    cache,
    found_cache,
    space_with,
)
from tests.search.cases import OBJECTIVES, search

VARYING = ("aspl", "max_load", "delay_ns", "cost_usd_per_node", "diameter")
CONSTANT = ("switches", "cables", "cache_area_mm2", "lookup_power_w")


@for_each(
    ("limits", "entries"),
    [
        # Eight ports: 0.8, 1.6, 3.2 and 5.6 mm².
        ({"cache_area_mm2": "3.2"}, 512),
        ({"cache_area_mm2": "3.199999"}, 256),
        ({"cache_area_mm2": "5.6", "lookup_power_w": "5.4"}, 256),
        ({"lookup_power_w": "4"}, 128),
        ({"cache_area_mm2": "0.7"}, None),  # the nearest is the smallest
    ],
)
def test_exact_searches_within_limits_equal_brute_force_over_the_caches_within_them(limits, entries):
    areas, hits_ns = ("0.1", "0.2", "0.4", "0.7"), (4, 3, 2, 1)
    caches = [cache(128 << k, hit_ns, areas[k]) for k, hit_ns in enumerate(hits_ns)]
    caches = tuple(replace(found, static_mw=7 * (k + 1), lookup_nj=0.039 * (k + 1)) for k, found in enumerate(caches))
    space = space_with(4, caches)
    words = ", ".join(f"{name} <= {largest}" for name, largest in limits.items())
    objective = limited(DELAY, words, space.baseline.network)
    solutions = list(solve(space, objective, Exact(head_start=1024), Limits(), seed=1))
    allowed = []
    for found in caches:
        watts = Fraction(36 + 8 * found.static_mw, 1000) + Fraction(8 * 200, 2 * 3200) * Fraction(str(found.lookup_nj))
        values = {"cache_area_mm2": 8 * Fraction(found.area_mm2), "lookup_power_w": 32 * watts}
        if all(values[name] <= Fraction(largest) for name, largest in limits.items()):
            batch = all_of_dimension(4, replace(found, lookup_nj=None, static_mw=None, area_mm2=None))
            allowed.append((batch.delay_ns.min(), found.entries))
    assert [pair[1] for pair in sorted(allowed)[:1]] == ([entries] if entries else [])
    best = solutions[-1]
    assert (best.complete, best.status, found_cache(best).entries) == (True, "optimal", entries or 128)
    assert objective.meets_limits(best.evaluation.score) == bool(entries)
    if entries:
        assert best.evaluation.metrics["delay_ns"] == min(allowed)[0]


@for_each("aim", ["delay", "aspl"])
@for_each("caches", [(MISSING,), (HOLDING, MISSING)])
def test_limits_of_a_power_that_depends_on_misses_hold_for_every_design(caches, aim):
    space, name = space_with(3, caches), {"delay": "delay", "aspl": "sum_of_distances"}[aim]
    designs = [exact for found in caches for exact in all_of_dimension_3(found)]
    powers = sorted({exact["lookup_power"] for exact in designs})
    for largest in (powers[0] - 1, powers[3]):
        words = f"lookup_power_w <= {Decimal(largest).scaleb(-6)}"
        objective = limited(OBJECTIVES[aim], words, space.baseline.network)
        best = list(solve(space, objective, Auto(), Limits(), seed=1))[-1]
        # Above the limit, the least power comes first.
        scores = [(max(0, exact["lookup_power"] - largest), exact[name]) for exact in designs]
        assert (best.status, best.evaluation.score) == ("optimal", min(scores))


@for_each(
    "words",
    [
        "min delay_ns + 10*cache_area_mm2",
        "max max_load + 3*lookup_power_w, then min delay_ns",
        "min cache_area_mm2 * delay_ns, then max aspl",  # 0 with one cache, whatever the delay
    ],
)
def test_sums_with_what_a_cache_decides_equal_brute_force(words):
    caches = (HOLDING, MISSING, replace(HOLDING, hit_ns=3, area_mm2=0))
    space = space_with(3, caches)
    objective = worded_objective(words, CUBES, space.baseline.network)
    *_, best = solve(space, space.fitted(objective), Auto(), Limits(), seed=1)
    designs = [exact for found in caches for exact in all_of_dimension_3(found)]
    assert (best.status, best.evaluation.score) == ("optimal", min(map(objective.score, designs)))


def test_heuristics_end_with_a_design_within_a_limit_where_they_find_one():
    space = space_with(3, (MISSING,))
    powers = sorted(exact["lookup_power"] for exact in all_of_dimension_3(MISSING))
    for largest in (powers[0] - 1, powers[-1] - 1):
        objective = limited(DELAY, f"lookup_power_w <= {Decimal(largest).scaleb(-6)}", space.baseline.network)
        run = search(space, objective, Anneal(chains=2), Limits(evaluations=1 << 17))
        assert run.reason == "evaluations"
        excesses = [solution.evaluation.score[0] for solution in run.solutions]
        assert (excesses[-1] == 0) == (largest >= powers[0])
        assert excesses == sorted(excesses, reverse=True)


@for_each("seed", range(12))
def test_limits_of_what_generators_change_and_what_they_do_not_equal_brute_force(seed):
    caches, rng = (HOLDING, replace(HOLDING, hit_ns=3, area_mm2=0.05))[: 1 + seed % 2], random.Random(seed)
    space = space_with(3, caches)
    network = space.baseline.network
    designs = [exact for found in caches for exact in all_of_dimension_3(found)]
    aim = worded_objective(f"min {rng.choice(VARYING)}, then min {rng.choice(VARYING)} * max_load", CUBES, network)
    limits = []
    for _ in range(rng.choice((1, 2))):
        products = [[*rng.sample(VARYING, rng.choice((0, 1))), rng.choice(CONSTANT)] for _ in range(rng.choice((1, 2)))]
        products.append([rng.choice(VARYING)])
        words = " + ".join(rng.choice(("", "0.5*", "3*")) + " * ".join(product) for product in products)
        *terms, (size, _) = limited(aim, f"{words} <= 1000000", network).limits[0]
        near = sum_value(terms, rng.choice(designs)) * 1_000_000 / -size
        limits.append(f"{words} {rng.choice(('<=', '>='))} {near:.9f}")
    objective = limited(aim, ", ".join(limits), network)
    *_, best = solve(space, objective, Exact(head_start=1 << 10), Limits(), seed=1)
    assert (best.status, best.evaluation.score) == ("optimal", min(map(objective.score, designs)))
