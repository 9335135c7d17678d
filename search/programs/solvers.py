"""The solvers by name, and CP-SAT where Gurobi is missing."""

import sys
from collections.abc import Mapping
from typing import Self

from isoplane.models import InputError

from . import cp_sat, gurobi
from .highs import Highs
from .statement import Left, Outcome, Solve, Statement

SOLVERS = ("cp_sat", "highs", "gurobi")


class Chosen:
    """A solver; CP-SAT takes over from the moment that Gurobi is missing.

    A context manager: what solves in a process of its own ends with the block.

    Attributes
    ----------
    name
        Who solves.
    asked
        Who was asked so far, in turn; not who turned out to be missing.
    """

    def __init__(self, name: str, asked: list[str] | None = None) -> None:
        self.name = name
        self.asked = [] if asked is None else asked
        self._highs = Highs()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._highs.close()

    def __call__(self, statement: Statement, objective: int, left: Left, hint: Mapping[int, int], log: bool) -> Outcome:
        """Solve a statement; parameters as for CP-SAT."""
        if self.name != "gurobi":
            self._note()
        try:
            outcome = self._solve(statement, objective, left, hint, log)
        except gurobi.GurobiMissingError as missing:
            print(f"solver=gurobi: {missing}; cp_sat takes over", file=sys.stderr)
            self.name = "cp_sat"
            return self(statement, objective, left, hint, log)
        self._note()
        return outcome

    @property
    def floating(self) -> bool:
        """Whether it computes in floating point; bounds for such a solver hold for CP-SAT too, if that takes over."""
        return self.name != "cp_sat"

    def _note(self) -> None:
        if self.name not in self.asked:
            self.asked.append(self.name)

    @property
    def _solve(self) -> Solve:
        by_name: dict[str, Solve] = {"cp_sat": cp_sat.solve, "highs": self._highs.solve, "gurobi": gurobi.solve}
        return by_name[self.name]


def chosen(name: str, asked: list[str] | None = None) -> Chosen:
    """Return a solver by its name; `asked` is a list that who was asked is added to.

    Raises
    ------
    InputError
        If there is none.

    Examples
    --------
    >>> chosen("highs").name
    'highs'
    """
    if name not in SOLVERS:
        raise InputError(f"solver={name}: expected {', '.join(SOLVERS)}")
    return Chosen(name, asked)
