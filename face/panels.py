"""What rows and pictures of results consist of."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TypeGuard

from isoplane.models import InputError
from isoplane.models.checks import shown
from isoplane.objectives import METRIC_TABLE

Cell = str | int | float | bool | None
Row = Mapping[str, Cell]
# Of what is drawn: a name, x (numbers or categories), y, and a format of matplotlib such as o-, or a kind of bars.
Series = tuple[str, Sequence[float] | Sequence[str], Sequence[float], str]
Panel = tuple[str, str, tuple[Series, ...]]  # titles of both axes with units, and the series
BARS, ACROSS = "bars", "across"  # upright bars, and horizontal ones
PROVEN = ("score", "bound", "gap", "status", "seed")  # of a design that a search has found, beside its metrics
DESIGN = "design"  # column of the names of designs of several families
MARKERS = "osD^v"  # of designs, as many as tell those of one colour apart
FRAMES = ("pandas", "polars")


def is_number(value: Cell) -> TypeGuard[float]:
    """Whether a cell is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def frame_class(library: str | None = None) -> Callable[[dict[str, list[Cell]]], object]:
    """Return the class of data frames of a library; without one of pandas, or of polars if that is not installed."""
    if library not in (None, *FRAMES):
        raise InputError(f"make={library!r}: expected {', '.join(FRAMES)}, or what makes a frame of lists by name")
    names = FRAMES if library is None else (library,)
    for name in names:
        try:
            frame: Callable[[dict[str, list[Cell]]], object] = import_module(name).DataFrame
        except ImportError:
            continue
        return frame
    missing = " and ".join(names) + (" are" if len(names) > 1 else " is")
    raise InputError(f"to_frame: {missing} not installed; available after pip install {names[0]}")


def axis_title(name: str) -> str:
    """Return the title of an axis: that of a metric with its unit, or the name of another number."""
    return f"{METRIC_TABLE[name].title} ({METRIC_TABLE[name].unit})" if name in METRIC_TABLE else name


def number_names(rows: Sequence[Row]) -> list[str]:
    """Return the names of the numbers of rows."""
    return list(dict.fromkeys(name for row in rows for name, value in row.items() if is_number(value)))


def metric_panel(rows: Sequence[Row], metrics: Sequence[str], baseline: tuple[str, Row] | None) -> Panel:
    """Return the rows, and the baseline if there is one, by two of their numbers."""
    names = number_names(rows)
    if isinstance(metrics, str) or len(metrics) != 2 or not set(metrics) <= set(names):
        raise InputError(f"metrics={shown(metrics)}: expected two of {', '.join(names)}")
    x, y = metrics
    named = [(str(row[DESIGN]), [row], MARKERS[at % len(MARKERS)]) for at, row in enumerate(rows) if row.get(DESIGN)]
    kinds: list[tuple[str, Sequence[Row], str]] = [*named] if named else [("", rows, "o")]
    if baseline:
        kinds.append((baseline[0], [baseline[1]], "s"))
    series: list[Series] = []
    for title, points, form in kinds:
        known = [(a, b) for row in points if is_number(a := row.get(x)) and is_number(b := row.get(y))]
        series.append((title, [a for a, _ in known], [b for _, b in known], form))
    return axis_title(x), axis_title(y), tuple(series)
