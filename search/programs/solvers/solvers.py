"""Solvers by name, with CP-SAT as the fallback for Gurobi."""

import sys
from collections.abc import Mapping
from typing import Self

from isoplane.models import InputError

from ..integer_program import IntegerProgram, Solve, SolverResult, TimeLeft
from . import cp_sat, gurobi
from .highs import Highs

SOLVERS = ("cp_sat", "highs", "gurobi")


class SolverWithFallback:
    """A solver; CP-SAT takes over as soon as Gurobi turns out to be unavailable.

    A context manager: a solver process ends with the block.

    Attributes
    ----------
    name
        The current solver.
    used
        The solvers used so far, in order; without unavailable ones.
    """

    def __init__(self, name: str, used: list[str] | None = None) -> None:
        self.name = name
        self.used = [] if used is None else used
        self._highs = Highs()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._highs.close()

    def __call__(
        self, program: IntegerProgram, objective: int, seconds_left: TimeLeft, hint: Mapping[int, int], log: bool
    ) -> SolverResult:
        """Solve a program; parameters as for CP-SAT."""
        if self.name != "gurobi":
            self._record_use()
        try:
            result = self._solve(program, objective, seconds_left, hint, log)
        except gurobi.GurobiMissingError as missing:
            print(f"solver=gurobi: {missing}; cp_sat takes over", file=sys.stderr)
            self.name = "cp_sat"
            return self(program, objective, seconds_left, hint, log)
        self._record_use()
        return result

    @property
    def floating(self) -> bool:
        """Whether the solver computes in floating point; its margins are also valid if CP-SAT takes over."""
        return self.name != "cp_sat"

    def _record_use(self) -> None:
        if self.name not in self.used:
            self.used.append(self.name)

    @property
    def _solve(self) -> Solve:
        by_name: dict[str, Solve] = {"cp_sat": cp_sat.solve, "highs": self._highs.solve, "gurobi": gurobi.solve}
        return by_name[self.name]


def solver_by_name(name: str, used: list[str] | None = None) -> SolverWithFallback:
    """Return a solver by its name; the solvers used are appended to `used`.

    Raises
    ------
    InputError
        If the name is unknown.

    Examples
    --------
    >>> solver_by_name("highs").name
    'highs'
    """
    if name not in SOLVERS:
        raise InputError(f"solver={name}: expected {', '.join(SOLVERS)}")
    return SolverWithFallback(name, used)
