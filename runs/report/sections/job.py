"""A workload simulated on a network of switches: its time, the busiest links, and where packets waited."""

from collections.abc import Mapping
from typing import Any

from isoplane.objectives import METRIC_TABLE
from isoplane.runs.drawing.block import Block, Part
from isoplane.runs.drawing.quantities import format_change, format_metric, unit_of
from isoplane.runs.simulations.workload_run import link_rows, waiting_rows

from ..report_data import ReportData, Simulation
from .packets import with_width

ORDER = 101


def block(data: ReportData) -> Block | None:
    """Return the section on the workload of a simulation."""
    found = data.simulations[0].get("workload") if data.simulations else None
    if found is None:
        return None
    tables = {
        "Times": time_rows(found, data.simulations[0]),
        "Busiest links": link_rows(found["busiest_links"]),
        "Where packets waited": waiting_rows(found["waiting"]),
    }
    title = f"Workload {found['name']}, {found['messages']:,} messages, flit by flit"
    parts = [Part.table(rows, heading=heading) for heading, rows in tables.items() if rows]
    return Block("job", title, parts)


def time_rows(workload: Mapping[str, Any], simulation: Simulation) -> list[list[str]]:
    """Return the completion in both models, and the mean latencies of packets and of messages."""
    rows = [["time", "unit", "flit by flit", "fluid model", "error of the model"]]
    simulated, fluid = workload["completion_ns"], workload["fluid"] or {}
    for name in ("completion_ns", "bottleneck_ns"):
        exact, model = simulated if name == "completion_ns" else None, fluid.get(name)
        change = "" if exact is None or model is None else format_change(model, exact)
        cells = [format_metric(name, exact), format_metric(name, model), change or "–"]
        rows.append([METRIC_TABLE[name].title, unit_of(name), *cells])
    for run in simulation["runs"]:
        for title, name in (("packets in the network", "network_latency_ns"), ("messages", "message_latency_ns")):
            rows.append([f"Mean latency of {title}", "ns", with_width(run[name]), "–", "–"])
    return rows
