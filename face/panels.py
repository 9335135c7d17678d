"""What rows and pictures of results consist of."""

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
