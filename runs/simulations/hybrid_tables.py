"""Results of the packet simulation of a hybrid design, as JSON and CSV."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoplane.objectives.fluid import RELAYS

from .hybrid import COMPLETIONS, HybridSimulation

MAX_POINTS = 500  # of a curve


def hybrid_json(simulation: HybridSimulation) -> dict[str, Any]:
    """Return a simulation as JSON data; arrivals are reduced to a curve of the bytes arrived."""
    lengths = simulation.workload.message_list().length_bytes
    return {
        "shorten": simulation.shorten,
        **{COMPLETIONS[relay]: found.completion_ns for relay, found in simulation.by_relay.items()},
        "fluid": {COMPLETIONS[relay]: found.fluid_ns for relay, found in simulation.by_relay.items()},
        "fluid_runs": {
            COMPLETIONS[relay]: {"min": found.fluid_min_ns, "max": found.fluid_max_ns}
            for relay, found in simulation.by_relay.items()
        },
        "busiest_link_ns": simulation.busiest[0][2],
        "busiest_links": [
            {
                "kind": link.kind,
                "source": link.source,
                "destination": link.destination,
                "bytes": carried,
                "busy_ns": busy_ns,
            }
            for link, carried, busy_ns in simulation.busiest
        ],
        "arrived": {
            COMPLETIONS[relay]: {
                "packets": _curve(found.report.arrived_ns, lengths),
                "fluid": _curve(found.fluid_arrived_ns, lengths),
            }
            for relay, found in simulation.by_relay.items()
        },
    }


def _curve(arrived_ns: NDArray[np.float64], lengths: NDArray[np.int64]) -> dict[str, list[float]]:
    """Return the bytes arrived over time at up to `MAX_POINTS` arrivals, including the last."""
    order = np.argsort(arrived_ns, kind="stable")
    points = np.linspace(0, len(order) - 1, min(len(order), MAX_POINTS)).round().astype(np.int64)
    moments, delivered = arrived_ns[order][points], np.cumsum(lengths[order])[points]
    return {"ns": [round(float(moment), 3) for moment in moments], "bytes": delivered.tolist()}


def messages_csv(simulation: HybridSimulation) -> str:
    """Return the arrival times of all messages, as CSV."""
    messages = simulation.workload.message_list()
    lines = ["message,source,destination,bytes,arrived_ns,arrived_by_packets_ns"]
    arrived = [simulation.by_relay[relay].report.arrived_ns for relay in RELAYS]
    for i in range(messages.messages):
        ends = f"{messages.source[i]},{messages.destination[i]},{messages.length_bytes[i]}"
        lines.append(f"{i},{ends},{arrived[0][i]:.3f},{arrived[1][i]:.3f}")
    return "".join(f"{line}\n" for line in lines)


def links_csv(simulation: HybridSimulation) -> str:
    """Return the bytes and busy time of each link, as CSV."""
    report = simulation.by_relay["messages"].report
    lines = ["kind,source,destination,gbps,bytes,busy_ns"]
    for link, carried, busy in zip(report.links, report.link_bytes, report.link_busy_ns, strict=True):
        lines.append(f"{link.kind},{link.source},{link.destination},{float(link.gbps):g},{carried},{busy:.3f}")
    return "".join(f"{line}\n" for line in lines)
