"""Simulation of a design: latency and accepted load over the offered load."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from matplotlib.axes import Axes

from isoplane.objectives.general import zero_load_and_throughput
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, label, new_figure, picture
from isoplane.runs.drawing.values import show_points
from isoplane.runs.simulations.comparison import UNIFORM
from isoplane.runs.simulations.link_unit import load_unit
from isoplane.runs.terminal.design_table import metric_link_gbps

from ..report_data import ReportData, Simulation

ORDER = 100
HIGHEST = 4  # upper end of the latency axis as a multiple of the lowest latency


LoadPoint = tuple[float, float, float, float, bool]  # offered and accepted load, latencies in ns, whether stable


def block(data: ReportData) -> Block | None:
    """Return the section on simulations at several loads: a chart of the first one, and a table of all."""
    if not data.simulations or not data.simulations[0].get("runs") or data.simulations[0].get("workload"):
        return None
    first = data.simulations[0]
    pattern = first.get("traffic", "uniform")
    known = computed(data) if pattern in UNIFORM else (None, None)
    chart = packets(*known, first, pattern.replace("_", " "))
    rows = simulation_rows(known, data.simulations), look_up_rows(first, data.network.plane_switches)
    return Block("packets", "Simulation results", [chart, *(Part.table(table) for table in rows if table)])


def computed(data: ReportData) -> tuple[float | None, float | None]:
    """Return the mean delay in ns and the throughput of a node in the unit of loads under uniform traffic, if known.

    They follow from the routes alone; for cubes the kernels give them.
    """
    if data.design.exact is not None:
        return data.design.metrics["delay_ns"], data.design.shown["throughput_per_node"]
    delay_ns, throughput = zero_load_and_throughput(data.network)
    simulated, counted = data.simulations[0].get("link_gbps"), metric_link_gbps(data.network)
    if throughput is not None and simulated is not None and counted is not None:
        throughput *= counted / simulated
    return delay_ns, throughput


def simulation_rows(computed: tuple[float | None, float | None], simulations: Sequence[Simulation]) -> list[list[str]]:
    """Return a table: latency at a low load and saturation of each design, and computed values for the best one."""
    rows = [["design", "load", "packets (ns)", "messages (ns)", "saturation throughput", "highest accepted"]]
    for index, simulation in enumerate(simulations):
        low, limit = simulation["low_load"], simulation["saturation"]
        rows.append(
            [
                "this design" if index == 0 else simulation["record"].removesuffix(".json"),
                f"{low['offered_load']:g}",
                with_width(low["network_latency_ns"]),
                with_width(low["message_latency_ns"]),
                "-" if limit is None else f"{limit['throughput']:.3f}",
                "-" if limit is None else f"{limit['largest_accepted']:.3f}",
            ]
        )
    delay, traffic = computed
    if computed != (None, None):
        cells = ["-" if delay is None else f"{delay:.1f}", "-", "-" if traffic is None else f"{traffic:.3f}", "-"]
        rows.append(["computed for this design", "0", *cells])
    return rows


def look_up_rows(simulation: Mapping[str, Any], plane_switches: Sequence[int]) -> list[list[str]]:
    """Return a table of look-ups at each load, and at the busiest ports at the highest one; empty if none are counted.

    Parameters
    ----------
    simulation
        Simulation results.
    plane_switches
        Number of switches of each plane.
    """
    runs = sorted((run for run in simulation["runs"] if "look_ups" in run), key=lambda run: run["offered_load"])
    if not runs:
        return []
    rows = [
        ["look-ups in routing tables", "all", "hits", "cold", "conflict", "capacity", "mean wait at the table (ns)"]
    ]
    first_switch = [0, *accumulate(plane_switches)]
    found = [(f"all ports at load {run['offered_load']:g}", run["look_ups"]) for run in runs]
    for port in runs[-1]["look_ups"]["busiest_ports"]:
        plane = bisect_right(first_switch, port["element"]) - 1
        switch = f"plane {plane}, switch {port['element'] - first_switch[plane]}, port {port['port']}"
        found.append((f"{switch}, at load {runs[-1]['offered_load']:g}", port))
    counts = ("look_ups", "hits", "cold_misses", "conflict_misses", "capacity_misses")
    for name, row in found:
        cells = ["-" if row[count] is None else f"{row[count]:,}" for count in counts]
        wait_ns = row["table_wait_ns"]
        rows.append([name, *cells, "-" if wait_ns is None else f"{wait_ns:.1f}"])
    return rows


def with_width(found: Mapping[str, float | None]) -> str:
    """Return a mean with half the width of its interval, if it has one."""
    mean, width = found["mean"], found["half_width"]
    if mean is None:
        return "-"
    return f"{mean:.1f}" if width is None else f"{mean:.1f} ± {width:.1f}"


def load_points(simulation: Mapping[str, Any]) -> list[LoadPoint]:
    """Return the runs of a simulation, by ascending load, without those in which nothing arrived.

    Latencies are in the network, and from the creation of the message.
    """
    found = []
    for run in simulation["runs"]:
        accepted, network, message = (
            run[name]["mean"] for name in ("accepted_load", "network_latency_ns", "message_latency_ns")
        )
        if None not in (accepted, network, message):
            stable = not run["saturated"] and run["deadlock"] is None
            found.append((run["offered_load"], accepted, network, message, stable))
    return sorted(found, key=lambda run: run[0])


def packets(
    delay_ns: float | None, throughput: float | None, simulation: Mapping[str, Any], pattern: str = "uniform"
) -> Part:
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
    _draw_latencies(left, [run for run in runs if run[-1]], delay_ns)
    _draw_accepted(right, runs, throughput)
    limit = simulation["saturation"]
    for axes, title in ((left, "mean latency (ns)"), (right, "accepted load")):
        if limit is not None:
            axes.axvline(limit["throughput"], color=LIGHT["alarm"], linewidth=1, linestyle=(0, (4, 3)))
        axes.set_xlim(left=0)
        axes.legend(loc="best")
        label(axes, f"offered load per node ({load_unit(simulation.get('link_gbps'))})", title, "both")
    limit_text = (
        ""
        if limit is None
        else ", and beyond the saturation throughput (dashed) the offered load exceeds what the network can carry"
    )
    traffic = "uniform random" if pattern == "uniform" else pattern
    return picture(
        figure,
        "packets",
        f"Packets under {traffic} traffic: latency grows as links fill{limit_text}.",
        [("offered_load", "accepted_load", "network_latency_ns", "message_latency_ns", "stable"), *runs],
    )


def _draw_latencies(axes: Axes, runs: Sequence[LoadPoint], delay_ns: float | None) -> None:
    offered, _, network_ns, message_ns, _ = zip(*runs, strict=True) if runs else [()] * 5
    for values, colour, name in (
        (network_ns, "plane0", "in the network"),
        (message_ns, "plane1", "from the creation of the message"),
    ):
        axes.plot(offered, values, "o-", color=LIGHT[colour], markersize=3.5, linewidth=1.4, label=name)
        points = list(zip(offered, values, strict=True))
        show_points(axes, points, [f"load {load:g}: {latency_ns:,.1f} ns {name}" for load, latency_ns in points])
    if delay_ns is not None:
        axes.axhline(delay_ns, color=LIGHT["muted"], linewidth=1, linestyle=":", label="delay, computed")
    if runs:
        # Latencies close to saturation would press all others against the axis.
        axes.set_ylim(0, HIGHEST * min(network_ns))


def _draw_accepted(axes: Axes, runs: Sequence[LoadPoint], traffic: float | None) -> None:
    offered = [run[0] for run in runs]
    axes.plot(offered, offered, color=LIGHT["line"], linewidth=1)
    if traffic is not None:
        axes.axhline(traffic, color=LIGHT["muted"], linewidth=1, linestyle=":", label="maximum traffic, computed")
    for stable, colour, name in ((True, "plane0", "stable"), (False, "alarm", "saturated")):
        chosen = [run for run in runs if run[-1] is stable]
        places = [run[0] for run in chosen], [run[1] for run in chosen]
        axes.plot(*places, "o", color=LIGHT[colour], markersize=4, label=name)
    axes.set_ylim(bottom=0)
    points = [(load, accepted) for load, accepted, *_ in runs]
    show_points(axes, points, [f"offered load {load:g}: accepted load {accepted:.4g}" for load, accepted in points])
