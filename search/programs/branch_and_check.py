"""Branch and check: the program proposes circuits, and the model validates them, until optimality is proven."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from isoplane.models.circuits import Circuits

from . import lagrangian_bound, segment_bound
from .circuit_program import CircuitProgram
from .integer_program import IntegerProgram, Row, Solve, SolverResult, TimeLeft
from .load_rows import build_program
from .traffic import ScaledTraffic


def owner_shares(program: CircuitProgram, circuits: Circuits) -> list[Row]:
    """Return a row for each owner in a set of circuits: the share that it relays of the traffic between two groups.

    With one port per node, node i of a group sends the traffic that uses only circuits of other nodes to owner i mod k
    of the k owners, by the routing of the model. This holds for all circuits in which the same nodes own circuits into
    that group.
    """
    if not program.one_port:
        return []
    hybrid = program.traffic.hybrid
    owners: dict[tuple[int, int], list[int]] = {}
    for a, b in [*circuits.pairs, *((b, a) for a, b in circuits.pairs)]:
        owners.setdefault((hybrid.group_of(a), hybrid.group_of(b)), []).append(a)
    return [
        _owner_share(program, group, target_group, sorted(nodes), index)
        for (group, target_group), nodes in sorted(owners.items())
        for index in range(len(nodes))
    ]


def _owner_share(program: CircuitProgram, group: int, target_group: int, owners: list[int], index: int) -> Row:
    """Return the row of one owner: it relays its share, if the owners are the same."""
    traffic, size = program.traffic, program.traffic.hybrid.nodes_per_group
    share = [
        (routes.via_other_circuits, -int(traffic.sent[source, destination]))
        for (source, destination), routes in program.routes.items()
        if source // size == group and destination // size == target_group and source % size % len(owners) == index
    ]
    total = -sum(bits for _, bits in share)
    terms = [(program.relayed[owners[index], target_group], 1), *share]
    # Big-M terms: the row is slack if an owner has no circuit into the group, or another node has one.
    for node in range(group * size, (group + 1) * size):
        terms += [
            (variable, -total if node in owners else total) for variable, _ in program.circuits_into[node, target_group]
        ]
    return Row(tuple(terms), -total * len(owners))


_SIGNIFICANT_BITS = 51  # of a sum of floats: 53 minus a few lost to rounding


class CircuitTimes(NamedTuple):
    """Circuits with their times according to the model, in ticks."""

    bottleneck: int
    total: int
    circuits: Circuits


@dataclass
class BranchAndCheck:
    """The branch-and-check loop: optimal circuits with a proof, unless the time limit is reached.

    Proofs are exact up to `error`; those of a total time also up to one step per term, if steps are longer than a tick.
    Both are far below a nanosecond.

    The program is a relaxation of the model. Each of its solutions is validated with the model and excluded by a
    no-good cut, together with valid inequalities for the routes of its nodes. So an infeasible program, or a bound that
    reaches the incumbent, proves optimality in the model.

    Attributes
    ----------
    traffic, max_circuits
        The traffic, and the maximum number of circuits.
    evaluate
        Returns the times of circuits according to the model.
    solver
        A solver of integer programs.
    seconds_left
        Returns the seconds left.
    best, bound
        The incumbent, and a lower bound of the bottleneck time in ticks.
    report
        Receives all circuits that were evaluated.
    log
        Whether solvers print their log.
    floating
        Whether the solver computes in floating point.
    boxes
        Maximum number of boxes of the Lagrangian bound.
    solved
        Number of programs solved.
    total_bound
        Lower bound in ticks of the total time of circuits with the optimal bottleneck time.

    References
    ----------
    Thorsteinsson, Branch-and-Check: A Hybrid Framework Integrating Mixed Integer Programming and Constraint Logic
    Programming, 2001.
    """

    traffic: ScaledTraffic
    max_circuits: int
    evaluate: Callable[[Circuits], CircuitTimes]
    solver: Solve
    seconds_left: TimeLeft
    best: CircuitTimes
    bound: int
    report: Callable[[CircuitTimes], object]
    log: bool = False
    floating: bool = False
    boxes: int = lagrangian_bound.MAX_BOXES
    solved: int = 0
    total_bound: int = 0
    _cuts: dict[Row, None] = field(default_factory=dict)

    @property
    def error(self) -> int:
        """Rounding error of the model's times in ticks, which are sums of floats: 0 unless ticks are very fine."""
        return 4 * self.traffic.hybrid.nodes * self.best.total >> _SIGNIFICANT_BITS

    @property
    def proven_optimal(self) -> bool:
        """Whether the bottleneck time of the incumbent is proven optimal."""
        return self.bound >= self.best.bottleneck - self.error

    def settle_bottleneck(self) -> bool:
        """Solve programs until the bottleneck time is proven optimal; return whether it is."""
        while not self.proven_optimal and self.seconds_left() > 0:
            # The limit demands an improvement, so that an infeasible program proves the incumbent.
            limit = self.best.bottleneck - self.error - 1
            circuit_program, program = build_program(self.traffic, self.max_circuits, limit)
            result = self._propose(circuit_program, program, 0)
            if result.status == "infeasible":
                self._tighten(limit + 1)
            elif result.bound is not None:
                # A time of b steps is one of more than b - 1 steps in ticks.
                self._tighten(min((result.bound - 1) * circuit_program.step, limit) + 1)
            if result.status in ("feasible", "unknown"):
                break
        return self.proven_optimal

    def settle_by_counting(self) -> bool:
        """Tighten the bound by the segment or Lagrangian bound; return whether optimality is proven."""
        if self.proven_optimal:
            return True
        known = self.bound, self.best.bottleneck
        if segment_bound.applies(self.traffic):
            options = {"floating": self.floating, "log": self.log}
            self._tighten(
                segment_bound.tighten_bound(
                    self.traffic, self.max_circuits, *known, self._solve, self.seconds_left, **options
                )
            )
        else:
            self._tighten(
                lagrangian_bound.tighten_bound(self.traffic, self.max_circuits, *known, self.seconds_left, self.boxes)
            )
        return self.proven_optimal

    def settle_total(self) -> bool:
        """Solve programs until the total time is proven optimal for the bottleneck time; return whether it is."""
        while self.seconds_left() > 0:
            limit = self.best.bottleneck + self.error
            circuit_program, program = build_program(self.traffic, self.max_circuits, limit)
            terms = program.objectives[1]
            rounding_steps = len(terms) if circuit_program.total_step > 1 else 0  # lost to rounding
            cutoff = (self.best.total - self.error - 1) // circuit_program.total_step - rounding_steps
            row = Row(terms, -len(terms), cutoff)
            result = self._propose(circuit_program, program.with_rows([row]), 1)
            if result.status == "infeasible":
                self.total_bound = min((cutoff + 1) * circuit_program.total_step, self.best.total)
            if result.status != "optimal":
                return result.status == "infeasible"
        return False

    def _tighten(self, bound: int) -> None:
        """Raise the bound, at most to the bottleneck time of the incumbent."""
        self.bound = max(self.bound, min(bound, self.best.bottleneck - self.error))

    def _propose(self, circuit_program: CircuitProgram, program: IntegerProgram, objective: int) -> SolverResult:
        """Solve a program with all cuts so far, evaluate its circuits with the model, and add their cuts."""
        hint = circuit_program.values(self.best.circuits)
        result = self._solve(program.with_rows(list(self._cuts)), objective, self.seconds_left, hint, self.log)
        if result.values is not None:
            proposal = self.evaluate(circuit_program.circuits(result.values))
            self.report(proposal)
            self.best = min(self.best, proposal, key=lambda evaluated: evaluated[:2])
            cuts = [circuit_program.no_good(proposal.circuits), *owner_shares(circuit_program, proposal.circuits)]
            # A dictionary as an ordered set: the course of a solver depends on the order of the rows.
            self._cuts |= dict.fromkeys(cuts)
        return result

    def _solve(
        self, program: IntegerProgram, objective: int, seconds_left: TimeLeft, hint: Mapping[int, int], log: bool
    ) -> SolverResult:
        self.solved += 1
        return self.solver(program, objective, seconds_left, hint, log)
