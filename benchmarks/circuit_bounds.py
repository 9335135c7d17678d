"""Lower bounds on the bottleneck time: formulas, Lagrangian bound, segment bound, the whole integer program.

`python benchmarks/circuit_bounds.py` prints a table in Markdown: the incumbent of a short local search, the formula
bound, and each other bound alone, in ms, with a dash if it does not exceed the formula bound. CP-SAT has a limit of
deterministic time, so the table is the same on every machine.
"""

import argparse
from collections.abc import Callable, Iterator
from typing import NamedTuple

from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import by_switch
from isoplane.models.workloads import Workload, dense, sparse, stencil
from isoplane.search.circuits.rule_rounds import balanced
from isoplane.search.programs import formula_bound_ns, lagrangian_bound, segment_bound
from isoplane.search.programs.branch_and_check import BranchAndCheck, CircuitTimes
from isoplane.search.programs.integer_program import Solve
from isoplane.search.programs.local_search import LocalSearch
from isoplane.search.programs.solvers.solver import Solver
from isoplane.search.programs.traffic import ScaledTraffic, traffic_of

GROUPS = 4
MAX_MESSAGES = segment_bound.MAX_MESSAGES  # above this, building the whole model takes minutes
SHAPES = {16: (4, 4), 32: (4, 8), 128: (8, 16)}
WORKLOADS: dict[str, Callable[[int], Workload]] = {
    "sparse": sparse,
    "dense": dense,
    "stencil": lambda nodes: stencil(SHAPES[nodes], iterations=1),
}


class Case(NamedTuple):
    """A workload on a network, and what is known about its bottleneck time.

    Attributes
    ----------
    traffic
        The messages of the workload on the network.
    max_circuits
        The maximum number of circuits.
    incumbent
        The incumbent.
    formula_bound
        The formula bound in ticks, clipped to the incumbent.
    """

    traffic: ScaledTraffic
    max_circuits: int
    incumbent: CircuitTimes
    formula_bound: int


def case_of(work: Workload, circuits: int) -> Case:
    """Return the case of a workload on four groups."""
    hybrid = Hybrid(GROUPS, work.processes // GROUPS)
    placement = by_switch(hybrid.nodes)
    traffic = traffic_of(hybrid, work.message_list(), placement)
    known = balanced(hybrid, work, placement, circuits)
    best = LocalSearch(traffic, circuits, 1, 1, lambda: 0.0, lambda _: None).evaluate(known)
    formula = traffic.ticks(formula_bound_ns(hybrid, work.message_list(), circuits, placement))
    return Case(traffic, circuits, best, min(formula, best.bottleneck))


def bound_by_lagrangian(case: Case, solve: Solve) -> int:
    """Return the Lagrangian bound."""
    return lagrangian_bound.tighten_bound(
        case.traffic, case.max_circuits, case.formula_bound, case.incumbent.bottleneck, no_time_limit
    )


def bound_by_segments(case: Case, solve: Solve) -> int:
    """Return the segment bound."""
    return segment_bound.tighten_bound(
        case.traffic, case.max_circuits, case.formula_bound, case.incumbent.bottleneck, solve, no_time_limit
    )


def bound_by_whole_program(case: Case, solve: Solve) -> int:
    """Return the bound of the whole integer program."""
    evaluate = LocalSearch(case.traffic, case.max_circuits, 1, 1, no_time_limit, lambda _: None).evaluate
    check = BranchAndCheck(
        case.traffic,
        case.max_circuits,
        evaluate,
        solve,
        no_time_limit,
        case.incumbent,
        case.formula_bound,
        lambda _: None,
    )
    check.settle_bottleneck()
    return check.bound


def no_time_limit() -> float:
    """Return the time left, which is unlimited: work is limited instead."""
    return 1e9


BOUNDS = {"Lagrangian": bound_by_lagrangian, "segments": bound_by_segments, "whole program": bound_by_whole_program}


def cells(case: Case, effort: float) -> Iterator[str]:
    """Yield the incumbent, the formula bound and each other bound."""
    ms = [case.traffic.ns(ticks) / 1e6 for ticks in (case.incumbent.bottleneck, case.formula_bound)]
    yield from (f"{value:.2f}" for value in ms)
    for bound in BOUNDS.values():
        if len(case.traffic.pairs) > MAX_MESSAGES and bound is not bound_by_lagrangian:
            yield "too large"
            continue
        found = bound(case, Solver("cp_sat", effort_s=effort))
        yield f"{case.traffic.ns(found) / 1e6:.2f}" if found > case.formula_bound else "-"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--effort", type=float, default=16, help="deterministic seconds of CP-SAT per bound")
    parser.add_argument("--only", default="", help="name of a workload")
    parser.add_argument("--nodes", type=int, default=0, help="size of the network")
    options = parser.parse_args()
    print("| workload | nodes | circuits | best found | formula | " + " | ".join(BOUNDS) + " |")
    print("|---" * (5 + len(BOUNDS)) + "|")
    for name, work in WORKLOADS.items():
        for nodes in SHAPES:
            if options.only not in name or options.nodes not in (0, nodes):
                continue
            for circuits in range(nodes // 8, nodes // 2 + 1, nodes // 8):
                row = (name, str(nodes), str(circuits), *cells(case_of(work(nodes), circuits), options.effort))
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
