"""How far the switches are from each other in each plane and in the nearest one."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Cube, Network

from ..report_data import ReportData
from .drawing import LIGHT, PLANE_COLOURS, WIDTH_IN, Picture, counted, label, new_figure, picture

SMALLEST = 6.0  # points of type; where this is too wide for a bar, the counts stand upright


@dataclass(frozen=True)
class Histogram:
    """Number of the 2^n offsets at each distance 0, 1, ... in each plane alone and in the nearest plane."""

    planes: tuple[tuple[int, ...], ...]
    nearest: tuple[int, ...]


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


def histogram(network: Network) -> Histogram:
    """Count the offsets at each distance, up to the diameter of a plane."""
    distances = [plane_distances(plane) for plane in network.cubes.planes]
    bins = 1 + max(int(plane.max()) for plane in distances)
    counts = [np.bincount(d, minlength=bins) for d in (*distances, np.minimum.reduce(distances))]
    *planes, nearest = (tuple(int(count) for count in row) for row in counts)
    return Histogram(tuple(planes), nearest)


def distances(data: ReportData) -> Picture:
    """Draw the three histograms side by side."""
    found = histogram(data.network)
    figure = new_figure(3.2)
    axes = figure.subplots()
    hops = np.arange(len(found.nearest))
    rows = [(f"plane {p} alone", row, PLANE_COLOURS[p]) for p, row in enumerate(found.planes)]
    rows.append(("nearest plane", found.nearest, LIGHT["nearest"]))
    size = _label_size(len(hops), max(map(max, (*found.planes, found.nearest))))
    for k, (name, row, colour) in enumerate(rows):
        mean = float(hops @ np.array(row)) / data.network.cubes.plane_switches
        bars = axes.bar(hops + (k - 1) * 0.28, row, 0.26, color=colour, label=f"{name}: mean {mean:.4g} hops")
        counts = [str(count) if count else "" for count in row]
        axes.bar_label(bars, counts, fontsize=size, rotation=0 if size > SMALLEST else 90, padding=2)
    axes.margins(y=0.05 if size > SMALLEST else 0.15)
    axes.set_xticks(hops)
    label(axes, "distance (hops)", f"offsets (of {data.network.cubes.plane_switches:,})")
    counted(axes)
    figure.legend(loc="outside upper left", ncols=3)
    return picture(
        figure,
        "distances",
        "Each group counts the offsets at one distance: both planes alone have the same histogram, and the further "
        "left that of the nearest plane lies, the shorter the routes.",
    )


def _label_size(groups: int, largest: int) -> float:
    """Return the size of type at which the largest count is as wide as its bar, at most 8 and at least `SMALLEST`."""
    bar_points = 0.9 * 72 * WIDTH_IN / groups * 0.28
    return max(SMALLEST, min(8, bar_points / (0.68 * len(str(largest)))))
