"""Branch and check: the program proposes circuits, the model judges them, until nothing better can be left."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from isoplane.models.circuits import Circuits

from . import lagrangian_bound, segment_bound
from .assignment import CircuitProgram
from .cuts import ties
from .load_rows import state
from .statement import Left, Outcome, Row, Solve, Statement
from .traffic import Traffic

_DIGITS = 51  # of a float, but for some that sums lose


class Judged(NamedTuple):
    """Circuits with what the model says of them, in ticks."""

    bottleneck: int
    total: int
    circuits: Circuits


@dataclass
class Check:
    """A search for the best circuits that ends with a proof, unless time is over.

    What is proven is exact up to `error`; a total time also up to a step for each of its terms, where steps of a
    program are longer than a tick. Both are far below a nanosecond.

    Each solution of the program is judged by the model and excluded, together with what it shows of the ways that nodes
    take: so the program comes nearer to the model where it matters.

    Attributes
    ----------
    traffic, most
        What is sent; how many circuits there may be.
    judge
        Tells the times of circuits by the model.
    solve
        A solver of statements.
    left
        Tells how many seconds are left.
    best, bound
        The best circuits so far, and a bottleneck time in ticks that no circuits are below.
    tell
        Hears of all circuits that were judged.
    log
        Whether solvers tell what they do.
    floating
        Whether the solver computes in floating point.
    boxes
        How many boxes counting circuits may look at for a bound.
    asked
        How often a solver was asked.
    total_bound
        A total time in ticks that no circuits of the best bottleneck are below.

    References
    ----------
    Thorsteinsson, Branch-and-Check: A Hybrid Framework Integrating Mixed Integer Programming and Constraint Logic
    Programming, 2001.
    """

    traffic: Traffic
    most: int
    judge: Callable[[Circuits], Judged]
    solve: Solve
    left: Left
    best: Judged
    bound: int
    tell: Callable[[Judged], object]
    log: bool = False
    floating: bool = False
    boxes: int = lagrangian_bound.MAX_BOXES
    asked: int = 0
    total_bound: int = 0
    _cuts: dict[Row, None] = field(default_factory=dict)

    @property
    def error(self) -> int:
        """Ticks by which judged times may be off, for they are sums of floats: none unless ticks are very fine."""
        return 4 * self.traffic.hybrid.nodes * self.best.total >> _DIGITS

    @property
    def settled(self) -> bool:
        """Whether it is proven that no circuits have a shorter bottleneck."""
        return self.bound >= self.best.bottleneck - self.error

    def settle_bottleneck(self) -> bool:
        """Go on until no circuits can have a shorter bottleneck, and return whether that is proven."""
        while not self.settled and self.left() > 0:
            limit = self.best.bottleneck - self.error - 1
            program, statement = state(self.traffic, self.most, limit)
            outcome = self._ask(program, statement, 0)
            if outcome.status == "infeasible":
                self._tighten(limit + 1)
            elif outcome.bound is not None:
                self._tighten(min((outcome.bound - 1) * program.step, limit) + 1)
            if outcome.status in ("feasible", "unknown"):
                break
        return self.settled

    def settle_by_counting(self) -> bool:
        """Raise the bound by counting legs or circuits, and return whether none can have a shorter bottleneck."""
        if self.settled:
            return True
        known = self.bound, self.best.bottleneck
        if segment_bound.counts(self.traffic):
            options = {"floating": self.floating, "log": self.log}
            self._tighten(
                segment_bound.tighten_bound(self.traffic, self.most, *known, self._solve, self.left, **options)
            )
        else:
            self._tighten(lagrangian_bound.tighten_bound(self.traffic, self.most, *known, self.left, self.boxes))
        return self.settled

    def settle_total(self) -> bool:
        """Go on until no circuits of the best bottleneck can have less total, and return whether that is proven."""
        while self.left() > 0:
            program, statement = state(self.traffic, self.most, self.best.bottleneck + self.error)
            terms = statement.objectives[1]
            lost = len(terms) if program.total_step > 1 else 0  # steps, by rounding
            most = (self.best.total - self.error - 1) // program.total_step - lost
            row = Row(terms, -len(terms), most)
            outcome = self._ask(program, statement.also([row]), 1)
            if outcome.status == "infeasible":
                self.total_bound = min((most + 1) * program.total_step, self.best.total)
            if outcome.status != "optimal":
                return outcome.status == "infeasible"
        return False

    def _tighten(self, bound: int) -> None:
        """Take a better bound in, for circuits that were judged as well."""
        self.bound = max(self.bound, min(bound, self.best.bottleneck - self.error))

    def _ask(self, program: CircuitProgram, statement: Statement, objective: int) -> Outcome:
        """Ask the solver for circuits, and judge them."""
        hint = program.values(self.best.circuits)
        outcome = self._solve(statement.also(list(self._cuts)), objective, self.left, hint, self.log)
        if outcome.values is not None:
            found = self.judge(program.circuits(outcome.values))
            self.tell(found)
            self.best = min(self.best, found, key=lambda judged: judged[:2])
            self._cuts |= dict.fromkeys([program.without(found.circuits), *ties(program, found.circuits)])
        return outcome

    def _solve(self, statement: Statement, objective: int, left: Left, hint: Mapping[int, int], log: bool) -> Outcome:
        self.asked += 1
        return self.solve(statement, objective, left, hint, log)
