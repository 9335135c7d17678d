"""What the page of a simulation answers first: how long a workload takes, or how much traffic a network carries."""

from collections.abc import Mapping
from typing import Any

from isoplane.runs.drawing.block import Part
from isoplane.runs.drawing.quantities import format_change, format_metric, format_number, unit_of
from isoplane.runs.simulations.hybrid import COMPLETIONS
from isoplane.runs.simulations.link_unit import load_unit

from .kinds import words_of
from .report_data import ReportData

TIME = "completion_ns"

LATENCIES = {"Latency in the network": "network_latency_ns", "Latency of messages": "message_latency_ns"}

Answer = tuple[str, list[Part], str]  # a sentence, the large numbers at the top, and the key of the first section


def answer(data: ReportData) -> Answer | None:
    """Return what the page of a simulation answers; None for other pages, also of searches that simulate."""
    if data.summary is not None or not data.simulations:
        return None
    first = data.simulations[0]
    if "fluid" in first:
        return _packet_by_packet(data, first)
    if first.get("workload"):
        return _flit_by_flit(data, first["workload"])
    return _traffic(data, first)


def _time(value_ns: float | None) -> str:
    return f"{format_metric(TIME, value_ns)} {unit_of(TIME)}"


def _time_figure(title: str, value_ns: float | None, fluid_ns: float | None = None) -> Part:
    """Return a time, and that of the fluid model with its error, as in the table of the section on the simulation."""
    before = ("", "", "")
    if value_ns is not None and fluid_ns is not None:
        before = _time(fluid_ns), f"error {format_change(fluid_ns, value_ns)}", "same"
    return Part.key_figure(title, format_metric(TIME, value_ns), unit_of(TIME), "fluid model", before)


def _flit_by_flit(data: ReportData, workload: Mapping[str, Any]) -> Answer:
    """Return the time of a workload that was sent flit by flit."""
    took_ns, fluid = workload[TIME], workload["fluid"] or {}
    ends = "does not end" if took_ns is None else f"takes {_time(took_ns)}"
    model = f", {_time(fluid[TIME])} in the fluid model" if fluid else ""
    figures = [_time_figure("Completion, flit by flit", took_ns, fluid.get(TIME))]
    if fluid:
        figures.append(_time_figure("Bottleneck time", fluid["bottleneck_ns"]))
    busiest = max((link["load"] for link in workload["busiest_links"]), default=0.0)
    figures.append(Part.key_figure("Busiest link sends", f"{100 * busiest:.1f}", "% of the time"))
    figures.append(Part.key_figure("Messages", f"{workload['messages']:,}", "sent"))
    return f"{workload['name']} {ends} on {data.network.title}{model}", figures, "job"


def _packet_by_packet(data: ReportData, simulation: Mapping[str, Any]) -> Answer:
    """Return the time of a workload that was sent packet by packet."""
    fluid, name = simulation["fluid"], "the workload" if data.workload is None else data.workload.name
    shorter = f", its messages {simulation['shorten']:,} times as short," if simulation["shorten"] > 1 else ""
    took = f"takes {_time(simulation[TIME])} packet by packet, {_time(fluid[TIME])} in the fluid model"
    figures = [
        _time_figure(f"Completion, relay by {relay}", simulation[metric], fluid[metric])
        for relay, metric in COMPLETIONS.items()
    ]
    figures.append(_time_figure("Busiest link sends", simulation["busiest_link_ns"]))
    return f"{words_of(data.network).subject(data)}: {name}{shorter} {took}", figures, "packets"


def _traffic(data: ReportData, simulation: Mapping[str, Any]) -> Answer:
    """Return how much traffic a network carries, and the latency at the lowest load."""
    low, limit = simulation["low_load"], simulation["saturation"]
    pattern = simulation.get("traffic", "uniform").replace("_", " ")
    parts, figures, gbps = [], list[Part](), simulation.get("link_gbps")
    link = "the link rate" if gbps is None else f"a link of {gbps:g} Gbit/s"
    if limit is not None:
        parts.append(f"saturates at {format_number(limit['throughput'], 3)} of {link} per node")
        for title, key in (("Saturation throughput", "throughput"), ("Highest accepted load", "largest_accepted")):
            figures.append(Part.key_figure(title, format_number(limit[key], 3), load_unit(gbps)))
    load = f"load {low['offered_load']:g}"
    for title, name in LATENCIES.items():
        if (mean_ns := low[name]["mean"]) is not None:
            figures.append(Part.key_figure(f"{title}, {load}", format_number(mean_ns, 1), "ns"))
            if name == "network_latency_ns":
                parts.append(f"packets take {format_number(mean_ns, 1)} ns at {load}")
    subject = words_of(data.network).subject(data)
    return f"{subject} under {pattern} traffic: {', '.join(parts) or 'nothing arrived'}", figures, "packets"
