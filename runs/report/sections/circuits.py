"""The circuits that are set up: drawn between nodes on a circle, and as a table with their loads."""

from collections import Counter

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from numpy.typing import NDArray

from isoplane.models import OpticalFamily
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, label, new_figure, picture
from isoplane.runs.drawing.heat import Numbers, group_squares
from isoplane.runs.drawing.quantities import format_significant

from ..designs.evaluated_circuits import EvaluatedCircuits, with_circuits
from ..report_data import ReportData

ORDER = 32
DESIGNS = ("circuits",)
MAX_ROWS = 64  # of the table
MAX_DRAWN = 1024  # circuits with the highest loads
MAX_DOTS = 512  # with more nodes, only those that own a circuit
WIDE_LINES = 128  # with more circuits, lines are thinner
NAMED_GROUPS = 16
LABELLED_GROUPS = 32
GAP = 0.12  # of the circle between groups
# Distance of a curve's control point from the centre, relative to the midpoint of its ends; 1 is a straight line.
STRAIGHTNESS = 0.25


Line = tuple[int, tuple[int, int]]  # a drawn circuit: its bytes in both directions, and its ends


def places(hybrid: OpticalFamily) -> NDArray[np.float64]:
    """Return the positions of the nodes on a circle of radius 1, clockwise from the top, as ``float64[nodes, 2]``."""
    within = (np.arange(hybrid.nodes) % hybrid.nodes_per_group + 0.5) / hybrid.nodes_per_group
    return _on_circle(hybrid, hybrid.group, within)


def lines(design: EvaluatedCircuits, most: int = MAX_DRAWN) -> list[Line]:
    """Return the drawn circuits, the one with the highest load last."""
    carried = (ahead + back for ahead, back in zip(design.link_bytes.ahead, design.link_bytes.back, strict=True))
    # Last is drawn on top.
    return sorted(zip(carried, design.circuits.pairs, strict=True))[-most:]


def circuits_by_group(design: EvaluatedCircuits) -> Numbers:
    """Return the number of circuits between two groups, as a symmetric matrix."""
    found = np.zeros((design.hybrid.groups, design.hybrid.groups), dtype=np.int64)
    for a, b in design.circuits.pairs:
        one, other = design.hybrid.group_of(a), design.hybrid.group_of(b)
        found[one, other] += 1
        found[other, one] += 1
    return found


def block(data: ReportData) -> Block | None:
    """Return the circle and the table of a network with circuits, or a note if there are no circuits."""
    design = with_circuits(data.design)
    count = len(design.circuits)
    if not count:
        note = "No circuits are set up: all traffic uses the packet network."
        return Block("circuits", "Circuits", [Part.text(note)])
    rows, note = circuit_rows(design)
    if count > MAX_DRAWN:
        note = f"Only the {MAX_DRAWN:,} most heavily loaded circuits are drawn. {note}"
    parts: list[Part] = [_chart(design)]
    parts += [Part.text(note, muted=True)] if note else []
    return Block("circuits", "Circuits", [*parts, Part.table(rows)])


def circuit_rows(design: EvaluatedCircuits) -> tuple[list[list[str]], str]:
    """Return the header and one row per circuit, and a note on those left out."""
    hybrid, loads = design.hybrid, design.link_bytes
    times, process = design.busy_ms, design.placement.processes
    used: Counter[int] = Counter()
    rows = [["circuit", "nodes", "ports", "processes", "groups", "MB first → second", "MB second → first", "busy (ms)"]]
    for number, (a, b) in enumerate(design.circuits.pairs[:MAX_ROWS]):
        ahead, back = (format_significant(direction[number] / 1e6) for direction in (loads.ahead, loads.back))
        rows.append(
            [
                str(number),
                f"{a} – {b}",
                f"{used[a]} – {used[b]}",
                f"{process[a]} – {process[b]}",
                f"{hybrid.group_of(a)} – {hybrid.group_of(b)}",
                ahead,
                back,
                format_significant(max(times.ahead[number], times.back[number])),
            ]
        )
        used.update((a, b))
    count = len(design.circuits)
    if count <= MAX_ROWS:
        return rows if count else [], ""
    return rows, f"The first {MAX_ROWS} of {count:,} circuits; the record and cross_connects.csv of a run hold all."


