"""The racks on the floor, and the cables of one switch."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch, PathPatch
from matplotlib.path import Path
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.checks import check_int
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, WIDTH_IN, label, new_figure, picture

from ..report_data import ReportData

ORDER = 70
PANELS = 2  # side by side
FEW_RACKS = 64  # up to this number every rack shows its switches
RACK_DEPTH = 0.6  # as a share of the pitch: the rest is the aisle
MARGIN = 0.05  # margin around the racks, as a share of the larger side
LEFT_IN, ABOVE_IN, BELOW_IN = 0.55, 0.3, 0.5
PANEL_IN = (WIDTH_IN - LEFT_IN) / 2 - 0.25
HIGHEST_IN = 7.0
LARGEST_IN_PER_M = 1.0
Place = tuple[float, float]
Box = tuple[float, float, float, float]


Cable = tuple[int, int, float]  # of a switch: the switch at its other end, that switch's rack, and its length in m


@dataclass(frozen=True)
class FloorPlan:
    """Racks and the cables of one switch.

    Attributes
    ----------
    centres_m : float64[racks, 2]
        Coordinates across and deep.
    rack_m
        Width and depth of a rack: the layout gives only the pitch, so a rack takes all of it across and 60 % deep.
    rack_of : int64[switches] per plane
        The rack of every switch.
    switch
        The chosen switch.
    cables
        Its cables in each plane, in the order of its ports.
    """

    centres_m: NDArray[np.float64]
    rack_m: tuple[float, float]
    rack_of: tuple[NDArray[np.int64], ...]
    switch: int
    cables: tuple[tuple[Cable, ...], ...]

    def home(self, plane: int) -> int:
        """Rack of the chosen switch in a plane."""
        return int(self.rack_of[plane][self.switch])

    @property
    def floor_m(self) -> tuple[float, float]:
        """Width and depth of the floor occupied by the racks."""
        across, deep = self.centres_m.max(axis=0) + np.array(self.rack_m) / 2
        return float(across), float(deep)


def block(data: ReportData) -> Block | None:
    """Return the floor plan of a network with a layout."""
    plan = floor_plan(data.network, data.switch_id)
    if plan is None:
        return None
    parts: list[Part] = [_chart(plan), *([Part.table(rows)] if (rows := names_drawn(data.network, plan)) else [])]
    return Block("floor", f"Floor plan with the cables of switch {plan.switch}", parts)


def names_drawn(network: Network, plan: FloorPlan) -> list[list[str]]:
    """Return a table of the names of the switches whose ids are drawn, header first; empty if they have no names."""
    names = network.family.names
    if names is None:
        return []
    rows = [["plane", "switch", "name"]]
    for plane, cables in enumerate(plan.cables):
        neighbours = {neighbour for neighbour, _, _ in cables}
        drawn = [plan.switch, *sorted(neighbours - {plan.switch})]
        rows += [[str(plane), str(switch), names.switches[plane][switch]] for switch in drawn]
    return rows


def floor_plan(network: Network, switch_id: int = 0) -> FloorPlan | None:
    """Return the positions of the racks and the cables of a switch; None without a layout."""
    layout = network.site.layout
    if layout is None or network.family.cable_m is not None:
        return None
    floor = network.floor
    assert floor is not None
    switches = min(network.plane_switches)
    check_int("switch_id", switch_id, 0, switches - 1)
    rack_m = float(layout.pitch_across_m), RACK_DEPTH * float(layout.pitch_deep_m)
    centres = floor.positions_mm / 1000 + np.array(rack_m) / 2
    cables = tuple(
        tuple(
            (int(neighbour), int(racks[neighbour]), int(mm) / 1000)
            for neighbour, mm in zip(plane.topology.peer[switch_id], plane.cable_mm[switch_id], strict=True)
            if neighbour >= 0
        )
        for plane, racks in zip(network.planes, floor.of_switches, strict=True)
    )
    return FloorPlan(centres, rack_m, floor.of_switches, switch_id, cables) if any(cables) else None


def free_places(racks: Sequence[Place], rack: Place, widths: Sequence[float], height: float) -> list[float]:
    """Return the height of a label for each rack, above or below it, so that none covers a rack or another label.

    Parameters
    ----------
    racks
        Centres of the racks, the second coordinate pointing up.
    rack
        Width and height of a rack.
    widths, height
        Sizes of the labels.

    Examples
    --------
    >>> free_places([(0, 0), (1, 0), (2, 0), (9, 0)], (1, 2), [4, 4, 4, 4], 2)
    [2.0, -2.0, 4.0, 2.0]
    """
    taken = [(*centre, *rack) for centre in racks]
    heights = []
    for (x, y), width in zip(racks, widths, strict=True):
        steps = ((rack[1] + height) / 2 + step * height for step in count())
        candidates = (y + side * step for step in steps for side in (1, -1))
        free = next(c for c in candidates if not _covers((x, c, width, height), taken))
        taken.append((x, free, width, height))
        heights.append(free)
    return heights


def _covers(box: Box, others: Sequence[Box]) -> bool:
    x, y, width, height = box
    return any(abs(x - a) < (width + w) / 2 and abs(y - b) < (height + h) / 2 for a, b, w, h in others)


def _chart(plan: FloorPlan) -> Part:
    """Draw the floor to scale, once per plane."""
    across, deep = plan.floor_m
    margin = MARGIN * max(across, deep)
    scale = min(PANEL_IN / (across + 2 * margin), HIGHEST_IN / (deep + 2 * margin), LARGEST_IN_PER_M)
    width, height = scale * (across + 2 * margin), scale * (deep + 2 * margin)
    planes = 1 + max(plane for plane, cables in enumerate(plan.cables) if cables)
    row_in = height + ABOVE_IN + BELOW_IN
    total_in = row_in * -(-planes // PANELS)
    figure = new_figure(total_in)
    figure.set_layout_engine("none")
    for plane in range(planes):
        row, column = divmod(plane, PANELS)
        left, low = LEFT_IN + column * (WIDTH_IN - LEFT_IN) / PANELS, total_in - (row + 1) * row_in + BELOW_IN
        axes = figure.add_axes((left / WIDTH_IN, low / total_in, width / WIDTH_IN, height / total_in))
        axes.set(xlim=(-margin, across + margin), ylim=(deep + margin, -margin))
        _panel(axes, plan, plane, scale)
        label(axes, "across (m)", "" if column else "deep (m)", grid=None)
    return picture(
        figure,
        "floor",
        f"Racks to scale, seen from above: curves join the rack of switch {plan.switch} (dark) to the racks of its "
        "neighbours (coloured, with their switch ids); cables themselves run at right angles.",
    )


def _panel(axes: Axes, plan: FloorPlan, plane: int, scale: float) -> None:
    cables, home = plan.cables[plane], plan.home(plane)
    neighbour_racks = sorted({rack for _, rack, _ in cables} - {home})
    colour = PLANE_COLOURS[plane % len(PLANE_COLOURS)]
    _racks(axes, plan, range(len(plan.centres_m)), LIGHT["rack"])
    _racks(axes, plan, neighbour_racks, colour, zorder=3)
    _racks(axes, plan, [home], LIGHT["ink"], zorder=3)
    for rack in neighbour_racks:
        ends = plan.centres_m[home], plan.centres_m[rack]
        arc = FancyArrowPatch(*map(tuple, ends), connectionstyle="arc3,rad=-0.22", arrowstyle="-", shrinkA=0, shrinkB=0)
        arc.set(color=colour, linewidth=1.3, alpha=0.85, zorder=2)
        axes.add_patch(arc)
    axes.spines[:].set_visible(False)
    cables_inside = sum(rack == home for _, rack, _ in cables)
    mean = sum(length_m for _, _, length_m in cables) / max(1, len(cables))
    axes.set_title(f"Plane {plane}: {len(cables)} cables, {cables_inside} within the rack, mean {mean:.4g} m")
    _labels(axes, plan, plane, scale)


def _racks(axes: Axes, plan: FloorPlan, racks: Sequence[int], colour: str, zorder: float = 1) -> None:
    """Draw racks as one path, which keeps the file small; cables are drawn at zorder 2."""
    if not len(racks):
        return
    half = np.array(plan.rack_m) / 2 * 0.94
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1)]) * half
    squares = [Path(plan.centres_m[rack] + corners, closed=True) for rack in racks]
    axes.add_patch(PathPatch(Path.make_compound_path(*squares), facecolor=colour, edgecolor="none", zorder=zorder))


def _labels(axes: Axes, plan: FloorPlan, plane: int, scale: float) -> None:
    """Write the switch ids: of all racks if they are few, otherwise next to the racks that the cables reach."""
    home = plan.home(plane)
    ids: dict[int, list[str]] = {home: [str(plan.switch)]}
    for neighbour, rack, _ in plan.cables[plane]:
        if rack != home:
            ids.setdefault(rack, []).append(str(neighbour))
    if len(plan.centres_m) <= FEW_RACKS:
        _labels_inside(axes, plan, plane, ids)
        return
    texts = [", ".join(own) for own in ids.values()]
    point_m = 1 / (72 * scale)  # a point of type on the floor
    # The depth of the floor grows downwards in the drawing, heights of labels upwards.
    racks = [(float(x), float(-y)) for x, y in plan.centres_m[list(ids)]]
    heights = free_places(racks, plan.rack_m, [5 * point_m * len(text) for text in texts], 9 * point_m)
    for text, (x, y), height in zip(texts, racks, heights, strict=True):
        axes.plot([x, x], [-y, -height], color=LIGHT["muted"], linewidth=0.6, zorder=2.5)
        box = {"facecolor": LIGHT["surface"], "edgecolor": "none", "pad": 0.5, "alpha": 0.85}
        axes.text(x, -height, text, ha="center", va="center", color=LIGHT["ink"], fontsize=7, bbox=box, zorder=4)


def _labels_inside(axes: Axes, plan: FloorPlan, plane: int, ids: Mapping[int, Sequence[str]]) -> None:
    for rack, (x, y) in enumerate(plan.centres_m):
        text = "\n".join(ids.get(rack, _content(np.flatnonzero(plan.rack_of[plane] == rack))))
        colour, size = (LIGHT["surface"], 7) if rack in ids else (LIGHT["muted"], 6)
        axes.text(x, y, text, ha="center", va="center", color=colour, fontsize=size, zorder=4)


def _content(switches: NDArray[np.int64]) -> tuple[str, ...]:
    """Return the range of consecutive ids, or else the number of switches."""
    if len(switches) and switches[-1] - switches[0] == len(switches) - 1:
        return f"{switches[0]}", "–", f"{switches[-1]}"
    return f"{len(switches)}", "switches"
