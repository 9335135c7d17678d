"""A workload on a network of switches, flit by flit, beside the fluid model."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from isoplane.models import MessageList, Network
from isoplane.models.files.exact_text import csv_text
from isoplane.models.policy import depends_on_queues
from isoplane.objectives.fluid import NetworkFluidModel
from isoplane.runs.terminal.table import columns, number
from isoplane.simulator import Hardware, Report, Simulation

from .tables import link_ends

BUSIEST = 5  # number of links and of switches reported
FLUID_TIMES = ("completion_ns", "completion_min_ns", "completion_max_ns", "bottleneck_ns")


def fluid_model(network: Network, hardware: Hardware, messages: MessageList) -> NetworkFluidModel | None:
    """Return the fluid model of messages; None if it does not cover the network or its hardware.

    It has the link rate of the hardware, and covers packets on minimal routes whose planes do not depend on queues.
    """
    if depends_on_queues(network.policy) or hardware.path_selection != "minimal":
        return None
    switch = replace(network.site.switch, link_gbps=hardware.link_gbps)
    return NetworkFluidModel(network.with_switch(switch), messages)


def messages_csv(
    simulation: Simulation, hardware: Hardware, messages: MessageList, fluid: NetworkFluidModel | None
) -> str:
    """Return all messages with the times at which they were created and arrived, in both models, as CSV.

    Times of messages that were not created or did not arrive are empty.
    """
    names = ["message", "source", "destination", "bytes", "created_ns", "arrived_ns", "fluid_arrived_ns"]
    ticks = simulation.listed_created(), simulation.listed_arrived()
    simulated_ns = [each.astype(np.float64) * float(hardware.tick_ns) for each in ticks]
    fluid_ns = np.full(messages.messages, -1.0) if fluid is None else fluid.arrivals_ns()
    times = ([f"{time:.3f}" if time >= 0 else "" for time in each] for each in (*simulated_ns, fluid_ns))
    ends = (messages.source.tolist(), messages.destination.tolist(), messages.length_bytes.tolist())
    return csv_text(names, zip(range(messages.messages), *ends, *times, strict=True))


def busiest_links(network: Network, report: Report) -> list[dict[str, Any]]:
    """Return the busiest links with the share of the time in which they sent."""
    order = np.argsort(-report.link_load, kind="stable")[:BUSIEST]
    keys = ("plane", "from", "to", "port")
    found = [(link_ends(network, *report.links[link].tolist())[:4], float(report.link_load[link])) for link in order]
    return [{**dict(zip(keys, ends, strict=True)), "load": load} for ends, load in found]


def waiting(network: Network, report: Report) -> list[dict[str, int]]:
    """Return the switches at which most packets waited for others, with the number of collisions."""
    counts = report.collisions_at[: sum(network.plane_switches)]
    order = [number for number in np.argsort(-counts, kind="stable")[:BUSIEST].tolist() if counts[number]]
    starts = np.cumsum((0, *network.plane_switches))
    planes = [int(np.searchsorted(starts, number, side="right")) - 1 for number in order]
    return [
        {"plane": plane, "switch": number - int(starts[plane]), "collisions": int(counts[number])}
        for number, plane in zip(order, planes, strict=True)
    ]


def workload_json(
    network: Network, name: str, messages: MessageList, report: Report, fluid: NetworkFluidModel | None
) -> dict[str, Any]:
    """Return the results as JSON data; messages are in `messages_csv`."""
    times = None if fluid is None else fluid.times()
    return {
        "name": name,
        "messages": messages.sent_messages,
        "completion_ns": report.completed_ns,
        "fluid": None if times is None else {key: getattr(times, key) for key in FLUID_TIMES},
        "busiest_links": busiest_links(network, report),
        "waiting": waiting(network, report),
    }


def workload_rows(found: Mapping[str, Any]) -> list[list[str]]:
    """Return the completion in both models as a table, from `workload_json`."""
    rows = [["", "flit by flit", "fluid model", "model error", "spread", "unit"]]
    simulated, fluid = found["completion_ns"], found["fluid"]
    exact = "-" if simulated is None else number(round(simulated))
    if fluid is None:
        return [*rows, ["completion_ns", exact, "-", "-", "-", "ns"]]
    modelled = fluid["completion_ns"]
    error = "-" if not simulated else f"{100 * (modelled / simulated - 1):+.2f} %"
    spread = (fluid["completion_max_ns"] - fluid["completion_min_ns"]) / modelled if modelled else 0.0
    rows.append(["completion_ns", exact, number(modelled), error, f"{100 * spread:.2f} %", "ns"])
    return [*rows, ["bottleneck_ns", "", number(fluid["bottleneck_ns"]), "", "", "ns"]]


def link_rows(links: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return the busiest links as a table, from `workload_json`."""
    rows = [[str(link["plane"]), link["from"], link["to"], f"{100 * link['load']:.1f} %"] for link in links]
    return [["plane", "busiest link from", "to", "busy"], *rows]


def waiting_rows(switches: Sequence[dict[str, int]]) -> list[list[str]]:
    """Return the switches where packets waited as a table, from `workload_json`; empty if none did."""
    rows = [[str(each["plane"]), f"s{each['switch']}", number(each["collisions"])] for each in switches]
    return [["plane", "packets waited at", "collisions"], *rows] if rows else []


def workload_text(found: Mapping[str, Any]) -> str:
    """Return the results as tables for a terminal."""
    tables = (workload_rows(found), link_rows(found["busiest_links"]), waiting_rows(found["waiting"]))
    return "\n".join(columns(rows) for rows in tables if rows)
