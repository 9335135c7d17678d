"""What packets saw of a design: latency and accepted load over the offered load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from .drawing import LIGHT, Picture, label, new_figure, picture

HIGHEST = 4  # the axis of the latencies ends at so many times the lowest one


@dataclass(frozen=True)
class Seen:
    """A run: what was offered and accepted, the mean latencies, and whether it was stable."""

    offered: float
    accepted: float
    network_ns: float
    message_ns: float
    stable: bool


def seen(simulation: Mapping[str, Any]) -> list[Seen]:
    """Return the runs of a simulation, by ascending load; those in which nothing arrived are left out."""
    found = []
    for run in simulation["runs"]:
        accepted, network, message = (
            run[name]["mean"] for name in ("accepted_load", "network_latency_ns", "message_latency_ns")
        )
        if None not in (accepted, network, message):
            stable = not run["saturated"] and run["deadlock"] is None
            found.append(Seen(run["offered_load"], accepted, network, message, stable))
    return sorted(found, key=lambda run: run.offered)


def packets(
    delay_ns: float | None, throughput: float | None, simulation: Mapping[str, Any], pattern: str = "uniform"
) -> Picture:
    """Draw both, with what is computed without a simulation.

    Parameters
    ----------
    delay_ns, throughput
        What is computed: the mean delay, and what every node can send; None where it is not known.
    simulation
        What was seen.
    pattern
        Of the traffic.
    """
    runs = seen(simulation)
    figure = new_figure(3.2)
    left, right = figure.subplots(1, 2)
    _latencies(left, [run for run in runs if run.stable], delay_ns)
    _accepted(right, runs, throughput)
    limit = simulation["saturation"]
    for axes, title in ((left, "mean latency (ns)"), (right, "accepted load")):
        if limit is not None:
            axes.axvline(limit["throughput"], color=LIGHT["alarm"], linewidth=1, linestyle=(0, (4, 3)))
        axes.set_xlim(left=0)
        axes.legend(loc="best")
        label(axes, "offered load of each node (rates of a link)", title, "both")
    beyond = (
        ""
        if limit is None
        else ", and beyond the saturation throughput (dashed) more is offered than the network can carry"
    )
    traffic = "uniform random" if pattern == "uniform" else pattern
    return picture(figure, "packets", f"Packets under {traffic} traffic: latency grows as links fill{beyond}.")


def _latencies(axes: Axes, runs: Sequence[Seen], delay_ns: float | None) -> None:
    offered = [run.offered for run in runs]
    for values, colour, name in (
        ([run.network_ns for run in runs], "plane0", "in the network"),
        ([run.message_ns for run in runs], "plane1", "from the creation of the message"),
    ):
        axes.plot(offered, values, "o-", color=LIGHT[colour], markersize=3.5, linewidth=1.4, label=name)
    if delay_ns is not None:
        axes.axhline(delay_ns, color=LIGHT["muted"], linewidth=1, linestyle=":", label="delay, computed")
    if runs:
        axes.set_ylim(0, HIGHEST * min(run.network_ns for run in runs))


def _accepted(axes: Axes, runs: Sequence[Seen], traffic: float | None) -> None:
    offered = [run.offered for run in runs]
    axes.plot(offered, offered, color=LIGHT["line"], linewidth=1)
    if traffic is not None:
        axes.axhline(traffic, color=LIGHT["muted"], linewidth=1, linestyle=":", label="maximum traffic, computed")
    for stable, colour, name in ((True, "plane0", "stable"), (False, "alarm", "saturated")):
        chosen = [run for run in runs if run.stable is stable]
        axes.plot(
            [run.offered for run in chosen],
            [run.accepted for run in chosen],
            "o",
            color=LIGHT[colour],
            markersize=4,
            label=name,
        )
    axes.set_ylim(bottom=0)
