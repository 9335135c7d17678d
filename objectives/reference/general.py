"""Exact values of any network: igraph distances, routes walked link by link, cables counted one by one."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.arrays import Ints

from .graph import distances, topology_graph
from .links import cables_of, slowness_of
from .plane_steps import NO_PORT, is_carried, link_delay, next_port, node_delay, switch_delay
from .transfers.sharing import FAR, carrying_planes, path_shares

Attachment = tuple[tuple[tuple[int, ...], ...], ...]  # switch and delay of each link of a node, per plane

SOURCES = 256  # per call of the shortest-path search


@dataclass(frozen=True)
class GeneralReference:
    """Exact values behind the metrics of any network; length, delay and cost are None without a layout.

    Attributes
    ----------
    total_hops
        Σ over ordered pairs of nodes, including a node with itself: under ``nearest`` of their distances, else of the
        mean hops over the paths of a packet.
    diameter
        Largest distance between two nodes, in hops.
    peak_load
        Packets over the busiest link between switches if every node sends one to every node, scaled by the ratio of the
        rate of node links to the rate of the link.
    hop_parts, parts
        Multipliers that make `total_hops` and `peak_load` integers.
    cable_length_mm
        Σ of the lengths of all cables between switches.
    delay, max_delay
        Mean delay over ordered pairs, and the largest one of a path, in delay units (`SwitchModel.units`).
    cost_cents, longest_cable_mm
        Price of the whole network; length of its longest cable, those of nodes included.
    miss_rate
        Share of all look-ups that miss a cache, if every node sends a packet to every node.
    """

    total_hops: Fraction
    diameter: int
    peak_load: Fraction
    hop_parts: int
    parts: int
    cable_length_mm: int | None = None
    delay: Fraction | None = None
    cost_cents: int | None = None
    max_delay: Fraction | None = None
    miss_rate: Fraction = Fraction(0)
    longest_cable_mm: int | None = None


def measure_general(network: Network) -> GeneralReference:
    """Return the exact values of any network; a thousand switches take seconds.

    Raises
    ------
    InputError
        If the catalogue lacks a required cable or interface, or the policy depends on queues.
    RuntimeError
        If a route does not reach its destination, or a pair of nodes is not connected.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> measure_general(dual_cube(3, (3, 5, 7), nodes_per_switch=1, layout=None)).peak_load
    Fraction(3, 2)
    """
    walks = _Walks(network)
    walks.walk_all()
    if network.site.switch.cache is not None:
        walks.look_up()
    total, diameter = _distances(network, walks)
    parts = lcm(*range(1, len(network.planes) + 1), *walks.loads)
    slower, slower_parts = slowness_of(network)
    peak = max((walks.load(plane) * slower[plane]).max(initial=Fraction(0)) for plane in range(len(network.planes)))
    nearest = network.policy == "nearest"
    hops = Fraction(total) if nearest else walks.hops
    found = hops, diameter, Fraction(peak), 1 if nearest else parts, parts * slower_parts
    miss_rate = walks.missed / (walks.hops + network.nodes**2)  # a packet looks up in one switch more than its hops
    if network.site.layout is None:
        return GeneralReference(*found, miss_rate=miss_rate)
    length_mm, cost_cents, longest_mm = cables_of(network)
    delay, largest = walks.delay / walks.scale / network.nodes**2, Fraction(walks.largest, walks.scale)
    return GeneralReference(*found, length_mm, delay, cost_cents, largest, miss_rate, longest_mm)


def _distances(network: Network, walks: "_Walks") -> tuple[int, int]:
    """Return the sum and the maximum over ordered pairs of nodes of the distance over their nearest links."""
    total = diameter = 0
    attachments = len(walks.attachments)
    for start in range(0, attachments, SOURCES):
        nearest = np.full((min(SOURCES, attachments - start), attachments), FAR)
        for number in carrying_planes(network):
            attachment_of, switch = walks.attachment_of[number], walks.switch[number]
            selected = np.flatnonzero((attachment_of >= start) & (attachment_of < start + SOURCES))
            hops = distances(topology_graph(network.planes[number]), switch[selected].tolist())[:, switch]
            np.minimum.at(nearest, (attachment_of[selected][:, None] - start, attachment_of[None]), hops)
        if nearest.max() == FAR:
            raise RuntimeError("two nodes have no plane in common")
        total += int(walks.senders[start : start + SOURCES] @ nearest @ walks.senders)
        diameter = max(diameter, int(nearest.max()))
    return total, diameter


class _Walks:
    """All routes of a network, walked in parallel from all attachments to one destination at a time."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.units = network.delay_units
        senders = Counter(self._links(node, False) for node in range(network.nodes))
        self.attachments: list[Attachment] = list(senders)
        self.senders = np.array(list(senders.values()))
        planes = range(len(network.planes))
        counts = [[len(attachment[number]) for attachment in self.attachments] for number in planes]
        self.attachment_of = [np.repeat(np.arange(len(self.attachments)), each) for each in counts]
        self.slot = [np.concatenate([[0], *map(np.arange, each)]).astype(np.int64)[1:] for each in counts]
        self.switch = [
            np.array([link[0] for attachment in self.attachments for link in attachment[number]], dtype=np.int64)
            for number in planes
        ]
        self.send_delay = [
            np.array([link[1] for attachment in self.attachments for link in attachment[number]], dtype=np.int64)
            for number in planes
        ]
        # Of each link: the misses at the port to which it leads, in 1 / `scale` of the packets, and their destinations.
        self.scale = 1
        self.misses = [np.zeros(plane.topology.peer.shape, dtype=object) for plane in network.planes]
        self.node_misses = [np.zeros(len(switch), dtype=object) for switch in self.switch]
        self.destinations = [np.zeros(plane.topology.peer.shape, dtype=np.int64) for plane in network.planes]
        self.node_destinations = [np.zeros(len(switch), dtype=np.int64) for switch in self.switch]
        self._start()

    def _start(self) -> None:
        self.loads: dict[int, list[Ints]] = {}  # by the number of units per packet
        self.hops, self.delay, self.missed, self.largest = Fraction(0), Fraction(0), Fraction(0), 0

    def look_up(self) -> None:
        """Walk again, with the look-ups of packets that miss the cache of a port: 1 - M / t of t > M destinations."""
        cache = self.network.site.switch.cache
        assert cache is not None
        # A node sends no packets to itself.
        of_nodes = [counts - (counts > 0) for counts in self.node_destinations]
        counts = {int(count) for values in (*self.destinations, *of_nodes) for count in values.ravel()}
        self.scale = lcm(*(count for count in counts if count > cache.entries))
        rates = {count: self.scale - self.scale * cache.entries // count for count in counts if count > cache.entries}
        for misses, values in zip((*self.misses, *self.node_misses), (*self.destinations, *of_nodes), strict=True):
            misses[...] = np.reshape([rates.get(count, 0) for count in values.ravel().tolist()], misses.shape)
        self._start()
        self.walk_all()

    def _links(self, node: int, receives: bool) -> Attachment:
        """Return switch, delay and, for a receiver, routing target of all links of a node."""
        found = []
        for plane in self.network.planes:
            links = range(int(plane.starts[node]), int(plane.starts[node + 1]))
            targets_of = plane.node_switch if plane.routes.column is None else plane.routes.column
            ends = [(int(plane.node_switch[link]), node_delay(plane, link, self.units)) for link in links]
            targets = [(int(targets_of[link]),) if receives else () for link in links]
            found.append(tuple(sorted(end + target for end, target in zip(ends, targets, strict=True))))
        return tuple(found)

    def load(self, plane: int) -> NDArray[np.object_]:
        """Return the packets over each link of a plane, as exact fractions."""
        zero = np.full(self.network.planes[plane].topology.peer.shape, Fraction(0), dtype=object)
        return sum((loads[plane].astype(object) * Fraction(1, parts) for parts, loads in self.loads.items()), zero)

    def walk_all(self) -> None:
        """Walk from all attachments to every node; nodes with equal links in all planes form one destination."""
        receivers = Counter(self._links(node, True) for node in range(self.network.nodes))
        for links, nodes in receivers.items():
            self._walk_to(links, nodes)

    def _walk_to(self, ends: Attachment, receivers: int) -> None:
        planes = self.network.planes
        walks = [[self._routes(number, end) for end in ends[number]] for number in range(len(planes))]
        lengths = []
        for number, found in enumerate(walks):
            slots = int(self.slot[number].max(initial=-1)) + 1
            lengths.append(np.full((len(self.attachments), slots, len(found)), FAR))
            for i, ((_, length, _), end) in enumerate(zip(found, ends[number], strict=True)):
                taken = is_carried(planes[number], self.switch[number], end[2])
                lengths[number][self.attachment_of[number], self.slot[number], i] = np.where(taken, length, FAR)
        for number, (weight, denominator) in enumerate(path_shares(self.network, lengths)):
            is_reached, is_sending = self.destinations[number] < 0, self.node_destinations[number] < 0
            for i, (links, length, delay) in enumerate(walks[number]):
                attachment = self.attachment_of[number]
                path = attachment, self.slot[number], i
                sent = weight[path] * self.senders[attachment] * receivers
                self._count(number, sent, denominator[path], links, length, delay)
                is_sending |= sent > 0
                for walker, switch, port in links:
                    is_reached[switch[sent[walker] > 0], port[sent[walker] > 0]] = True
                self.largest = max([self.largest, *delay[sent > 0].tolist()])
            self.destinations[number] += receivers * is_reached
            self.node_destinations[number] += receivers * is_sending

    def _count(
        self,
        number: int,
        sent: Ints,
        denominator: Ints,
        links: list[tuple[Ints, Ints, Ints]],
        length: Ints,
        delay: Ints,
    ) -> None:
        """Add the traffic over the paths to one link of a destination, `sent` in 1 / `denominator` packets."""
        for parts in np.unique(denominator[sent > 0]).tolist():
            units = np.where(denominator == parts, sent, 0)
            shapes = [plane.topology.peer.shape for plane in self.network.planes]
            loads = self.loads.setdefault(parts, [np.zeros(shape, dtype=np.int64) for shape in shapes])
            for walker, switch, port in links:
                np.add.at(loads[number], (switch, port), units[walker])
                self._miss(units[walker], self.misses[number][switch, port], parts)
            self._miss(units, self.node_misses[number], parts)
            self.hops += Fraction(int(units @ length), parts)
            self.delay += Fraction(int(units @ delay), parts)

    def _miss(self, units: Ints, misses: Ints, parts: int) -> None:
        if self.scale > 1:
            self.missed += Fraction(int(units.astype(object) @ misses), parts * self.scale)

    def _routes(self, number: int, end: tuple[int, ...]) -> tuple[list[tuple[Ints, Ints, Ints]], Ints, Ints]:
        """Return (walker, switch, port) arrays of each step, and the length and delay of each route."""
        plane, (target_switch, receive_delay, target) = self.network.planes[number], end
        start = self.switch[number]
        links: list[tuple[Ints, Ints, Ints]] = []
        switch, walker, length = start.copy(), np.arange(len(start)), np.zeros(len(start), dtype=np.int64)
        # The endpoint delay without its switch and two node links is the delay of the packet itself.
        packet = self.units.endpoint - self.units.hop - 2 * (plane.node_cable_mm or 0) * self.units.cable_mm
        delay = packet + self.send_delay[number] + receive_delay + switch_delay(plane, start, self.units)
        if self.scale > 1:
            delay = delay.astype(object) * self.scale + self.units.lookup * self.node_misses[number]
        while True:
            port = next_port(plane, start[walker], switch, target, target_switch, len(links))
            walker, switch, port = walker[port != NO_PORT], switch[port != NO_PORT], port[port != NO_PORT]
            if not len(walker):
                return links, length, delay
            exists = port < plane.topology.ports
            peer = np.where(exists, plane.topology.peer[switch, np.where(exists, port, 0)], -1).astype(np.int64)
            # A route with as many hops as there are switches has visited one of them twice.
            if (peer < 0).any() or len(links) >= plane.topology.switches:
                lost = walker[np.argmin(peer)]
                raise RuntimeError(f"the route from switch {start[lost]} to switch {target_switch} does not arrive")
            links.append((walker, switch, port))
            length[walker] += 1
            hop = link_delay(plane, switch, port, self.units) + switch_delay(plane, peer, self.units)
            if self.scale > 1:  # Python's integers: the scale may have hundreds of digits
                hop = hop.astype(object) * self.scale + self.units.lookup * self.misses[number][switch, port]
            delay[walker] += hop
            switch = peer
