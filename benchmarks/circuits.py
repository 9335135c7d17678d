"""Circuits assigned to known traffic: bottleneck times and their proven gaps.

`python benchmarks/circuits.py` prints a table; with `--check` it exits with 1 if a goal is missed.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import NamedTuple

from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import Workload, dense, sparse, stencil
from isoplane.search.programs import SOLVERS, assign_circuits


class Case(NamedTuple):
    """A network, its workload, the maximum number of circuits, and the largest acceptable gap."""

    hybrid: Hybrid
    work: Workload
    circuits: int
    gap: float


def cases() -> Iterator[Case]:
    """Yield 16 and 32 nodes in four groups, and the 128 nodes of the paper."""
    for size, shape in ((4, (4, 4)), (8, (4, 8))):
        for circuits in (2 * size // 2, 2 * size):
            yield Case(Hybrid(4, size), stencil(shape, iterations=1), circuits, 0)
            yield Case(Hybrid(4, size), sparse(4 * size, 3), circuits, 0)
    workloads: tuple[tuple[Callable[[], Workload], float], ...] = (
        (lambda: stencil(iterations=1), 0),
        (sparse, 0.05),
        (dense, 0.05),
    )
    for work, gap in workloads:
        for circuits in (8, 16, 32, 48, 64):
            yield Case(Hybrid(), work(), circuits, gap)


def main() -> int:
    """Print goals and actual gaps."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="exit with 1 if a goal is missed")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--solver", choices=list(SOLVERS), default="cp_sat")
    parser.add_argument("--only", default="", help="name of a workload")
    parser.add_argument("--nodes", type=int, default=0, help="size of the network")
    options = parser.parse_args()
    print("workload nodes circuits  used  bottleneck ms  bound ms     goal   actual  total proven  seconds", flush=True)
    missed = 0
    for case in cases():
        if options.only not in case.work.name or options.nodes not in (0, case.hybrid.nodes):
            continue
        found = assign_circuits(
            case.hybrid,
            case.work.message_list(),
            case.circuits,
            solver=options.solver,
            seconds=options.seconds,
            workers=options.workers,
        )
        missed += found.gap > case.gap
        print(
            f"{case.work.name:8} {case.hybrid.nodes:5} {case.circuits:8} {len(found.circuits):5} "
            f"{found.bottleneck_ns / 1e6:14.2f} {found.bound_ns / 1e6:9.2f} {100 * case.gap:6.1f} % "
            f"{100 * found.gap:6.1f} % {'yes' if found.total_optimal else 'no':>13} {found.seconds:8.1f}"
            f"{'' if found.gap <= case.gap else '  missed'}",
            flush=True,
        )
    return int(options.check and missed > 0)


if __name__ == "__main__":
    raise SystemExit(main())
