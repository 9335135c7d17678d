"""Objectives and limits in words: exact search against all bases, and chains against exact search."""

import random

import pytest

from isoplane.objectives import CUBES
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, solve


@pytest.mark.parametrize(("n", "folded", "cases"), [(3, False, 20), (3, True, 10), (4, False, 20)])
def test_exact_search_equals_the_best_of_all_bases(import_script, n, folded, cases):
    brute_force, space, rng = import_script("limits"), ConnectionSets(n, folded), random.Random(100 * n + folded)
    metrics = brute_force.distinct_metrics(space)
    for _ in range(cases):
        clauses, limits = brute_force.random_words(rng, metrics)
        problem, _ = brute_force.problem_of(space, metrics, clauses, limits)
        assert problem == "", (clauses, limits)


def test_brute_force_lists_every_basis(import_script):
    for n, count in ((2, 3), (3, 28), (4, 840), (5, 83328)):  # the product of 2^n - 2^i over n!
        assert sum(map(len, import_script("limits").bases(n))) == count


def test_chains_find_a_design_that_meets_a_tight_limit():
    space = ConnectionSets(5)
    words = worded_objective("min delay_ns", CUBES, space.identical)
    *_, least = solve(space, worded_objective("min cost_usd_per_node", CUBES, space.identical), Exact(), Limits(), 1)
    cost = least.evaluation.metrics["cost_usd_per_node"]
    objective = limited(words, f"cost_usd_per_node <= {cost}", space.identical)
    *_, exact = solve(space, objective, Exact(), Limits(), seed=1)
    *_, annealed = solve(space, objective, Anneal(), Limits(evaluations=100_000), seed=1)
    assert exact.evaluation.score[0] == 0
    assert annealed.evaluation.score == exact.evaluation.score
