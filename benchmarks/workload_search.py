"""Connection sets searched for a workload beside those searched by ASPL and traffic, flit by flit.

For an all-to-all exchange (FT), conjugate gradients (CG) and a ring all-reduce on the nodes of two cubes, one at each
switch: the simulated time of each with plane 1 as found by ``objective=aspl_and_traffic``, as identical planes, and as
found by ``objective=completion``, ``objective=throughput`` and ``objective=completion judge=simulator``.
"""

import argparse
import sys
from collections.abc import Callable

import numpy as np

from isoplane.models import Design
from isoplane.models.workloads import Workload, all_to_all, ring_all_reduce
from isoplane.objectives import NetworkTimeObjective, Objective
from isoplane.runs.records.judge import judged, simulated_ns
from isoplane.search import ConnectionSets, Limits, Space, WorkloadConnectionSets, solve
from isoplane.search.cubes.workload_starts import ASPL_AND_TRAFFIC

FT_BYTES = 16 * 256 * 256 * 128  # of the grid of class A, in complex numbers
CG_ROWS = 14_000  # class A
SCALAR_BYTES = 8
COMPONENTS = {"completion": ("completion", "bottleneck", "total"), "throughput": ("synchronised", "total")}


def ft(n: int) -> Workload:
    """Return one transpose of the benchmark FT, class A, in the order of the shift."""
    return all_to_all(1 << n, FT_BYTES >> 2 * n)


def cg(n: int, iterations: int = 4) -> Workload:
    """Return inner iterations of the benchmark CG, class A, on a square grid of processes.

    Every iteration has a matrix-vector product, exchanges along the rows of the grid with ever farther partners and
    one with the transposed process, and two reductions along the rows.
    """
    side = 1 << n // 2
    row, column = np.divmod(np.arange(side * side), side)
    partners = []
    for block in (2 << k for k in range(n // 2)):
        start = column - column % block
        partners.append(row * side + start + (column - start + block // 2) % block)
    transposed = column * side + row
    vector = 8 * CG_ROWS // side
    steps = [*((each, vector) for each in partners), (transposed, vector)]
    steps += 2 * [(each, SCALAR_BYTES) for each in reversed(partners)]
    phase, source, destination, length = [], [], [], []
    for number, (partner, size) in enumerate(steps):
        sending = np.flatnonzero(partner != np.arange(side * side))  # the diagonal keeps its part
        phase.append(np.full(len(sending), number))
        source.append(sending)
        destination.append(partner[sending])
        length.append(np.full(len(sending), size))
    columns = (np.concatenate(each) for each in (phase, source, destination, length))
    return Workload("cg", side * side, *columns, iterations=iterations)


def ring(n: int) -> Workload:
    """Return an all-reduce of 1 MiB over a ring."""
    return ring_all_reduce(1 << n, 1 << 20)


WORKLOADS: dict[str, Callable[[int], Workload]] = {"FT": ft, "CG": cg, "ring": ring}


def best_of(space: Space, objective: Objective, evaluations: int | None, workers: int) -> Design:
    """Return the best design of a search by the default strategy."""
    limits = Limits(evaluations=evaluations)
    *_, last = solve(space, objective, space.default_strategy(objective), limits, seed=1, workers=workers)
    return last.design


def designs_for(sets: ConnectionSets, workload: Workload, evaluations: int, workers: int) -> dict[str, Design]:
    """Return the designs to compare."""
    space = WorkloadConnectionSets(sets, workload)
    times = {name: NetworkTimeObjective(name, components, workload) for name, components in COMPONENTS.items()}
    return {
        "aspl_and_traffic": best_of(sets, sets.fitted(ASPL_AND_TRAFFIC), None, workers),
        "identical": sets.baseline,
        **{name: best_of(space, objective, evaluations, workers) for name, objective in times.items()},
        "judged": best_of(space, judged(times["completion"], 1), evaluations, workers),
    }


def main() -> int:
    """Print the table; with --check return 1 if a judged search is slower than the one by ASPL and traffic."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=6, help="dimension, even")
    parser.add_argument("--evaluations", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--workloads", nargs="+", choices=WORKLOADS, default=list(WORKLOADS))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    sets, slower = ConnectionSets(options.n, nodes_per_switch=1), False
    for name in options.workloads:
        workload = WORKLOADS[name](options.n)
        designs = designs_for(sets, workload, options.evaluations, options.workers)
        times = {title: simulated_ns(design.network, workload, 1) for title, design in designs.items()}
        first = times["aspl_and_traffic"]
        slower |= times["judged"] > first
        for title, design in designs.items():
            generators = " ".join(map(str, sorted(sets.generators(design))))
            change = 100 * (times[title] / first - 1)
            print(f"{name:5} {title:17} {times[title]:>10} ns {change:+7.2f} %   {generators}", flush=True)
    return int(slower and options.check)


if __name__ == "__main__":
    sys.exit(main())
