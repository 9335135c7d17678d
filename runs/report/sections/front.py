"""The designs of a run by the metrics of its front, else by delay and traffic; those of a front also as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from isoplane.objectives import METRIC_TABLE
from isoplane.runs.drawing.block import Block, Chart, Link, Table, Text
from isoplane.runs.drawing.drawing import LIGHT, Picture, label, new_figure, picture
from isoplane.runs.drawing.quantities import format_metric, short_title, title_in_sentence, unit_of
from isoplane.runs.published import PublishedDesign
from isoplane.runs.records import file_name

from ..papers import printed_value
from ..report_data import ReportData

ORDER = 40
TRAFFIC = ("max_traffic", "throughput_per_node")
OWN = ("design", "design by the published formula")
PRINTED = {"delay_ns": "delay_paper_ns"}  # metrics of which the paper states another kind
LISTED = ("aspl", "max_traffic", "delay_ns", "delay_paper_ns", "cable_length_m", "cost_usd_per_node")
CORNERS = {(False, False): "↙", (False, True): "↖", (True, False): "↘", (True, True): "↗"}


@dataclass(frozen=True)
class Point:
    """A design in the plane of two metrics.

    Attributes
    ----------
    kind
        ``design``, ``design by the published formula``, ``record``, the title of the baseline, or ``published``.
    x, y
        Its metrics on the two axes.
    """

    kind: str
    name: str
    x: float
    y: float


@dataclass(frozen=True)
class Plane:
    """The two metrics that span the chart, and in which of them higher values are better."""

    x: str
    y: str

    @property
    def higher(self) -> tuple[bool, bool]:
        """Whether higher values are better, by axis."""
        return METRIC_TABLE[self.x].higher_is_better is True, METRIC_TABLE[self.y].higher_is_better is True


def block(data: ReportData) -> Block | None:
    """Return the chart, if it has other designs, and the table of a front."""
    found, plane = points(data), plane_of(data)
    listed = _listed(data, plane)
    if all(point.kind in OWN for point in found) and not listed:
        return None
    y_title = "traffic" if plane.y in TRAFFIC else title_in_sentence(plane.y)
    return Block("front", f"{short_title(plane.x)} against {y_title}", [Chart(_chart(data, found)), *listed])


def plane_of(data: ReportData) -> Plane:
    """Return the metrics of the front that was searched; else delay (ASPL without a layout) and traffic."""
    if data.front_metrics is not None:
        return Plane(*data.front_metrics)
    metrics = data.design.metrics
    x = "aspl" if metrics.get("delay_ns") is None else "delay_ns"
    return Plane(x, next((name for name in TRAFFIC if metrics.get(name) is not None), TRAFFIC[0]))


def points(data: ReportData) -> list[Point]:
    """Return the design, the other records of the run, the baseline and the published designs.

    Designs that lack one of the two metrics are left out, and so are published delays unless racks, catalogue and
    delays are the paper's.
    """
    plane = plane_of(data)
    shown = [("record", "", record["metrics"], plane) for record in _others(data)]
    if data.baseline is not None:
        shown.append((data.network.family.baseline_title, "", data.baseline.metrics, plane))
    printed = Plane(PRINTED.get(plane.x, plane.x), PRINTED.get(plane.y, plane.y))
    if printed != plane:
        shown.append((OWN[1], "", data.design.metrics, printed))
    shown.append((OWN[0], "", data.design.metrics, plane))
    for design in data.published:
        values = {name: _published(design, name, data) for name in (printed.x, printed.y)}
        shown.append(("published", design.network, values, printed))
    places = ((kind, name, metrics.get(axes.x), metrics.get(axes.y)) for kind, name, metrics, axes in shown)
    return [Point(kind, name, x, y) for kind, name, x, y in places if x is not None and y is not None]


def _published(design: PublishedDesign, metric: str, data: ReportData) -> float | None:
    return printed_value(design, metric, data.network)[0]


def _others(data: ReportData) -> list[Mapping[str, Any]]:
    return [record for record in data.others if record["id"] != data.record["id"]]


def non_dominated(candidates: Sequence[Point], higher: tuple[bool, bool] = (False, True)) -> list[Point]:
    """Return the non-dominated points, by x from the best to the worst.

    Parameters
    ----------
    candidates
        The points.
    higher
        Whether higher values are better, by axis.

    Examples
    --------
    >>> front = non_dominated([Point("record", "", x, t) for x, t in ((3, 5), (2, 4), (2, 3), (4, 5))])
    >>> [(point.x, point.y) for point in front]
    [(2, 4), (3, 5)]
    """
    sign_x, sign_y = (-1 if best_is_high else 1 for best_is_high in higher)
    front: list[Point] = []
    for point in sorted(candidates, key=lambda p: (sign_x * p.x, sign_y * p.y)):
        if not front or sign_y * point.y < sign_y * front[-1].y:
            front.append(point)
    return front


def _listed(data: ReportData, plane: Plane) -> list[Table | Text]:
    """Return a table of all designs of a front with their metrics, the best in the first metric first."""
    if data.front_metrics is None or data.summary is None:
        return []
    records = sorted(
        (data.record, *_others(data)), key=lambda record: record["metrics"][plane.x], reverse=plane.higher[0]
    )
    names = [name for name in (plane.x, plane.y, *LISTED) if data.record["metrics"].get(name) is not None]
    names = list(dict.fromkeys(names))
    rows: list[list[str | Link]] = [
        ["Plane 1", *(f"{short_title(name)} ({unit_of(name)})" for name in names), "Record"]
    ]
    for record in records:
        generators = " ".join(map(str, record["network"]["planes"][1]["generators"]))
        shown = [format_metric(name, record["metrics"][name]) for name in names]
        file = file_name(dict(record))
        title = "this design" if record is data.record else file.rpartition("-")[2].removesuffix(".json")
        rows.append([generators, *shown, Link(title, f"records/{file}")])
    note = f"All {len(records)} designs of the front, by {title_in_sentence(plane.x)}; the links lead to their records."
    return [Table(rows), Text(note, muted=True)]


def _chart(data: ReportData, found: Sequence[Point]) -> Picture:
    """Draw the plane of the two metrics, with the front of the run as a line."""
    plane = plane_of(data)
    figure = new_figure(4.2)
    axes = figure.subplots()
    ours = non_dominated([point for point in found if point.kind in ("design", "record")], plane.higher)
    if len(ours) > 1:
        x, y = [point.x for point in ours], [point.y for point in ours]
        axes.step(x, y, where="post", color=LIGHT["plane0"], linewidth=1.1, alpha=0.6)
    _scatter(axes, found, data)
    axes.margins(0.12)
    axes.text(0.01, 0.97, f"{CORNERS[plane.higher]} better", transform=axes.transAxes, va="top", color=LIGHT["muted"])
    printed = any(point.kind == OWN[1] for point in found)
    hollow = "; hollow: by the published formula" if printed else ""
    label(
        axes,
        f"{title_in_sentence(plane.x)} ({unit_of(plane.x)}){hollow}",
        f"{title_in_sentence(plane.y)}\n({unit_of(plane.y)})",
        "both",
    )
    figure.legend(loc="outside right upper")
    across, up = ("right" if plane.higher[0] else "left"), ("up" if plane.higher[1] else "down")
    return picture(
        figure,
        "front",
        f"Better designs lie further {across} and further {up}"
        + (": no design of the run is better in both than one on the line" if len(ours) > 1 else "")
        + ("; a hollow marker can only be compared with hollow ones." if printed else "."),
    )


def _scatter(axes: Axes, found: Sequence[Point], data: ReportData) -> None:
    baseline = data.network.family.baseline_title
    groups = (
        ("record", "other designs of the run", "o", "plane0", True, 22),
        (baseline, baseline, "s", "baseline", True, 55),
        ("design", "this design", "o", "nearest", True, 60),
        ("design by the published formula", "this design, published formula", "o", "nearest", False, 150),
        ("published", "published designs", "D", "published", False, 48),
    )
    for kind, title, marker, colour, filled, size in groups:
        group = [point for point in found if point.kind == kind]
        if group:
            axes.scatter(
                [point.x for point in group],
                [point.y for point in group],
                s=size,
                marker=marker,
                facecolor=LIGHT[colour] if filled else "none",
                edgecolor=LIGHT[colour],
                linewidth=1.4,
                label=title,
                zorder=3,
            )
    for point in found:
        if point.name:
            place = (point.x, point.y)
            axes.annotate(point.name, place, (7, -11), textcoords="offset points", color=LIGHT["published"])
