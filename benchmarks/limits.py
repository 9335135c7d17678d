"""Objectives and limits in words: exact search against all bases of cubes, and the speed of kernels under limits.

Run `python benchmarks/limits.py --check`: for each dimension it compares the exact searches of random objectives, some
of them fronts, and limits with brute force over all bases, and exits with 1 if one differs. The metrics of all bases
are computed once; floating point rules out most of them, and those that are near a limit or the best are compared as
fractions. Then it prints the rate of annealing chains under a limit relative to chains whose score has the same metrics
without one, both by turns in one process, with the goal of at least 0.9. `--n` and `--cases` choose dimensions and
cases.
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
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, solve
from isoplane.search.core.chain_setup import ChainSetup
from isoplane.search.core.methods import methods_of

INTEGERS = ("sum_of_distances", "max_load", "cable_length", "delay", "cost", "longest_cable", "diameter")
METRICS = ("aspl", "max_load", "cable_length_m", "delay_ns", "cost_usd_per_node", "longest_cable_m", "diameter")
GOAL = 0.9
AT_ONCE = 1 << 20  # bases that are evaluated
MARGIN = 1e-9  # relative errors of floating point are less
Rows = NDArray[np.int64]
Clauses = list[tuple[str, str]]


def divisors(space: ConnectionSets) -> tuple[int, ...]:
    """Return by what to divide each of `INTEGERS` for its metric, by docs/objectives.md."""
    network = space.identical
    switches, links = cubes_of(network).plane_switches, 2 * (space.n + space.folded)
    ns = 2 * switches**2 * network.delay_units.per_ns
    return switches, 1, 1000 * links * switches, ns, 100 * network.nodes, 1000, 1


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


class Designs:
    """The different metrics of all bases of a space: bases that agree in all of them are interchangeable here."""

    def __init__(self, space: ConnectionSets) -> None:
        self.space = space
        waiting, found = list[NDArray[np.uint32]](), np.zeros((0, len(INTEGERS)), dtype=np.int64)
        for part in (*bases(space.n), None):
            waiting += [] if part is None else [part]
            if part is None or sum(map(len, waiting)) >= AT_ONCE:
                exact = exact_batch(space.identical, np.concatenate(waiting))
                found = distinct(np.concatenate([found, np.stack([exact[name] for name in INTEGERS], axis=1)]))
                waiting = []
        self.rows = found
        over = zip(METRICS, divisors(space), strict=True)
        self.approximate = {metric: found[:, k] / divisor for k, (metric, divisor) in enumerate(over)}
        self.approximate["max_traffic"] = (2 << space.n) / self.approximate["max_load"]

    def fractions(self, index: int) -> dict[str, Fraction]:
        """Return the metrics of one of them as exact fractions."""
        return fractions_of(dict(zip(INTEGERS, self.rows[index].tolist(), strict=True)), self.space)

    def exact(self, expression: str, indices: Rows) -> NDArray[np.object_]:
        """Return the exact values of an expression; equal metrics are evaluated once."""
        named = set(re.findall(r"[a-z]\w*", expression.replace("max_traffic", "max_load")))
        columns = [k for k, metric in enumerate(METRICS) if metric in named]
        _, first, which = np.unique(self.rows[indices][:, columns], axis=0, return_index=True, return_inverse=True)
        values = np.array([evaluated(expression, self.fractions(int(index))) for index in indices[first]], dtype=object)
        return values[which.ravel()]

    def meeting(self, limits: list[str]) -> Rows:
        """Return the indices of those that meet all limits."""
        meets = np.ones(len(self.rows), dtype=bool)
        for limit in limits:
            of, relation, number = re.split(r" (<=|>=) ", limit)
            amount = (approximated(of, self.approximate) - float(number)) * (1 if relation == "<=" else -1)
            near = np.flatnonzero(np.abs(amount) <= MARGIN * max(1.0, abs(float(number))))
            within = amount <= 0
            within[near] = self.exact(limit, near)
            meets &= within
        return np.flatnonzero(meets)

    def best(self, clauses: Clauses, indices: Rows) -> tuple[Fraction, ...]:
        """Return the best values of clauses, one after the other."""
        found = []
        for way, of in clauses:
            sign = 1 if way == "min" else -1
            values = sign * approximated(of, {metric: column[indices] for metric, column in self.approximate.items()})
            indices = indices[values <= values.min() + MARGIN * abs(values.min())]
            exact = sign * self.exact(of, indices)
            found.append(min(exact))
            indices = indices[exact == found[-1]]
        return tuple(found)

    def front(self, names: tuple[str, str], indices: Rows) -> set[tuple[int, ...]]:
        """Return the points that no other one dominates, as exact integers."""
        pairs = self.rows[indices][:, [INTEGERS.index(name) for name in names]]
        pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
        least_before = np.minimum.accumulate(np.concatenate([[pairs[0, 1] + 1], pairs[:-1, 1]]))
        return set(map(tuple, pairs[pairs[:, 1] < least_before].tolist()))


def approximated(expression: str, columns: Mapping[str, NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the values of an expression in floating point."""
    return eval(expression, {}, dict(columns))  # type: ignore[no-any-return]


