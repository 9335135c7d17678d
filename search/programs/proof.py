"""A bound for circuits that another search finds: programs alone, with an effort that no clock decides."""

from collections.abc import Mapping, Sequence
from math import inf
from time import monotonic

from isoplane.models import MessageList
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.objectives.fluid.bound import bottleneck_bound_ns

from . import cp_sat
from .assign import Assignment, fits_program, formula_ticks, settled
from .exact import Check
from .local import Local, order
from .solver_handle import SolverHandle
from .statement import Left, Outcome, Statement
from .traffic import traffic_of

SOLVER = "cp_sat"
EFFORT = 2.0  # of CP-SAT, in its deterministic seconds: a few seconds of the clock
BOXES = 2000  # of counting circuits: for 128 nodes two seconds
_ENDLESS_S = 1e9


def prove_bound(
    hybrid: Hybrid,
    messages: MessageList,
    circuits: int,
    placement: Placement,
    known: Sequence[Circuits],
    running: SolverHandle,
) -> Assignment:
    """Return what programs prove of the bottleneck time, with the best circuits that they meet.

    As `assign_circuits`, without its local search: by the whole program where it fits, else by counting. CP-SAT is
    given a limit of deterministic time, so the result is the same in every run that is not ended.

    Parameters
    ----------
    hybrid, messages, placement
        The network, what its processes send, and where they are.
    circuits
        At most so many.
    known
        Circuits that were found, one set at least; nothing is proven beyond the best of them.
    running
        Hears who is asked, and may end the proof from another thread.

    Examples
    --------
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import sparse
    >>> hybrid, work = Hybrid(2, 4, up_gbps=10), sparse(8, 2, seed=1).message_list()
    >>> proof = prove_bound(hybrid, work, 3, by_switch(8), [Circuits()], SolverHandle())
    >>> proof.bound_ns == proof.bottleneck_ns, proof.bound_by
    (True, 'program:cp_sat')
    """
    began, traffic = monotonic(), traffic_of(hybrid, messages, placement)
    effort = cp_sat.Effort(EFFORT)

    def left() -> float:
        return -inf if running.ended else _ENDLESS_S

    def solve(statement: Statement, objective: int, left: Left, hint: Mapping[int, int], log: bool) -> Outcome:
        if SOLVER not in running.solvers:
            running.solvers.append(SOLVER)
        return cp_sat.solve(statement, objective, left, hint, log, effort)

    judge = Local(traffic, circuits, 0, 1, left, running.tell).judge
    best = min(map(judge, known), key=order)
    formula = formula_ticks(traffic, bottleneck_bound_ns(hybrid, messages, circuits, placement))
    least = min(formula, best.bottleneck)
    check = Check(traffic, circuits, judge, solve, left, best, least, running.tell, boxes=BOXES)
    return settled(check, fits_program(traffic), running.solvers, began)
