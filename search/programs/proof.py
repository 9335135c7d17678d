"""A bound for circuits that another search has found: only integer programming, with a reproducible effort."""

from collections.abc import Sequence
from math import inf
from time import monotonic

from isoplane.models import MessageList
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.objectives.fluid.circuit_bounds import bottleneck_bound_ns

from .assign import Assignment, fits_program, formula_ticks, run_branch_and_check
from .branch_and_check import BranchAndCheck
from .local import LocalSearch, order
from .solvers.solver import Solver
from .solvers.solver_handle import SolverHandle
from .traffic import traffic_of

EFFORT = 2.0  # limit for CP-SAT, in its deterministic seconds: a few seconds of wall-clock time
BOXES = 2000  # limit for the Lagrangian bound: about two seconds for 128 nodes
_UNLIMITED_S = 1e9


def prove_bound(
    hybrid: Hybrid,
    messages: MessageList,
    circuits: int,
    placement: Placement,
    known: Sequence[Circuits],
    running: SolverHandle,
) -> Assignment:
    """Return a lower bound of the bottleneck time by integer programming, with the best circuits found on the way.

    Like `assign_circuits` without its local search: it uses the whole program if that is small enough, else the segment
    or Lagrangian bound. CP-SAT has a limit of deterministic time, so the result is the same in every run that is not
    interrupted.

    Parameters
    ----------
    hybrid, messages, placement
        The network, the traffic of its processes, and the node of each process.
    circuits
        Maximum number of circuits.
    known
        Sets of circuits found so far, at least one; the bound is at most the bottleneck time of the best of them.
    running
        Receives the solvers used, and can end the proof from another thread.

    Examples
    --------
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import sparse
    >>> hybrid, work = Hybrid(2, 4, up_gbps=10), sparse(8, 2, seed=1).message_list()
    >>> proof = prove_bound(hybrid, work, 3, by_switch(8), [Circuits()], SolverHandle())
    >>> proof.bound_ns == proof.bottleneck_ns, proof.bound_by
    (True, 'program:cp_sat')
    """
    start_time, traffic = monotonic(), traffic_of(hybrid, messages, placement)
    solve = Solver("cp_sat", running.solvers, EFFORT)

    def seconds_left() -> float:
        return -inf if running.ended else _UNLIMITED_S

    evaluate = LocalSearch(traffic, circuits, 0, 1, seconds_left, running.report).evaluate
    best = min(map(evaluate, known), key=order)
    formula = formula_ticks(traffic, bottleneck_bound_ns(hybrid, messages, circuits, placement))
    lower_bound = min(formula, best.bottleneck)
    check = BranchAndCheck(
        traffic, circuits, evaluate, solve, seconds_left, best, lower_bound, running.report, boxes=BOXES
    )
    return run_branch_and_check(check, fits_program(traffic), running.solvers, start_time)
