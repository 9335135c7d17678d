"""Latency and accepted load over the offered load."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from isoplane.simulator import Report

STEADY, SATURATED, COMPUTED = "#0072B2", "#D55E00", "#8f9bab"
HIGHEST = 5  # upper end of the axis as a multiple of the lowest latency


def latency_load(
    reports: Sequence[Report], title: str, throughput: float | None, delay_ns: float | None, unit: str
) -> Figure:
    """Draw latencies and accepted loads over the offered loads.

    Parameters
    ----------
    reports
        By ascending load, at least one.
    title
        Title of the figure.
    throughput
        Saturation throughput, if known.
    delay_ns
        The computed delay, if any.
    unit
        Unit of loads.
    """
    figure = Figure(figsize=(9.6, 4.0), layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_latencies(left, reports, delay_ns)
    _draw_accepted(right, reports)
    for axes in (left, right):
        axes.grid(color="#DDDDDD", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel(f"offered load per node ({unit})")
        axes.set_xlim(left=0)
        if throughput:
            axes.axvline(throughput, color=SATURATED, linestyle=(0, (4, 3)), linewidth=1, label="saturation throughput")
        axes.legend(fontsize=8)
    figure.suptitle(title, fontsize=10)
    return figure


def draw_latencies(axes: Axes, reports: Sequence[Report], delay_ns: float | None) -> None:
    """Draw the mean latencies in the network and of messages, with their intervals; saturated runs are left out."""
    stable = [report for report in reports if report.stable and report.network_latency_ns.mean is not None]
    loads = [report.offered_load for report in stable]
    for name, label, colour in (
        ("network_latency_ns", "in the network", STEADY),
        ("message_latency_ns", "from creation of the message", SATURATED),
    ):
        found = [getattr(report, name) for report in stable]
        means, widths = [e.mean for e in found], [e.half_width or 0.0 for e in found]
        axes.errorbar(loads, means, yerr=widths, color=colour, marker="o", markersize=3.5, capsize=2, label=label)
    if delay_ns is not None:
        axes.axhline(delay_ns, color=COMPUTED, linestyle=":", label="delay, computed")
    if stable:
        axes.set_ylim(0, HIGHEST * min(report.network_latency_ns.mean or 0.0 for report in stable))
    axes.set_ylabel("mean latency (ns)")


def _draw_accepted(axes: Axes, reports: Sequence[Report]) -> None:
    loads = [report.offered_load for report in reports]
    accepted = [report.accepted_load.mean or 0.0 for report in reports]
    axes.plot(loads, loads, color=COMPUTED, linestyle=":", label="accepted = offered")
    axes.plot(loads, accepted, color=STEADY, linewidth=1.2)
    for stable, marker, label in ((True, "o", "stable"), (False, "x", "saturated")):
        chosen = [(x, y) for x, y, r in zip(loads, accepted, reports, strict=True) if r.stable is stable]
        if chosen:
            axes.plot(*zip(*chosen, strict=True), marker, color=STEADY if stable else SATURATED, label=label)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("accepted load")
