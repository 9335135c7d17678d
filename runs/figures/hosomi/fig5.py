"""Fig. 5: average shortest delay, traffic with 4 nodes per switch, and the parts of the delay."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from matplotlib.figure import Figure

from isoplane.runs.drawing.panels import panels
from isoplane.runs.published import Published

from .designs import IDENTICAL, NETWORKS, Designs, baseline
from .drawing import lines, stacks
from .measures import DELAY_PARTS, Row, rows_of, values_of
from .verdicts import NOT_MET, REPORTED, Verdict, agreement, pair, points_of, value_for

DELAY, TRAFFIC = "delay_paper", "max_traffic / 4"
CHANGE = " change"  # suffix of metrics: change of DI- from the identical planes, in ns

__all__ = ["NETWORKS", "compute", "draw", "verdicts"]


def compute(designs: Designs) -> list[Row]:
    """Return the numbers of the three panels."""
    return rows_of(designs, (DELAY, TRAFFIC, *DELAY_PARTS))


def verdicts(rows: Sequence[Row]) -> list[Verdict]:
    """Compare every published number: identical planes must agree, optimised delay and traffic are a pair.

    DI- designs minimise ASPL × load, and their delay is incidental: if ours has a better ASPL × load but a
    worse delay, the published pair is compared with our -r design of the same family and size, which minimises delay ×
    load; the verdict names it. The parts of the delay belong to one of many designs with the same score and are only
    reported.
    """
    values, points = values_of(rows), points_of("Fig 5")
    traffics = {(point.network, point.n): point for point in points if point.metric == TRAFFIC}
    pairs: dict[Published, Verdict] = {}
    for delay in (point for point in points if point.metric == DELAY and point.network not in IDENTICAL):
        traffic = traffics[delay.network, delay.n]
        checked = [_pair_verdicts(delay, traffic, name, values) for name in (delay.network, f"{delay.network}-r")]
        known = [verdict for verdict in checked if verdict is not None]
        if known:
            best = next((verdict for verdict in known if verdict[0].verdict != NOT_MET), known[0])
            pairs |= dict(zip((delay, traffic), best, strict=True))
    all_points = [pairs.get(point) or _single_verdict(point, values) for point in points]
    return [verdict for verdict in all_points if verdict is not None]


def _pair_verdicts(
    delay: Published, traffic: Published, name: str, values: dict[tuple[str, int, str], Fraction]
) -> tuple[Verdict, Verdict] | None:
    """Compare a published pair with our design of this name."""
    ours = tuple(values.get((name, delay.n or 0, metric)) for metric in (DELAY, TRAFFIC))
    if ours[0] is None or ours[1] is None:
        return None
    compared_name = "" if name == delay.network else name
    first, second = pair(delay, traffic, (ours[0], ours[1]))
    return replace(first, our_network=compared_name), replace(second, our_network=compared_name)


def _single_verdict(point: Published, values: dict[tuple[str, int, str], Fraction]) -> Verdict | None:
    if not point.metric.endswith(CHANGE):
        ours = value_for(point, values)
        return None if ours is None else agreement(point, ours)
    metric = point.metric.removesuffix(CHANGE)
    ours, base = (values.get((name, point.n or 0, metric)) for name in (point.network, baseline(point.network)))
    return None if ours is None or base is None else Verdict(point, ours - base, REPORTED)


def draw(rows: Sequence[Row]) -> Figure:
    """Draw delay and traffic over n, and the parts of the delay as bars."""
    figure, axes = panels(3)
    points = points_of("Fig 5")
    lines(axes[0], rows, DELAY, points, "average shortest delay (ns)")
    lines(axes[1], rows, TRAFFIC, points, "all-to-all maximum traffic\n(link capacities per node, 4 nodes a switch)")
    stacks(axes[2], rows, DELAY_PARTS, (DELAY, points), "average shortest delay (ns)")
    return figure
