"""Processor time of a move and its evaluation in walks over regular graphs, plain and with 32 symmetries.

`python benchmarks/order_degree.py --seconds 60` prints a line for each size, with the goal. With --check the exit code
is 1 if one is missed. What walks find is measured by `instances.py`.
"""

import argparse
import sys
from time import monotonic, process_time

from isoplane.models.families.free_graph import FreeGraph
from isoplane.search import _native
from isoplane.search.graphs.groups import cyclic

# Switches, degree, order of the group: microseconds.
GOALS_US = {(256, 10, 1): 6, (1024, 8, 1): 100, (1024, 11, 1): 60, (4096, 24, 1): 600, (1024, 8, 32): 15}
LEG = 1 << 15  # evaluations of a cycle


def microseconds(switches: int, degree: int, order: int, seconds: float) -> float:
    """Return the least processor time of an evaluation in a walk, over some seconds of it."""
    start = FreeGraph(switches=switches, degree=degree).pairs.ravel().tolist()
    groups = list(dict.fromkeys([cyclic(1), cyclic(order)]))
    task = _native.GraphTask(switches, degree, groups, True)
    walk = _native.GraphWalk(task, 1, 0, start, 0.2, 0.4, LEG, 1.5)
    if order > 1:
        walk.run(LEG // -(-switches // 64))  # the cycle of the group of one element, which is the first
    count = max(20, 20_000_000 // (switches * switches // order * degree))
    least, end, last = float("inf"), monotonic() + seconds, walk.evaluations + LEG // 2
    while monotonic() < end and walk.evaluations < last:
        begin = process_time()
        walk.run(count)
        least = min(least, (process_time() - begin) / count * 1e6)
    return least


def speeds(seconds: float) -> bool:
    """Print a line for each size, and tell whether a goal is missed."""
    missed = False
    print("pair     group  time of an evaluation   goal")
    for (switches, degree, order), goal in GOALS_US.items():
        time_us = microseconds(switches, degree, order, seconds)
        missed |= time_us > goal
        print(f"{switches}/{degree:<4} {order:5} {time_us:19.2f} us {goal:4} us", flush=True)
    return missed


def main() -> int:
    """Measure every size."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="time of each size")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    return int(speeds(options.seconds) and options.check)


if __name__ == "__main__":
    sys.exit(main())
