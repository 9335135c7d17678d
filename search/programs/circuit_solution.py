"""Circuits for known traffic with a lower bound of their bottleneck time, and that bound alone for known circuits."""

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
from isoplane.objectives.fluid.circuits.bounds import bottleneck_bound_ns

from .bisection import may_count
from .branch_and_check import BranchAndCheck, CircuitTimes
from .local_search import CHAINS, LocalSearch, order
from .solvers.solver import Solver
from .solvers.solver_handle import SolverHandle
from .traffic import ScaledTraffic, traffic_of

MAX_PAIRS, MAX_CIRCUITS = 1200, 1200  # larger programs do not improve on bounds that need no program
MAX_BITS = 1 << 50  # of all pairs, in their common unit: solvers use 64-bit integers
FORMULA, COUNTS = "formula", "counts"
_ROUNDS, _ROUNDS_BEFORE_PROGRAM = 9, 2  # of chains, each twice as long as the one before
_NODES_PER_CALL = 4  # nodes per native call in the first round
_SHARE = 0.9  # fraction of the time left that a round may take
EFFORT = 2.0  # limit for CP-SAT of a proof alone, in its deterministic seconds: a few seconds of wall-clock time
BOXES = 2000  # limit for its Lagrangian bound: about two seconds for 128 nodes
_UNLIMITED_S = 1e9
_PROOF = 0.25  # fraction of the time limit reserved for a combinatorial bound if the whole program is too large


