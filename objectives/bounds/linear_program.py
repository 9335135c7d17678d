"""Linear programs over exact integers, and the lower bounds that dual multipliers prove."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
PRECISION = 30  # multipliers are integers in units of 2^-30 of the row's unit
_SAFE = 2.0**62


@dataclass(frozen=True, eq=False)
class LinearProgram:
    """Minimise cost · x over 0 ≤ x ≤ upper subject to rows · x ≥ rhs, or = rhs in rows that are equations.

    Attributes
    ----------
    cost, upper : int64[variables]
    row, column, coefficient : int64[entries]
        The matrix; duplicate entries are summed.
    rhs : int64[rows]
    equation : bool[rows]
    """

    cost: Integers
    upper: Integers
    row: Integers
    column: Integers
    coefficient: Integers
    rhs: Integers
    equation: NDArray[np.bool_]

    @property
    def row_units(self) -> Integers:
        """Unit of each row's multiplier: the smallest power of two that no coefficient exceeds."""
        largest = np.ones(len(self.rhs), dtype=np.int64)
        np.maximum.at(largest, self.row, np.abs(self.coefficient))
        # Powers of two divide the common scale of a bound without a remainder.
        return np.array([1 << (int(value) - 1).bit_length() for value in largest], dtype=np.int64)

    def bound(self, multipliers: Integers) -> tuple[int, int]:
        """Return the bound that multipliers prove, as a fraction (numerator, denominator).

        Weak duality with bounded variables: for every y, with y ≥ 0 in rows that are inequalities, each feasible x has
        cost · x ≥ y · rhs + Σ_v min(0, cost_v - (y · rows)_v) · upper_v. The right-hand side is evaluated in exact
        integers, so the solver that produced y need not be trusted. The multiplier of row r is
        multipliers_r / (2^PRECISION · unit_r).

        References
        ----------
        Neumaier and Shcherbina, Safe bounds in linear and mixed-integer programming, 2004.
        """
        units = self.row_units.astype(object)
        scale = max(units, default=1) << PRECISION
        # A negative multiplier of an inequality proves nothing: 0 drops the row and keeps the bound valid.
        allowed = np.where(self.equation, multipliers, np.maximum(multipliers, 0))
        weights = allowed.astype(object) * (scale >> PRECISION) // units  # Python's integers do not overflow
        reduced_costs = self._reduced_costs(weights, scale)
        constant = sum(a * int(b) for a, b in zip(weights, self.rhs, strict=True))
        negative = np.flatnonzero(reduced_costs < 0)
        return constant + sum(int(reduced_costs[v]) * int(self.upper[v]) for v in negative), scale

    def _reduced_costs(self, weights: NDArray[Any], scale: int) -> NDArray[Any]:
        """Return scale · cost - weights · rows, in 64 bits if no sum can overflow, else in Python integers."""
        # Floats suffice to see that sums stay below 2^62: a factor of two from overflow covers their rounding.
        terms = np.abs(weights.astype(float)[self.row] * self.coefficient)
        largest = np.bincount(self.column, terms, len(self.cost)) + np.abs(self.cost) * float(scale)
        kind = np.int64 if largest.max(initial=0.0) < _SAFE else object
        reduced = self.cost.astype(kind) * scale
        np.subtract.at(reduced, self.column, weights.astype(kind)[self.row] * self.coefficient.astype(kind))
        return reduced


@dataclass
class ProgramBuilder:
    """Collects the variables and rows of a `LinearProgram`."""

    cost: list[int] = field(default_factory=list)
    upper: list[int] = field(default_factory=list)
    rhs: list[int] = field(default_factory=list)
    equation: list[bool] = field(default_factory=list)
    entries: list[tuple[Integers, Integers, Integers]] = field(default_factory=list)

    def add_variable(self, upper: int, cost: int = 0) -> int:
        """Add a variable and return its index."""
        self.cost.append(cost)
        self.upper.append(upper)
        return len(self.cost) - 1

    def add_row(self, terms: list[tuple[int, int]], rhs: int, equation: bool = True) -> None:
        """Add one row of (variable, coefficient) pairs."""
        columns, coefficients = zip(*terms, strict=True) if terms else ((), ())
        self.add_block(np.array([coefficients], dtype=np.int64), np.array(columns, dtype=np.int64), [rhs], equation)

    def add_block(self, matrix: Integers, columns: Integers, rhs: list[int], equation: bool) -> None:
        """Add the rows of a dense matrix whose columns are variables."""
        row, entry = np.nonzero(matrix)
        self.entries.append((row + len(self.rhs), columns[entry], matrix[row, entry]))
        self.rhs += rhs
        self.equation += [equation] * len(rhs)

    def build(self) -> LinearProgram:
        """Return the program."""
        row, column, coefficient = (np.concatenate(part).astype(np.int64) for part in zip(*self.entries, strict=True))
        cost, upper, rhs = (np.array(part, dtype=np.int64) for part in (self.cost, self.upper, self.rhs))
        return LinearProgram(cost, upper, row, column, coefficient, rhs, np.array(self.equation, dtype=bool))
