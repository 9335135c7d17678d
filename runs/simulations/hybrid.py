"""Packet simulation of a hybrid design under a workload, compared with the fluid model."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Design
from isoplane.models.family_kinds.optical import optical_of
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import RELAYS, exact_times, loads_of, model_of
from isoplane.objectives.fluid.model import RelayBy
from isoplane.simulator import HybridReport, simulate_hybrid
from isoplane.simulator.transfers.hybrid_link import HybridLink

COMPLETIONS: Mapping[RelayBy, str] = {"messages": "completion_ns", "packets": "completion_by_packets_ns"}
ENDS: Mapping[RelayBy, tuple[str, str]] = {
    "messages": ("completion_min_ns", "completion_max_ns"),
    "packets": ("completion_by_packets_min_ns", "completion_by_packets_max_ns"),
}
TIMED = tuple(name for relay in RELAYS for name in (COMPLETIONS[relay], *ENDS[relay]))  # metrics of the fluid model
MAX_PACKETS = 1 << 22  # over all links: a few seconds per relay mode
MIN_PACKETS = 100  # of the longest message after shortening: with fewer, filling the links takes noticeable time
BUSIEST = 10  # number of links reported


@dataclass(frozen=True)
class Relayed:
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
    by_relay: Mapping[RelayBy, Relayed]

    @property
    def busiest(self) -> list[tuple[HybridLink, int, float]]:
        """The busiest links, with their bytes and busy time in ns; the same for both relay modes."""
        report = self.by_relay["messages"].report
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

    Raises
    ------
    InputError
        If they do not fit together.
    """
    scaled, (circuits, placement) = workload.scaled(shorten), design.assignment
    exact, messages = exact_times(design, scaled), scaled.message_list()
    found: dict[RelayBy, Relayed] = {}
    for relay in RELAYS:
        progress = None if on_progress is None else partial(on_progress, relay)
        network = design.network
        report = simulate_hybrid(
            optical_of(network), circuits, messages, placement, relay, on_progress=progress, site=network.site
        )
        arrived = model_of(design.network, scaled, relay).arrivals_ns(circuits, placement)
        median, least, most = (getattr(exact, name) for name in (COMPLETIONS[relay], *ENDS[relay]))
        found[relay] = Relayed(report, median, least, most, arrived)
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
    packet, longest = optical_of(design.network).packet_bytes, int(workload.length_bytes.max())
    packets = sum(map(sum, loads_of(design, workload).all())) / packet
    return max(1, min(-int(-packets // MAX_PACKETS), longest // (MIN_PACKETS * packet)))
