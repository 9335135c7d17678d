"""What packets see of a hybrid design under a workload, beside what the fluid model says."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import RELAYS, exact_times, loads_of, model_of
from isoplane.objectives.fluid.model import RelayBy
from isoplane.simulator import HybridReport, simulate_hybrid
from isoplane.simulator.transfers import HybridLink

COMPLETIONS: Mapping[RelayBy, str] = {"messages": "completion_ns", "packets": "completion_by_packets_ns"}
ENDS: Mapping[RelayBy, tuple[str, str]] = {
    "messages": ("completion_min_ns", "completion_max_ns"),
    "packets": ("completion_by_packets_min_ns", "completion_by_packets_max_ns"),
}
TIMED = tuple(name for relay in RELAYS for name in (COMPLETIONS[relay], *ENDS[relay]))  # what the fluid model tells
MAX_PACKETS = 1 << 22  # over all links: a few seconds for each way to relay
LEAST_PACKETS = 100  # that are left of the longest message: with fewer of them, filling the links takes its time
BUSIEST = 10  # links that are told


@dataclass(frozen=True)
class Relayed:
    """A workload with one way to relay: by packets, and by the fluid model.

    Attributes
    ----------
    report
        What packets saw.
    fluid_ns, fluid_min_ns, fluid_max_ns
        Completion by the fluid model: median, shortest and longest of its runs.
    fluid_arrived_ns : float64[messages]
        When each message arrives there.
    """

    report: HybridReport
    fluid_ns: int
    fluid_min_ns: int
    fluid_max_ns: int
    fluid_arrived_ns: NDArray[np.float64]

    @property
    def completion_ns(self) -> float:
        """Completion by packets."""
        return float(self.report.completion_ns)

    @property
    def error(self) -> float:
        """Return the error of the fluid model, relative to packets."""
        return self.fluid_ns / self.completion_ns - 1

    @property
    def spread(self) -> float:
        """Return how far the runs of the fluid model lie apart, relative to their median."""
        return (self.fluid_max_ns - self.fluid_min_ns) / self.fluid_ns


@dataclass(frozen=True)
class HybridSimulation:
    """What packets saw of a design.

    Attributes
    ----------
    workload
        What was sent: messages of the workload that was asked for, shorter by the factor `shorten`.
    by
        Both ways to relay.
    """

    workload: Workload
    shorten: int
    by: Mapping[RelayBy, Relayed]

    @property
    def busiest(self) -> list[tuple[HybridLink, int, float]]:
        """The links that are busy longest, with their bytes and how long that is in ns; the same for both relays."""
        report = self.by["messages"].report
        order = np.argsort(-report.link_busy_ns, kind="stable")[:BUSIEST]
        return [(report.links[i], int(report.link_bytes[i]), float(report.link_busy_ns[i])) for i in order]

    @property
    def says(self) -> str:
        """The completions in one line."""
        said = [
            f"relay by {relay} {found.completion_ns / 1e6:.5g} ms, fluid model {100 * found.error:+.2f} % "
            f"(spread {100 * found.spread:.2f} %)"
            for relay, found in self.by.items()
        ]
        shorter = f"; messages shorter by a factor of {self.shorten}" if self.shorten > 1 else ""
        return f"completion with {'; '.join(said)}{shorter}"


def simulated(
    design: Design, workload: Workload, shorten: int = 1, watch: Callable[[RelayBy, float], None] | None = None
) -> HybridSimulation:
    """Send a workload over a hybrid design packet by packet, with both ways to relay.

    Parameters
    ----------
    design, workload
        What is simulated.
    shorten
        By which factor messages are shorter than those of the workload.
    watch
        Is told several times each second how messages are relayed and which share of them has arrived.

    Raises
    ------
    InputError
        If they do not fit together.
    """
    sent, (circuits, placement) = workload.scaled(shorten), design.assigned
    exact, messages = exact_times(design, sent), sent.message_list()
    found: dict[RelayBy, Relayed] = {}
    for relay in RELAYS:
        told = None if watch is None else partial(watch, relay)
        report = simulate_hybrid(design.network.hybrid, circuits, messages, placement, relay, watch=told)
        arrived = model_of(design.network.hybrid, sent, relay).arrivals_ns(circuits, placement)
        median, least, most = (getattr(exact, name) for name in (COMPLETIONS[relay], *ENDS[relay]))
        found[relay] = Relayed(report, median, least, most, arrived)
    return HybridSimulation(sent, shorten, found)


def quick_factor(design: Design, workload: Workload) -> int:
    """Return how much shorter messages have to be for a simulation of seconds, but not so short that they look unlike.

    Examples
    --------
    >>> from isoplane.models import Circuits, Hybrid, Network
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import stencil
    >>> design = Design(Network(Hybrid()), Circuits(), by_switch(128))
    >>> quick_factor(design, stencil()), quick_factor(design, stencil(message_bytes=400_000))
    (14, 1)
    """
    packet, longest = design.network.hybrid.packet_bytes, int(workload.length_bytes.max())
    packets = sum(map(sum, loads_of(design, workload).all())) / packet
    return max(1, min(-int(-packets // MAX_PACKETS), longest // (LEAST_PACKETS * packet)))
