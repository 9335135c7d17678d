"""Several designs as one result: those of a front, or the best one of each size that was searched."""

from collections.abc import Sequence

from isoplane.models import InputError
from isoplane.models.family_kinds.cube import cubes_of, has_kernels
from isoplane.objectives import Lexicographic, displayed_metric
from isoplane.objectives.scoring.functions import integers_of
from isoplane.objectives.scoring.own_metrics import own_name

from .designs import CHIEF
from .panels import BARS, Panel, Row, Series, axis_title, is_number
from .result import Result

AXES = ("delay_ns", "max_traffic")  # of fronts whose records do not name their metrics
GENERATORS = "generators"
SIZE = "size"  # column of the names of sizes
PROVEN = "proven optimal"
DRAWN = ("cost_usd_per_node", "delay_ns", "aspl", "throughput_per_node")  # of sizes; those that all of them have


def axes_of(objective: Lexicographic) -> tuple[str, str] | None:
    """Return the two metrics of the front that an objective asks for; None of a single score."""
    own = integers_of(objective.functions)
    names = [
        own_name(name) if name in own else displayed_metric(objective.scope, name)[0].name
        for name in objective.front or ()
    ]
    return (names[0], names[1]) if names else None


def front_result(designs: Sequence[Result], axes: tuple[str, str] | None, status: str = "") -> Result:
    """Return several designs as a front.

    Parameters
    ----------
    designs
        The designs, the best one first.
    axes
        The metrics that are drawn against each other; None for the best design alone.
    status
        What is proven, in words.
    """
    best = designs[0]
    chief = dict.fromkeys([*(axes or ()), *(name for name in CHIEF if name in best.rows[0])])
    rows = [{**result.rows[0], **_connections(result)} for result in designs]
    return Result(
        "front",
        best.title,
        rows,
        (*chief, *([] if axes is None or GENERATORS not in rows[0] else [GENERATORS])),
        lambda: {"designs": [result.to_dict() for result in designs]},
        best.panels if axes is None else lambda: _front_panels(designs, axes),
        lambda: front_page(designs),
        status,
        members=tuple(designs),
        baseline=best.baseline,
    )


def _connections(result: Result) -> Row:
    """Return the connection set of plane 1 of two cubes, which tells the designs of a front apart."""
    if result.design is None or not has_kernels(result.design.network):
        return {}
    planes = cubes_of(result.design.network).planes
    return {GENERATORS: " ".join(map(str, planes[1].connections.generators))} if len(planes) == 2 else {}


def _front_panels(designs: Sequence[Result], axes: tuple[str, str]) -> tuple[Panel, ...]:
    """Return the designs, and the baseline, by two metrics."""
    kinds: list[tuple[str, list[Row], str]] = [("front", [result.rows[0] for result in designs], "o-")]
    if designs[0].baseline is not None:
        title, numbers = designs[0].baseline
        kinds.append((title, [numbers], "s"))
    series = []
    for name, rows, form in kinds:
        points = [(row.get(axes[0]), row.get(axes[1])) for row in rows]
        known = sorted((x, y) for x, y in points if is_number(x) and is_number(y))
        series.append((name, [x for x, _ in known], [y for _, y in known], form))
    return ((axis_title(axes[0]), axis_title(axes[1]), tuple(series)),)


def sizes_result(title: str, designs: Sequence[tuple[str, Result]]) -> Result:
    """Return the best design of each size, whose scores do not compare, as a result.

    Parameters
    ----------
    title
        What the sizes have in common.
    designs
        The designs with the names of their sizes, in the order of the searches.
    """
    rows: list[Row] = [{SIZE: name, **result.rows[0], "status": result.status} for name, result in designs]
    chief = tuple(name for name in CHIEF if any(row.get(name) is not None for row in rows))
    proven = sum(result.status.startswith(PROVEN) for _, result in designs)
    return Result(
        "sizes",
        title,
        rows,
        (SIZE, *chief),
        lambda: {"designs": [result.to_dict() for _, result in designs]},
        lambda: _size_panels(rows),
        _no_page,
        f"{proven} of {len(designs)} {PROVEN}",
        members=tuple(result for _, result in designs),
    )


def _size_panels(rows: Sequence[Row]) -> tuple[Panel, ...]:
    """Return two of the metrics that all sizes have, by size."""
    panels: list[Panel] = []
    for name in DRAWN:
        values = [value for row in rows if is_number(value := row.get(name))]
        if len(values) == len(rows):
            series: Series = ("", [str(row[SIZE]) for row in rows], values, BARS)
            panels.append(("size", axis_title(name), (series,)))
    return tuple(panels[:2])


def _no_page() -> str:
    raise InputError("path: each size has a page of its own; expected .json, .csv, .svg, .pdf, .png, or result[0].save")


def front_page(designs: Sequence[Result]) -> str:
    """Return the page of a front, of which the best design comes first."""
    from isoplane.runs.report.page import render
    from isoplane.runs.report.report_data import ReportData

    best, *others = (result.to_dict() for result in designs)
    return render(ReportData(best, others=others))
