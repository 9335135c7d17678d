"""Distances between switches: in the nearest plane, and in each plane of cubes alone."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Cube
from isoplane.models.family_kinds.cube import Cubes
from isoplane.runs.drawing.block import Block, Chart
from isoplane.runs.drawing.drawing import (
    LIGHT,
    PLANE_COLOURS,
    WIDTH_IN,
    Picture,
    integer_axis,
    label,
    new_figure,
    picture,
)

from ..designs.evaluated_cubes import EvaluatedCubes
from ..report_data import ReportData

ORDER = 60
DESIGNS = ("switches", "cubes")
SMALLEST = 6.0  # font size in points; if this is too wide for a bar, the counts are vertical


@dataclass(frozen=True)
class Histogram:
    """Counts by distance 0, 1, ...: in the nearest plane, and in each plane alone if known."""

    planes: tuple[tuple[int, ...], ...]
    nearest: tuple[int, ...]

    @property
    def series(self) -> list[tuple[str, tuple[int, ...], str]]:
        """Name, counts and colour of each series."""
        if len(self.planes) == 1:
            return [("plane 0", self.nearest, PLANE_COLOURS[0])]
        alone = [(f"plane {p} alone", counts, PLANE_COLOURS[p]) for p, counts in enumerate(self.planes)]
        return [*alone, ("nearest plane", self.nearest, LIGHT["nearest"])]


def block(data: ReportData) -> Block | None:
    """Return the chart of a network of switches: offsets of cubes, and pairs of nodes of any other."""
    if isinstance(data.design, EvaluatedCubes):
        cubes = data.design.cubes
        y_title = f"offsets (of {cubes.plane_switches:,})"
        return Block("distances", "Distances", [Chart(_chart(histogram(cubes), y_title))])
    pairs = data.design.distances.pairs
    found = Histogram((pairs,) if len(data.network.planes) == 1 else (), pairs)
    return Block("distances", "Distances", [Chart(_chart(found, "ordered pairs of nodes"))])


def plane_distances(plane: Cube) -> NDArray[np.int64]:
    """Return the distance of every offset in one plane, in hops, as ``int64[2^n]``.

    wt(r) for a cube and min(wt(r), n + 1 - wt(r)) for a folded one, r being the routing value.

    References
    ----------
    Hosomi et al. 2021, section 2.2.

    Examples
    --------
    >>> from isoplane.models import ConnectionSet
    >>> plane_distances(Cube(ConnectionSet(3, (3, 5, 7)))).tolist()
    [0, 3, 2, 1, 2, 1, 2, 1]
    """
    values = plane.connections.routing_values().tolist()
    weights = np.array([value.bit_count() for value in values], dtype=np.int64)
    return np.minimum(weights, plane.n + 1 - weights) if plane.folded else weights


def histogram(cubes: Cubes) -> Histogram:
    """Count the offsets of planes of cubes at each distance, up to the diameter of a plane."""
    distances = [plane_distances(plane) for plane in cubes.planes]
    bins = 1 + max(int(plane.max()) for plane in distances)
    counts = [np.bincount(d, minlength=bins) for d in (*distances, np.minimum.reduce(distances))]
    *planes, nearest = (tuple(int(count) for count in row) for row in counts)
    return Histogram(tuple(planes), nearest)


def _chart(found: Histogram, y_title: str) -> Picture:
    """Draw the histograms side by side."""
    figure = new_figure(3.2)
    axes = figure.subplots()
    hops = np.arange(len(found.nearest))
    series = found.series
    pitch = 0.84 / len(series)
    size = _label_size(len(hops), pitch, max(max(row) for _, row, _ in series))
    for k, (name, row, colour) in enumerate(series):
        mean = float(hops @ np.array(row)) / sum(row)
        place = hops + (k - (len(series) - 1) / 2) * pitch
        bars = axes.bar(place, row, 0.93 * pitch, color=colour, label=f"{name}: mean {mean:.4g} hops")
        counts = [f"{count:,}" if count else "" for count in row]
        axes.bar_label(bars, counts, fontsize=size, rotation=0 if size > SMALLEST else 90, padding=2)
    axes.margins(y=0.1 if size > SMALLEST else 0.15)
    axes.set_xticks(hops)
    label(axes, "distance (hops)", y_title)
    integer_axis(axes)
    figure.legend(loc="outside upper left", ncols=4)
    return picture(
        figure,
        "distances",
        "Each group of bars counts the pairs at one distance: the further left the bars, the shorter the routes"
        + (", and the nearest plane is what packets use." if len(series) > 1 else "."),
    )


def _label_size(groups: int, pitch: float, largest: int) -> float:
    """Return the font size at which the largest count is as wide as its bar, from `SMALLEST` to 8."""
    bar_points = 0.9 * 72 * WIDTH_IN / groups * pitch
    return max(SMALLEST, min(8, bar_points / (0.68 * len(f"{largest:,}"))))
