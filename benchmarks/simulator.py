"""Speed of the simulator on one core, in flits over links per second, and its memory.

One plane of a plain cube, 4 nodes per switch, packets of 8 flits, uniform random traffic. Links between nodes and
switches count as links; the second rate covers only the links between switches. Each figure is the best of several
repetitions, because the machine may be loaded; goals are printed alongside. With --check the exit code is 1 if a rate
is below its minimum, or the memory above its maximum.
"""

import argparse
import resource
import sys
import time
from dataclasses import dataclass

from isoplane.models import ConnectionSet, Cube, Network, cube_planes
from isoplane.simulator import Hardware, Simulation, Traffic

LOADS = (0.1, 0.2, 0.3, 0.4)
WARM_UP, FLIT_TIMES = 1000, {8: 4000, 12: 400}
MIN_RATE, GOAL = {8: 5.0, 12: 3.0}, {8: 10.0, 12: 6.0}  # million flit-hops per second
MAX_MB = 300


@dataclass(frozen=True)
class Rate:
    """Million flit-hops per second: over all links, and over those between switches."""

    all_links: float
    between_switches: float


def rate(n: int, load: float) -> Rate:
    """Simulate an n-cube at a load, and time it after the warm-up."""
    network = Network(cube_planes((Cube(ConnectionSet.unit(n)),)))
    hardware = Hardware()
    run = Simulation(network, hardware, Traffic(load=load), seed=1, check_deadlock=False)
    run.run(WARM_UP * hardware.speedup)
    before, start = run.totals(), time.perf_counter()
    run.run((WARM_UP + FLIT_TIMES[n]) * hardware.speedup)
    seconds, after = time.perf_counter() - start, run.totals()
    hops = after["flit_hops"] - before["flit_hops"]
    node_hops = after["flits_injected"] - before["flits_injected"] + after["flits_arrived"] - before["flits_arrived"]
    return Rate(hops / seconds / 1e6, (hops - node_hops) / seconds / 1e6)


def main() -> int:
    """Print the rates of the cubes, the smaller one first, because the memory is the peak of the process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, nargs="+", choices=FLIT_TIMES, default=list(FLIT_TIMES))
    parser.add_argument("--load", type=float, nargs="+", default=LOADS)
    parser.add_argument("--turns", type=int, default=3, help="repetitions per figure")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    missed = False
    for n in sorted(arguments.n):
        for load in arguments.load:
            rates = [rate(n, load) for _ in range(arguments.turns)]
            best = max(rates, key=lambda measured: measured.all_links)
            memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            missed |= best.all_links < MIN_RATE[n] or memory_mb > MAX_MB
            print(
                f"{n}-cube, load {load}: {best.all_links:.2f} M flit-hops/s ({best.between_switches:.2f} between "
                f"switches), at least {MIN_RATE[n]:g}, goal {GOAL[n]:g}; peak {memory_mb:.0f} MB, at most {MAX_MB}",
                flush=True,
            )
    return int(missed and arguments.check)


if __name__ == "__main__":
    sys.exit(main())
