"""The cables to buy."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models.cabling.assumed_lengths import assumed_lengths
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, integer_axis, label, new_figure, picture
from isoplane.runs.drawing.values import show_bars

from ..designs.evaluated import cable_counts
from ..report_data import ReportData

ORDER = 80
KINDS = ("switches", "cubes")


def block(data: ReportData) -> Block | None:
    """Return the chart of a network of switches on a site with a layout."""
    family = data.network.family
    if data.network.site.layout is None or not family.cables:
        return None
    assumed = assumed_lengths(family)
    stated = "catalogue length" if family.assumed_cable_m is None else "length"
    kind = stated if assumed is None else "length, where unknown assumed" if "stated" in assumed else "assumed length"
    return Block("cables", f"Cables by {kind}", [_chart(data, kind)])


def _chart(data: ReportData, kind: str) -> Part:
    """Draw the number of cables of each length, for the design and the baseline."""
    design = cable_counts(data.network)
    baseline = None if data.baseline is None else cable_counts(data.baseline.network)
    lengths = sorted(set().union(*design, *(baseline or ())))
    figure = new_figure(3.3)
    axes = figure.subplots()
    shift = 0.0 if baseline is None else 0.2
    places, bottom = np.arange(len(lengths)), np.zeros(len(lengths), dtype=np.int64)
    for plane, counts in enumerate(design):
        height = _heights(counts, lengths)
        name = f"this design, plane {plane}"
        bars = axes.bar(
            places - shift, height, 0.36, bottom, color=PLANE_COLOURS[plane % len(PLANE_COLOURS)], label=name
        )
        show_bars(bars, _texts(name, lengths, height))
        bottom += height
    axes.bar_label(bars, [f"{total:,}" if total else "" for total in bottom], padding=2, fontsize=8)
    if data.baseline is not None and baseline is not None:
        total = np.sum([_heights(counts, lengths) for counts in baseline], axis=0)
        name = f"{data.baseline.title.lower()}, all"
        bars = axes.bar(places + shift, total, 0.36, color=LIGHT["baseline"], label=name)
        axes.bar_label(bars, [f"{number:,}" if number else "" for number in total], padding=2, fontsize=8)
        show_bars(bars, _texts(name, lengths, total))
    axes.set_xticks(places, [f"{length / 1000:g}" for length in lengths])
    axes.set_xlim(-0.7, max(4, len(lengths)) - 0.3)
    axes.margins(y=0.1)
    label(axes, f"{kind} (m)", "cables between switches")
    integer_axis(axes)
    figure.legend(loc="outside upper left", ncols=4)
    return picture(
        figure,
        "cables",
        f"Each bar counts the cables of one length, {int(bottom.sum()):,} between switches in total, each cable once: "
        "bars further to the right are longer cables, which delay more and cost more.",
        _data(design, baseline),
    )


def _data(
    design: Sequence[Mapping[int, int]], baseline: Sequence[Mapping[int, int]] | None
) -> list[tuple[object, ...]]:
    """Return the number of cables by network, plane and length."""
    rows: list[tuple[object, ...]] = [("network", "plane", "length_m", "cables")]
    for name, planes in (("this design", design), ("baseline", baseline or ())):
        for plane, counts in enumerate(planes):
            rows += [(name, plane, length / 1000, counts[length]) for length in sorted(counts)]
    return rows


def _texts(name: str, lengths: Sequence[int], numbers: NDArray[np.int64]) -> list[str]:
    pairs = zip(lengths, numbers.tolist(), strict=True)
    return [f"{name}, {length / 1000:g} m: {number:,} cables" for length, number in pairs]


def _heights(counts: Mapping[int, int], lengths: list[int]) -> NDArray[np.int64]:
    return np.array([counts.get(length, 0) for length in lengths], dtype=np.int64)
