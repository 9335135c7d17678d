"""Circuits for known traffic: the best that are found, with a proof of how good they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from time import monotonic

from isoplane.models import InputError, MessageList
from isoplane.models.checks import check_bool, check_int, exact_number
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.objectives import relative_gap
from isoplane.objectives.fluid.bound import bottleneck_bound_ns

from .counting import may_count
from .exact import Check, Judged
from .local import CHAINS, Local, order
from .solver_handle import SolverHandle
from .solvers import chosen
from .traffic import Traffic, traffic_of

MAX_PAIRS, MAX_CIRCUITS = 1200, 1200  # larger programs tell no more than the bounds without one
MAX_BITS = 1 << 50  # of all pairs, in their common unit: solvers count in 64 bits
FORMULA, COUNTS = "formula", "counts"
_ROUNDS, _ROUNDS_BEFORE_PROGRAM = 9, 2  # of chains, each twice as long as the one before
_NODES_PER_CALL = 4  # length of the first round
_SHARE = 0.9  # of the time that is left, which a round may take
_PROOF = 0.25  # of all time, for a bound by counting where the whole program is too large


@dataclass(frozen=True)
class Assignment:
    """Circuits, what they do to the traffic, and what is proven.

    Attributes
    ----------
    circuits
        At most as many as asked for.
    bottleneck_ns, total_ns
        How long the busiest link or circuit is busy, and all of them together.
    bound_ns
        Bottleneck time that no circuits are below.
    optimal, total_optimal
        Whether it is proven that no circuits have a shorter bottleneck time, and that of those with the shortest one
        none have a shorter total time; in whole nanoseconds where ticks are too fine for floats.
    solver
        Who solved programs: ``cp_sat``, ``highs`` or ``gurobi``, or ``gurobi+cp_sat`` where later ones were too large
        for a licence; ``none`` where bounds were enough or the program is too large.
    bound_by
        Where the bound comes from: ``formula``, ``counts`` of circuits between groups, or ``program:`` and the solver.
    solved
        How many programs were solved.
    seconds
        Time that it took.
    """

    circuits: Circuits
    bottleneck_ns: int
    total_ns: int
    bound_ns: int
    optimal: bool
    total_optimal: bool
    solver: str
    bound_by: str
    solved: int
    seconds: float

    @property
    def gap(self) -> float:
        """The `relative_gap` of the bottleneck time."""
        return float(relative_gap(self.bottleneck_ns, self.bound_ns) or 0)


def assign_circuits(
    hybrid: Hybrid,
    messages: MessageList,
    circuits: int,
    placement: Placement | None = None,
    solver: str = "cp_sat",
    seconds: float = 60,
    workers: int = 1,
    seed: int = 1,
    start: Sequence[Circuits] = (),
    log: bool = False,
    running: SolverHandle | None = None,
) -> Assignment:
    """Return the circuits with the shortest bottleneck time for traffic, and of those the shortest total time.

    Local search finds good circuits; a program that states the assignment, with the model as a judge of its solutions,
    betters them until it proves that nothing is better, or time is over. Networks of which the program would be too
    large are left to local search, formulas (`bottleneck_bound_ns`) and counting (`legs.py`, `counts.py`).

    Parameters
    ----------
    hybrid, messages, placement
        The network, what its processes send, and where they are; by default process i is on node i.
    circuits
        At most so many.
    solver
        ``cp_sat``, ``highs`` or ``gurobi``. Without gurobipy or its licence CP-SAT takes over, and a line says so.
    seconds
        When to stop.
    workers
        Chains of the local search at a time; they do not change the result, unless time is over.
    seed
        Decides the local search.
    start
        Known circuits to begin with.
    log
        Whether solvers tell what they do.
    running
        Hears what is found, and may end the assignment from another thread.

    Raises
    ------
    InputError
        If a value is out of range or unknown, or known circuits are more than allowed or do not fit the network.

    References
    ----------
    Takizawa, Endo and Matsuoka, MPI Communication Algorithm over an Optical Interconnect, section 2: they assign
    circuits in turn, whatever the traffic.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> work = stencil((4, 4), 1_250_000, iterations=1).message_list()
    >>> found = assign_circuits(Hybrid(2, 8), work, 4)
    >>> found.circuits.pairs, found.bottleneck_ns, found.optimal, found.total_optimal
    (((4, 8), (5, 9), (6, 10), (7, 11)), 3000000, True, True)
    """
    check_int("network.circuits", circuits, 0, hybrid.most_circuits)
    check_int("workers", workers, 1)
    check_int("seed", seed, 0)
    check_bool("log", log)
    began = monotonic()
    end = began + float(exact_number("seconds", seconds, above=True))
    for known in start:
        known.require_fit(hybrid)
        if len(known) > circuits:
            raise InputError(f"start: {len(known)} circuits; expected at most {circuits}")
    running = running or SolverHandle()
    solve = chosen(solver, running.solvers)
    left = partial(_left, running, end)
    traffic = traffic_of(hybrid, messages, placement)
    bound = formula_ticks(traffic, bottleneck_bound_ns(hybrid, messages, circuits, placement))
    fits = fits_program(traffic)
    proof = _PROOF * (end - began) if may_count(traffic) and not fits else 0
    local = Local(traffic, circuits, seed, workers, lambda: left() - proof, running.tell)
    best = _search(local, start, bound, _ROUNDS_BEFORE_PROGRAM if fits else _ROUNDS)
    with solve:
        least = min(bound, best.bottleneck)
        check = Check(traffic, circuits, local.judge, solve, left, best, least, running.tell, log, solve.floating)
        return settled(check, fits, solve.asked, began)


def _left(running: SolverHandle, end: float) -> float:
    """Return how many seconds are left; not even a grace once somebody asked for the end."""
    return -inf if running.ended else end - monotonic()


def fits_program(traffic: Traffic) -> bool:
    """Whether the whole program is small enough to tell more than the bounds without it."""
    hybrid = traffic.hybrid
    joinable = hybrid.ports_per_node * hybrid.nodes * (hybrid.nodes - hybrid.nodes_per_group) // 2
    return len(traffic.pairs) <= MAX_PAIRS and joinable <= MAX_CIRCUITS and bool(traffic.sent.sum() < MAX_BITS)


def formula_bound_ns(hybrid: Hybrid, messages: MessageList, circuits: int, placement: Placement) -> int:
    """Return the bound of the bottleneck time that an assignment begins with: no program is solved for it."""
    bound_ns = bottleneck_bound_ns(hybrid, messages, circuits, placement)
    traffic = traffic_of(hybrid, messages, placement)
    return max(bound_ns, traffic.ns(formula_ticks(traffic, bound_ns)))


def formula_ticks(traffic: Traffic, bound_ns: int) -> int:
    """Return a bound, which may have been rounded up, in ticks: the next time that a link or circuit can have."""
    least = max(-int(-(bound_ns - 1) * traffic.ticks_per_ns // 1), 0)
    return min(-(-least // unit) * unit for unit in (traffic.node, traffic.up, traffic.circuit))


def _search(local: Local, start: Sequence[Circuits], bound: int, rounds: int) -> Judged:
    """Return the best circuits of a local search that ends at a bound."""
    pool = local.starts(start)
    first = calls = max(local.traffic.hybrid.nodes // _NODES_PER_CALL, 1)
    for number in range(rounds):
        before = local.left()
        if pool[0].bottleneck <= bound or before <= 0 or calls == 0:
            break
        pool = sorted([*local.chains(number + 1, pool[:CHAINS], calls), *pool], key=order)
        after = max(local.left(), 0)
        fitting = calls * _SHARE * after / max(before - after, 1e-3)
        calls = min(2 * calls, int(fitting))  # chains that time cuts off have not cooled down
    return min(local.chains(0, pool[:1], first, limit=pool[0].bottleneck), key=order)


def settled(check: Check, fits: bool, asked: Sequence[str], began: float) -> Assignment:
    """Return what a check settles: by the whole program where it fits, else by counting; `asked` are its solvers."""
    known = check.bound
    proven = check.settle_bottleneck() if fits else check.settle_by_counting()
    total_proven = proven and fits and check.settle_total()
    solver = "+".join(asked) or "none"
    bound_by = f"program:{solver}" if asked else COUNTS
    best, traffic = check.best, check.traffic
    return Assignment(
        best.circuits,
        traffic.ns(best.bottleneck),
        traffic.ns(best.total),
        traffic.ns(check.bound),
        proven and traffic.ns(check.bound) == traffic.ns(best.bottleneck),
        total_proven and traffic.ns(check.total_bound) == traffic.ns(best.total),
        solver,
        FORMULA if check.bound == known else bound_by,
        check.asked,
        monotonic() - began,
    )
