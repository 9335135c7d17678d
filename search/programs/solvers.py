"""The solvers by name, and CP-SAT where Gurobi is missing."""

import sys
from collections.abc import Mapping

from isoplane.models import InputError

from . import cp_sat, gurobi, mathopt
from .statement import Outcome, Solve, Statement

SOLVERS: dict[str, Solve] = {"cp_sat": cp_sat.solve, "highs": mathopt.solve, "gurobi": gurobi.solve}


class Chosen:
    """A solver; CP-SAT takes over from the moment that Gurobi is missing.

    Attributes
    ----------
    name
        Who solves.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(
        self, statement: Statement, objective: int, seconds: float, hint: Mapping[int, int], log: bool
    ) -> Outcome:
        """Solve a statement; parameters as for CP-SAT."""
        try:
            return SOLVERS[self.name](statement, objective, seconds, hint, log)
        except gurobi.GurobiMissingError as missing:
            print(f"solver=gurobi: {missing}; cp_sat takes over", file=sys.stderr)
            self.name = "cp_sat"
            return SOLVERS[self.name](statement, objective, seconds, hint, log)


def chosen(name: str) -> Chosen:
    """Return a solver by its name.

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
        raise InputError(f"solver={name}: allowed are {', '.join(SOLVERS)}")
    return Chosen(name)
