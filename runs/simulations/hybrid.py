"""Packet simulation of a hybrid design under a workload, compared with the fluid model; its results as JSON and CSV."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Design
from isoplane.models.arrays import Floats
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import RELAYS, circuit_loads, circuit_times, model_of
from isoplane.objectives.fluid.circuits.model import RelayBy
from isoplane.objectives.fluid.times import Times
from isoplane.runs.terminal.interrupt import INTERRUPT
from isoplane.runs.terminal.live_line import LiveLine
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
class HybridSimulation:
    """Packet simulation of a design with both relay modes, beside the fluid model.

    Attributes
    ----------
    workload
        The workload sent: messages are shorter than those of the given one by the factor `shorten`.
    reports
        Results of the packet simulation, by relay mode.
    fluid
        Times by the fluid model.
    fluid_arrived_ns : float64[messages] by relay mode
        Arrival time of each message in the fluid model.
    """

    workload: Workload
    shorten: int
    reports: Mapping[RelayBy, HybridReport]
    fluid: Times
    fluid_arrived_ns: Mapping[RelayBy, Floats]

    def completion_ns(self, relay: RelayBy) -> float:
        """Return the completion time in the packet simulation."""
        return float(self.reports[relay].completion_ns)

    def fluid_ns(self, relay: RelayBy) -> tuple[int, int, int]:
        """Return the completion time by the fluid model: median, shortest and longest of its runs."""
        median, least, most = (getattr(self.fluid, name) for name in (COMPLETIONS[relay], *ENDS[relay]))
        return median, least, most

    def error(self, relay: RelayBy) -> float:
        """Return the error of the fluid model, relative to the packet simulation."""
        return self.fluid_ns(relay)[0] / self.completion_ns(relay) - 1

    def spread(self, relay: RelayBy) -> float:
        """Return the spread of the runs of the fluid model, relative to their median."""
        median, least, most = self.fluid_ns(relay)
        return (most - least) / median

    @property
    def busiest(self) -> list[tuple[HybridLink, int, float]]:
        """The busiest links, with their bytes and busy time in ns; the same for both relay modes."""
        report = self.reports["messages"]
        # Stable: of equally busy links, those with the lowest numbers.
        order = np.argsort(-report.link_busy_ns, kind="stable")[:BUSIEST]
        return [(report.links[i], int(report.link_bytes[i]), float(report.link_busy_ns[i])) for i in order]

    @property
    def summary(self) -> str:
        """The completions in one line."""
        completions = [
            f"relay by {relay} {self.completion_ns(relay) / 1e6:.5g} ms, fluid model {100 * self.error(relay):+.2f} % "
            f"(spread {100 * self.spread(relay):.2f} %)"
            for relay in RELAYS
        ]
        shorter = f"; messages shorter by a factor of {self.shorten}" if self.shorten > 1 else ""
        return f"completion with {'; '.join(completions)}{shorter}"


@contextmanager
def live_progress(what: str) -> Iterator[Callable[[str], None]]:
    """Yield what shows the progress of a simulation on standard error, and raises KeyboardInterrupt after Ctrl-C.

    Parameters
    ----------
    what
        Name of the simulation.
    """
    with closing(LiveLine(shown_at=time.monotonic())) as line:

        def show(text: str) -> None:
            if INTERRUPT.requested:
                raise KeyboardInterrupt
            if line.due():
                line.show_timed(f"{what}, {text}")

        yield show


def simulated(design: Design, workload: Workload, shorten: int, show: Callable[[str], None]) -> HybridSimulation:
    """Simulate a workload on a hybrid design packet by packet, with both relay modes.

    Parameters
    ----------
    design, workload
        What is simulated.
    shorten
        Factor by which messages are shorter than those of the workload.
    show
        Called with the progress in words, again and again; what it raises ends the simulation.
    """
    scaled, (circuits, placement) = workload.scaled(shorten), design.assignment
    network, messages = design.network, scaled.message_list()
    reports, arrived_ns = dict[RelayBy, HybridReport](), dict[RelayBy, Floats]()

    def on_progress(relay: RelayBy, share: float) -> None:
        show(f"relay by {relay}: {100 * share:.0f} % of the messages have arrived")

    fluid = circuit_times(design, scaled)
    for relay in RELAYS:
        model = model_of(network, scaled, relay)
        progress = partial(on_progress, relay)
        reports[relay] = simulate_hybrid(
            model.hybrid, circuits, messages, placement, relay, on_progress=progress, site=network.site
        )
        arrived_ns[relay] = model.arrivals_ns(circuits, placement)
    return HybridSimulation(scaled, shorten, reports, fluid, arrived_ns)


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
    fluid = {name: simulation.fluid_ns(relay) for relay, name in COMPLETIONS.items()}
    return {
        "shorten": simulation.shorten,
        **{name: simulation.completion_ns(relay) for relay, name in COMPLETIONS.items()},
        "fluid": {name: median for name, (median, _, _) in fluid.items()},
        "fluid_runs": {name: {"min": least, "max": most} for name, (_, least, most) in fluid.items()},
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
            name: {
                "packets": _curve(simulation.reports[relay].arrived_ns, lengths),
                "fluid": _curve(simulation.fluid_arrived_ns[relay], lengths),
            }
            for relay, name in COMPLETIONS.items()
        },
    }


def _curve(arrived_ns: Floats, lengths: NDArray[np.int64]) -> dict[str, list[float]]:
    """Return the bytes arrived over time at up to `MAX_POINTS` arrivals, including the last."""
    order = np.argsort(arrived_ns, kind="stable")
    points = np.linspace(0, len(order) - 1, min(len(order), MAX_POINTS)).round().astype(np.int64)
    moments, delivered = arrived_ns[order][points], np.cumsum(lengths[order])[points]
    return {"ns": [round(float(moment), 3) for moment in moments], "bytes": delivered.tolist()}


def messages_csv(simulation: HybridSimulation) -> str:
    """Return the arrival times of all messages, as CSV."""
    messages = simulation.workload.message_list()
    lines = ["message,source,destination,bytes,arrived_ns,arrived_by_packets_ns"]
    arrived = [simulation.reports[relay].arrived_ns for relay in RELAYS]
    for i in range(messages.messages):
        ends = f"{messages.source[i]},{messages.destination[i]},{messages.length_bytes[i]}"
        lines.append(f"{i},{ends},{arrived[0][i]:.3f},{arrived[1][i]:.3f}")
    return "".join(f"{line}\n" for line in lines)


def links_csv(simulation: HybridSimulation) -> str:
    """Return the bytes and busy time of each link, as CSV."""
    report = simulation.reports["messages"]
    lines = ["kind,source,destination,gbps,bytes,busy_ns"]
    for link, carried, busy in zip(report.links, report.link_bytes, report.link_busy_ns, strict=True):
        lines.append(f"{link.kind},{link.source},{link.destination},{float(link.gbps):g},{carried},{busy:.3f}")
    return "".join(f"{line}\n" for line in lines)
