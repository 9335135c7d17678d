"""A workload on a network of switches, flit by flit, beside the fluid model."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from isoplane.models import MessageList, Network
from isoplane.models.arrays import Floats
from isoplane.objectives.fluid import NetworkFluidModel
from isoplane.objectives.fluid.times import Times
from isoplane.runs.terminal.table import columns, number
from isoplane.simulator import Hardware, Report, Simulation

from .tables import csv, link_ends

BUSIEST = 5  # number of links and of switches reported


@dataclass(frozen=True, eq=False)
class WorkloadRun:
    """Results of the messages of a workload.

    Attributes
    ----------
    messages
        The messages between nodes.
    created_ns, arrived_ns : float64[messages]
        Times in the simulation; negative for messages that were not created or did not arrive.
    report
        The report of the simulation.
    fluid, fluid_arrived_ns
        Times by the fluid model; None if it does not cover the network or its hardware.
    """

    messages: MessageList
    created_ns: Floats
    arrived_ns: Floats
    report: Report
    fluid: Times | None
    fluid_arrived_ns: Floats | None


def workload_run(
    network: Network, hardware: Hardware, messages: MessageList, simulation: Simulation, report: Report
) -> WorkloadRun:
    """Return the results of a simulation of messages that has ended, with those of the fluid model.

    The fluid model has the link rate of the hardware. It covers packets on minimal routes whose planes do not depend on
    queues.
    """
    tick_ns = float(hardware.tick_ns)
    created, arrived = (
        ticks.astype(np.float64) * tick_ns for ticks in (simulation.listed_created(), simulation.listed_arrived())
    )
    if network.policy == "adaptive" or hardware.path_selection != "minimal":
        return WorkloadRun(messages, created, arrived, report, None, None)
    switch = replace(network.site.switch, link_gbps=hardware.link_gbps)
    model = NetworkFluidModel(Network(network.family, replace(network.site, switch=switch)), messages)
    return WorkloadRun(messages, created, arrived, report, model.times(), model.arrivals_ns())


def messages_csv(run: WorkloadRun) -> str:
    """Return all messages with the times at which they were created and arrived, in both models, as CSV."""
    of = run.messages
    names = ["message", "source", "destination", "bytes", "created_ns", "arrived_ns", "fluid_arrived_ns"]
    fluid = np.full(of.messages, -1.0) if run.fluid_arrived_ns is None else run.fluid_arrived_ns
    times = ([f"{time:.3f}" if time >= 0 else "" for time in each] for each in (run.created_ns, run.arrived_ns, fluid))
    ends = (of.source.tolist(), of.destination.tolist(), of.length_bytes.tolist())
    return csv(names, zip(range(of.messages), *ends, *times, strict=True))


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


def workload_json(network: Network, run: WorkloadRun, name: str) -> dict[str, Any]:
    """Return the results as JSON data; messages are in `messages_csv`."""
    fluid = run.fluid
    return {
        "name": name,
        "messages": run.messages.sent_messages,
        "completion_ns": run.report.completed_ns,
        "fluid": None
        if fluid is None
        else {
            "completion_ns": fluid.completion_ns,
            "completion_min_ns": fluid.completion_min_ns,
            "completion_max_ns": fluid.completion_max_ns,
            "bottleneck_ns": fluid.bottleneck_ns,
        },
        "busiest_links": busiest_links(network, run.report),
        "waiting": waiting(network, run.report),
    }


def workload_rows(found: Mapping[str, Any]) -> list[list[str]]:
    """Return the completion in both models as a table, from `workload_json`."""
    rows = [["", "flit by flit", "fluid model", "difference", "spread", "unit"]]
    simulated, fluid = found["completion_ns"], found["fluid"]
    exact = "-" if simulated is None else number(round(simulated))
    if fluid is None:
        return [*rows, ["completion_ns", exact, "-", "-", "-", "ns"]]
    modelled = fluid["completion_ns"]
    difference = "-" if not simulated else f"{100 * (modelled / simulated - 1):+.2f} %"
    spread = (fluid["completion_max_ns"] - fluid["completion_min_ns"]) / modelled if modelled else 0.0
    rows.append(["completion_ns", exact, number(modelled), difference, f"{100 * spread:.2f} %", "ns"])
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
