"""Heat maps of squares, drawn as vectors in the colours of the page."""

from collections.abc import Callable, Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from numpy.typing import NDArray

from isoplane.models.arrays import Floats

from .drawing import LIGHT
from .values import show_boxes

Numbers = NDArray[np.int64]

MAX_LEVELS = 5
NUMBERED_GROUPS = 16  # with more groups, squares have no numbers
OPAQUE = 0.5  # of the strongest square below a number: in dark colours a number on a stronger one is hard to read
FAR_APART = 100  # ratio of largest to smallest value from which levels are geometric


def level_ends(values: Numbers | Floats) -> list[float]:
    """Return the upper ends of at most `MAX_LEVELS` levels, ascending: all distinct values if they are few.

    Examples
    --------
    >>> level_ends(np.array([40, 40, 80])), level_ends(np.arange(1, 11)), level_ends(np.array([]))
    ([40.0, 80.0], [2.8, 4.6, 6.4, 8.2, 10.0], [])
    """
    found = np.unique(values).astype(np.float64)
    if len(found) <= MAX_LEVELS:
        return [float(value) for value in found]
    spaced = np.geomspace if found[-1] >= FAR_APART * found[0] else np.linspace
    return [round(float(end), 9) for end in spaced(found[0], found[-1], MAX_LEVELS + 1)[1:-1]] + [float(found[-1])]


def strengths(levels: int) -> list[float]:
    """Return the opacity of each level, 1 for the last."""
    return [float(part) for part in np.linspace(0.3, 1, levels)] if levels > 1 else [1.0] * levels


def level_of(values: Numbers | Floats, ends: Sequence[float]) -> NDArray[np.int64]:
    """Return the level of every value."""
    return np.minimum(np.searchsorted(ends, values.astype(np.float64)), max(len(ends) - 1, 0))


def squares(axes: Axes, chosen: NDArray[np.bool_], colour: str, opacity: float) -> None:
    """Draw squares of a matrix as one shape; adjacent ones in a row become one rectangle."""
    rows, columns = np.nonzero(chosen)
    if not len(rows):
        return
    begins = np.flatnonzero(np.r_[True, (np.diff(rows) != 0) | (np.diff(columns) != 1)])
    ends = np.r_[begins[1:], len(rows)] - 1
    shapes = [
        _box(x - 0.5, right + 0.5, y) for y, x, right in zip(rows[begins], columns[begins], columns[ends], strict=True)
    ]
    path = Path.make_compound_path(*shapes)
    axes.add_patch(PathPatch(path, facecolor=colour, edgecolor="none", alpha=opacity))


def _box(left: float, right: float, y: float) -> Path:
    top, bottom = y - 0.5, y + 0.5
    return Path([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], closed=True)


def group_squares(axes: Axes, matrix: Numbers, text: Callable[[int], str], colour: str, unit: str) -> None:
    """Draw a matrix by groups, with numbers if there are few groups; the unit follows values shown on hover."""
    groups = len(matrix)
    ends = level_ends(matrix[matrix > 0])
    levels = level_of(matrix, ends)
    for level, strength in enumerate(strengths(len(ends))):
        squares(axes, (matrix > 0) & (levels == level), LIGHT[colour], OPAQUE * strength)
    square_axes(axes, groups)
    found = [(*map(int, place), int(value)) for place, value in np.ndenumerate(matrix) if value]
    boxes = [(column - 0.5, row - 0.5, column + 0.5, row + 0.5) for row, column, _ in found]
    show_boxes(axes, boxes, [f"group {row} to group {column}: {text(value)}{unit}" for row, column, value in found])
    if groups <= NUMBERED_GROUPS:
        axes.set_xticks(range(groups))
        axes.set_yticks(range(groups))
        size = 8.5 if groups <= 6 else 6.5 if groups <= 10 else 4.5
        for row, column, value in found:
            axes.text(column, row, text(value), ha="center", va="center", fontsize=size, color=LIGHT["ink"])


def square_axes(axes: Axes, side: int) -> None:
    """Show a square matrix whole, its first row on top."""
    axes.set_aspect("equal")
    axes.set_xlim(-0.5, side - 0.5)
    axes.set_ylim(side - 0.5, -0.5)
    axes.spines[:].set_visible(True)
    axes.spines[:].set_color(LIGHT["line"])
