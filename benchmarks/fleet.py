"""How much faster two workers are than one, on threads and on Ray.

Run `python benchmarks/fleet.py` on a machine with two idle cores; with `--check` it exits with 1 if a goal is missed.
One worker and two take turns, so that a machine that slows down slows both; the median of the turns' ratios counts.
"""

import argparse
import statistics
import sys
import time

from isoplane.objectives import Objective
from isoplane.search import Anneal, ConnectionSets, Fleet, Limits, Threads, solve
from isoplane.search.fleet import RayFleet

GOAL = 1.8


def seconds_of(fleet: Fleet, n: int, evaluations: int) -> float:
    """Wall-clock time of a search."""
    objective = Objective("aspl_and_traffic", (("sum_of_distances", "max_load"),))
    began = time.perf_counter()
    for _ in solve(
        ConnectionSets(n, layout=None), objective, Anneal(), Limits(evaluations=evaluations), 1, fleet=fleet
    ):
        pass
    return time.perf_counter() - began


def ratios(one: Fleet, two: Fleet, n: int, evaluations: int, turns: int) -> list[float]:
    """Return the rate of two workers over that of one, turn by turn; workers are started and warm before."""
    found = []
    for turn in range(-1, turns):
        amount = evaluations if turn >= 0 else evaluations // 8
        seconds = {fleet.workers: seconds_of(fleet, n, amount) for fleet in ((one, two), (two, one))[turn % 2]}
        found.append(seconds[1] / seconds[2])
    return found[1:]


def main() -> int:
    """Print a line for each fleet."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--evaluations", type=int, default=20_000_000, help="of each search")
    parser.add_argument("--n", type=int, default=10, help="dimension")
    options = parser.parse_args()
    missed = False
    with RayFleet(2) as ray_two, RayFleet(1) as ray_one:
        for name, one, two in (("threads", Threads(1), Threads(2)), ("ray", ray_one, ray_two)):
            found = ratios(one, two, options.n, options.evaluations, options.turns)
            middle = statistics.median(found)
            missed = missed or middle < GOAL
            turns = " ".join(f"{ratio:.2f}" for ratio in found)
            print(f"{name:8} {middle:.2f} (>= {GOAL}: {'yes' if middle >= GOAL else 'no'})  turns {turns}", flush=True)
    return int(options.check and missed)


if __name__ == "__main__":
    sys.exit(main())
