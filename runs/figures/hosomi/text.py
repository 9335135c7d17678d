"""Verdicts as text and tables."""

from collections import Counter
from collections.abc import Iterable, Sequence

from isoplane.runs.figures.table import Table

from .verdicts import AGREES, BEATEN, DIFFERS, MET, NOT_MET, REPORTED, Verdict

COLUMNS = ("figure", "network", "n", "metric", "unit", "published", "ours", "difference", "verdict")
COUNTED = {AGREES: "agree", DIFFERS: "differ", MET: "met", BEATEN: "beaten", NOT_MET: "not met", REPORTED: "reported"}
NUMBERS = range(5, 8)  # columns aligned to the right
EXTRA_DIGITS = 2  # decimals of our numbers beyond those of the paper


def cells(verdict: Verdict) -> list[str]:
    """Return a verdict in the columns of `COLUMNS`: the published number as printed, ours with two more digits."""
    point = verdict.point
    digits = point.decimals + EXTRA_DIGITS
    return [
        point.figure,
        point.network,
        "" if point.n is None else str(point.n),
        point.metric,
        point.unit,
        f"{float(point.value):.{point.decimals}f}",
        f"{float(verdict.ours):.{digits}f}",
        f"{float(verdict.difference):+.{digits}f}",
        f"{verdict.verdict} by {verdict.our_network}" if verdict.our_network else verdict.verdict,
    ]


def format_table(verdicts: Sequence[Verdict]) -> str:
    """Return aligned lines, one per published number, and a last line with the number of verdicts.

    Examples
    --------
    >>> format_table([])
    'the paper states no number at these sizes'
    """
    if not verdicts:
        return "the paper states no number at these sizes"
    return f"{Table(COLUMNS, [*map(cells, verdicts)], NUMBERS)}\n{count_line(verdicts)}"


def count_line(verdicts: Iterable[Verdict]) -> str:
    """Return the number of verdicts of each kind as text.

    Examples
    --------
    >>> count_line([])
    '0 agree, 0 differ, 0 met, 0 beaten, 0 not met, 0 reported'
    """
    counts = Counter(verdict.verdict for verdict in verdicts)
    return ", ".join(f"{counts[verdict]} {word}" for verdict, word in COUNTED.items())
