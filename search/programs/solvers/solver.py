"""Solvers by name, with CP-SAT as the fallback for Gurobi."""

import sys
from collections.abc import Mapping
from typing import Self

from isoplane.models import InputError

from ..integer_program import IntegerProgram, SolverResult, TimeLeft
from . import cp_sat, gurobi
from .highs import Highs

SOLVERS = ("cp_sat", "highs", "gurobi")


class Solver:
    """The solver of integer programs with a given name; CP-SAT takes over if Gurobi turns out to be unavailable.

    A context manager: a solver process ends with the block.

    Parameters
    ----------
    name
        ``cp_sat``, ``highs`` or ``gurobi``.
    used
        Receives the solvers used, in order; without unavailable ones.
    effort_s
        Limit for all programs of CP-SAT together, in its deterministic seconds. Each program gets half of what is left,
        because a program without a proof uses up all that it gets.

    Raises
    ------
    InputError
        If the name is unknown.

    Examples
    --------
    >>> from ..integer_program import Row
    >>> with Solver("cp_sat") as solver:
    ...     solver(IntegerProgram([9], [Row(((0, 2),), 3)], (((0, 1),), ())), 0, lambda: 10, {}, False)
    SolverResult(status='optimal', values=[2], bound=2)
    """

    def __init__(self, name: str, used: list[str] | None = None, effort_s: float | None = None) -> None:
        if name not in SOLVERS:
            raise InputError(f"solver={name}: expected {', '.join(SOLVERS)}")
        self.name = name
        self.used = [] if used is None else used
        self.effort_s = effort_s
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
        except ImportError as missing:
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

    def _solve(
        self, program: IntegerProgram, objective: int, seconds_left: TimeLeft, hint: Mapping[int, int], log: bool
    ) -> SolverResult:
        if self.name == "highs":
            return self._highs.solve(program, objective, seconds_left, hint, log)
        if self.name == "gurobi":
            return gurobi.solve(program, objective, seconds_left, hint, log)
        limit_s = None if self.effort_s is None else self.effort_s / 2
        result = cp_sat.solve(program, objective, seconds_left, hint, log, limit_s)
        if self.effort_s is not None:
            self.effort_s -= min(result.effort_s, self.effort_s)
        return result
