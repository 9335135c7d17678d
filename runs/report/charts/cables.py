"""Which cables have to be bought."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.checks import millimetres

from ..report_data import ReportData
from .drawing import LIGHT, PLANE_COLOURS, Picture, counted, label, new_figure, picture


def needed_mm(network: Network, generator: int) -> NDArray[np.int64]:
    """Return the length that the cable x to x ⊕ g needs, for every switch x, in millimetres, as ``int64[2^n]``.

    The same as `Layout.cable_mm`, for all switches at once.

    References
    ----------
    Hosomi et al. 2021, section 3.1.2.
    """
    layout = network.site.layout
    if layout is None:
        raise InputError("layout=none: cables have no lengths")
    switch = np.arange(network.cubes.plane_switches)
    rack, other = switch // layout.switches_per_rack, (switch ^ generator) // layout.switches_per_rack
    places = layout.positions_mm(network.cubes.plane_switches)
    between = np.abs(places[rack] - places[other]).sum(axis=1) + millimetres("", layout.slack_m)
    return np.where(rack == other, millimetres("", layout.rack_cable_m), between)


def catalogue_mm(network: Network, generator: int) -> NDArray[np.int64]:
    """Return the catalogue length of those cables, in millimetres: the next one that is long enough.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> catalogue_mm(dual_cube(3, (3, 5, 7)), 4).tolist()
    [3000, 3000, 3000, 3000, 3000, 3000, 3000, 3000]
    """
    lengths = network.site.prices.lengths_mm
    found: NDArray[np.int64] = lengths[np.searchsorted(lengths, needed_mm(network, generator))]
    return found


def cable_counts(network: Network) -> list[dict[int, int]]:
    """Return, for each plane, how many cables of each catalogue length (in millimetres) it takes, each cable once."""
    counts = []
    for plane in network.cubes.planes:
        ends = np.concatenate([catalogue_mm(network, generator) for generator in plane.links])
        lengths, number = np.unique(ends, return_counts=True)
        counts.append({int(length): int(both_ends) // 2 for length, both_ends in zip(lengths, number, strict=True)})
    return counts


def cables(data: ReportData) -> Picture:
    """Draw the number of cables of each length, the identical planes beside the design."""
    design, identical = cable_counts(data.network), cable_counts(data.identical.network)
    lengths = sorted(set().union(*design, *identical))
    figure = new_figure(3.3)
    axes = figure.subplots()
    places = np.arange(len(lengths))
    bottom = np.zeros(len(lengths), dtype=np.int64)
    for plane, counts in enumerate(design):
        height = _heights(counts, lengths)
        bars = axes.bar(
            places - 0.2, height, 0.36, bottom, color=PLANE_COLOURS[plane], label=f"this design, plane {plane}"
        )
        bottom += height
    axes.bar_label(bars, [f"{total:,}" if total else "" for total in bottom], padding=2, fontsize=8)
    both = sum(_heights(counts, lengths) for counts in identical)
    bars = axes.bar(places + 0.2, both, 0.36, color=LIGHT["baseline"], label="identical planes, both")
    axes.bar_label(bars, [f"{total:,}" if total else "" for total in np.atleast_1d(both)], padding=2, fontsize=8)
    axes.set_xticks(places, [f"{length / 1000:g}" for length in lengths])
    axes.margins(y=0.1)
    label(axes, "catalogue length (m)", "cables between switches")
    counted(axes)
    figure.legend(loc="outside upper left", ncols=3)
    total = int(bottom.sum())
    return picture(
        figure,
        "cables",
        f"Each bar counts the cables to buy of one length, {total:,} between switches in all for either network: bars "
        "further to the right are longer cables, which delay more and cost more.",
    )


def _heights(counts: Mapping[int, int], lengths: list[int]) -> NDArray[np.int64]:
    return np.array([counts.get(length, 0) for length in lengths], dtype=np.int64)
