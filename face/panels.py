"""What rows and pictures of results consist of."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeGuard

from isoplane.models import Design, InputError
from isoplane.models.checks import shown
from isoplane.models.workloads import Workload
from isoplane.objectives import METRIC_TABLE
from isoplane.runs.records import design_content
from isoplane.runs.terminal.design_table import beside_baseline, units_of
from isoplane.runs.terminal.table import Table, spaced

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cell = str | int | float | bool | None
Row = Mapping[str, Cell]
# Of what is drawn: a name, x (numbers or categories), y, and a format of matplotlib such as o-, or a kind of bars.
Series = tuple[str, Sequence[float] | Sequence[str], Sequence[float], str]
Panel = tuple[str, str, tuple[Series, ...]]  # titles of both axes with units, and the series
BARS, ACROSS = "bars", "across"  # upright bars, and horizontal ones
# Of a design that a search has found, beside its metrics.
PROVEN = ("score", "bound", "gap", "status", "bound_source", "seed")
SAVED = "result"  # key of what a saved result shows, beside its data
COMPARED = "comparison"  # kind of results, whose numbers are columns of comparisons
FRONT = "front"  # kind of results, and the name of their line in pictures
DESIGN = "design"  # column of the names of designs of several families
MARKERS = "osD^v"  # of designs, as many as tell those of one colour apart
CHIEF = ("aspl", "diameter", "max_load", "max_traffic", "throughput_per_node", "completion_ns", "delay_ns",
         "cable_length_m", "cost_usd_per_node")  # fmt: skip
DRAWN = ("cost_usd_per_node", "delay_ns", "throughput_per_node", "aspl", "diameter")  # of several designs
FRAMES = ("pandas", "polars")
LARGEST_IN = 100  # of pictures
DRAWING = {"matplotlib": "isoplane.face.charts", "plotly": "isoplane.face.plotly_charts"}
Size = tuple[float, float]
Pair = tuple[str, str] | None
Baseline = tuple[str, Row] | None  # its name and numbers


def is_number(value: Cell) -> TypeGuard[float]:
    """Whether a cell is a number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def cell_of(value: object) -> Cell:
    """Return a value of a table as a cell of a row: a list as text, as in CSV."""
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return str(spaced(value))


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


def units_beside(kind: str, names: Sequence[str]) -> list[str]:
    """Return the units of the numbers of a kind of results; empty where there is none, or the name states it."""
    if kind != COMPARED:
        return units_of(names)
    from isoplane.runs.comparison.tables import units_of_columns  # only here: it needs all that comparisons do

    return units_of_columns(names)


def chief_table(
    kind: str, rows: Sequence[Row], shown: Sequence[str], baseline: Baseline, design: Design | None
) -> Table:
    """Return the chief numbers of a kind of results for people: of a design a row for each, else a column."""
    if kind == "design":
        numbers = {name: cell for name, cell in rows[0].items() if name not in PROVEN and not isinstance(cell, str)}
        return beside_baseline(numbers, baseline, design)
    cells = [[row.get(name) for name in shown] for row in rows]
    return Table(shown, cells, range(1, len(shown)), units_beside(kind, shown))


def axis_title(name: str) -> str:
    """Return the title of an axis: that of a metric with its unit, or the name of another number."""
    return f"{METRIC_TABLE[name].title} ({METRIC_TABLE[name].unit})" if name in METRIC_TABLE else name


def number_of(row: Row, name: str) -> float | None:
    """Return a number of a row; None if it has none."""
    value = row.get(name)
    return value if is_number(value) else None


def number_names(rows: Sequence[Row]) -> list[str]:
    """Return the names of the numbers of rows."""
    return list(dict.fromkeys(name for row in rows for name, value in row.items() if is_number(value)))


def metric_panel(rows: Sequence[Row], metrics: Sequence[str], baseline: Baseline, kind: str = "") -> Panel:
    """Return the rows of a kind of results, and the baseline if there is one, by two of their numbers."""
    names = number_names(rows)
    if isinstance(metrics, str) or len(metrics) != 2 or not set(metrics) <= set(names):
        raise InputError(f"metrics={shown(metrics)}: expected two of {', '.join(names)}")
    x, y = metrics
    if kind == FRONT:
        return front_panel(rows, (x, y), baseline)
    named = [(str(row[DESIGN]), [row], MARKERS[at % len(MARKERS)]) for at, row in enumerate(rows) if row.get(DESIGN)]
    return _points_panel(named or [("", rows, "o")], (x, y), baseline)


def front_panel(rows: Sequence[Row], metrics: tuple[str, str], baseline: Baseline) -> Panel:
    """Return the designs of a front, joined in the order of the first of two numbers, and the baseline."""
    ordered = sorted(rows, key=lambda row: tuple(number_of(row, name) or 0 for name in metrics))
    return _points_panel([(FRONT, ordered, "o-")], metrics, baseline)


