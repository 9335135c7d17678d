"""What papers state, checked on our numbers, as tables."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import nan
from operator import attrgetter
from typing import Any, Generic, TypeVar

from isoplane.runs.terminal.table import Table

Stated = TypeVar("Stated")
Ours = TypeVar("Ours")
AGREES, DIFFERS = "agrees", "differs"  # verdicts on numbers
HOLDS, FAILS = "holds", "fails"  # verdicts on statements


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
        Which other network of ours meets or beats the number; what ours is of, if it is of one interval; or what the
        paper measured on real machines.
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


def statement_table(statements: Iterable[CheckedStatement], columns: Iterable[str]) -> Table:
    """Return a table of statements, one per row, with some of `STATEMENT_COLUMNS`.

    Examples
    --------
    >>> print(statement_table([Checked("it is fast", "2 s", verdict(True))], ["statement", "verdict"]))
    statement   verdict
    it is fast  holds
    """
    return Table.of(statements, {column: STATEMENT_COLUMNS[column] for column in columns})


def verdict_counts(checked: Sequence[Checked[Any, Any]], words: Mapping[str, str]) -> str:
    """Return how many numbers or statements have each verdict, in the plural, in a line."""
    counts = Counter(each.verdict for each in checked)
    return ", ".join(f"{counts[kind]} {word}" for kind, word in words.items())
