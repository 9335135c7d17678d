"""Statements of a paper, checked on our numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from operator import attrgetter

from .table import Table


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
