"""Check that exact search and annealing agree, for every objective and both families.

Run `python benchmarks/agreement.py`; it exits with 1 if the chains miss a proven optimum, or find a better
design. The seeds of the chains differ from those of the initial incumbents of the exact search.
"""

import argparse
import sys
import time

from configured_objectives import OBJECTIVES

from isoplane.models import Design
from isoplane.objectives import Lexicographic, exact_metric, exact_metrics
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Pareto, Solution, Threads, solve

Values = frozenset[tuple[int, ...]]


def values(objective: Lexicographic, solution: Solution) -> Values:
    """Return the score, or the points of the front."""
    if objective.front is None:
        return frozenset([solution.evaluation.score])
    return frozenset(_point(objective.front, design) for design in solution.kept)


def _point(metrics: tuple[str, str], design: Design) -> tuple[int, ...]:
    exact = exact_metrics(design.network)
    return tuple(exact_metric(exact, metric) for metric in metrics)


def prove(space: ConnectionSets, objective: Lexicographic, workers: int) -> Values:
    """Return the result proven by an exact search."""
    *_, last = solve(space, objective, Exact(), Limits(), 1, fleet=Threads(workers))
    return values(objective, last)


def anneal_chains(
    space: ConnectionSets, objective: Lexicographic, workers: int, evaluations: int, known: Values
) -> Values:
    """Return the result of annealing chains, which stop at the known result."""
    strategy = Anneal() if objective.front is None else Pareto()
    found: Values = frozenset()
    for solution in solve(space, objective, strategy, Limits(evaluations=evaluations), 2, fleet=Threads(workers)):
        found = values(objective, solution)
        if found == known:
            break
    return found


def main() -> int:
    """Print one line per dimension, family and objective."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, nargs="+", default=[6, 7], help="dimensions")
    parser.add_argument("--objective", nargs="+", choices=list(OBJECTIVES), default=list(OBJECTIVES))
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument(
        "--evaluations", type=int, default=30_000_000, help="maximum number of evaluations of the chains"
    )
    options = parser.parse_args()
    print(f"{'n':>2} {'family':8} {'objective':24} {'exact s':>8} {'chains s':>8}  result", flush=True)
    disagreed = False
    for n in options.n:
        for objective in map(OBJECTIVES.__getitem__, options.objective):
            for folded in (False, True):
                space = ConnectionSets(n, folded)
                start_time = time.perf_counter()
                best = prove(space, objective, options.workers)
                proof_time = time.perf_counter()
                found = anneal_chains(space, objective, options.workers, options.evaluations, best)
                seconds = f"{proof_time - start_time:8.2f} {time.perf_counter() - proof_time:8.2f}"
                disagreed = disagreed or found != best
                result = f"{sorted(best)}" if found == best else f"proven {sorted(best)}, found {sorted(found)}"
                print(f"{n:2} {'folded' if folded else 'plain':8} {objective.name:24} {seconds}  {result}", flush=True)
    return int(disagreed)


if __name__ == "__main__":
    sys.exit(main())
