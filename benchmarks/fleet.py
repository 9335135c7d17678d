"""Speed-up of two workers over one, with threads and with Ray.

Run `python benchmarks/fleet.py` on a machine with two idle cores; with `--check` it exits with 1 if a goal is missed.
All searches of a fleet have the same number of evaluations, that of one worker in `--seconds`: short searches would
mostly measure Ray's task overhead. One and two workers alternate, so that a slower machine slows both; the goal
applies to the median ratio.
"""

import argparse
import statistics
import sys
import time
from dataclasses import dataclass

from isoplane.fleet.ray import RayFleet
from isoplane.models import Site
from isoplane.objectives import CUBES, Lexicographic
from isoplane.search import Anneal, ConnectionSets, Fleet, Progress, Threads, solve

GOAL = 1.8
WARM_UP_EVALUATIONS = 1 << 19  # of the first search, whose result is discarded
MIN_FRACTION = 0.25  # minimum fraction of the target time for a good estimate of the rate


@dataclass(frozen=True)
class Evaluations:
    """A stopping criterion that ignores proven optimality, so that all searches of a fleet have the same work."""

    evaluations: int

    def __call__(self, objective: Lexicographic, progress: Progress) -> str | None:
        """Return the reason to stop, or None."""
        return "evaluations" if progress.evaluations >= self.evaluations else None


def seconds_of(fleet: Fleet, n: int, evaluations: int) -> float:
    """Wall-clock time of a search."""
    objective = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"),), CUBES)
    start_time = time.perf_counter()
    for _ in solve(
        ConnectionSets(n, site=Site(layout=None)), objective, Anneal(), Evaluations(evaluations), 1, fleet=fleet
    ):
        pass
    return time.perf_counter() - start_time


def evaluations_in(fleet: Fleet, n: int, seconds: float) -> int:
    """Return the number of evaluations of a search in `seconds` seconds, by increasingly long searches."""
    evaluations = WARM_UP_EVALUATIONS
    while (elapsed := seconds_of(fleet, n, evaluations)) < MIN_FRACTION * seconds:
        evaluations *= 2
    return int(evaluations * seconds / elapsed)


def ratios(one: Fleet, two: Fleet, n: int, seconds: float, turns: int) -> list[float]:
    """Return the rate of two workers over that of one, turn by turn; workers are started and warmed up beforehand."""
    for fleet in (two, one):
        seconds_of(fleet, n, WARM_UP_EVALUATIONS)
    evaluations = evaluations_in(one, n, seconds)
    found = []
    for turn in range(turns):
        elapsed = {fleet.workers: seconds_of(fleet, n, evaluations) for fleet in ((one, two), (two, one))[turn % 2]}
        found.append(elapsed[1] / elapsed[2])
    return found


def main() -> int:
    """Print one line per fleet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=15, help="time of a search with one worker")
    parser.add_argument("--n", type=int, default=10, help="dimension")
    options = parser.parse_args()
    missed = False
    with RayFleet(2) as ray_two, RayFleet(1) as ray_one:
        for name, one, two in (("threads", Threads(1), Threads(2)), ("ray", ray_one, ray_two)):
            found = ratios(one, two, options.n, options.seconds, options.turns)
            median_ratio = statistics.median(found)
            missed = missed or median_ratio < GOAL
            turns = " ".join(f"{ratio:.2f}" for ratio in found)
            print(
                f"{name:8} {median_ratio:.2f} (>= {GOAL}: {'yes' if median_ratio >= GOAL else 'no'})  turns {turns}",
                flush=True,
            )
    return int(options.check and missed)


if __name__ == "__main__":
    sys.exit(main())
