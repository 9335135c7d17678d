"""Integer programs as plain data, independent of the solver, and what all solvers share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from math import ceil, isfinite
from threading import Event, Thread
from typing import Literal, NamedTuple

Terms = tuple[tuple[int, int], ...]  # (variable, coefficient)
Status = Literal["optimal", "feasible", "infeasible", "unknown"]
TimeLeft = Callable[[], float]  # the seconds left; 0 or less once a stop is requested


class Row(NamedTuple):
    """A linear constraint lower ≤ terms · x ≤ upper; None for no upper limit."""

    terms: Terms
    lower: int
    upper: int | None = None


@dataclass
class IntegerProgram:
    """An integer program with two objectives in lexicographic order.

    Minimise first · x, then second · x, over integers 0 ≤ x ≤ upper that satisfy every row.

    Attributes
    ----------
    upper
        Upper limit of every variable.
    rows
        The linear constraints.
    objectives
        First and second objective.
    strong_relaxation
        Whether the LP relaxation is strong: with large coefficients in the rows it is weak, and slow to solve.

    Examples
    --------
    >>> program = IntegerProgram()
    >>> x = program.variable(5)
    >>> program.row([(x, 2)], lower=3)
    >>> program.is_feasible([1]), program.is_feasible([2])
    (False, True)
    """

    upper: list[int] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    objectives: tuple[Terms, Terms] = ((), ())
    strong_relaxation: bool = False

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

    def with_rows(self, rows: list[Row]) -> "IntegerProgram":
        """Return the program with additional rows."""
        return replace(self, rows=self.rows + rows)

    def is_feasible(self, values: list[int]) -> bool:
        """Return whether values satisfy all limits and rows."""
        if not all(0 <= x <= limit for x, limit in zip(values, self.upper, strict=True)):
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
    effort_s
        Deterministic seconds that CP-SAT took; 0 of other solvers, which do not state any.
    """

    status: Status
    values: list[int] | None
    bound: int | None
    effort_s: float = field(default=0.0, repr=False)


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


POLL_INTERVAL_S = 0.05  # between checks of the time left


@contextmanager
def interrupting(seconds_left: TimeLeft, interrupt: Callable[[], object]) -> Iterator[None]:
    """Call `interrupt` from another thread once no time is left, repeatedly until the block ends.

    Repeatedly, because a solver that starts after the first call does not notice it.
    """
    finished = Event()

    def watch() -> None:
        while not finished.wait(POLL_INTERVAL_S):
            if seconds_left() <= 0:
                interrupt()

    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()
