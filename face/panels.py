"""What rows and pictures of results consist of."""

import csv
import io
from collections.abc import Mapping, Sequence
from typing import TypeGuard

Cell = str | int | float | bool | None
Row = Mapping[str, Cell]
# Of what is drawn: a name, x (numbers or categories), y, and a format of matplotlib such as o-, or a kind of bars.
Series = tuple[str, Sequence[float] | Sequence[str], Sequence[float], str]
Panel = tuple[str, str, tuple[Series, ...]]  # titles of both axes with units, and the series
BARS, ACROSS = "bars", "across"  # upright bars, and horizontal ones


def is_number(value: Cell) -> TypeGuard[float]:
    """Whether a cell is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def cell_text(value: Cell) -> str:
    """Return a cell as text: numbers with six digits.

    Examples
    --------
    >>> cell_text(3.1415926), cell_text(1040), cell_text(None), cell_text(True)
    ('3.14159', '1040', '-', 'true')
    """
    if isinstance(value, bool):
        return str(value).lower()
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)


def csv_text(rows: Sequence[Row]) -> str:
    """Return rows as CSV; empty fields for numbers that a row lacks."""
    text = io.StringIO()
    names = list(dict.fromkeys(name for row in rows for name in row))
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(["" if row.get(name) is None else row[name] for name in names] for row in rows)
    return text.getvalue()