def _chart(design: EvaluatedCircuits) -> Part:
    """Draw the circle, and the number of circuits between groups."""
    drawn_lines = lines(design)
    figure = new_figure(5.0)
    left, right = figure.subplots(1, 2)
    _circle(left, design, drawn_lines)
    group_squares(right, circuits_by_group(design), "{:,}".format, "plane0")
    right.set_title("Circuits between groups (number)")
    label(right, "group", "group", None)
    names = (("alarm", "carries most"), ("plane0", "line width: traffic carried"), ("baseline", "carries nothing"))
    handles = [Line2D([], [], color=LIGHT[colour], label=name) for colour, name in names]
    figure.legend(handles=handles, loc="outside lower left", ncols=3)
    return picture(
        figure,
        "circuits",
        "Nodes are on the circle, group by group, dark if they own a circuit; each line is a circuit between two "
        "nodes of different groups.",
    )


def _circle(axes: Axes, design: EvaluatedCircuits, drawn: list[Line]) -> None:
    hybrid, place = design.hybrid, places(design.hybrid)
    most = drawn[-1][0] or 1
    width_factor = min(1.0, (WIDE_LINES / max(len(drawn), 1)) ** 0.5)
    _curves(axes, place, [ends for carried, ends in drawn if not carried], LIGHT["baseline"], 0.6 * width_factor)
    for low, high, width in ((0, 1 / 3, 0.6), (1 / 3, 2 / 3, 1.0), (2 / 3, 1, 1.4)):
        chosen = [ends for carried, ends in drawn if low < carried / most <= high and carried != most]
        _curves(axes, place, chosen, LIGHT["plane0"], width * width_factor)
    _curves(axes, place, [ends for carried, ends in drawn if carried == most], LIGHT["alarm"], 1.4 * width_factor)
    owners = np.unique(np.array([ends for _, ends in drawn], dtype=np.int64))
    size = min(5.0, 420 / hybrid.nodes)
    if hybrid.nodes <= MAX_DOTS:
        axes.plot(*place.T, "o", color=LIGHT["baseline"], markersize=size, alpha=0.55, markeredgewidth=0)
    axes.plot(*place[owners].T, "o", color=LIGHT["ink"], markersize=size, markeredgewidth=0)
    _groups(axes, hybrid)
    axes.set_aspect("equal")
    axes.set_axis_off()
    axes.set_xlim(-1.35, 1.35)
    axes.set_ylim(-1.25, 1.25)


def _curves(axes: Axes, place: NDArray[np.float64], chosen: list[tuple[int, int]], colour: str, width: float) -> None:
    if not chosen:
        return
    codes = [Path.MOVETO, Path.CURVE3, Path.CURVE3]
    ends = np.array(chosen)
    start, end = place[ends[:, 0]], place[ends[:, 1]]
    points = np.stack([start, STRAIGHTNESS * (start + end) / 2, end], axis=1).reshape(-1, 2)
    shape = PathPatch(Path(points, codes * len(chosen)), facecolor="none", edgecolor=colour, linewidth=width, alpha=0.7)
    axes.add_patch(shape)


def _groups(axes: Axes, hybrid: OpticalFamily) -> None:
    """Draw the arc of every group, and names if they fit."""
    part = np.linspace(0, 1, 24 if hybrid.groups <= LABELLED_GROUPS else 4)
    arcs = [Path(1.06 * _on_circle(hybrid, np.full(len(part), g), part)) for g in range(hybrid.groups)]
    path = Path.make_compound_path(*arcs)
    axes.add_patch(PathPatch(path, facecolor="none", edgecolor=LIGHT["muted"], linewidth=1.5))
    step = -(-hybrid.groups // LABELLED_GROUPS)
    for g in range(0, hybrid.groups, step):
        x, y = 1.15 * _on_circle(hybrid, np.array([g]), np.array([0.5]))[0]
        text = f"group {g}" if hybrid.groups <= NAMED_GROUPS else str(g)
        horizontal = "left" if x > 0.15 else "right" if x < -0.15 else "center"
        vertical = "bottom" if y > 0.9 else "top" if y < -0.9 else "center"
        axes.text(x, y, text, ha=horizontal, va=vertical, color=LIGHT["muted"])


def _on_circle(hybrid: OpticalFamily, group: Numbers, within: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points of the arcs of groups; `within` is 0 at the start of an arc and 1 at its end."""
    turn = 2 * np.pi * (group + GAP / 2 + (1 - GAP) * within) / hybrid.groups
    return np.stack([np.sin(turn), np.cos(turn)], axis=-1)
