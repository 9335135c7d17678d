"""Look-ups in routing-table caches per second on one core, for a port that is fed uniformly.

One line per kind of cache shows million look-ups per second without the causes of misses, and with them, and the share
of hits. Each rate is the best of many short turns, because the machine may be loaded. With --check the exit code is 1
if the rate of the default cache, without causes, is below its goal.
"""

import argparse
import os
import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np

from isoplane.models import RoutingCache
from isoplane.objectives.caches import count_hits, count_look_ups

NODES, ENTRIES = 4096, 2048
LOOK_UPS = 1 << 18  # in a turn: some milliseconds, between those of other programs
GOAL = 50  # million look-ups per second
DEFAULT = RoutingCache(ENTRIES, 4)
CACHES = {
    "4 ways": DEFAULT,
    "1 way": RoutingCache(ENTRIES, 1),
    "16 ways": RoutingCache(ENTRIES, 16),
    "4 ways, fifo": RoutingCache(ENTRIES, 4, replacement="fifo"),
    "4 ways, random": RoutingCache(ENTRIES, 4, replacement="random"),
    "one set": RoutingCache(ENTRIES, ENTRIES),
}


def best_rate(work: Callable[[], object], turns: int) -> float:
    """Return million look-ups per second of the fastest turn."""
    seconds = []
    for _ in range(turns):
        start = perf_counter()
        work()
        seconds.append(perf_counter() - start)
    return LOOK_UPS / min(seconds) / 1e6


def main() -> int:
    """Print the rates of all caches."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=100, help="repetitions per rate")
    parser.add_argument("--check", action="store_true", help="exit with 1 if the goal is missed")
    options = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    destination = np.random.default_rng(1).integers(NODES, size=LOOK_UPS).astype(np.uint32)
    streams = np.array([0, LOOK_UPS]), destination
    missed = False
    for name, cache in CACHES.items():
        set_of = cache.sets_of(np.arange(NODES))
        hits = int(count_hits(cache, set_of, streams)[0])
        fast = best_rate(lambda: count_hits(cache, set_of, streams), options.turns)  # noqa: B023
        classified = best_rate(lambda: count_look_ups(cache, set_of, streams), options.turns)  # noqa: B023
        goal = f"   goal {GOAL}" if cache is DEFAULT else ""
        print(f"{name:15} {fast:7.1f} M/s   with causes {classified:6.1f} M/s   hits {hits / LOOK_UPS:6.1%}{goal}")
        missed |= cache is DEFAULT and fast < GOAL
    return int(options.check and missed)


if __name__ == "__main__":
    sys.exit(main())
