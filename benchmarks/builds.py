"""Speed of the native modules of this installation relative to those of another one.

`python benchmarks/builds.py --other PYTHON` runs the same work alternately in one process per installation, where
PYTHON is the interpreter of the other one, and prints the median ratio of their rates. Processor time is measured, so
that other programs on the machine matter little. Both installations need the same sources to show the effect of
compiler options; a line marks results that differ. With --check the exit code is 1 if results differ or a goal is
missed.
"""

import argparse
import hashlib
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from isoplane.models import ConnectionSet, Cube, Network, Site, cube_planes
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import stencil
from isoplane.objectives import CUBES, Lexicographic, evaluate_batch
from isoplane.objectives.fluid import FluidModel
from isoplane.search import Anneal, ConnectionSets
from isoplane.search.core.methods import methods_of
from isoplane.simulator import Hardware, Simulation, Traffic

GOALS = {"flits": 1.07, "kernels": 0.97, "annealing": 0.97, "fluid": 0.97}  # values below 1 allow for noise
WARM_UP = 1000  # flit times

Timed = tuple[float, object]  # processor seconds, and the result


def time_call(work: Callable[[], object]) -> Timed:
    """Return the processor time of a call, and its result."""
    start_time = time.process_time()
    found = work()
    return time.process_time() - start_time, found


def flits(n: int, load: float, flit_times: int) -> Timed:
    """Simulate an n-cube: 4 nodes per switch, packets of 8 flits, uniform random traffic, after a warm-up."""
    hardware = Hardware()
    network = Network(cube_planes((Cube(ConnectionSet.unit(n)),)))
    run = Simulation(network, hardware, Traffic(load=load), seed=1, check_deadlock=False)
    run.run(WARM_UP * hardware.speedup)
    seconds, _ = time_call(lambda: run.run((WARM_UP + flit_times) * hardware.speedup))
    return seconds, sorted(run.totals().items())


def kernels(n: int, folded: int, bases: int) -> Timed:
    """Evaluate random bases: the unit basis with neighbouring generators added at random."""
    rng = np.random.default_rng(n)
    rows = np.tile(np.array([1 << i for i in range(n)], dtype=np.uint32), (bases, 1))
    for i in rng.permutation(n):
        rows[:, i] ^= rows[:, (i + 1) % n] * rng.integers(0, 2, size=bases, dtype=np.uint32)
    seconds, found = time_call(lambda: evaluate_batch(rows, bool(folded)))
    return seconds, (int(found.sum_of_distances.sum()), int(found.max_load.sum()))


def annealing(n: int, folded: int, evaluations: int) -> Timed:
    """Anneal with one chain of the default search, for distances and traffic alone."""
    objective = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"),), CUBES)
    setup = methods_of(ConnectionSets(n, bool(folded), site=Site(layout=None))).chain_setup(objective, (Anneal(),))
    assert setup is not None
    chain = setup.searcher(0, setup.first(1, 0, None))
    seconds, _ = time_call(lambda: chain.run(evaluations))
    return seconds, chain.state()


def fluid(circuits: int, by_packets: int, times: int) -> Timed:
    """Compute the time of a stencil in the fluid model, 128 nodes, with circuits between the first and third group."""
    model = FluidModel(Hybrid(), stencil(iterations=1).message_list(), "packets" if by_packets else "messages")
    joined = Circuits(tuple((k, 64 + k) for k in range(circuits)))
    return time_call(lambda: [model.times(joined) for _ in range(times)])


TASKS: dict[str, Callable[..., Timed]] = {work.__name__: work for work in (flits, kernels, annealing, fluid)}
CASES = (  # the 12-cube is memory-bound, and hardly depends on the build
    *("flits 8 0.1 2000", "flits 8 0.2 1500", "flits 8 0.3 1000", "flits 8 0.4 800"),
    *("kernels 8 0 1000000", "kernels 8 1 1000000", "kernels 12 0 100000", "kernels 12 1 100000"),
    *("annealing 8 0 1000000", "annealing 12 1 100000", "fluid 0 0 30", "fluid 16 0 30", "fluid 16 1 30"),
)


def serve() -> None:
    """Run the cases named on standard input, and print the time and a hash of the result of each."""
    for line in sys.stdin:
        name, *arguments = line.split()
        seconds, found = TASKS[name](*(float(word) if "." in word else int(word) for word in arguments))
        print(seconds, hashlib.sha256(repr(found).encode()).hexdigest(), flush=True)


def run_case(worker: "subprocess.Popen[str]", case: str) -> tuple[float, str]:
    """Run a case in a worker."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(case, file=worker.stdin, flush=True)
    seconds, result = worker.stdout.readline().split()
    return float(seconds), result


def compare_workers(workers: "list[subprocess.Popen[str]]", case: str, turns: int) -> tuple[list[float], bool]:
    """Return the speed of the first worker relative to the second in each turn, and whether results agree."""
    ratios, results = [], set()
    for turn in range(turns):
        order = (0, 1) if turn % 2 else (1, 0)
        found = {k: run_case(workers[k], case) for k in order}
        ratios.append(found[1][0] / found[0][0])
        results |= {result for _, result in found.values()}
    return ratios, len(results) == 1


def main() -> int:
    """Print one line per case, and one per kind of work."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--other", help="Python interpreter of the other installation; by default this one")
    parser.add_argument("--turns", type=int, default=9)
    parser.add_argument("--only", nargs="+", choices=TASKS, default=list(TASKS))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return 0
    workers = [
        subprocess.Popen([python, __file__, "--serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for python in (sys.executable, options.other or sys.executable)
    ]
    missed = False
    for name in options.only:
        all_ratios = []
        for case in (case for case in CASES if case.split()[0] == name):
            ratios, same = compare_workers(workers, case, options.turns)
            all_ratios += ratios
            missed |= not same
            print(f"{case:24} {median(ratios):.3f}{'' if same else '  results differ'}", flush=True)
        missed |= median(all_ratios) < GOALS[name]
        print(f"{name:24} {median(all_ratios):.3f}, at least {GOALS[name]:g}", flush=True)
    for worker in workers:
        worker.communicate()
    return int(options.check and missed)


if __name__ == "__main__":
    sys.exit(main())
