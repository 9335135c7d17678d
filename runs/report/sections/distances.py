"""Distances between switches: in the nearest plane, and in each plane of cubes alone."""

from collections.abc import Sequence

import numpy as np

from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import (
    LIGHT,
    PLANE_COLOURS,
    WIDTH_IN,
    integer_axis,
    label,
    new_figure,
    picture,
)
from isoplane.runs.drawing.values import show_bars

from ..report_data import ReportData

ORDER = 60
KINDS = ("switches", "cubes")
SMALLEST = 6.0  # font size in points; if this is too wide for a bar, the counts are vertical


def block(data: ReportData) -> Block | None:
    """Return the chart of a network of switches: offsets of cubes, and pairs of nodes of any other."""
    return Block("distances", "Distances", [_chart(*data.design.distance_counts)])


def _chart(planes: Sequence[tuple[int, ...]], nearest: tuple[int, ...], y_title: str) -> Part:
    """Draw the histograms of each plane alone and of the nearest plane side by side."""
    figure = new_figure(3.2)
    axes = figure.subplots()
    hops = np.arange(len(nearest))
    series = [(f"plane {number} alone", counts, PLANE_COLOURS[number]) for number, counts in enumerate(planes)]
    series.append(("nearest plane", nearest, LIGHT["nearest"]))
    if len(planes) == 1:
        series = [("plane 0", nearest, PLANE_COLOURS[0])]
    pitch = 0.84 / len(series)
    size = _label_size(len(hops), pitch, max(max(row) for _, row, _ in series))
    for k, (name, row, colour) in enumerate(series):
        mean = float(hops @ np.array(row)) / sum(row)
        place = hops + (k - (len(series) - 1) / 2) * pitch
        bars = axes.bar(place, row, 0.93 * pitch, color=colour, label=f"{name}: mean {mean:.4g} hops")
        counts = [f"{count:,}" if count else "" for count in row]
        axes.bar_label(bars, counts, fontsize=size, rotation=0 if size > SMALLEST else 90, padding=2)
        show_bars(bars, [f"{name}, distance {hop} hops: {count:,} {y_title}" for hop, count in enumerate(row)])
    axes.margins(y=0.1 if size > SMALLEST else 0.15)
    axes.set_xticks(hops)
    label(axes, "distance (hops)", y_title)
    integer_axis(axes)
    figure.legend(loc="outside upper left", ncols=4)
    counted = "offsets (source xor destination), 0 included," if y_title.startswith("offsets") else y_title
    return picture(
        figure,
        "distances",
        f"Each group of bars counts the {counted} at one distance: the further left the bars, the shorter the routes"
        + (", and the nearest plane is what packets use." if len(series) > 1 else "."),
        [("hops", *(name for name, _, _ in series)), *zip(hops.tolist(), *(row for _, row, _ in series), strict=True)],
    )


def _label_size(groups: int, pitch: float, largest: int) -> float:
    """Return the font size at which the largest count is as wide as its bar, from `SMALLEST` to 8."""
    bar_points = 0.9 * 72 * WIDTH_IN / groups * pitch
    return max(SMALLEST, min(8, bar_points / (0.68 * len(f"{largest:,}"))))
