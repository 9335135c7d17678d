"""Objectives and limits in words: exact search against all bases of cubes, and the speed of kernels under limits.

Run `python benchmarks/limits.py --check`: for each dimension it compares the exact searches of random objectives and
limits with brute force over all bases, whose metrics are compared as fractions, and exits with 1 if one differs. Then
it prints the rate of annealing chains under a limit relative to chains whose score has the same metrics without one,
both by turns in one process, with the goal of at least 0.9. `--n` and `--cases` choose dimensions and cases.
"""

import argparse
import random
import re
import statistics
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from isoplane.models.family_kinds.cube import cubes_of
from isoplane.objectives import CUBES, Lexicographic
from isoplane.objectives.cubes.batch import exact_batch
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Solution, solve
from isoplane.search.core.chain_setup import ChainSetup
from isoplane.search.core.methods import methods_of

INTEGERS = ("sum_of_distances", "max_load", "cable_length", "delay", "cost")
METRICS = ("aspl", "max_load", "cable_length_m", "delay_ns", "cost_usd_per_node")
GOAL = 0.9
Rows = NDArray[np.int64]


def divisors(space: ConnectionSets) -> tuple[int, ...]:
    """Return by what to divide each of `INTEGERS` for its metric, by docs/objectives.md."""
    network = space.identical
    switches, links = cubes_of(network).plane_switches, 2 * (space.n + space.folded)
    ns = 2 * switches**2 * network.delay_units.per_ns
    return switches, 1, 1000 * links * switches, ns, 100 * network.nodes


def fractions_of(row: Mapping[str, int], space: ConnectionSets) -> dict[str, Fraction]:
    """Return the metrics of a basis as exact fractions, from its exact integers."""
    over = zip(METRICS, INTEGERS, divisors(space), strict=True)
    found = {metric: Fraction(int(row[name]), divisor) for metric, name, divisor in over}
    return found | {"max_traffic": Fraction(2 << space.n) / found["max_load"]}


def evaluated(expression: str, metrics: Mapping[str, Fraction]) -> Fraction:
    """Return the value of an expression or relation in words, by Python's own arithmetic of fractions."""
    exact = re.sub(r"(?<![\w.])(\d+(\.\d+)?)", r"F('\1')", expression)
    value: Fraction = eval(exact, {"F": Fraction}, dict(metrics))
    return value


