"""The designs of a run, by delay and by traffic."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from ..block import Block, Chart
from ..drawing import LIGHT, Picture, label, new_figure, picture
from ..papers import as_in_the_paper
from ..quantities import short_title, title_in_sentence, unit_of
from ..report_data import ReportData

ORDER = 40
TRAFFIC = ("max_traffic", "throughput_per_node")
OWN = ("design", "design by the published formula")


@dataclass(frozen=True)
class Point:
    """A design in the plane of delay (or ASPL, without a layout) and traffic.

    Attributes
    ----------
    kind
        ``design``, ``design by the published formula``, ``record``, the title of the baseline, or ``published``.
    x
        Delay in ns or ASPL in hops; lower is better.
    traffic
        In link capacities: the first of `TRAFFIC` that the design has; higher is better.
    """

    kind: str
    name: str
    x: float
    traffic: float


def block(data: ReportData) -> Block | None:
    """Return the chart, if it has other designs."""
    found = points(data)
    if all(point.kind in OWN for point in found):
        return None
    return Block("front", f"{short_title(_axes(data)[0])} against traffic", [Chart(_chart(data, found))])


def _axes(data: ReportData) -> tuple[str, str]:
    """Return the metrics that span the chart."""
    metrics = data.design.metrics
    x = "aspl" if metrics.get("delay_ns") is None else "delay_ns"
    return x, next((name for name in TRAFFIC if metrics.get(name) is not None), TRAFFIC[0])


def points(data: ReportData) -> list[Point]:
    """Return the design, the other records of the run, the baseline and the published designs.

    Designs that lack one of the two metrics are left out, and so are published delays unless racks, catalogue and
    delays are the paper's.
    """
    x, traffic = _axes(data)
    shown = [("record", record["metrics"], x) for record in data.others if record["id"] != data.record["id"]]
    if data.baseline is not None:
        shown.append((data.network.family.baseline_title, data.baseline.metrics, x))
    shown += [(OWN[1], data.design.metrics, "delay_paper_ns"), (OWN[0], data.design.metrics, x)]
    places = ((kind, metrics.get(name), metrics.get(traffic)) for kind, metrics, name in shown)
    found = [Point(kind, "", delay, load) for kind, delay, load in places if delay is not None and load is not None]
    return found + _published_points(data)


def _published_points(data: ReportData) -> list[Point]:
    found = []
    for design in data.published:
        if data.network.site.layout is None:
            x = design.aspl
        else:
            x = design.delay_paper_ns if as_in_the_paper(data.network) else None
        if x is not None and design.max_traffic is not None:
            found.append(Point("published", design.network, x, design.max_traffic))
    return found


def non_dominated(candidates: Sequence[Point]) -> list[Point]:
    """Return the non-dominated points, by ascending x.

    Examples
    --------
    >>> front = non_dominated([Point("record", "", x, t) for x, t in ((3, 5), (2, 4), (2, 3), (4, 5))])
    >>> [(point.x, point.traffic) for point in front]
    [(2, 4), (3, 5)]
    """
    front: list[Point] = []
    for point in sorted(candidates, key=lambda p: (p.x, -p.traffic)):
        if not front or point.traffic > front[-1].traffic:
            front.append(point)
    return front


def _chart(data: ReportData, found: Sequence[Point]) -> Picture:
    """Draw delay against traffic, with the front of the run as a line."""
    x_metric, y_metric = _axes(data)
    figure = new_figure(4.2)
    axes = figure.subplots()
    ours = non_dominated([point for point in found if point.kind in ("design", "record")])
    if len(ours) > 1:
        x, traffic = [point.x for point in ours], [point.traffic for point in ours]
        axes.step(x, traffic, where="post", color=LIGHT["plane0"], linewidth=1.1, alpha=0.6)
    _scatter(axes, found, data)
    axes.margins(0.12)
    axes.text(0.01, 0.97, "↖ better", transform=axes.transAxes, va="top", color=LIGHT["muted"])
    printed = any(point.kind == OWN[1] for point in found)
    x_title = (
        f"{title_in_sentence(x_metric)} ({unit_of(x_metric)}){'; hollow: by the published formula' if printed else ''}"
    )
    label(axes, x_title, f"{title_in_sentence(y_metric)}\n({unit_of(y_metric)})", "both")
    figure.legend(loc="outside right upper")
    return picture(
        figure,
        "front",
        "Better designs lie further left and further up"
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
                [point.traffic for point in group],
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
            place = (point.x, point.traffic)
            axes.annotate(point.name, place, (7, -11), textcoords="offset points", color=LIGHT["published"])
