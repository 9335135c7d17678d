"""Tables of figures: files, and aligned text; and what papers state, checked on our numbers."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from operator import attrgetter
from typing import Any, Generic, Self, TypeVar

from isoplane.runs.terminal.table import columns as aligned

Item = TypeVar("Item")
Stated = TypeVar("Stated")
Ours = TypeVar("Ours")
BEFORE_UNIT = re.compile(r"(?<=\d) (?=%|\S+$)")  # the space in 5 % and, where the cell ends with it, in 0.73 mm²
AGREES, DIFFERS = "agrees", "differs"  # verdicts on numbers
HOLDS, FAILS = "holds", "fails"  # verdicts on statements


@dataclass(frozen=True)
class TextTable:
    """A table of texts.

    Parameters
    ----------
    columns, rows
        Names of the columns, and the cells of each row.
    right
        Indices of the columns that are aligned to the right when printed.

    Examples
    --------
    >>> print(TextTable.of(["x", "long"], {"name": str, "length": len}, right=(1,)))
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

    def with_names(self) -> list[Sequence[str]]:
        """Return the names of the columns, then the rows."""
        return [self.columns, *self.rows]

    def page_rows(self) -> list[list[str]]:
        r"""Return header and rows for a page, in which no line breaks between a number and ``%``, or its unit.

        Examples
        --------
        >>> TextTable(["gain"], [["2 to 3 % of all"], ["0.73 mm²"]]).page_rows()
        [['gain'], ['2 to 3\xa0% of all'], ['0.73\xa0mm²']]
        """
        return [[BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", cell) for cell in row] for row in (self.columns, *self.rows)]

    def csv(self) -> str:
        """Return the table as comma-separated values."""
        text = io.StringIO(newline="")
        csv.writer(text, lineterminator="\n").writerows([self.columns, *self.rows])
        return text.getvalue()


@dataclass(frozen=True)
class Checked(Generic[Stated, Ours]):
    """What a paper states, what we get, and whether they agree.

    Attributes
    ----------
    stated
        A published number or range, or a statement in our words.
    ours
        Our number, or as text the numbers that decide a statement.
    verdict
        Whether they agree, such as ``agrees`` or ``holds``, and in brackets what this does not cover or assumes.
    note
        What ours is of, if it is of another network or of one interval; or what the paper measured on real machines.
    ends
        The 95 % confidence interval of ours, if it is from simulations; else NaN.
    """

    stated: Stated
    ours: Ours
    verdict: str
    note: str = ""
    ends: tuple[float, float] = (nan, nan)

    @property
    def holds(self) -> bool:
        """Whether a statement holds."""
        return self.verdict.startswith(HOLDS)


CheckedStatement = Checked[str, str]
STATEMENT_COLUMNS: Mapping[str, Callable[[CheckedStatement], object]] = {
    "statement": attrgetter("stated"),
    "measured": attrgetter("note"),
    "ours": attrgetter("ours"),
    "verdict": attrgetter("verdict"),
}


def verdict(holds: bool, limits: str = "") -> str:
    """Return the verdict on a statement, with what it does not cover or assumes.

    Examples
    --------
    >>> verdict(True, "sign only"), verdict(False)
    ('holds (sign only)', 'fails')
    """
    return (HOLDS if holds else FAILS) + (f" ({limits})" if limits else "")


def statement_table(statements: Iterable[CheckedStatement], columns: Iterable[str]) -> TextTable:
    """Return a table of statements, one per row, with some of `STATEMENT_COLUMNS`.

    Examples
    --------
    >>> print(statement_table([Checked("it is fast", "2 s", verdict(True))], ["statement", "verdict"]))
    statement   verdict
    it is fast  holds
    """
    return TextTable.of(statements, {column: STATEMENT_COLUMNS[column] for column in columns})


def checked_text(checked: Sequence[Checked[Any, Any]], table: TextTable, words: Mapping[str, str]) -> str:
    """Return a table of numbers or statements, and in a last line how many have each verdict, in the plural."""
    counts = Counter(each.verdict for each in checked)
    return f"{table}\n{', '.join(f'{counts[kind]} {word}' for kind, word in words.items())}"