def random_words(rng: random.Random, metrics: list[dict[str, Fraction]]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the clauses of an objective in words, and limits near the values of some designs."""

    def term() -> str:
        return rng.choice(["", "", "2*", "0.1*", "1.75*"]) + " * ".join(rng.sample(METRICS, rng.choice([1, 1, 2])))

    def terms() -> str:
        return " + ".join(term() for _ in range(rng.choice([1, 1, 2])))

    def limit() -> str:
        of = rng.choice(["max_traffic", terms(), terms()])
        value = evaluated(of, rng.choice(metrics)) * rng.choice([1, 1, 1, Fraction(9, 10)])
        return f"{of} {rng.choice(['<=', '<=', '>='])} {float(round(value, 3))}"

    first = rng.choice(["min", "min", "max"]), terms()
    clauses = [rng.choice([first, first, ("max", "max_traffic"), ("min", "delay_ns / max_traffic")]), ("min", term())]
    return clauses[: rng.choice([1, 2])], [limit() for _ in range(rng.choice([0, 1, 1, 2, 3]))]


@lru_cache(maxsize=64)
def subsets(count: int, size: int) -> NDArray[np.int64]:
    """Return all subsets of some indices, one a row."""
    return np.array(list(combinations(range(count), size)), dtype=np.int64).reshape(-1, size)


def bases(n: int) -> Iterator[NDArray[np.uint32]]:
    """Yield all bases of GF(2)^n once, as ascending rows, in parts: those with the same n - 3 first generators."""
    for first in combinations(range(1, 1 << n), max(n - 3, 0)):
        span = np.zeros(1 << n, dtype=bool)
        sums = {0}
        for generator in first:
            sums |= {generator ^ other for other in sums}
        if len(sums) < 1 << len(first):
            continue
        span[[0, *sums]] = True
        lowest = first[-1] + 1 if first else 1
        rest = np.flatnonzero(~span[lowest:]).astype(np.uint32) + np.uint32(lowest)
        last = rest[subsets(len(rest), n - len(first))]
        independent = np.ones(len(last), dtype=bool)
        for size in range(2, last.shape[1] + 1):
            for columns in combinations(range(last.shape[1]), size):
                independent &= ~span[np.bitwise_xor.reduce(last[:, columns], axis=1)]
        if independent.any():
            last = last[independent]
            yield np.hstack([np.tile(np.array(first, dtype=np.uint32), (len(last), 1)), last])


def distinct_metrics(space: ConnectionSets) -> list[dict[str, Fraction]]:
    """Return the different metrics of all bases: bases that agree in all of them are interchangeable here."""
    rows: set[tuple[int, ...]] = set()
    for part in bases(space.n):
        exact = exact_batch(space.identical, np.ascontiguousarray(part))
        rows.update(map(tuple, np.unique(np.stack([exact[name] for name in INTEGERS], axis=1), axis=0).tolist()))
    return [fractions_of(dict(zip(INTEGERS, row, strict=True)), space) for row in sorted(rows)]


def problem_of(
    space: ConnectionSets, metrics: list[dict[str, Fraction]], clauses: list[tuple[str, str]], limits: list[str]
) -> tuple[str, Solution]:
    """Return what is wrong with the exact search of an objective in words under limits, if anything; and its result."""
    words = ", then ".join(f"{direction} {expression}" for direction, expression in clauses)
    objective = worded_objective(words, CUBES, space.identical)
    if limits:
        objective = limited(objective, ", ".join(limits), space.identical)
    *_, best = solve(space, objective, Exact(head_start=1 << 13), Limits(), seed=1)

    def value(known: Mapping[str, Fraction]) -> tuple[Fraction, ...]:
        return tuple((1 if way == "min" else -1) * evaluated(of, known) for way, of in clauses)

    exact = CUBES.exact(best.design, INTEGERS)
    found, meets = fractions_of(exact, space), objective.meets_limits(best.evaluation.score)
    meeting = [known for known in metrics if all(evaluated(limit, known) for limit in limits)]
    problems = {
        "not proven": best.status != "optimal",
        "exceeds limits that can be met": bool(meeting) and not meets,
        "meets limits that nothing meets": not meeting and meets,
        "misses a limit": meets and not all(evaluated(limit, found) for limit in limits),
        "is not the best": meets and bool(meeting) and value(found) != min(map(value, meeting)),
    }
    return ", ".join(problem for problem, applies in problems.items() if applies), best


def compare(space: ConnectionSets, cases: int, seed: int) -> int:
    """Compare random cases with brute force, print a line for each, and return the number that differ."""
    metrics, rng, wrong = distinct_metrics(space), random.Random(seed), 0
    print(f"n={space.n} folded={space.folded}: {len(metrics)} different designs")
    for _ in range(cases):
        clauses, limits = random_words(rng, metrics)
        start_time = time.process_time()
        problem, best = problem_of(space, metrics, clauses, limits)
        wrong += bool(problem)
        seconds = time.process_time() - start_time
        words = " then ".join(map(" ".join, clauses))
        print(f"  {problem or 'agrees'}  {best.evaluation.score}  {seconds:.1f} s  {words}  |  {', '.join(limits)}")
    return wrong


def rates(space: ConnectionSets, turns: int, evaluations: int) -> float:
    """Return the rate of chains under a limit relative to those without one, the median over turns."""
    plain = Lexicographic("delay_then_cost", (("delay",), ("cost",)), CUBES)
    cost = space.baseline.network and Lexicographic("cost", (("cost",),), CUBES)(space.baseline)
    usd = cost.metrics["cost_usd_per_node"]
    under = limited(replace(plain, components=(("delay",),)), f"cost_usd_per_node <= {usd}", space.identical)
    setups = [methods_of(space).chain_setup(objective, (Anneal(),)) for objective in (plain, under)]
    ratios = []
    for turn in range(turns):
        seconds = [seconds_of(setup, 1 + turn, evaluations) for setup in setups if setup is not None]
        ratios.append(seconds[0] / seconds[1])
    return statistics.median(ratios)


def seconds_of(setup: ChainSetup[ConnectionSets], seed: int, evaluations: int) -> float:
    """Return the processor time of a chain."""
    searcher = setup.searcher(0, setup.first(seed, 0, None))
    start_time = time.thread_time()
    searcher.run(evaluations)
    return time.thread_time() - start_time


def main() -> int:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, nargs="+", default=[3, 4, 5, 6], help="dimensions of the comparisons")
    parser.add_argument("--cases", type=int, default=10, help="cases for each dimension and family, folded up to n=5")
    parser.add_argument("--rate-n", type=int, nargs="*", default=[6, 8, 10, 12], help="dimensions of the rates")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--work", type=int, default=1 << 26, help="offsets for each turn")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a case differs")
    options = parser.parse_args()
    wrong = 0
    for n in options.n:
        for folded in (False, True) if n <= 5 else (False,):
            wrong += compare(ConnectionSets(n, folded), options.cases, seed=n)
    for n in options.rate_n:
        ratio = rates(ConnectionSets(n), options.turns, options.work >> n)
        print(f"n={n}: rate under a limit {ratio:.3f} of that without, goal {GOAL}")
    return int(options.check and wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
