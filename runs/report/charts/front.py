"""The designs of a run, by delay and by traffic."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from ..report_data import ReportData, as_in_the_paper
from .drawing import LIGHT, Picture, label, new_figure, picture


@dataclass(frozen=True)
class Point:
    """A design in the plane of delay (or ASPL, without a layout) and traffic.

    Attributes
    ----------
    kind
        ``design``, ``design by the published formula``, ``record``, ``identical planes`` or ``published``.
    x
        Delay in ns or ASPL in hops; less is better.
    max_traffic
        In link capacities per node, one node at each switch; more is better.
    """

    kind: str
    name: str
    x: float
    max_traffic: float


def points(data: ReportData, others: Iterable[Mapping[str, Any]] = ()) -> list[Point]:
    """Return the design, the other records of the run, the identical planes and the published designs.

    Other records that lack the delay are left out, and so are published delays unless racks, catalogue and delays are
    the paper's.
    """
    metric = "delay_ns" if data.network.site.layout is not None else "aspl"
    found = [
        Point("record", "", record["metrics"][metric], record["metrics"]["max_traffic"])
        for record in others
        if record["id"] != data.record["id"] and record["metrics"][metric] is not None
    ]
    for kind, evaluated, x_metric in (
        ("identical planes", data.identical, metric),
        ("design by the published formula", data.design, "delay_paper_ns"),
        ("design", data.design, metric),
    ):
        x, traffic = evaluated.metrics[x_metric], evaluated.metrics["max_traffic"]
        if x is not None and traffic is not None:
            found.append(Point(kind, "", x, traffic))
    return found + _published(data)


def _published(data: ReportData) -> list[Point]:
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
    """Return the points that no other one beats in one direction without losing in the other, by ascending x.

    Examples
    --------
    >>> front = non_dominated([Point("record", "", x, t) for x, t in ((3, 5), (2, 4), (2, 3), (4, 5))])
    >>> [(point.x, point.max_traffic) for point in front]
    [(2, 4), (3, 5)]
    """
    front: list[Point] = []
    for point in sorted(candidates, key=lambda p: (p.x, -p.max_traffic)):
        if not front or point.max_traffic > front[-1].max_traffic:
            front.append(point)
    return front


def front(data: ReportData, others: Sequence[Mapping[str, Any]] = ()) -> Picture:
    """Draw delay against traffic, with the front of the run as a line."""
    found = points(data, others)
    figure = new_figure(4.2)
    axes = figure.subplots()
    ours = non_dominated([point for point in found if point.kind in ("design", "record")])
    if len(ours) > 1:
        x, traffic = [point.x for point in ours], [point.max_traffic for point in ours]
        axes.step(x, traffic, where="post", color=LIGHT["plane0"], linewidth=1.1, alpha=0.6)
    _scatter(axes, found)
    axes.margins(0.12)
    axes.text(0.01, 0.97, "↖ better", transform=axes.transAxes, va="top", color=LIGHT["muted"])
    delays = data.network.site.layout is not None
    x_title = "mean delay over the real routes (ns); hollow: by the published formula" if delays else "ASPL (hops)"
    label(axes, x_title, "all-to-all maximum traffic\n(link capacities per node, one node at each switch)", "both")
    figure.legend(loc="outside right upper")
    return picture(
        figure,
        "front",
        "Better designs lie further left and further up"
        + (": no design of the run is better in both ways than one on the line" if len(ours) > 1 else "")
        + ("; a hollow marker can only be compared with hollow ones." if delays else "."),
    )


def _scatter(axes: Axes, found: Sequence[Point]) -> None:
    groups = (
        ("record", "other designs of the run", "o", "plane0", True, 22),
        ("identical planes", "identical planes", "s", "baseline", True, 55),
        ("design", "this design", "o", "nearest", True, 60),
        ("design by the published formula", "this design, published formula", "o", "nearest", False, 150),
        ("published", "published designs", "D", "published", False, 48),
    )
    for kind, title, marker, colour, filled, size in groups:
        group = [point for point in found if point.kind == kind]
        if group:
            axes.scatter(
                [point.x for point in group],
                [point.max_traffic for point in group],
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
            place = (point.x, point.max_traffic)
            axes.annotate(point.name, place, (7, -11), textcoords="offset points", color=LIGHT["published"])
