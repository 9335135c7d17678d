"""Packet simulation of a hybrid design: completions compared with the fluid model, arrivals, and the busiest links."""

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from isoplane.models import OpticalFamily
from isoplane.objectives import METRIC_TABLE
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.drawing import LIGHT, RELAY_COLOURS, label, new_figure, picture
from isoplane.runs.drawing.quantities import (
    NS_PER_MS,
    byte_unit,
    bytes_text,
    format_change,
    format_metric,
    format_significant,
)
from isoplane.runs.drawing.values import show_bars, show_points
from isoplane.runs.simulations.hybrid import COMPLETIONS

from ..designs.evaluated_circuits import with_circuits
from ..report_data import ReportData, Simulation

ORDER = 100
KINDS = ("circuits",)
NAMES = {
    "out": "out of node {source}",
    "in": "into node {destination}",
    "up": "up from group {source}",
    "down": "down to group {destination}",
    "cable": "switch {source} → {destination}",
    "circuit": "circuit {source} → {destination}",
}
MODELS = ("packets", "fluid")
SHOWN_MOMENTS = 80  # maximum number of points of a curve that show their values
FAR = 0.03  # relative difference from which an explanation is added


def block(data: ReportData) -> Block | None:
    """Return the section on the first simulation of a workload, if there is one."""
    if not data.simulations or "fluid" not in data.simulations[0]:
        return None
    found = data.simulations[0]
    note = Part.text(packet_note(found, with_circuits(data.design).hybrid), muted=True)
    return Block("packets", "Simulation results", [packets(found), note, Part.table(packet_rows(found))])


def packet_rows(simulation: Simulation) -> list[list[str]]:
    """Return a table: completions in the packet simulation and in the fluid model, and the busiest link."""
    rows = [["time", "packets (ms)", "fluid model (ms)", "error of the model"]]
    for name in COMPLETIONS.values():
        by_packets, by_flow = simulation[name], simulation["fluid"][name]
        rows.append(
            [
                METRIC_TABLE[name].title,
                format_metric(name, by_packets),
                format_metric(name, by_flow),
                format_change(by_flow, by_packets),
            ]
        )
    busiest = simulation["busiest_links"][0]
    busy = format_significant(busiest["busy_ns"] / NS_PER_MS)
    rows.append([f"Busiest link: {_name(busiest)}", busy, busy, ""])
    return rows


def packet_note(simulation: Simulation, hybrid: OpticalFamily) -> str:
    """Return a note on the simulation, and on reasons for a large error of the fluid model."""
    shorten = simulation["shorten"]
    notes = [f"Packets of at most {hybrid.packet_bytes:,} bytes."]
    if shorten > 1:
        notes.append(f"In both columns messages are shorter than those of the workload by a factor of {shorten:,}.")
    notes.append("The error of the fluid model is relative to the packet simulation.")
    runs, median = simulation.get("fluid_runs"), simulation["fluid"]["completion_ns"]
    if runs:
        spread = (runs["completion_ns"]["max"] - runs["completion_ns"]["min"]) / median
        notes.append(
            f"With relay by messages, the 9 runs of the fluid model differ by {100 * spread:.2g} % of their median."
        )
    if abs(simulation["fluid"]["completion_ns"] / simulation["completion_ns"] - 1) >= FAR:
        notes.append(
            "If many messages of the same length share links, all of them arrive, and are relayed, at once "
            "in the fluid model; packets arrive one after the other, so relays are staggered and links idle less."
        )
    return " ".join(notes)


def packets(simulation: Simulation) -> Part:
    """Draw the arrivals, and the busy times of the busiest links."""
    figure = new_figure(3.4)
    left, right = figure.subplots(1, 2)
    _arrivals(left, simulation["arrived"])
    _busiest(right, simulation)
    first, fluid, second, _ = left.get_lines()
    figure.legend(handles=[first, second, fluid], loc="outside upper left", ncols=3)
    return picture(
        figure,
        "packets",
        "On the left the bytes arrived, in the packet simulation and in the fluid model; on the right the times of the "
        "busiest links, up to the completion times (dashed, in the colours of the left chart).",
        _data(simulation),
    )


def _data(simulation: Simulation) -> list[tuple[object, ...]]:
    """Return the bytes arrived over time in both models, then the busiest links."""
    rows: list[tuple[object, ...]] = [("curve or link", "time_ns or busy_ns", "bytes_arrived")]
    for relay, name in COMPLETIONS.items():
        for model in MODELS:
            curve = simulation["arrived"][name][model]
            rows += [(f"{model}, relay by {relay}", *point) for point in zip(curve["ns"], curve["bytes"], strict=True)]
    return rows + [(_name(link), link["busy_ns"], "") for link in simulation["busiest_links"]]


def _arrivals(axes: Axes, arrived: Mapping[str, Any]) -> None:
    scale, unit = byte_unit(arrived["completion_ns"]["packets"]["bytes"][-1])
    for relay, name in COMPLETIONS.items():
        title, colour = f"packets, relay by {relay}", LIGHT[RELAY_COLOURS[relay]]
        _step(axes, arrived[name]["packets"], scale, label=title, color=colour, linewidth=1.6)
        _step(
            axes, arrived[name]["fluid"], scale, label="fluid model", color=LIGHT["ink"], linewidth=1.1, linestyle=":"
        )
    label(axes, "time (ms)", f"arrived ({unit})", "both")
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)


def _step(axes: Axes, curve: Mapping[str, Sequence[float]], scale: int, **style: Any) -> None:
    ms, delivered = (
        [0, *(value / unit for value in curve[key])] for key, unit in (("ns", NS_PER_MS), ("bytes", scale))
    )
    axes.step(ms, delivered, where="post", **style)
    points = list(zip(ms, delivered, strict=True))[:: -(-len(ms) // SHOWN_MOMENTS)]
    texts = [
        f"{style['label']}, after {format_significant(time)} ms: {bytes_text(scale * part)}" for time, part in points
    ]
    show_points(axes, points, texts)


def _busiest(axes: Axes, simulation: Simulation) -> None:
    links = simulation["busiest_links"][::-1]
    names, times = [_name(link) for link in links], [link["busy_ns"] / NS_PER_MS for link in links]
    bars = axes.barh(names, times, color=LIGHT["baseline"])
    pairs = zip(names, times, strict=True)
    show_bars(bars, [f"{name}: busy for {format_significant(busy_ms)} ms" for name, busy_ms in pairs])
    for relay, name in COMPLETIONS.items():
        axes.axvline(
            simulation[name] / NS_PER_MS, color=LIGHT[RELAY_COLOURS[relay]], linewidth=1.1, linestyle=(0, (4, 3))
        )
    label(axes, "busy (ms)", "", None)
    axes.grid(axis="x")
    axes.set_xlim(left=0)


def _name(link: Mapping[str, Any]) -> str:
    return NAMES[link["kind"]].format(**link)
