"""Simulation of a design: latency and accepted load over the offered load."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes

from isoplane.objectives.general import zero_load_and_throughput
from isoplane.runs.drawing.block import Block, Chart, Table
from isoplane.runs.drawing.drawing import LIGHT, Picture, label, new_figure, picture

from ..report_data import ReportData
from ..simulations import Simulation

ORDER = 100
UNIFORM = ("uniform", "all_to_all")
HIGHEST = 4  # upper end of the latency axis as a multiple of the lowest latency


@dataclass(frozen=True)
class LoadPoint:
    """A run: offered and accepted load, mean latencies, and whether it was stable."""

    offered: float
    accepted: float
    network_ns: float
    message_ns: float
    stable: bool


@dataclass(frozen=True)
class Computed:
    """Analytic results, which follow from the routes; None if unknown, or for other traffic.

    Attributes
    ----------
    delay_ns
        Mean delay of uniform traffic.
    throughput
        Throughput of a node under uniform traffic, in link capacities.
    """

    delay_ns: float | None
    throughput: float | None


def block(data: ReportData) -> Block | None:
    """Return the section on simulations at several loads: a chart of the first one, and a table of all."""
    if not data.simulations or not data.simulations[0].get("runs"):
        return None
    first = data.simulations[0]
    pattern = first.get("traffic", "uniform")
    known = computed(data) if pattern in UNIFORM else Computed(None, None)
    chart = packets(known.delay_ns, known.throughput, first, pattern.replace("_", " "))
    return Block("packets", "Simulation results", [Chart(chart), Table(simulation_rows(known, data.simulations))])


def computed(data: ReportData) -> Computed:
    """Return the analytic results: for cubes by the kernels."""
    if data.design.exact is not None:
        return Computed(data.design.metrics["delay_ns"], data.design.shown["throughput_per_node"])
    return Computed(*zero_load_and_throughput(data.network))


def simulation_rows(computed: Computed, simulations: Sequence[Simulation]) -> list[list[str]]:
    """Return a table: latency at a low load and saturation of each design, and computed values for the best one."""
    rows = [["design", "load", "packets (ns)", "messages (ns)", "saturation throughput", "highest accepted"]]
    for index, simulation in enumerate(simulations):
        low, limit = simulation["low_load"], simulation["saturation"]
        rows.append(
            [
                "this design" if index == 0 else simulation["record"].removesuffix(".json"),
                f"{low['offered_load']:g}",
                _with_width(low["network_latency_ns"]),
                _with_width(low["message_latency_ns"]),
                "-" if limit is None else f"{limit['throughput']:.3f}",
                "-" if limit is None else f"{limit['largest_accepted']:.3f}",
            ]
        )
    delay, traffic = computed.delay_ns, computed.throughput
    if (delay, traffic) != (None, None):
        cells = ["-" if delay is None else f"{delay:.1f}", "-", "-" if traffic is None else f"{traffic:.3f}", "-"]
        rows.append(["computed for this design", "0", *cells])
    return rows


def _with_width(found: Mapping[str, float | None]) -> str:
    mean, width = found["mean"], found["half_width"]
    if mean is None:
        return "-"
    return f"{mean:.1f}" if width is None else f"{mean:.1f} ± {width:.1f}"


def load_points(simulation: Mapping[str, Any]) -> list[LoadPoint]:
    """Return the runs of a simulation, by ascending load, without those in which nothing arrived."""
    found = []
    for run in simulation["runs"]:
        accepted, network, message = (
            run[name]["mean"] for name in ("accepted_load", "network_latency_ns", "message_latency_ns")
        )
        if None not in (accepted, network, message):
            stable = not run["saturated"] and run["deadlock"] is None
            found.append(LoadPoint(run["offered_load"], accepted, network, message, stable))
    return sorted(found, key=lambda run: run.offered)


def packets(
    delay_ns: float | None, throughput: float | None, simulation: Mapping[str, Any], pattern: str = "uniform"
) -> Picture:
    """Draw latency and accepted load, with computed values.

    Parameters
    ----------
    delay_ns, throughput
        Computed mean delay, and throughput of a node; None if unknown.
    simulation
        Simulation results.
    pattern
        Traffic pattern.
    """
    runs = load_points(simulation)
    figure = new_figure(3.2)
    left, right = figure.subplots(1, 2)
    _draw_latencies(left, [run for run in runs if run.stable], delay_ns)
    _draw_accepted(right, runs, throughput)
    limit = simulation["saturation"]
    for axes, title in ((left, "mean latency (ns)"), (right, "accepted load")):
        if limit is not None:
            axes.axvline(limit["throughput"], color=LIGHT["alarm"], linewidth=1, linestyle=(0, (4, 3)))
        axes.set_xlim(left=0)
        axes.legend(loc="best")
        label(axes, "offered load per node (link rates)", title, "both")
    limit_text = (
        ""
        if limit is None
        else ", and beyond the saturation throughput (dashed) the offered load exceeds what the network can carry"
    )
    traffic = "uniform random" if pattern == "uniform" else pattern
    return picture(figure, "packets", f"Packets under {traffic} traffic: latency grows as links fill{limit_text}.")


def _draw_latencies(axes: Axes, runs: Sequence[LoadPoint], delay_ns: float | None) -> None:
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


def _draw_accepted(axes: Axes, runs: Sequence[LoadPoint], traffic: float | None) -> None:
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