def _points_panel(
    kinds: Sequence[tuple[str, Sequence[Row], str]], metrics: tuple[str, str], baseline: Baseline
) -> Panel:
    """Return rows with a name and a format each, and the baseline, by two numbers, without rows that lack one."""
    x, y = metrics
    series: list[Series] = []
    for title, points, form in [*kinds, *([(baseline[0], [baseline[1]], "s")] if baseline else [])]:
        known = [(a, b) for row in points if is_number(a := row.get(x)) and is_number(b := row.get(y))]
        series.append((title, [a for a, _ in known], [b for _, b in known], form))
    return axis_title(x), axis_title(y), tuple(series)


def price_panels(rows: Sequence[Row]) -> tuple[Panel, ...]:
    """Return designs by up to three of their metrics, of which the first, mostly the price, is across."""
    across, *up = [name for name in DRAWN if all(is_number(row.get(name)) for row in rows)] or [""]
    return tuple(metric_panel(rows, (across, name), None) for name in up[:2])


def design_panels(
    design: Design, workload: Workload | None, numbers: Row, baseline: tuple[str, Row] | None
) -> tuple[Panel, ...]:
    """Return the distances in a design and in its baseline, and by how much its metrics differ."""
    from isoplane.runs.report.designs import evaluated_design

    named = [("this design", design), *([(baseline[0], design.baseline)] if baseline else [])]
    panels: list[Panel] = []
    if design.network.family.kind != "circuits":
        series: list[Series] = []
        for name, shown in named:
            _, counts, title = evaluated_design(name, shown, workload).distance_counts
            series.append((name, range(len(counts)), counts, BARS))
        panels.append(("distance (hops)", title, tuple(series)))
    if baseline:
        panels.append(_changes(numbers, *baseline))
    return tuple(panels)


def _changes(numbers: Row, title: str, others: Row) -> Panel:
    """Return by how much the chief metrics differ from those of the baseline."""
    names = [name for name in CHIEF if _ratio(numbers.get(name), others.get(name)) is not None]
    changes = [100 * ((_ratio(numbers[name], others[name]) or 1) - 1) for name in names]
    return f"change against {title} (%)", "", (("", names, changes, ACROSS),)


def _ratio(value: Cell, other: Cell) -> float | None:
    return value / other if isinstance(value, (int, float)) and isinstance(other, (int, float)) and other else None


def check_drawing(library: str, figsize: Size | None) -> None:
    """Raise an `InputError` for an unknown library, or a size of no picture."""
    if library not in DRAWING:
        raise InputError(f"library={library!r}: expected {', '.join(DRAWING)}")
    if figsize is not None and not (len(figsize) == 2 and all(0 < length <= LARGEST_IN for length in figsize)):
        raise InputError(f"figsize={figsize}: expected width and height in inches, above 0, up to {LARGEST_IN}")


def drawing_module(library: str) -> ModuleType:
    """Return the module that draws panels with a library."""
    try:
        import_module(library)
    except ImportError:
        raise InputError(f"library={library}: is not installed; available after pip install {library}") from None
    return import_module(DRAWING[library])


def drawable(panels: Sequence[Panel], kind: str, rows: Sequence[Row]) -> list[Panel]:
    """Return the panels with numbers; those of a kind of results, and its rows, are named if there is none."""
    found = [panel for panel in panels if any(len(x) for _, x, _, _ in panel[2])]
    if not found:
        names = ", ".join(number_names(rows)) or "its numbers, of which it has none"
        raise InputError(f"plot: no numbers of this {kind} to draw; expected metrics=, two of {names}")
    return found


def redrawn(
    drawing: "Callable[[], Figure]", library: str, figsize: Size | None, title: str | None, metrics: Pair
) -> "Figure":
    """Return the drawing of a figure as in its paper, with another size or title."""
    if library != "matplotlib":
        raise InputError(f"library={library!r}: figures of papers are drawn by matplotlib; expected matplotlib")
    if metrics is not None:
        raise InputError(f"metrics={metrics}: figures are drawn as in their papers; expected None")
    figure = drawing()
    if figsize is not None:
        figure.set_size_inches(*figsize)
    if title is not None:
        figure.suptitle(title)
    return figure


def saved_fields(fields: Mapping[str, Any]) -> dict[str, object]:
    """Return what a result shows as JSON, which `saved_panels` and `saved_table` read: the fields of `Result`."""
    plain = {name: fields[name] for name in ("kind", "title", "status", "notes", "shown", "baseline")}
    panels = [
        [x_title, y_title, [[name, list(x), list(y), form] for name, x, y, form in series]]
        for x_title, y_title, series in fields["panels"]()
    ]
    tables = [
        {"columns": each.columns, "rows": each.rows, "units": each.units, "right": _right(each)}
        for each in fields["tables"]
    ]
    design = fields["design"]
    content = None if design is None else design_content(design)
    return {**plain, "rows": fields["rows"], "panels": panels, "tables": tables, "design": content}


def saved_panels(panels: Sequence[Any]) -> tuple[Panel, ...]:
    """Return the panels of `saved_fields`."""
    return tuple((x_title, y_title, tuple(map(tuple, series))) for x_title, y_title, series in panels)


def saved_table(table: Mapping[str, Any]) -> Table:
    """Return a table of `saved_fields`."""
    return Table(**table)


def _right(table: Table) -> list[int]:
    return [number for number in range(len(table.columns)) if number in table.right]
