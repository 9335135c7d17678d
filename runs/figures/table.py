"""Tables of figures: files, and aligned text; and statements of papers, checked on our numbers."""

import csv
import io
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Self, TypeVar

from isoplane.runs.terminal.table import columns as aligned

Item = TypeVar("Item")


@dataclass(frozen=True)
class Table:
    """A table of texts.

    Parameters
    ----------
    columns, rows
        Names of the columns, and the cells of each row.
    right
        Indices of the columns that are aligned to the right when printed.

    Examples
    --------
    >>> print(Table.of(["x", "long"], {"name": str, "length": len}, right=(1,)))
    name  length
    x          1
    long       4
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: Container[int] = ()

    @classmethod
    def of(
        cls, items: Iterable[Item], columns: Mapping[str, Callable[[Item], object]], right: Container[int] = ()
    ) -> Self:
        """Return a table with a row per item, whose columns are functions of it; None is an empty cell."""
        values = ([function(item) for function in columns.values()] for item in items)
        rows = [["" if value is None else str(value) for value in row] for row in values]
        return cls(tuple(columns), rows, right)

    def __str__(self) -> str:
        return aligned([self.columns, *self.rows], self.right)

    def csv(self) -> str:
        """Return the table as comma-separated values."""
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows([self.columns, *self.rows])
        return text.getvalue()


@dataclass(frozen=True)
class Statement:
    """A statement, our numbers, and whether they agree with it.

    Attributes
    ----------
    statement
        The statement in our words.
    ours
        The numbers that decide it.
    holds
        Whether they agree with it.
    measured
        What the paper measured on real machines; empty if it gives no number.
    limits
        What the verdict does not cover, or what it assumes; empty if nothing.
    """

    statement: str
    ours: str
    holds: bool
    measured: str = ""
    limits: str = ""

    @property
    def verdict(self) -> str:
        """The verdict with its limits."""
        return ("holds" if self.holds else "fails") + (f" ({self.limits})" if self.limits else "")


def statement_table(statements: Iterable[Statement], columns: Iterable[str]) -> Table:
    """Return a table of statements, one per row; the columns are names of attributes.

    Examples
    --------
    >>> print(statement_table([Statement("it is fast", "2 s", holds=True)], ["statement", "verdict"]))
    statement   verdict
    it is fast  holds
    """
    return Table.of(statements, {column: attrgetter(column) for column in columns})
