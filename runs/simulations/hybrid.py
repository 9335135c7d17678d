"""Packet simulation of a hybrid design under a workload, compared with the fluid model; its results as JSON and CSV."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import RELAYS, circuit_loads, circuit_times, model_of
from isoplane.objectives.fluid.circuit_model import RelayBy
from isoplane.simulator import HybridReport, simulate_hybrid
from isoplane.simulator.transfers.hybrid_links import HybridLink

COMPLETIONS: Mapping[RelayBy, str] = {"messages": "completion_ns", "packets": "completion_by_packets_ns"}
ENDS: Mapping[RelayBy, tuple[str, str]] = {
    "messages": ("completion_min_ns", "completion_max_ns"),
    "packets": ("completion_by_packets_min_ns", "completion_by_packets_max_ns"),
}
TIMED = tuple(name for relay in RELAYS for name in (COMPLETIONS[relay], *ENDS[relay]))  # metrics of the fluid model
MAX_PACKETS = 1 << 22  # over all links: a few seconds per relay mode
MIN_PACKETS = 100  # of the longest message after shortening: with fewer, filling the links takes noticeable time
BUSIEST = 10  # number of links reported
MAX_POINTS = 500  # of a curve


@dataclass(frozen=True)
class RelayRun:
    """Results of a workload with one relay mode: of the packet simulation and of the fluid model.

    Attributes
    ----------
    report
        Results of the packet simulation.
    fluid_ns, fluid_min_ns, fluid_max_ns
        Completion by the fluid model: median, shortest and longest of its runs.
    fluid_arrived_ns : float64[messages]
        Arrival time of each message in the fluid model.
    """

    report: HybridReport
    fluid_ns: int
    fluid_min_ns: int
    fluid_max_ns: int
    fluid_arrived_ns: NDArray[np.float64]

    @property
    def completion_ns(self) -> float:
        """Completion time in the packet simulation."""
        return float(self.report.completion_ns)

    @property
    def error(self) -> float:
        """Return the error of the fluid model, relative to the packet simulation."""
        return self.fluid_ns / self.completion_ns - 1

    @property
    def spread(self) -> float:
        """Return the spread of the runs of the fluid model, relative to their median."""
        return (self.fluid_max_ns - self.fluid_min_ns) / self.fluid_ns


@dataclass(frozen=True)
class HybridSimulation:
    """Packet simulation of a design with both relay modes.

    Attributes
    ----------
    workload
        The workload sent: messages are shorter than those of the given one by the factor `shorten`.
    by_relay
        Results by relay mode.
    """

    workload: Workload
    shorten: int
    by_relay: Mapping[RelayBy, RelayRun]

    @property
    def busiest(self) -> list[tuple[HybridLink, int, float]]:
        """The busiest links, with their bytes and busy time in ns; the same for both relay modes."""
        report = self.by_relay["messages"].report
        # Stable: of equally busy links, those with the lowest numbers.
        order = np.argsort(-report.link_busy_ns, kind="stable")[:BUSIEST]
        return [(report.links[i], int(report.link_bytes[i]), float(report.link_busy_ns[i])) for i in order]

    @property
    def summary(self) -> str:
        """The completions in one line."""
        completions = [
            f"relay by {relay} {found.completion_ns / 1e6:.5g} ms, fluid model {100 * found.error:+.2f} % "
            f"(spread {100 * found.spread:.2f} %)"
            for relay, found in self.by_relay.items()
        ]
        shorter = f"; messages shorter by a factor of {self.shorten}" if self.shorten > 1 else ""
        return f"completion with {'; '.join(completions)}{shorter}"


def simulated(
    design: Design, workload: Workload, shorten: int = 1, on_progress: Callable[[RelayBy, float], None] | None = None
) -> HybridSimulation:
    """Simulate a workload on a hybrid design packet by packet, with both relay modes.

    Parameters
    ----------
    design, workload
        What is simulated.
    shorten
        Factor by which messages are shorter than those of the workload.
    on_progress
        Called several times per second with the relay mode and the share of messages that have arrived.
    """
    scaled, (circuits, placement) = workload.scaled(shorten), design.assignment
    network, exact, messages = design.network, circuit_times(design, scaled), scaled.message_list()
    found: dict[RelayBy, RelayRun] = {}
    for relay in RELAYS:
        progress = None if on_progress is None else partial(on_progress, relay)
        model = model_of(network, scaled, relay)
        report = simulate_hybrid(
            model.hybrid, circuits, messages, placement, relay, on_progress=progress, site=network.site
        )
        arrived = model.arrivals_ns(circuits, placement)
        median, least, most = (getattr(exact, name) for name in (COMPLETIONS[relay], *ENDS[relay]))
        found[relay] = RelayRun(report, median, least, most, arrived)
    return HybridSimulation(scaled, shorten, found)


def quick_factor(design: Design, workload: Workload) -> int:
    """Return the factor by which messages are shortened so that a simulation takes seconds.

    The longest message keeps at least `MIN_PACKETS` packets, unless it has fewer.

    Examples
    --------
    >>> from isoplane.models import Circuits, Hybrid, Network
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import stencil
    >>> design = Design(Network(Hybrid()), Circuits(), by_switch(128))
    >>> quick_factor(design, stencil()), quick_factor(design, stencil(message_bytes=400_000))
    (14, 1)
    """
    hybrid = model_of(design.network, workload, "messages").hybrid
    packet, longest = hybrid.packet_bytes, int(workload.length_bytes.max())
    packets = sum(map(sum, circuit_loads(design, workload).all())) / packet
    return max(1, min(-int(-packets // MAX_PACKETS), longest // (MIN_PACKETS * packet)))


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
