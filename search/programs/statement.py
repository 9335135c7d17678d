"""Integer programs as plain data, for any solver."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, isfinite
from typing import Literal, NamedTuple

Terms = tuple[tuple[int, int], ...]  # (variable, coefficient)
Status = Literal["optimal", "feasible", "infeasible", "unknown"]
Left = Callable[[], float]  # how many seconds are left, at any moment: none, too, once somebody asks for the end


class Row(NamedTuple):
    """Terms that add up to `least` at least, and to `most` at most where there is a limit."""

    terms: Terms
    least: int
    most: int | None = None


@dataclass(frozen=True)
class Statement:
    """An integer program with two objectives, the first of which goes before the second.

    Minimise first · x, then second · x, over integers lower ≤ x ≤ upper with least ≤ terms · x ≤ most in every row.

    Attributes
    ----------
    lower, upper
        Limits of every variable.
    rows
        What must hold.
    objectives
        First and second.
    tight
        Whether its linear relaxation tells much: with large factors in the rows it is weak, and slow.
    """

    lower: tuple[int, ...]
    upper: tuple[int, ...]
    rows: tuple[Row, ...]
    objectives: tuple[Terms, Terms]
    tight: bool = False

    def also(self, rows: list[Row]) -> "Statement":
        """Return the statement with more rows."""
        return replace(self, rows=self.rows + tuple(rows))

    def holds(self, values: list[int]) -> bool:
        """Return whether values keep to all limits and rows.

        Examples
        --------
        >>> Statement((0,), (9,), (Row(((0, 2),), 3),), ((), ())).holds([1])
        False
        """
        if not all(a <= x <= b for a, x, b in zip(self.lower, values, self.upper, strict=True)):
            return False
        sums = ((row, sum(factor * values[v] for v, factor in row.terms)) for row in self.rows)
        return all(row.least <= found and (row.most is None or found <= row.most) for row, found in sums)


@dataclass(frozen=True)
class Outcome:
    """What a solver says.

    Attributes
    ----------
    status
        ``optimal``, ``feasible``, ``infeasible``, or ``unknown`` where it found nothing in time.
    values
        Of all variables; None where there are none.
    bound
        What the objective cannot be below; None where nothing is known.
    """

    status: Status
    values: list[int] | None
    bound: int | None


UNKNOWN = Outcome("unknown", None, None)
ROUNDING = 1e-6  # part of a bound that a solver in floating point may be wrong by


def rounded(statement: Statement, values: Sequence[float] | None, proven: float, *, optimal: bool) -> Outcome:
    """Return what a solver in floating point says, as far as that holds in integers.

    Parameters
    ----------
    statement
        What was solved.
    values
        Of all variables, if it found any; they do not count if they do not keep to the statement when rounded.
    proven
        What it says that the objective cannot be below; it is lowered by `ROUNDING`.
    optimal
        Whether it calls the values optimal.
    """
    bound = ceil(proven - max(abs(proven), 1.0) * ROUNDING) if isfinite(proven) else None
    whole = None if values is None else [round(value) for value in values]
    if whole is None or not statement.holds(whole):
        return Outcome("unknown", None, bound)
    return Outcome("optimal" if optimal else "feasible", whole, bound)


Solve = Callable[[Statement, int, Left, Mapping[int, int], bool], Outcome]


@dataclass
class Builder:
    """Collects the variables and rows of a `Statement`.

    Examples
    --------
    >>> builder = Builder()
    >>> x = builder.variable(5)
    >>> builder.row([(x, 2)], least=3)
    >>> builder.build(((x, 1),), ()).holds([2])
    True
    """

    upper: list[int] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)

    def variable(self, upper: int = 1) -> int:
        """Add a variable from 0 on and return its number."""
        self.upper.append(upper)
        return len(self.upper) - 1

    def row(self, terms: list[tuple[int, int]], least: int | None = None, most: int | None = None) -> None:
        """Add a row; terms of the same variable add up, and a row without a least sum has the least there can be."""
        merged: dict[int, int] = {}
        for variable, factor in terms:
            merged[variable] = merged.get(variable, 0) + factor
        kept = tuple((variable, factor) for variable, factor in merged.items() if factor)
        lowest = sum(min(factor, 0) * self.upper[variable] for variable, factor in kept)
        self.rows.append(Row(kept, lowest if least is None else least, most))

    def build(self, first: Terms, second: Terms, tight: bool = False) -> Statement:
        """Return the statement."""
        return Statement((0,) * len(self.upper), tuple(self.upper), tuple(self.rows), (first, second), tight)
