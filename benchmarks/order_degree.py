"""The order/degree problem: regular graphs of least diameter, and then least average shortest path length.

The pairs of numbers of vertices and degree of the Graph Golf competition of 2016, searched with one setting:
`python benchmarks/order_degree.py --seconds 600 --workers 2`. A line for each pair shows the diameter and the average
over pairs of different vertices (ASPL), both as igraph counts them, the best listed values of 2016, and by how much the
average is above these and above the bound of Moore. With --check the exit code is 1 if a diameter is above the listed
one, or an average further above than its goal. With --speed the lines show instead the processor time of a move and its
evaluation, of plain graphs and of those with a cyclic group of 32 elements, and the goal.

References
----------
Graph Golf: The Order/degree Problem Competition, National Institute of Informatics, 2016.
"""

import argparse
import sys
from dataclasses import dataclass
from time import monotonic, process_time

import igraph

from isoplane.models.families.free_graph import FreeGraph
from isoplane.models.family_kinds.uniform import least_hops
from isoplane.objectives import SWITCHES, Lexicographic
from isoplane.search import Auto, Limits, _native, solve
from isoplane.search.graphs.space import RegularGraphs


@dataclass(frozen=True)
class Listed:
    """The best values of 2016, and the goal: by how many percent an average may be above the listed one."""

    diameter: int
    aspl: float
    goal: float


PAIRS = {
    (36, 3): Listed(4, 3.067, 0),
    (64, 8): Listed(3, 1.927, 1),
    (96, 3): Listed(6, 4.272, 0.5),
    (256, 8): Listed(4, 2.736, 0.3),
    (384, 3): Listed(9, 6.226, 0.5),
    (512, 8): Listed(4, 3.111, 0.3),
    (1024, 8): Listed(5, 3.505, 0.1),
    (1024, 11): Listed(4, 3.059, 0.1),
    (1800, 7): Listed(5, 4.078, 0.3),
}
# Switches, degree, order of the group: microseconds.
GOALS_US = {(256, 10, 1): 6, (1024, 8, 1): 100, (1024, 11, 1): 60, (4096, 24, 1): 600, (1024, 8, 32): 15}
LEG = 1 << 15  # evaluations of a cycle
OBJECTIVE = Lexicographic("diameter_and_aspl", (("diameter",), ("total_hops",)), SWITCHES)


def microseconds(switches: int, degree: int, order: int, seconds: float) -> float:
    """Return the least processor time of an evaluation in a walk, over some seconds of it."""
    start = FreeGraph(switches=switches, degree=degree).pairs.ravel().tolist()
    groups = list(dict.fromkeys([(1, 1, 1), (order, 1, 1)]))
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
    """Search every pair, and print its line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="time of each search")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", nargs="+", default=[f"{n}/{degree}" for n, degree in PAIRS])
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.speed:
        return int(speeds(options.seconds) and options.check)
    missed = False
    print("pair     diameter  listed     ASPL  listed    above  goal  above bound", flush=True)
    for pair in options.pairs:
        switches, degree = map(int, pair.split("/"))
        listed = PAIRS[switches, degree]
        space = RegularGraphs(FreeGraph(switches=switches, degree=degree))
        limits = Limits(seconds=options.seconds)
        *_, last = solve(space, OBJECTIVE, Auto(), limits, options.seed, options.workers)
        ends = space.candidate(last.design)
        graph = igraph.Graph(switches, list(zip(ends[::2], ends[1::2], strict=True)))
        aspl, diameter = graph.average_path_length(), graph.diameter()
        # Listed values have three decimals.
        above = max(0, 100 * (aspl / (listed.aspl + 0.0005) - 1))
        bound = least_hops(switches, degree) / (switches - 1)
        missed |= diameter > listed.diameter or above > listed.goal
        found = f"{pair:<8} {diameter:8} {listed.diameter:7} {aspl:8.4f} {listed.aspl:7.3f}"
        print(f"{found} {above:6.2f} % {listed.goal:3} % {100 * (aspl / bound - 1):9.2f} %", flush=True)
    return int(options.check and missed)


if __name__ == "__main__":
    sys.exit(main())
