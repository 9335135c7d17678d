"""Objectives and limits in words: exact search against all bases, and chains against exact search."""

import random

import pytest

from isoplane.models import Hybrid, InputError
from isoplane.models.workloads import recursive_doubling, sparse
from isoplane.objectives import CIRCUITS, CUBES, TIMES
from isoplane.objectives.scoring.function_objective import function_objective
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, Auto, CircuitSpace, ConnectionSets, Enumerate, Exact, Limits, Portfolio, solve
from isoplane.search.core.methods import methods_of
from isoplane.search.cubes.all_bases import all_bases


def hops(metrics):
    """The simplest function of metrics."""
    return metrics["sum_of_distances"]


@pytest.mark.parametrize(("n", "folded", "cases"), [(3, False, 20), (3, True, 10), (4, False, 20)])
def test_exact_search_equals_the_best_of_all_bases(import_script, n, folded, cases):
    brute_force, space, rng = import_script("limits"), ConnectionSets(n, folded), random.Random(100 * n + folded)
    designs = brute_force.Designs(space)
    for _ in range(cases):
        words = brute_force.random_words(rng, designs)
        assert brute_force.problem_of(designs, *words) == "", words


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


def test_numbers_of_parts_are_factors_of_limits_and_no_objective_of_cubes():
    space = ConnectionSets(4)
    words = worded_objective("min cost_usd_per_node", CUBES, space.identical)
    designs = []
    for limits in (
        "aspl*cables <= 96, switches <= 32",
        "aspl <= 1.5",
    ):  # 16 switches in each of 2 planes, with 4 cables
        *_, best = solve(space, limited(words, limits, space.identical), Exact(), Limits(), seed=1)
        assert (best.status, best.evaluation.score[0]) == ("optimal", 0)
        designs.append(best.design)
    assert designs[0] == designs[1]
    with pytest.raises(InputError, match="^objective=min cables: cables: the same for all designs of this size"):
        next(solve(space, worded_objective("min cables", CUBES, space.identical), Exact(), Limits(), seed=1))


@pytest.mark.parametrize(
    ("objective", "limits"),
    [
        ("min completion_ns", "cost_usd_per_node <= 5060"),
        ("min completion_ns", "aspl <= 1, delay_ns <= 250"),
        ("min synchronised_ns + 2*bottleneck_ns, then aspl", "total_ns <= 4000000"),
    ],
)
def test_enumeration_under_a_workload_equals_brute_force(objective, limits):
    work = recursive_doubling(8, 1_000_000)
    space = ConnectionSets(3, nodes_per_switch=1, workload=work)
    stated = limited(worded_objective(objective, TIMES, space.identical, work), limits, space.identical)
    *_, best = solve(space, stated, Enumerate(), Limits(), seed=1)
    assert best.status == "optimal"
    assert best.evaluation.score == min(stated.point(space.design(basis)) for basis in all_bases(3))
    *_, annealed = solve(space, stated, Anneal(chains=2), Limits(evaluations=2000), seed=1)
    assert annealed.evaluation.score >= best.evaluation.score
    assert all(
        low is None or low <= part for low, part in zip(annealed.proof.bound, best.evaluation.score, strict=True)
    )


@pytest.mark.parametrize("limits", ["total_ns <= 1000", "completion_ns <= 100000000"])
def test_enumeration_of_circuits_equals_brute_force(limits):
    work = sparse(8, 2, seed=5)
    space = CircuitSpace(Hybrid(2, 4, up_gbps=10), work, 2, "by_switch")
    stated = worded_objective("min total_ns + bottleneck_ns", CIRCUITS, space.baseline.network, work)
    stated = limited(stated, limits, space.baseline.network)
    *_, best = solve(space, stated, Enumerate(), Limits(), seed=1)
    designs = map(space.design, methods_of(space).candidates(stated))
    assert (best.status, best.evaluation.score) == ("optimal", min(map(stated.point, designs)))


@pytest.mark.parametrize(
    ("words", "limits", "max_n"),
    [
        ("min aspl", "diameter <= 4", 8),
        ("max aspl", "diameter <= 4", 8),
        ("min aspl, then delay_ns", "diameter <= 4", 8),
        ("min aspl", "cost_usd_per_node <= 3400", 7),
        ("min aspl", "cost_usd_per_node >= 3400", 6),
        ("max delay_ns", None, 6),
        ("min delay_ns, then max aspl", None, 6),
        (f"{__name__}:hops", None, 5),
    ],
)
def test_the_default_is_exact_up_to_an_n_that_limits_and_what_is_maximised_lower(words, limits, max_n):
    chosen = []
    for n in (max_n, max_n + 1):
        space = ConnectionSets(n)
        state = function_objective if ":" in words else worded_objective
        objective = state(words, CUBES, space.identical)
        objective = objective if limits is None else limited(objective, limits, space.identical)
        chosen.append(Auto().choose(space, objective))
    assert chosen == [Exact(), Portfolio()]