def distinct(rows: Rows) -> Rows:
    """Return the different rows of an array: sorting by columns is faster than `numpy.unique`."""
    rows = rows[np.lexsort(rows.T)]
    is_first = np.ones(len(rows), dtype=bool)
    is_first[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    return rows[is_first]


def random_words(rng: random.Random, designs: Designs) -> tuple[Clauses, tuple[str, str] | None, list[str]]:
    """Return the clauses of an objective in words, at times a front in its place, and limits near values of designs."""

    def term() -> str:
        return rng.choice(["", "", "2*", "0.1*", "1.75*"]) + " * ".join(rng.sample(METRICS, rng.choice([1, 1, 2])))

    def terms() -> str:
        return " + ".join(term() for _ in range(rng.choice([1, 1, 2])))

    def limit() -> str:
        of = rng.choice(["max_traffic", terms(), terms()])
        some = designs.fractions(rng.randrange(len(designs.rows)))
        value = evaluated(of, some) * rng.choice([1, 1, 1, Fraction(9, 10)])
        return f"{of} {rng.choice(['<=', '<=', '>='])} {float(round(value, 3))}"

    first = rng.choice(["min", "min", "max"]), terms()
    clauses = [rng.choice([first, first, ("max", "max_traffic"), ("min", "delay_ns / max_traffic")]), ("min", term())]
    one, other = rng.sample(INTEGERS, 2)
    front = (one, other) if rng.randrange(4) == 0 else None
    return clauses[: rng.choice([1, 2])], front, [limit() for _ in range(rng.choice([0, 1, 1, 2, 3]))]


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


def problem_of(designs: Designs, clauses: Clauses, front: tuple[str, str] | None, limits: list[str]) -> str:
    """Return what is wrong with the exact search of an objective under limits, if anything.

    Parameters
    ----------
    designs
        All of the space.
    clauses
        What is minimised or maximised, in words.
    front
        The integers of a front in place of that.
    limits
        In words.
    """
    space = designs.space
    words = ", then ".join(f"{direction} {expression}" for direction, expression in clauses)
    objective = worded_objective(words, CUBES, space.identical)
    if front is not None:
        objective = Lexicographic("front", (front,), CUBES, front=front)
    if limits:
        objective = limited(objective, ", ".join(limits), space.identical)
    *_, best = solve(space, objective, Exact(head_start=1 << 13), Limits(), seed=1)
    found = fractions_of(CUBES.exact(best.design, INTEGERS), space)
    meets, meeting = objective.meets_limits(best.evaluation.score), designs.meeting(limits)
    problems = {
        "not proven": not best.complete if front is not None else best.status != "optimal",
        "exceeds limits that can be met": len(meeting) and not meets,
        "meets limits that nothing meets": not len(meeting) and meets,
        "misses a limit": meets and not all(evaluated(limit, found) for limit in limits),
    }
    if meets and len(meeting) and front is not None:
        points = {objective.point(design)[objective.first :] for design in best.kept}
        problems["is not the front"] = points != designs.front(front, meeting)
    elif meets and len(meeting):
        value = tuple((1 if way == "min" else -1) * evaluated(of, found) for way, of in clauses)
        problems["is not the best"] = value != designs.best(clauses, meeting)
    return ", ".join(problem for problem, applies in problems.items() if applies)


def compare(space: ConnectionSets, cases: int, seed: int) -> int:
    """Compare random cases with brute force, print a line for each, and return the number that differ."""
    start_time = time.process_time()
    designs, rng, wrong = Designs(space), random.Random(seed), 0
    seconds = time.process_time() - start_time
    print(f"n={space.n} folded={space.folded}: {len(designs.rows)} different designs, {seconds:.1f} s", flush=True)
    for _ in range(cases):
        clauses, front, limits = random_words(rng, designs)
        start_time = time.process_time()
        problem = problem_of(designs, clauses, front, limits)
        wrong += bool(problem)
        seconds = time.process_time() - start_time
        words = f"front of {' and '.join(front)}" if front else " then ".join(map(" ".join, clauses))
        print(f"  {problem or 'agrees'}  {seconds:.1f} s  {words}  |  {', '.join(limits)}", flush=True)
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
    parser.add_argument("--cases", type=int, default=50, help="cases for each dimension and family")
    parser.add_argument("--rate-n", type=int, nargs="*", default=[6, 8, 10, 12], help="dimensions of the rates")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--work", type=int, default=1 << 26, help="offsets for each turn")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a case differs")
    options = parser.parse_args()
    wrong = 0
    for n in options.n:
        for folded in (False, True):
            wrong += compare(ConnectionSets(n, folded), options.cases, seed=n)
    for n in options.rate_n:
        ratio = rates(ConnectionSets(n), options.turns, options.work >> n)
        print(f"n={n}: rate under a limit {ratio:.3f} of that without, goal {GOAL}")
    return int(options.check and wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
