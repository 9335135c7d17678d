"""Branch and check: the program proposes circuits, the model judges them, until nothing better can be left."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from isoplane.models.circuits import Circuits

from .cuts import symmetry, ties
from .loads import state
from .statement import UNKNOWN, Left, Outcome, Row, Solve
from .traffic import Traffic


class Judged(NamedTuple):
    """Circuits with what the model says of them, in ticks."""

    bottleneck: int
    total: int
    circuits: Circuits


@dataclass
class Check:
    """A search for the best circuits that ends with a proof, unless time is over.

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
    asked
        How often a solver was asked.

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
    asked: int = 0
    _cuts: dict[Row, None] = field(default_factory=dict)

    def settle_bottleneck(self) -> bool:
        """Go on until no circuits can have a shorter bottleneck, and return whether that is proven."""
        while self.bound < self.best.bottleneck:
            outcome = self._ask(0, self.best.bottleneck - 1, [])
            if outcome.status == "infeasible":
                self.bound = self.best.bottleneck
            elif outcome.bound is not None:
                self.bound = min(max(self.bound, outcome.bound), self.best.bottleneck)
            if outcome.status in ("feasible", "unknown"):
                return self.bound == self.best.bottleneck
        return True

    def settle_total(self) -> bool:
        """Go on until no circuits of the best bottleneck can have less total, and return whether that is proven."""
        while True:
            outcome = self._ask(1, self.best.bottleneck, [self.best.total - 1])
            if outcome.status != "optimal":
                return outcome.status == "infeasible"

    def _ask(self, objective: int, limit: int, total: list[int]) -> Outcome:
        """Ask the solver for circuits within a limit, and judge them; without time nobody is asked."""
        if self.left() <= 0:
            return UNKNOWN
        program, statement = state(self.traffic, self.most, limit)
        rows = [*symmetry(program), *self._cuts, *(Row(statement.objectives[1], 0, most) for most in total)]
        there = set(self.best.circuits.pairs)
        hint = {variable: int(pair in there) for pair, variable in program.circuit.items()}
        self.asked += 1
        outcome = self.solve(statement.also(rows), objective, self.left, hint, self.log)
        if outcome.values is not None:
            found = self.judge(program.circuits(outcome.values))
            self.tell(found)
            self.best = min(self.best, found, key=lambda judged: judged[:2])
            self._cuts |= dict.fromkeys([program.without(found.circuits), *ties(program, found.circuits)])
        return outcome
