"""The linear program of a flow over orbits of links, by the simplex method in fractions."""

from collections.abc import Sequence
from fractions import Fraction

Row = list[Fraction]


class OrbitProgram:
    """Minimises the load of the busiest orbit, relative to its capacity, over mixtures of trees.

    Rows: of each orbit, Σ_trees weight · load - capacity · busiest load + slack = 0; and Σ weight = 1. The busiest load
    is always basic. Ties are broken lexicographically, so that no basis recurs (Dantzig, Orden and Wolfe, 1955).

    Parameters
    ----------
    capacity
        Capacity of each orbit, positive.
    loads
        What tree number 0 sends over each orbit; not all 0.

    Attributes
    ----------
    changes
        Number of fractions computed so far, a measure of time.
    """

    def __init__(self, capacity: Sequence[int], loads: Sequence[int]) -> None:
        self._capacity = capacity
        relative = [Fraction(load, room) for load, room in zip(loads, capacity, strict=True)]
        # The last one of equally busy orbits: all rows of the inverse are lexicographically positive.
        self._busiest = max(range(len(relative)), key=lambda orbit: (relative[orbit], orbit))
        self._basis: list[int | None] = [None] * len(loads) + [0]  # the tree of each row; None: a slack or the load
        self._inverse = [self._first_row(orbit, relative, loads[orbit]) for orbit in range(len(loads))]
        self._inverse.append([Fraction(0)] * len(loads) + [Fraction(1)])
        self.changes = 0

    def _first_row(self, orbit: int, relative: Row, load: int) -> Row:
        """Return the row of the first basis inverse: the busiest load, or a slack, by the right-hand sides."""
        row, room = [Fraction(0)] * (len(relative) + 1), Fraction(self._capacity[orbit])
        if orbit == self._busiest:
            row[orbit], row[-1] = -1 / room, relative[orbit]
        else:
            row[orbit], row[self._busiest] = Fraction(1), -room / self._capacity[self._busiest]
            row[-1] = room * relative[self._busiest] - load
        return row

    @property
    def load(self) -> Fraction:
        """The load of the busiest orbit, relative to its capacity."""
        return self._inverse[self._busiest][-1]

    @property
    def lengths(self) -> Row:
        """The dual of each orbit: the length of its links, where Σ capacity · length = 1."""
        return [-each for each in self._inverse[self._busiest][:-1]]

    @property
    def weights(self) -> dict[int, Fraction]:
        """The weights of the trees that the flow mixes, by their numbers."""
        rows = zip(self._basis, self._inverse, strict=True)
        return {tree: row[-1] for tree, row in rows if tree is not None and row[-1]}

    def improves(self, loads: Sequence[int]) -> bool:
        """Whether a tree is shorter than those in the basis, by the lengths of the program."""
        return sum(a * b for a, b in zip(self.lengths, loads, strict=True)) < self.load

    def enter_slacks(self) -> None:
        """Let slacks enter the basis until no length is negative."""
        while (orbit := next((o for o, length in enumerate(self.lengths) if length < 0), None)) is not None:
            self._enter([row[orbit] for row in self._inverse], None)

    def enter_tree(self, number: int, loads: Sequence[int]) -> None:
        """Let a tree that improves the program enter the basis."""
        column = [sum(a * b for a, b in zip(row, loads, strict=False) if b) + row[-1] for row in self._inverse]
        self._enter(column, number)

    def _enter(self, column: Row, tree: int | None) -> None:
        leaving = self._leaving(column)
        pivot = [each / column[leaving] if each else each for each in self._inverse[leaving]]
        for row, value in enumerate(column):
            if row != leaving and value:
                self._inverse[row] = [a - value * b if b else a for a, b in zip(self._inverse[row], pivot, strict=True)]
        self._inverse[leaving], self._basis[leaving] = pivot, tree
        # Counted, not timed, so that the program gives up at the same step on every machine.
        self.changes += len(column) ** 2

    def _leaving(self, column: Row) -> int:
        """Return the row that leaves the basis: the least by right-hand side over column, then by whole rows.

        Rows of the inverse decide ties: no two are proportional, so the row is unique.
        """
        rows = [row for row, value in enumerate(column) if value > 0]
        for place in range(-1, len(column) - 1):  # the right-hand side is last
            ratios = [self._inverse[row][place] / column[row] for row in rows]
            least = min(ratios)
            rows = [row for row, ratio in zip(rows, ratios, strict=True) if ratio == least]
            if len(rows) == 1:
                break
        return rows[0]
