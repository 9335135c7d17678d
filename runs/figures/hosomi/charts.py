"""Elements of the figures: lines over n, stacked bars, and the published numbers as hollow markers."""

from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib.axes import Axes

from isoplane.runs.published import Published

from .designs import NETWORKS, is_folded
from .measures import Values

BAR_SIZES = (8, 12)  # dimensions with bars in the paper
PLAIN_COLOUR, FOLDED_COLOUR = "#0072B2", "#D55E00"
PART_COLOURS = ("#9BB8D3", "#4E79A7", "#C9C9C9", "#E39A3B")
BAR_MARKER, PLAIN_MARKER = "D", "o"
STYLES = {"D": ("--", "s"), "DI": ("-", "o"), "DI-r": ("-.", "^")}


def lines(axes: Axes, values: Values, points: Iterable[Published], *, metric: str, label: str) -> None:
    """Draw one metric of every network over n, and the published numbers of that metric."""
    found = {(network, n): float(value) for (network, n, name), value in values.items() if name == metric}
    sizes = sorted({n for _, n in found})
    for network in _networks(values):
        line = [(n, value) for (name, n), value in found.items() if name == network]
        axes.plot(*zip(*line, strict=True), **line_style(network), label=network)
    stated = [point for point in points if point.metric == metric and point.n in sizes]
    for point in stated:
        style = line_style(point.network)
        _mark(axes, ([float(point.n or 0)], [float(point.value)]), style["color"], style["marker"])
    _finish(axes, label, PLAIN_MARKER if stated else None)
    axes.set_xlabel("dimension n ($2^n$ switches per plane)")
    axes.set_xticks(sizes)


def stacks(
    axes: Axes,
    values: Values,
    points: Iterable[Published],
    *,
    parts: Sequence[str],
    total: str,
    label: str,
    percent_metric: str | None = None,
) -> None:
    """Draw the parts of every network as stacked bars, one group per size in `BAR_SIZES`, or for the largest size.

    Parameters
    ----------
    axes, values, points
        The axes, the data, and the published numbers.
    parts, label
        The metrics to stack from the bottom, and the axis label.
    total
        The metric that is the sum of the parts; its published numbers are drawn as markers.
    percent_metric
        A metric in percent to write above each bar.
    """
    networks, sizes = _networks(values), sorted({n for _, n, _ in values})
    bars = [
        (network, n, group * (len(networks) + 1) + index)
        for group, n in enumerate([n for n in sizes if n in BAR_SIZES] or sizes[-1:])
        for index, network in enumerate(networks)
    ]
    places = [place for _, _, place in bars]
    tops = [0.0] * len(bars)
    for part, colour in zip(parts, PART_COLOURS, strict=False):
        heights = [float(values[network, n, part]) for network, n, _ in bars]
        axes.bar(places, heights, bottom=tops, color=colour, width=0.8, label=part)
        tops = [top + height for top, height in zip(tops, heights, strict=True)]
    stated = {(point.network, point.n): float(point.value) for point in points if point.metric == total}
    marked = [(place, stated[network, n]) for network, n, place in bars if (network, n) in stated]
    _mark(axes, ([x for x, _ in marked], [y for _, y in marked]), "black", BAR_MARKER)
    if percent_metric is not None:
        _write_above(axes, places, tops, [float(values[network, n, percent_metric]) for network, n, _ in bars])
    axes.set_ylim(0, 1.45 * max(tops))
    _name_bars(axes, bars)
    _finish(axes, label, BAR_MARKER if marked else None)


def _write_above(axes: Axes, places: Sequence[int], tops: Sequence[float], percents: Sequence[float]) -> None:
    for place, top, percent in zip(places, tops, percents, strict=True):
        axes.annotate(f"{percent:.0f} %", (place, top), xytext=(0, 8), textcoords="offset points", ha="center")


def _name_bars(axes: Axes, bars: Sequence[tuple[str, int, int]]) -> None:
    """Write the network below each bar and the size below each group."""
    axes.set_xticks([place for _, _, place in bars], [network for network, _, _ in bars], rotation=90, fontsize=8)
    groups = {n: [place for _, size, place in bars if size == n] for _, n, _ in bars}
    centres = [(places[0] + places[-1]) / 2 for places in groups.values()]
    axes.set_xticks(centres, [f"n = {n}" for n in groups], minor=True)
    axes.tick_params(axis="x", which="minor", length=0, pad=46)


def _networks(values: Values) -> list[str]:
    present = {network for network, *_ in values}
    return [network for network in NETWORKS if network in present]


def line_style(network: str) -> dict[str, Any]:
    """Return how matplotlib draws the line of a network, with its markers."""
    linestyle, marker = STYLES[network.replace("-FHC", "").replace("-HC", "")]
    colour = FOLDED_COLOUR if is_folded(network) else PLAIN_COLOUR
    return {"color": colour, "linestyle": linestyle, "marker": marker, "markersize": 4}


def _mark(
    axes: Axes, places: tuple[list[float], list[float]], colour: str, marker: str, label: str | None = None
) -> None:
    """Draw the hollow markers of published numbers; without numbers, only the legend entry."""
    axes.plot(*places, color=colour, linestyle="none", marker=marker, markerfacecolor="none", markersize=8, label=label)


def _finish(axes: Axes, label: str, marker: str | None) -> None:
    """Name the axis and add the legend, with the hollow marker of the published numbers if there are any."""
    axes.set_ylabel(label)
    if marker is not None:
        _mark(axes, ([], []), "black", marker, "published")
    axes.legend(fontsize=8)
