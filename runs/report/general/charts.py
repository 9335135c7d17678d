"""Charts of any network: pairs of nodes by distance, links by load, cables by length."""

from collections.abc import Sequence

import numpy as np

from ..charts.drawing import LIGHT, Picture, counted, label, new_figure, picture
from .report_data import NetworkData

PLANES = ("plane0", "plane1", "nearest", "published", "aggregate", "baseline", "muted", "ink")


def distances(data: NetworkData) -> Picture:
    """Draw how many pairs of nodes are at each distance."""
    figure = new_figure(3.0)
    axes = figure.subplots()
    counts = data.distances.pairs
    bars = axes.bar(range(len(counts)), counts, 0.7, color=LIGHT["plane0"])
    shares = [f"{100 * count / sum(counts):.3g} %" for count in counts]
    axes.bar_label(bars, shares, padding=2, fontsize=8, color=LIGHT["ink"])
    axes.set_xticks(range(len(counts)))
    axes.margins(y=0.12)
    label(axes, "distance in the nearest plane (hops)", "ordered pairs of nodes")
    counted(axes)
    return picture(
        figure,
        "distances",
        "Pairs of nodes by the hops between their switches: the further left the bars, the shorter the ways.",
    )


def loads(data: NetworkData) -> Picture:
    """Draw the loads of all links of each plane, the busiest first."""
    figure = new_figure(3.0)
    axes = figure.subplots()
    for number, sorted_loads in enumerate(loads_by_plane(data)):
        colour = LIGHT[PLANES[number % len(PLANES)]]
        share = (np.arange(len(sorted_loads)) + 0.5) / max(1, len(sorted_loads)) * 100
        axes.plot(share, sorted_loads, color=colour, linewidth=1.6, drawstyle="steps-mid", label=f"plane {number}")
    axes.axhline(
        data.loads.peak / data.loads.parts,
        color=LIGHT["alarm"],
        linewidth=1.1,
        linestyle=(0, (4, 3)),
        label=f"busiest link: {data.loads.peak / data.loads.parts:,.6g}",
    )
    axes.set_xlim(0, 100)
    axes.set_ylim(bottom=0)
    axes.legend(loc="best")
    label(axes, "links, the busiest first (%)", "load (packets)", "both")
    return picture(
        figure,
        "loads",
        "What each link carries when every node sends a packet to every node: the flatter the line, the more evenly "
        "the routes use the cables.",
    )


def loads_by_plane(data: NetworkData) -> list[Sequence[float]]:
    """Return the loads of all links of each plane in packets, descending; each direction of a cable is a link."""
    found: list[Sequence[float]] = []
    for plane, label_of, load in zip(data.network.planes, data.loads.label, data.loads.load, strict=True):
        all_links = load[label_of][plane.topology.peer >= 0]
        found.append((np.sort(all_links)[::-1] / data.loads.parts).tolist())
    return found


def cables(data: NetworkData) -> Picture:
    """Draw how many cables of each length there are."""
    figure = new_figure(2.8)
    axes = figure.subplots()
    lengths, count_of = cables_by_length(data)
    below = np.zeros(len(lengths))
    for number, counts in enumerate(count_of):
        axes.bar(
            range(len(lengths)), counts, 0.6, below, color=LIGHT[PLANES[number % len(PLANES)]], label=f"plane {number}"
        )
        below += counts
    axes.set_xlim(-0.7, max(4, len(lengths)) - 0.3)
    axes.set_xticks(range(len(lengths)), [f"{mm / 1000:g}" for mm in lengths])
    axes.legend(loc="best")
    label(axes, "length of a cable (m)", "cables")
    counted(axes)
    return picture(figure, "cables", "Cables between switches by their length: every cable is counted once.")


def cables_by_length(data: NetworkData) -> tuple[list[int], list[list[int]]]:
    """Return all lengths in millimetres, ascending, and for each plane how many cables have each."""
    cabled = [plane.cable_mm[plane.topology.peer >= 0] for plane in data.network.planes]
    lengths = sorted({int(mm) for plane in cabled for mm in np.unique(plane)})
    return lengths, [[int((plane == mm).sum()) // 2 for mm in lengths] for plane in cabled]
