"""Objectives and limits in words: exact search against all bases, whose metrics are compared as exact fractions."""

import random
import re
from fractions import Fraction

import pytest

from isoplane.objectives import CUBES
from isoplane.objectives.reference import reference_exact
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, solve
from isoplane.search.cubes.all_bases import all_bases

# The exact integers that metrics follow from, by docs/objectives.md, and the operation.
DIVISORS = {
    "aspl": lambda net: ("sum_of_distances", net.family.plane_switches),
    "max_load": lambda net: ("max_load", 1),
    "cable_length_m": lambda net: (
        "cable_length",
        1000 * sum(len(p.links) for p in net.family.planes) * _switches(net),
    ),
    "delay_ns": lambda net: ("delay", 2 * _switches(net) ** 2 * net.delay_units.per_ns),
    "cost_usd_per_node": lambda net: ("cost", 100 * net.nodes),
}


def _switches(network):
    return network.family.plane_switches


def fractions_of(network):
    """Return the metrics of a network as exact fractions, from the reference."""
    exact = reference_exact(network)
    found = {}
    for name, divisor in DIVISORS.items():
        integer, over = divisor(network)
        found[name] = Fraction(exact[integer], over)
    return found | {"max_traffic": 2 * _switches(network) / found["max_load"]}


def evaluated(expression, metrics):
    exact = re.sub(r"(?<![\w.])(\d+(\.\d+)?)", r"F('\1')", expression)
    return eval(exact, {"F": Fraction}, dict(metrics))


def random_words(rng, metrics):
    """Return an objective and limits in words that some designs meet, and rarely none."""

    def term():
        weight = rng.choice(["", "", "2*", "0.1*", "1.75*"])
        return weight + " * ".join(rng.sample(list(DIVISORS), rng.choice([1, 1, 2])))

    def limit():
        of = rng.choice(["max_traffic", " + ".join(term() for _ in range(rng.choice([1, 1, 2])))])
        value = evaluated(of, rng.choice(metrics)) * rng.choice([1, 1, 1, Fraction(9, 10)])
        return f"{of} {rng.choice(['<=', '<=', '>='])} {float(round(value, 3))}"

    first = rng.choice(["min", "min", "max"]), " + ".join(term() for _ in range(rng.choice([1, 1, 2])))
    clauses = [rng.choice([first, first, ("max", "max_traffic"), ("min", "delay_ns / max_traffic")]), ("min", term())]
    clauses = clauses[: rng.choice([1, 2])]
    return clauses, [limit() for _ in range(rng.choice([0, 1, 1, 2, 3]))]


@pytest.mark.parametrize(("n", "folded", "cases"), [(3, False, 20), (3, True, 10), (4, False, 20)])
def test_exact_search_equals_the_best_of_all_bases(n, folded, cases):
    space = ConnectionSets(n, folded)
    # Bases with equal metrics are interchangeable here.
    metrics = [dict(pairs) for pairs in {tuple(fractions_of(space.design(b).network).items()) for b in all_bases(n)}]
    metrics.sort(key=lambda known: tuple(known.values()))
    rng = random.Random(100 * n + folded)
    for _ in range(cases):
        clauses, limits = random_words(rng, metrics)
        words = ", then ".join(f"{direction} {expression}" for direction, expression in clauses)
        objective = worded_objective(words, CUBES, space.identical)
        if limits:
            objective = limited(objective, ", ".join(limits), space.identical)
        *_, best = solve(space, objective, Exact(head_start=1 << 13), Limits(), seed=1)

        def value(known, clauses=clauses):
            return tuple((1 if way == "min" else -1) * evaluated(of, known) for way, of in clauses)

        meeting = [known for known in metrics if all(evaluated(limit, known) for limit in limits)]
        found = fractions_of(best.design.network)
        assert best.status == "optimal"
        if meeting:
            assert objective.meets_limits(best.evaluation.score)
            assert found in meeting, (words, limits)
            assert value(found) == min(map(value, meeting)), (words, limits)
        else:
            assert not objective.meets_limits(best.evaluation.score), (words, limits)


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
