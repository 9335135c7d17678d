"""Integer programs as plain data, independent of the solver."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, isfinite
from typing import Literal, NamedTuple

Terms = tuple[tuple[int, int], ...]  # (variable, coefficient)
Status = Literal["optimal", "feasible", "infeasible", "unknown"]
TimeLeft = Callable[[], float]  # the seconds left; 0 or less once a stop is requested


class Row(NamedTuple):
    """A linear constraint lower ≤ terms · x ≤ upper; None for no upper limit."""

    terms: Terms
    lower: int
    upper: int | None = None


@dataclass(frozen=True)
class IntegerProgram:
    """An integer program with two objectives in lexicographic order.

    Minimise first · x, then second · x, over integers lower ≤ x ≤ upper that satisfy every row.

    Attributes
    ----------
    lower, upper
        Limits of every variable.
    rows
        The linear constraints.
    objectives
        First and second objective.
    strong_relaxation
        Whether the LP relaxation is strong: with large coefficients in the rows it is weak, and slow to solve.
    """

    lower: tuple[int, ...]
    upper: tuple[int, ...]
    rows: tuple[Row, ...]
    objectives: tuple[Terms, Terms]
    strong_relaxation: bool = False

    def with_rows(self, rows: list[Row]) -> "IntegerProgram":
        """Return the program with additional rows."""
        return replace(self, rows=self.rows + tuple(rows))

    def is_feasible(self, values: list[int]) -> bool:
        """Return whether values satisfy all limits and rows.

        Examples
        --------
        >>> IntegerProgram((0,), (9,), (Row(((0, 2),), 3),), ((), ())).is_feasible([1])
        False
        """
        if not all(a <= x <= b for a, x, b in zip(self.lower, values, self.upper, strict=True)):
            return False
        sums = ((row, sum(factor * values[v] for v, factor in row.terms)) for row in self.rows)
        return all(row.lower <= total and (row.upper is None or total <= row.upper) for row, total in sums)


@dataclass(frozen=True)
class SolverResult:
    """The result of a solver.

    Attributes
    ----------
    status
        ``optimal``, ``feasible``, ``infeasible``, or ``unknown`` if there is no result in time.
    values
        Values of all variables; None if there is no solution.
    bound
        Lower bound of the objective; None if there is none.
    """

    status: Status
    values: list[int] | None
    bound: int | None


UNKNOWN = SolverResult("unknown", None, None)
ROUNDING = 1e-6  # relative error of a bound from a solver that computes in floating point


def round_result(
    program: IntegerProgram, values: Sequence[float] | None, proven: float, *, optimal: bool
) -> SolverResult:
    """Return the result of a floating-point solver, as far as it is valid in integers.

    Parameters
    ----------
    program
        The program solved.
    values
        Values of all variables, if found; discarded if infeasible after rounding.
    proven
        Lower bound of the objective that the solver reports; it is lowered by `ROUNDING`.
    optimal
        Whether the solver reports the values as optimal.
    """
    bound = ceil(proven - max(abs(proven), 1.0) * ROUNDING) if isfinite(proven) else None
    integers = None if values is None else [round(value) for value in values]
    if integers is None or not program.is_feasible(integers):
        return SolverResult("unknown", None, bound)
    return SolverResult("optimal" if optimal else "feasible", integers, bound)


Solve = Callable[[IntegerProgram, int, TimeLeft, Mapping[int, int], bool], SolverResult]


@dataclass
class ProgramBuilder:
    """Collects the variables and rows of an `IntegerProgram`.

    Examples
    --------
    >>> builder = ProgramBuilder()
    >>> x = builder.variable(5)
    >>> builder.row([(x, 2)], lower=3)
    >>> builder.build(((x, 1),), ()).is_feasible([2])
    True
    """

    upper: list[int] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def variable(self, upper: int = 1) -> int:
        """Add a variable with lower limit 0 and return its index."""
        self.upper.append(upper)
        return len(self.upper) - 1

    def row(self, terms: list[tuple[int, int]], lower: int | None = None, upper: int | None = None) -> None:
        """Add a row; terms of the same variable are merged, and a missing lower limit is the trivial one."""
        merged: dict[int, int] = {}
        for variable, factor in terms:
            merged[variable] = merged.get(variable, 0) + factor
        kept = tuple((variable, factor) for variable, factor in merged.items() if factor)
        trivial = sum(min(factor, 0) * self.upper[variable] for variable, factor in kept)
        self.rows.append(Row(kept, trivial if lower is None else lower, upper))

    def build(self, first: Terms, second: Terms, strong_relaxation: bool = False) -> IntegerProgram:
        """Return the program."""
        return IntegerProgram(
            (0,) * len(self.upper), tuple(self.upper), tuple(self.rows), (first, second), strong_relaxation
        )
