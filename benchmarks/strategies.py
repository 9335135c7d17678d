"""Quality of the heuristic strategies, with equal numbers of evaluations and several seeds.

Run `python benchmarks/strategies.py --n 9 12 --objective aspl delay`; options choose the rest. For each strategy the
table has the best and the median score over the seeds, the median relative to the best score of all strategies, the
number of seeds that reached it, and the nanoseconds of processor time per evaluation on one thread.
"""

import argparse
import statistics
import sys
import time
from collections.abc import Iterator

from configured_objectives import OBJECTIVES

from isoplane.models import Site
from isoplane.objectives import Lexicographic
from isoplane.search import Anneal, ConnectionSets, Limits, Neighbourhood, Portfolio, Strategy, Temper, solve

STRATEGIES: dict[str, Strategy] = {
    strategy.name: strategy for strategy in (Anneal(), Temper(), Neighbourhood(), Portfolio())
}
HEADER = ("n", "family", "objective", "strategy", "best", "median", "above best", "reached", "ns/evaluation")


def run(
    space: ConnectionSets, objective: Lexicographic, strategy: Strategy, evaluations: int, seed: int
) -> tuple[int, float]:
    """Return the first component of the best score, and the processor time of an evaluation in nanoseconds."""
    start_time = time.process_time()
    *_, last = solve(space, objective, strategy, Limits(evaluations=evaluations), seed)
    return last.evaluation.score[0], (time.process_time() - start_time) * 1e9 / evaluations


def rows(n: int, folded: bool, name: str, options: argparse.Namespace) -> Iterator[list[str]]:
    """Search with every strategy and every seed, and yield one line per strategy."""
    objective = OBJECTIVES[name]
    space = ConnectionSets(n, folded) if objective.needs_layout else ConnectionSets(n, folded, site=Site(layout=None))
    evaluations = options.evaluations or (options.work * 1000 << 12) >> n
    found = {
        strategy: [run(space, objective, STRATEGIES[strategy], evaluations, 1 + seed) for seed in range(options.seeds)]
        for strategy in options.strategy
    }
    best = min(score for runs in found.values() for score, _ in runs)
    for strategy, runs in found.items():
        scores = [score for score, _ in runs]
        median = statistics.median_low(scores)
        reached = f"{scores.count(best)}/{len(scores)}"
        excess, nanoseconds = f"{100 * (median / best - 1):.4f} %", f"{statistics.median(ns for _, ns in runs):,.0f}"
        family = "folded" if folded else "plain"
        yield [str(n), family, name, strategy, str(min(scores)), str(median), excess, reached, nanoseconds]


def main() -> int:
    """Print the table, line by line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--n", type=int, nargs="+", default=[9, 10, 11, 12], help="dimensions")
    parser.add_argument("--family", nargs="+", choices=["plain", "folded"], default=["plain", "folded"])
    parser.add_argument("--objective", nargs="+", choices=[o for o in OBJECTIVES if o != "front"], default=["aspl"])
    parser.add_argument("--strategy", nargs="+", choices=list(STRATEGIES), default=list(STRATEGIES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--evaluations", type=int, help="evaluations per search (default: from --work)")
    parser.add_argument(
        "--work", type=int, default=4000, help="thousands of evaluations at n = 12; doubled for each dimension below"
    )
    options = parser.parse_args()
    widths = (2, 6, 23, 13, 16, 16, 10, 7, 13)
    print("  ".join(cell.ljust(width) for cell, width in zip(HEADER, widths, strict=True)).rstrip(), flush=True)
    for n in options.n:
        for name in options.objective:
            for family in options.family:
                for cells in rows(n, family == "folded", name, options):
                    line = "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
                    print(line.rstrip(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
