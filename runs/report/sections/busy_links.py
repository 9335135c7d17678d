"""Chart of the busy times of all links."""

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from isoplane.models.arrays import Floats
from isoplane.objectives.fluid import PerLink
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, label, new_figure, picture
from isoplane.runs.drawing.quantities import format_metric, format_significant, unit_of
from isoplane.runs.drawing.values import show_bars, show_boxes

from ..designs.evaluated_circuits import EvaluatedCircuits, with_circuits
from ..report_data import ReportData

ORDER = 33
KINDS = ("circuits",)
BY_NODE = 256  # with more links of a kind, links are sorted
MAX_STEPS = 512  # number of sorted links drawn
LINKS = ("out of node", "into node", "up from group", "down to group", "circuit ahead", "circuit back", "cable")
SAME = 1e-9  # relative difference up to which times are equal


def block(data: ReportData) -> Block | None:
    """Return the chart of link busy times of a workload, for networks with circuits."""
    if data.workload is None or data.baseline is None:
        return None
    return Block("links", "Load of every link", [_chart(with_circuits(data.design), with_circuits(data.baseline))])


def _chart(design: EvaluatedCircuits, baseline: EvaluatedCircuits) -> Part:
    """Draw the busy times of all links, and those in the packet network alone."""
    ours, theirs = design.busy_ms, baseline.busy_ms
    figure = new_figure(5.4)
    (out, into), (groups, circuits) = figure.subplots(2, 2, sharey=True)
    longest = longest_ms(ours)
    for axes, direction, own, before in ((out, "out of", ours.out, theirs.out), (into, "into", ours.into, theirs.into)):
        unsorted = len(own) <= BY_NODE
        name = f"{direction} node" if unsorted else "nodes, sorted,"
        _steps(axes, own if unsorted else np.sort(own)[::-1], longest, name)
        axes.stairs(*_sample(before if unsorted else np.sort(before)[::-1]), color=LIGHT["ink"], linewidth=0.9)
        axes.set_title(f"Links {direction} nodes")
        label(axes, "node (number)" if unsorted else "nodes, sorted (number)", "busy (ms)" if axes is out else "")
    if len(ours.up):
        _groups(groups, ours, theirs)
    else:
        _cables(groups, ours, theirs)
    _circuits(circuits, ours)
    for axes in (out, into, groups, circuits):
        axes.axhline(longest, color=LIGHT["alarm"], linewidth=1.1)
        axes.xaxis.set_major_locator(MaxNLocator("auto", integer=True, min_n_ticks=1))
    out.set_ylim(bottom=0)
    figure.legend(handles=_legend(design, baseline), loc="outside lower left", ncols=4)
    return picture(
        figure,
        "links",
        "Each bar is how long a link would be busy if it could always send at its full rate: the workload "
        "takes at least as long as the busiest ones, which are red.",
        _data(ours, theirs),
    )


def _data(ours: PerLink[Floats], theirs: PerLink[Floats]) -> list[tuple[object, ...]]:
    """Return the busy times of all links by kind and number; circuits are only in this design."""
    rows: list[tuple[object, ...]] = [("link", "number", "busy_ms", "busy_ms_of_the_packet_network_alone")]
    for name, own, before in zip(LINKS, ours.all(), theirs.all(), strict=True):
        alone = [f"{time:.9g}" for time in before.tolist()] or [""] * len(own)
        rows += [(name, number, f"{time:.9g}", alone[number]) for number, time in enumerate(own.tolist())]
    return rows


def longest_ms(times: PerLink[Floats]) -> float:
    """Return the busy time of the busiest link."""
    return max(float(each.max(initial=0)) for each in times.all())


def _legend(design: EvaluatedCircuits, baseline: EvaluatedCircuits) -> list[Artist]:
    name = "bottleneck_ns"
    bottleneck = f"{format_metric(name, design.metrics[name])} {unit_of(name)}"
    return [
        Patch(facecolor=LIGHT["plane0"], label="this design"),
        Patch(facecolor=LIGHT["alarm"], label="busiest of this design"),
        Line2D([], [], color=LIGHT["alarm"], linewidth=1.1, label=f"bottleneck: {bottleneck}"),
        Line2D([], [], color=LIGHT["ink"], linewidth=0.9, label=baseline.title.lower()),
    ]


def _sample(times: Floats) -> tuple[Floats, Floats]:
    """Return heights and edges of steps: one per link, or the maximum of several if there are too many."""
    edges = np.linspace(0, len(times), min(len(times), MAX_STEPS) + 1).astype(np.int64)
    heights: Floats = np.maximum.reduceat(times, edges[:-1])
    return heights, edges.astype(np.float64) - 0.5


def _steps(axes: Axes, times: Floats, longest: float, name: str) -> None:
    heights, edges = _sample(times)
    boxes = list(zip(edges.tolist(), [0.0] * len(heights), edges[1:].tolist(), heights.tolist(), strict=False))
    texts = [f"{name} {left + 0.5:.0f}: busy for {format_significant(top)} ms" for left, _, _, top in boxes]
    show_boxes(axes, boxes, texts)
    axes.stairs(heights, edges, fill=True, color=LIGHT["plane0"], linewidth=0)
    busiest = heights >= (1 - SAME) * longest
    axes.stairs(np.where(busiest, heights, 0), edges, fill=True, color=LIGHT["alarm"], linewidth=0)


def _groups(axes: Axes, ours: PerLink[Floats], theirs: PerLink[Floats]) -> None:
    positions, longest = np.arange(len(ours.up)), longest_ms(ours)
    for way, side, own, before in (("up from", -0.2, ours.up, theirs.up), ("down to", 0.2, ours.down, theirs.down)):
        colours = [LIGHT["alarm" if time >= (1 - SAME) * longest else "plane0"] for time in own]
        bars = axes.bar(positions + side, own, 0.36, color=colours)
        pairs = enumerate(zip(map(format_significant, own), map(format_significant, before), strict=True))
        show_bars(bars, [f"{way} group {g}: busy for {new} ms, {old} ms by packets alone" for g, (new, old) in pairs])
        axes.hlines(before, positions + side - 0.18, positions + side + 0.18, color=LIGHT["ink"], linewidth=0.9)
    axes.set_title("Links of groups, up and down")
    label(axes, "group (number; left bar up, right bar down)", "busy (ms)")


def _cables(axes: Axes, ours: PerLink[Floats], theirs: PerLink[Floats]) -> None:
    axes.set_title("Links between switches")
    _steps(axes, np.sort(ours.cables)[::-1], longest_ms(ours), "links, sorted,")
    axes.stairs(*_sample(np.sort(theirs.cables)[::-1]), color=LIGHT["ink"], linewidth=0.9)
    label(axes, "links, sorted (number)", "busy (ms)")


def _circuits(axes: Axes, ours: PerLink[Floats]) -> None:
    other, busier = np.sort(np.stack([ours.ahead, ours.back]), axis=0)  # directions of each circuit
    order = np.argsort(-busier, kind="stable")
    axes.set_title("Circuits")
    if not len(busier):
        axes.text(0.5, 0.5, "no circuits", transform=axes.transAxes, ha="center", color=LIGHT["muted"])
        axes.set_xticks([])
        label(axes, "", "")
        return
    _steps(axes, busier[order], longest_ms(ours), "circuits, sorted,")
    axes.stairs(*_sample(other[order]), color=LIGHT["surface"], linewidth=1.2, linestyle=(0, (3, 2)))
    label(axes, "circuits, sorted (number; dashed: the other direction)", "")
