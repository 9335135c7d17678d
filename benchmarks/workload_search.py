"""Connection sets searched for a workload beside those searched by ASPL and traffic, flit by flit.

For the skeletons of FT and CG, and a ring all-reduce, on the nodes of two cubes, one at each switch: the simulated time
of each with plane 1 as found by ``objective=aspl_and_traffic``, as identical planes, and as found by
``objective=completion``, ``objective=throughput`` and ``objective=completion judge=simulator``.
"""

import argparse
import sys
from collections.abc import Callable

from isoplane.models import Design
from isoplane.models.workloads import Workload, npb, ring_all_reduce
from isoplane.objectives import TIMES, Lexicographic
from isoplane.runs.records.judge import automatic_factor, judged, simulated_ns
from isoplane.search import ConnectionSets, Limits, Space, solve
from isoplane.search.core.methods import methods_of
from isoplane.search.cubes.workload_starts import ASPL_AND_TRAFFIC

EVALUATIONS = {"FT": 30_000, "CG": 30_000, "ring": 1_000_000}  # each level of the ring is the same
COMPONENTS = {"completion": ("completion", "bottleneck", "total"), "throughput": ("synchronised", "total")}


def ft(processes: int) -> Workload:
    """Return one iteration of the skeleton of FT, class A: its transposes in the order of the shift."""
    return npb("ft", "A", processes, iterations=1)


def cg(processes: int) -> Workload:
    """Return one iteration of the skeleton of CG, class A."""
    return npb("cg", "A", processes, iterations=1)


def ring(processes: int) -> Workload:
    """Return an all-reduce of 1 MiB over a ring."""
    return ring_all_reduce(processes, 1 << 20)


WORKLOADS: dict[str, Callable[[int], Workload]] = {"FT": ft, "CG": cg, "ring": ring}


def best_of(space: Space, objective: Lexicographic, evaluations: int | None, workers: int) -> Design:
    """Return the best design of a search by the default strategy."""
    limits = Limits(evaluations=evaluations)
    *_, last = solve(space, objective, methods_of(space).default_strategy(objective), limits, seed=1, workers=workers)
    return last.design


def designs_for(sets: ConnectionSets, workload: Workload, evaluations: int, workers: int) -> dict[str, Design]:
    """Return the designs to compare."""
    space = sets.with_workload(workload)
    times = {
        name: Lexicographic(name, [(name,) for name in components], TIMES, workload)
        for name, components in COMPONENTS.items()
    }
    return {
        "aspl_and_traffic": best_of(sets, sets.fitted(ASPL_AND_TRAFFIC), None, workers),
        "identical": sets.baseline,
        **{name: best_of(space, objective, evaluations, workers) for name, objective in times.items()},
        "judged": best_of(space, judged(times["completion"], automatic_factor(workload)), evaluations, workers),
    }


def main() -> int:
    """Print the table; with --check return 1 if a judged search is slower than the one by ASPL and traffic."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=6, help="dimension")
    parser.add_argument("--evaluations", type=int, help="of each search; by default as many as take minutes")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--workloads", nargs="+", choices=WORKLOADS, default=list(WORKLOADS))
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    sets, slower = ConnectionSets(options.n, nodes_per_switch=1), False
    for name in options.workloads:
        workload = WORKLOADS[name](1 << options.n)
        designs = designs_for(sets, workload, options.evaluations or EVALUATIONS[name], options.workers)
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
