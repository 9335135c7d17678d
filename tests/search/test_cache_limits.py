"""Limits of area and power of caches in searches."""

from dataclasses import replace
from fractions import Fraction

from isoplane.objectives import printed_metric
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


@for_each(
    ("limits", "entries"),
    [
        # Eight ports: 0.8, 1.6, 3.2 and 5.6 mm².
        ({"cache_area_mm2": "3.2"}, 512),
        ({"cache_area_mm2": "3.199999"}, 256),
        ({"cache_area_mm2": "5.6", "lookup_power_w": "5.4"}, 256),
        ({"lookup_power_w": "4"}, 128),
        ({"cache_area_mm2": "0.7"}, None),
    ],
)
def test_exact_searches_within_limits_equal_brute_force_over_the_caches_within_them(limits, entries):
    areas, hits_ns = ("0.1", "0.2", "0.4", "0.7"), (4, 3, 2, 1)
    caches = [cache(128 << k, hit_ns, areas[k]) for k, hit_ns in enumerate(hits_ns)]
    caches = tuple(replace(found, static_mw=7 * (k + 1), lookup_nj=0.039 * (k + 1)) for k, found in enumerate(caches))
    space = space_with(4, caches)
    objective = replace(DELAY, limits=tuple((name, Fraction(largest)) for name, largest in limits.items()))
    solutions = list(solve(space, objective, Exact(head_start=1024), Limits(), seed=1))
    allowed = []
    for found in caches:
        watts = Fraction(36 + 8 * found.static_mw, 1000) + Fraction(8 * 200, 2 * 3200) * Fraction(str(found.lookup_nj))
        values = {"cache_area_mm2": 8 * Fraction(found.area_mm2), "lookup_power_w": 32 * watts}
        if all(values[name] <= Fraction(largest) for name, largest in limits.items()):
            batch = all_of_dimension(4, replace(found, lookup_nj=None, static_mw=None, area_mm2=None))
            allowed.append((batch.delay_ns.min(), found.entries))
    assert [pair[1] for pair in sorted(allowed)[:1]] == ([entries] if entries else [])
    if not entries:
        assert (solutions, space.least_of_limited(objective)) == ([], "the least cache_area_mm2 of all caches is 0.8")
        return
    best = solutions[-1]
    assert (best.complete, best.status, found_cache(best).entries) == (True, "optimal", entries)
    assert best.evaluation.metrics["delay_ns"] == min(allowed)[0]
    assert best.proof.site_scope == f"the 4 given caches, {objective.limits_text}"


@for_each("aim", ["delay", "aspl"])
@for_each("caches", [(MISSING,), (HOLDING, MISSING)])
def test_limits_of_a_power_that_depends_on_misses_hold_for_every_design(caches, aim):
    space, name = space_with(3, caches), {"delay": "delay", "aspl": "sum_of_distances"}[aim]
    designs = [exact for found in caches for exact in all_of_dimension_3(found)]
    powers = sorted({exact["lookup_power"] for exact in designs})
    for largest in (powers[0] - 1, powers[3]):
        limited = replace(OBJECTIVES[aim], limits=(("lookup_power_w", Fraction(largest, 10**6)),))
        solutions = list(solve(space, limited, Auto(), Limits(), seed=1))
        best = min((exact[name] for exact in designs if exact["lookup_power"] <= largest), default=None)
        if best is None:
            assert not solutions
            continue
        assert (solutions[-1].status, solutions[-1].evaluation.score) == ("optimal", (best,))
        assert printed_metric(solutions[-1].design, "lookup_power_w") <= Fraction(largest, 10**6)


def test_heuristics_keep_designs_within_limits_only():
    space = space_with(3, (MISSING,))
    powers = sorted(exact["lookup_power"] for exact in all_of_dimension_3(MISSING))
    for largest in (powers[0] - 1, powers[-1] - 1):
        limited = replace(DELAY, limits=(("lookup_power_w", Fraction(largest, 10**6)),))
        run = search(space, limited, Anneal(chains=2), Limits(evaluations=1 << 17))
        assert run.reason == "evaluations"
        values = [printed_metric(solution.design, "lookup_power_w") for solution in run.solutions]
        assert all(value <= Fraction(largest, 10**6) for value in values)
