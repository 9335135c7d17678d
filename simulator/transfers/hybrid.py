"""Packet-level simulation of a workload on a hybrid network of packet switches and circuits."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList, OpticalFamily, Site
from isoplane.models.checks import check_int
from isoplane.models.circuits import Circuits
from isoplane.models.network import NO_SITE
from isoplane.models.placement import Placement, by_switch

from .._native import PacketNetwork
from .hybrid_links import HybridLink
from .transfer_plan import common_tick_ns, transfer_plan
from .transfers import links_of, transfers_of

RELAYS = ("messages", "packets")
EVENTS = 1 << 18  # per native call: about a tenth of a second
MAX_WINDOW = 1 << 16


@dataclass(frozen=True, eq=False)
class HybridReport:
    """Results of a workload on a hybrid network.

    Attributes
    ----------
    tick_ns
        The unit of time, chosen such that all times are whole ticks.
    arrived_ticks : int64[messages]
        Arrival time of the last bit of each message.
    links
        All links, each in one direction.
    link_bytes : int64[links]
        Number of bytes carried by each link.
    """

    tick_ns: Fraction
    arrived_ticks: NDArray[np.int64]
    links: tuple[HybridLink, ...]
    link_bytes: NDArray[np.int64]

    @property
    def completion_ns(self) -> Fraction:
        """Arrival time of the last message."""
        return int(self.arrived_ticks.max()) * self.tick_ns

    @property
    def arrived_ns(self) -> NDArray[np.float64]:
        """Arrival time of each message."""
        return self.arrived_ticks.astype(np.float64) * float(self.tick_ns)

    @property
    def link_busy_ns(self) -> NDArray[np.float64]:
        """Busy time of each link: its bytes over its rate."""
        return np.array([8 * int(b) / float(link.gbps) for b, link in zip(self.link_bytes, self.links, strict=True)])


def simulate_hybrid(
    hybrid: OpticalFamily,
    circuits: Circuits,
    messages: MessageList,
    placement: Placement | None = None,
    relay: Literal["messages", "packets"] = "messages",
    window_packets: int | None = None,
    on_progress: Callable[[float], None] | None = None,
    site: Site = NO_SITE,
) -> HybridReport:
    """Send all messages of a workload over a hybrid network, packet by packet.

    Messages follow the forwarding tables (`distance_vector`), in packets of `packet_bytes` of the network. Nodes and
    switches keep the packets of each transfer in a separate queue of limited capacity; a link serves its non-empty
    queues round-robin, packet by packet, and a packet is sent when the next queue has room for it. Switches and
    relaying nodes cut through; a packet that arrives over a slow link leaves gaps on a fast one, which other packets
    fill. So an uncontended transfer of B bytes takes

    8·B / (slowest rate) + (delays of its links and switches).

    Parameters
    ----------
    hybrid, circuits
        The network.
    messages
        Messages between its processes, and their dependencies.
    placement
        By default process i on node i.
    relay
        ``messages``: a node relays a message once it has arrived completely, so each segment is a transfer;
        ``packets``: it relays each packet as it arrives.
    window_packets
        Capacity of a queue in packets, 1..65536. By default one more than a node sends in a credit round trip.
    on_progress
        Receives the fraction of messages that have arrived, several times per second; may raise to end the simulation.
    site
        The site, for a family that uses it.

    Raises
    ------
    InputError
        If the arguments are inconsistent, a value is out of range, or no tick divides all rates and delays; or if there
        are several paths between two nodes, as in several planes.

    References
    ----------
    Takizawa, Endo and Matsuoka, sections 2 and 3. Hahne, Round-Robin Scheduling for Max-Min Fairness in Data Networks,
    1991: per-transfer queues with windows, served round-robin, give transfers max-min fair rates.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> hybrid, work = Hybrid(2, 2), stencil((2, 2), 1_250_000, iterations=1)
    >>> report = simulate_hybrid(hybrid, Circuits(((0, 2), (1, 3))), work.message_list())
    >>> report.completion_ns, [int(report.link_bytes[link]) for link in (0, 8, 12)]  # out of 0, up from 0, 0 to 2
    (Fraction(1000460, 1), [1250000, 0, 1250000])
    """
    placement = by_switch(hybrid.nodes) if placement is None else placement
    links = links_of(hybrid, circuits, site)
    window = _window(hybrid, links, site) if window_packets is None else window_packets
    _check(hybrid, messages, placement, relay, window)
    transfers = transfers_of(hybrid, circuits, messages, placement, relay == "messages", site)
    tick_ns = common_tick_ns(links, messages)
    network = PacketNetwork(transfer_plan(links, transfers, messages, tick_ns, hybrid.packet_bytes, window))
    last = np.array(transfers.last)
    while not network.run(EVENTS):  # returns often enough for Ctrl-C to work
        if on_progress is not None:
            on_progress(float((network.arrived()[last] >= 0).mean()))
    arrived = network.arrived()[last]
    return HybridReport(tick_ns, arrived, tuple(links), network.link_bytes().astype(np.int64))


def _window(hybrid: OpticalFamily, links: Sequence[HybridLink], site: Site) -> int:
    """Return one more than the packets that a node sends in one packet time plus the credit round trip."""
    round_trip_ns = max(link.delay_ns + link.wire_ns for link in links)
    packet_ns = 8 * hybrid.packet_bytes / hybrid.max_node_gbps(site)
    return min(2 + ceil(round_trip_ns / packet_ns), MAX_WINDOW)


def _check(hybrid: OpticalFamily, messages: MessageList, placement: Placement, relay: str, window: int) -> None:
    if messages.nodes != hybrid.nodes:
        raise InputError(f"workload.processes={messages.nodes}: expected one for each of {hybrid.nodes} nodes")
    if len(placement.nodes) != hybrid.nodes:
        raise InputError(f"placement: {len(placement.nodes)} processes; expected {hybrid.nodes}")
    if relay not in RELAYS:
        raise InputError(f"network.relay={relay}: expected {', '.join(RELAYS)}")
    check_int("window_packets", window, 1, MAX_WINDOW)
