"""The floor plan: racks to scale, and all cables between them."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from numpy.typing import NDArray

from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, WIDTH_IN, label, new_figure
from isoplane.runs.exports.exporter import Exported

RACK_DEPTH = 0.6  # as a share of the pitch: the rest is the aisle
BEND = 0.18  # of the curve between two racks, as a share of their distance
MARGIN = 0.05
LABELLED_IN = 0.3  # width of a rack on the picture, at least, for its name
WIDTHS = (0.5, 1.2, 2.2)  # of curves with one cable, up to `FEW`, and more
FEW = 4
LARGEST_IN_PER_M = 1.2


def floor_picture(exported: Exported) -> Figure:
    """Draw the floor once for each plane, one below the other: curves join racks with cables between them."""
    racks, layout = exported.require_floor("svg"), exported.network.site.layout
    assert layout is not None
    size = np.array([float(layout.pitch_across_m), RACK_DEPTH * float(layout.pitch_deep_m)])
    centres = racks.positions_mm / 1000 + size / 2
    floor = centres.max(axis=0) + size / 2
    margin = MARGIN * floor.max()
    scale = min((WIDTH_IN - 1) / (floor[0] + 2 * margin), LARGEST_IN_PER_M)
    figure = new_figure((scale * float(floor[1] + 2 * margin) + 0.8) * len(racks.of_switches))
    figure.set_facecolor(LIGHT["surface"])
    for plane, rack in enumerate(racks.of_switches):
        axes = figure.add_subplot(len(racks.of_switches), 1, plane + 1, aspect="equal")
        axes.set(xlim=(-margin, floor[0] + margin), ylim=(floor[1] + margin, -margin))
        _racks(axes, centres, size, racks.names if scale * size[0] >= LABELLED_IN else [])
        cables = exported.cables.where((exported.cables.plane == plane) & ~exported.cables.to_node)
        pairs = np.sort(np.stack([rack[cables.switch], rack[cables.other]], axis=1), axis=1)
        between = pairs[:, 0] != pairs[:, 1]
        _curves(axes, centres, pairs[between], PLANE_COLOURS[plane % len(PLANE_COLOURS)])
        axes.set_title(
            f"Plane {plane}: {len(cables):,} cables between switches, {(~between).sum():,} of them within racks, "
            f"{cables.length_mm.sum() / 1000:,.0f} m"
        )
        axes.spines[:].set_visible(False)
        label(axes, "across (m)", "deep (m)", grid=None)
    return figure


def _racks(axes: Axes, centres: NDArray[np.float64], size: NDArray[np.float64], names: list[str]) -> None:
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * size / 2 * 0.94
    squares = [Path(centre + corners, closed=True) for centre in centres]
    axes.add_patch(PathPatch(Path.make_compound_path(*squares), facecolor=LIGHT["rack"], edgecolor="none", zorder=1))
    for name, (x, y) in zip(names, centres.tolist(), strict=True) if names else ():
        below = y + 0.44 * size[1]  # clear of the curves, which end in the centre
        axes.text(x, below, name, ha="center", va="bottom", color=LIGHT["ink"], fontsize=7, zorder=4)


def _curves(axes: Axes, centres: NDArray[np.float64], pairs: NDArray[np.int64], colour: str) -> None:
    """Draw a curve for each pair of racks, thicker if it stands for several cables."""
    if not len(pairs):
        return
    joined, counts = np.unique(pairs, axis=0, return_counts=True)
    begin, end = centres[joined[:, 0]], centres[joined[:, 1]]
    bent = (begin + end) / 2 + BEND * (end - begin)[:, ::-1] * (1, -1)
    points = np.stack([begin, bent, end], axis=1)
    thickness = np.searchsorted([1, FEW], counts)
    opacity = float(np.clip(40 / len(joined) ** 0.7, 0.25, 0.8))
    for number, width in enumerate(WIDTHS):
        chosen = points[thickness == number]
        if len(chosen):
            codes = np.tile([Path.MOVETO, Path.CURVE3, Path.CURVE3], len(chosen))
            path = Path(chosen.reshape(-1, 2), codes)
            style = {"facecolor": "none", "edgecolor": colour, "linewidth": width, "alpha": opacity}
            axes.add_patch(PathPatch(path, zorder=2, **style))
