"""Fig. 9: latency over accepted load, one panel per size; dotted lines lead to accepted loads beyond saturation."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from isoplane.runs.drawing.panels import panels
from isoplane.runs.figures.hosomi.designs import NETWORKS
from isoplane.runs.figures.hosomi.drawing import colour_of, style_of

from .points import Point

HIGHEST = 4.0  # upper end of the axis as a multiple of the lowest latency


def draw(points: Sequence[Point]) -> Figure:
    """Draw the curve of every network at every size."""
    sizes = sorted({point.n for point in points})
    figure, axes = panels(len(sizes))
    for panel, n in zip(axes, sizes, strict=True):
        at_size = [point for point in points if point.n == n and point.latency_ns.mean is not None]
        lowest = min((point.latency_ns.mean or 0.0 for point in at_size), default=1.0)
        for network in NETWORKS:
            own = [point for point in at_size if point.network == network]
            line, marker = style_of(network)
            stable = [point for point in own if not point.saturated]
            panel.plot(
                [point.accepted.mean or 0.0 for point in stable],
                [point.latency_ns.mean or 0.0 for point in stable],
                color=colour_of(network),
                linestyle=line,
                marker=marker,
                markersize=4,
                label=network,
            )
            for point in own:
                if point.saturated and stable:  # latency grows with the length of such a run, so it is not drawn
                    panel.plot(
                        [stable[-1].accepted.mean or 0.0, point.accepted.mean or 0.0],
                        [stable[-1].latency_ns.mean or 0.0, HIGHEST * lowest],
                        color=colour_of(network),
                        linestyle=":",
                    )
        panel.set_ylim(0, HIGHEST * lowest)
        panel.set_xlim(left=0)
        panel.set_title(f"n = {n}", loc="right")
        panel.set_xlabel("accepted load per node (link rates)")
        panel.set_ylabel("mean latency in the network (ns)")
        panel.legend(frameon=False, fontsize=8)
    return figure