@dataclass(frozen=True)
class CircuitSolution:
    """Circuits with their times, and the bounds that are proven.

    Attributes
    ----------
    circuits
        The circuits.
    bottleneck_ns, total_ns
        Busy time of the busiest link or circuit, and of all together.
    bound_ns
        Lower bound of the bottleneck time.
    optimal, total_optimal
        Whether the bottleneck time is proven optimal, and the total time among circuits with that bottleneck time; in
        whole nanoseconds if ticks are too fine for floats.
    solver
        The solver used: ``cp_sat``, ``highs`` or ``gurobi``, or ``gurobi+cp_sat`` if later programs were too large for
        the licence; ``none`` if bounds were sufficient or the program is too large.
    bound_by
        Source of the bound: ``formula``, ``counts`` (the Lagrangian bound), or ``program:`` and the solver.
    solved
        Number of programs solved.
    seconds
        Time taken.
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
) -> CircuitSolution:
    """Return circuits that minimise the bottleneck time of given traffic, then the total time.

    Local search finds good circuits; an integer program, whose solutions the model validates, improves on them until
    they are proven optimal or the time limit is reached. If the program would be too large, there is only local search,
    with formulas (`bottleneck_bound_ns`) and the segment or Lagrangian bound (`segment_bound`, `lagrangian_bound`).

    Parameters
    ----------
    hybrid, messages, placement
        The network, the traffic of its processes, and their nodes; by default process i is on node i.
    circuits
        Maximum number of circuits.
    solver
        ``cp_sat``, ``highs`` or ``gurobi``. Without gurobipy or its licence CP-SAT takes over, with a message.
    seconds
        Time limit.
    workers
        Number of parallel chains of the local search; the result depends on it only through the time limit.
    seed
        Seed of the local search.
    start
        Known circuits to start from.
    log
        Whether solvers print their log.
    running
        Receives the incumbents, and can end the assignment from another thread.

    Raises
    ------
    InputError
        If a value is out of range or unknown, or known circuits exceed the maximum or do not fit the network.

    References
    ----------
    Takizawa, Endo and Matsuoka, MPI Communication Algorithm over an Optical Interconnect, section 2: circuits in turn,
    independent of the traffic volume.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> work = stencil((4, 4), 1_250_000, iterations=1).message_list()
    >>> found = assign_circuits(Hybrid(2, 8), work, 4)
    >>> found.circuits.pairs, found.bottleneck_ns, found.optimal, found.total_optimal
    (((4, 8), (5, 9), (6, 10), (7, 11)), 3000000, True, True)
    """
    check_int("network.circuits", circuits, 0, hybrid.max_circuits)
    check_int("workers", workers, 1)
    check_int("seed", seed, 0)
    check_bool("log", log)
    start_time = monotonic()
    end = start_time + float(exact_number("seconds", seconds, above=True))
    for known in start:
        known.require_fit(hybrid.optical)
        if len(known) > circuits:
            raise InputError(f"start: {len(known)} circuits; expected at most {circuits}")
    running = running or SolverHandle()
    solve = Solver(solver, running.solvers)
    seconds_left = partial(_remaining_seconds, running, end)
    traffic = traffic_of(hybrid, messages, placement)
    bound = formula_ticks(traffic, bottleneck_bound_ns(hybrid, messages, circuits, placement))
    fits = fits_program(traffic)
    reserved = _PROOF * (end - start_time) if may_count(traffic) and not fits else 0
    local = LocalSearch(traffic, circuits, seed, workers, lambda: seconds_left() - reserved, running.report)
    best = _search(local, start, bound, _ROUNDS_BEFORE_PROGRAM if fits else _ROUNDS)
    with solve:
        lower_bound = min(bound, best.bottleneck)
        search = BranchAndCheck(
            traffic,
            circuits,
            local.evaluate,
            solve,
            seconds_left,
            best,
            lower_bound,
            running.report,
            log,
            solve.floating,
        )
        return _solution_of(search, fits, solve.used, start_time)


def _remaining_seconds(running: SolverHandle, end: float) -> float:
    """Return the seconds left; without any grace period once an end is requested."""
    return -inf if running.ended else end - monotonic()


def fits_program(traffic: ScaledTraffic) -> bool:
    """Whether the whole program is small enough to improve on bounds that need no program."""
    hybrid = traffic.hybrid
    joinable = hybrid.ports_per_node * hybrid.nodes * (hybrid.nodes - hybrid.nodes_per_group) // 2
    return len(traffic.pairs) <= MAX_PAIRS and joinable <= MAX_CIRCUITS and bool(traffic.sent.sum() < MAX_BITS)


def formula_bound_ns(hybrid: Hybrid, messages: MessageList, circuits: int, placement: Placement) -> int:
    """Return the initial lower bound of the bottleneck time, for which no program is solved."""
    bound_ns = bottleneck_bound_ns(hybrid, messages, circuits, placement)
    traffic = traffic_of(hybrid, messages, placement)
    return max(bound_ns, traffic.ns(formula_ticks(traffic, bound_ns)))


def formula_ticks(traffic: ScaledTraffic, bound_ns: int) -> int:
    """Return a bound that may be rounded up to ns, in ticks: the smallest possible busy time of at least that much."""
    least = max(-int(-(bound_ns - 1) * traffic.ticks_per_ns // 1), 0)
    # Every busy time is a multiple of that of one unit of bits over its kind of link.
    return min(-(-least // unit) * unit for unit in (traffic.node, traffic.up, traffic.circuit))


def _search(local: LocalSearch, start: Sequence[Circuits], bound: int, rounds: int) -> CircuitTimes:
    """Return the best circuits of a local search, which ends if they attain a bound."""
    pool = local.starts(start)
    first = calls = max(local.traffic.hybrid.nodes // _NODES_PER_CALL, 1)
    for number in range(rounds):
        seconds_before = local.seconds_left()
        if pool[0].bottleneck <= bound or seconds_before <= 0 or calls == 0:
            break
        pool = sorted([*local.chains(number + 1, pool[:CHAINS], calls), *pool], key=order)
        seconds_after = max(local.seconds_left(), 0)
        affordable_calls = calls * _SHARE * seconds_after / max(seconds_before - seconds_after, 1e-3)
        calls = min(2 * calls, int(affordable_calls))  # so that chains cool down before the time limit
    # With the bottleneck time as a limit, the last chains shorten the total.
    return min(local.chains(0, pool[:1], first, limit=pool[0].bottleneck), key=order)


def prove_bound(
    hybrid: Hybrid,
    messages: MessageList,
    circuits: int,
    placement: Placement,
    known: Sequence[Circuits],
    running: SolverHandle,
) -> CircuitSolution:
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
    return _solution_of(check, fits_program(traffic), running.solvers, start_time)


def _solution_of(search: BranchAndCheck, fits: bool, solvers: Sequence[str], start_time: float) -> CircuitSolution:
    """Return what branch and check proves: with the whole program if it fits, else with combinatorial bounds only."""
    initial = search.bound
    proven = search.settle_bottleneck() if fits else search.settle_by_counting()
    total_proven = proven and fits and search.settle_total()
    solver = "+".join(solvers) or "none"
    bound_by = f"program:{solver}" if solvers else COUNTS
    best, traffic = search.best, search.traffic
    return CircuitSolution(
        best.circuits,
        traffic.ns(best.bottleneck),
        traffic.ns(best.total),
        traffic.ns(search.bound),
        proven and traffic.ns(search.bound) == traffic.ns(best.bottleneck),
        total_proven and traffic.ns(search.total_bound) == traffic.ns(best.total),
        solver,
        FORMULA if search.bound == initial else bound_by,
        search.solved,
        monotonic() - start_time,
    )
