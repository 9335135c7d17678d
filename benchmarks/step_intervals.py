"""Coverage of the intervals of repeated steps: how often they contain the mean of the whole runs.

Random programs of 400 steps on tori of 12 and 16 nodes, whose processes do not wait for what they send. Those whose
steps do not recur, but whose interval is narrow enough, are simulated whole as well, with the same jitter. With --check
the exit code is 1 if so few intervals contain the mean that intervals of 95 % would with a probability below 1 %. With
--alike all processes send as much at the same distance: they begin in step, and settle late or recur after chaos.
"""

import argparse
import sys
from math import comb
from statistics import fmean

import numpy as np

from isoplane.models import Network
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import ProgramWorkload
from isoplane.models.workloads.programs import Program
from isoplane.objectives.fluid import NetworkFluidModel, step_runs
from isoplane.objectives.fluid.repeated_steps import BATCH_MEANS

STEPS, SHAPES, CONFIDENCE = 400, ((4, 3), (4, 4)), 0.95
FIRST_SEED = 2000  # held-out seeds, not used to choose the rule


def random_work(seed: int, processes: int, alike: bool) -> ProgramWorkload:
    """Return a program whose steps are up to three exchanges after computing, along random rings or all `alike`."""
    random = np.random.default_rng(seed)
    program = Program(processes)
    with program.repeated(STEPS):
        for _ in range(int(random.integers(1, 4))):
            program.wavefront(random.permutation(processes), [], [], [], int(random.integers(0, 3_000_000)))
            order = np.arange(processes) if alike else random.permutation(processes)
            distance = int(random.integers(1, processes)) if alike else 1
            lengths = random.integers(1, 60_000) if alike else random.integers(1, 20_000, processes)
            program.exchange(order, np.roll(order, distance), lengths, blocking=bool(random.integers(2)))
    return ProgramWorkload("random", program, (("kind", "random"), ("seed", seed)), 1 << 20)


def error_and_width(seed: int, half_width: float, alike: bool = False) -> tuple[float, float] | None:
    """Return the relative error of the mean of the runs that are estimated, and its half-width; None without any."""
    network = Network(Torus(shape=SHAPES[seed % len(SHAPES)], node_cable_m=2.0))
    work = random_work(seed, network.nodes, alike)
    runs = step_runs(network, work, half_width)
    estimated = [run for run, method in enumerate(runs.methods) if method == BATCH_MEANS]
    if not estimated:
        return None
    listed = work.step_list(STEPS)
    whole = NetworkFluidModel(network, listed.messages, jitter=listed.place).runs_ns
    mean, truth = (fmean(times[run] for run in estimated) for times in (runs.runs_ns, whole))
    return truth / mean - 1, max(runs.half_widths)


def main() -> int:
    """Print the programs and the coverage."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=600)
    parser.add_argument("--half-width", type=float, default=0.01)
    parser.add_argument("--alike", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    total, inside = 0, 0
    for seed in range(FIRST_SEED, FIRST_SEED + arguments.programs):
        estimate = error_and_width(seed, arguments.half_width, arguments.alike)
        if estimate is not None:
            error, width = estimate
            total, inside = total + 1, inside + (abs(error) <= width)
            print(f"program {seed}: within {100 * width:.4f} %, whole runs {100 * error:+.4f} %", flush=True)
    print(f"of {total} intervals {inside} contain the mean of the whole runs")
    missed = total - inside
    chance = sum(comb(total, k) * (1 - CONFIDENCE) ** k * CONFIDENCE ** (total - k) for k in range(missed, total + 1))
    return int(arguments.check and chance < 0.01)


if __name__ == "__main__":
    sys.exit(main())
