"""The picture of a small plane: switches, nodes and cables."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from isoplane.runs.drawing.drawing import LIGHT, PLANE_COLOURS, WIDTH_IN, new_figure
from isoplane.runs.exports.exporter import Exported

from .positions import Points, node_positions, switch_positions

MAX_SWITCHES = 128
MAX_NODES = 1024  # more are not drawn
MARGIN = 0.04


def plane_picture(exported: Exported, number: int) -> Figure:
    """Draw a plane: squares are switches with their numbers, circles are nodes."""
    plane = exported.network.cabling[number]
    colour = PLANE_COLOURS[number % len(PLANE_COLOURS)]
    switches, in_layers = switch_positions(plane)
    lower, port = plane.topology.cable_ends()
    ends = np.stack([switches[lower], switches[plane.topology.peer[lower, port]]], axis=1)
    is_direct, shows_nodes = plane.node_cable_mm is None, plane.nodes <= MAX_NODES
    points = [switches]
    if shows_nodes and not is_direct:
        points.append(node_positions(plane, switches, in_layers))
    low, high = np.concatenate(points).min(axis=0), np.concatenate(points).max(axis=0)
    margin = MARGIN * max(high - low)
    width, height = np.maximum(high - low + 2 * margin, 1e-6)
    figure = new_figure(float(np.clip(WIDTH_IN * height / width, 2.5, WIDTH_IN)) + 0.4)
    figure.set_facecolor(LIGHT["surface"])
    axes = figure.add_subplot(aspect="equal", xlim=(low[0] - margin, high[0] + margin))
    axes.set_ylim(low[1] - margin, high[1] + margin)
    axes.set_axis_off()
    axes.add_collection(LineCollection(list(ends), colors=colour, linewidths=0.9, alpha=0.6, zorder=1))
    if len(points) > 1:
        links = np.stack([switches[plane.node_switch], points[1][plane.node]], axis=1)
        axes.add_collection(LineCollection(list(links), colors=LIGHT["muted"], linewidths=0.5, zorder=1))
        axes.scatter(
            points[1][:, 0],
            points[1][:, 1],
            s=9,
            c=LIGHT["surface"],
            edgecolors=LIGHT["muted"],
            linewidths=0.6,
            zorder=2,
        )
    _switches(axes, switches, colour)
    nodes = "a node in each" if is_direct else f"{plane.nodes} nodes" + ("" if shows_nodes else ", not drawn")
    axes.set_title(
        f"{exported.network.title}, plane {number}: {len(switches)} switches, {nodes}, {len(ends)} cables between "
        "switches"
    )
    return figure


def _switches(axes: Axes, positions: Points, colour: str) -> None:
    """Draw the switches with their numbers."""
    axes.scatter(positions[:, 0], positions[:, 1], s=130, c=colour, marker="s", linewidths=0, zorder=3)
    for switch, (x, y) in enumerate(positions.tolist()):
        axes.text(x, y, str(switch), color=LIGHT["surface"], fontsize=6, ha="center", va="center", zorder=4)
