"""How much of a traffic each link carries, from the routes alone."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.node_groups import NodeGroups, alike, node_groups
from isoplane.models.policy import Policy
from isoplane.models.routing.route_steps import route_steps
from isoplane.models.ways import Ways, base_parts, fixed_parts, ways_between

from .hardware import Hardware
from .permutations import Nodes

Ints = NDArray[np.int64]

PAIRS = 1 << 20  # pairs of nodes whose routes are walked at once


def busiest_of_all_pairs(network: Network, hardware: Hardware, policy: Policy) -> Fraction:
    """Return how busy the busiest link is when every node offers 1 to all others evenly."""
    groups = node_groups(network)
    rated = any(plane.timing.node_rate_mbps is not None for plane in network.planes)  # they may tell nodes apart
    found = None if rated else alike(network)
    labels, first, last = _labels(network), np.arange(len(groups.sender)), np.arange(len(groups.receiver))
    if found is not None:  # the groups are the switches
        labels, first, last = [found[0]] * len(network.planes), found[1], found[1]
    from_some = list(_blocks(first, np.arange(len(groups.receiver))))
    to_some = [(sources, ends) for ends, sources in _blocks(last, np.arange(len(groups.sender)))]
    parts = _parts(network, policy, groups, [*from_some, *to_some])
    uses = _Uses(network, labels)
    for block in from_some:
        ways, packets = _ways(network, policy, groups, *block), _packets(groups, *block)
        share = parts // ways.of * ways.weight
        uses.walk(ways, share * packets.ravel()[ways.pair])
        uses.send(ways, share * groups.receivers[block[1]][ways.pair % len(block[1])])
    for block in to_some:
        ways = _ways(network, policy, groups, *block)
        uses.receive(ways, parts // ways.of * ways.weight * groups.senders[block[0]][ways.pair // len(block[1])])
    for nodes, use in ((groups.sender[first], uses.send), (groups.receiver[last], uses.receive)):
        themselves = ways_between(network, nodes, nodes, policy)
        use(themselves, -(parts // themselves.of * themselves.weight))
    uses.spread(groups)
    return uses.busiest(hardware) / (parts * (network.nodes - 1))


def busiest_of_permutation(network: Network, table: Nodes, hardware: Hardware, policy: Policy) -> Fraction:
    """Return how busy the busiest link is when every node offers 1 to its destination in a table."""
    source = np.flatnonzero(table != np.arange(network.nodes))
    if not len(source):
        return Fraction(0)
    ways = ways_between(network, source, table[source], policy)
    share, uses = ways.parts // ways.of * ways.weight, _Uses(network, _labels(network))
    uses.walk(ways, share)
    uses.send(ways, share)
    uses.receive(ways, share)
    return uses.busiest(hardware) / ways.parts


class _Uses:
    """What links carry, in parts of a packet: those between switches by label, those of nodes by node link."""

    def __init__(self, network: Network, labels: list[Ints]) -> None:
        self.network, self.labels = network, labels
        self.between = [
            np.zeros((int(label.max()) + 1, plane.topology.ports), dtype=np.int64)
            for plane, label in zip(network.planes, labels, strict=True)
        ]
        self.sent, self.received = (
            [np.zeros(len(plane.node_switch), dtype=np.int64) for plane in network.planes] for _ in range(2)
        )

    def walk(self, ways: Ways, share: Ints) -> None:
        """Follow the routes of ways to their ends, and add what takes them to the use of every link."""
        for number, plane in enumerate(self.network.planes):
            here = np.flatnonzero((ways.plane == number) & (share > 0))
            start = plane.node_switch[ways.source_link[here]]
            target = plane.routes.targets(plane.node_switch)[ways.destination_link[here]]
            use, amount = self.between[number], share[here]
            for which, switch, port in route_steps(plane.topology, plane.routes, start, target):
                flat = self.labels[number][switch] * use.shape[1] + port
                use += _sums(flat, amount[which], use.size).reshape(use.shape)

    def send(self, ways: Ways, share: Ints) -> None:
        """Add what leaves over the links of nodes."""
        for number, sent in enumerate(self.sent):
            own = ways.plane == number
            sent += _sums(ways.source_link[own], share[own], len(sent))

    def receive(self, ways: Ways, share: Ints) -> None:
        """Add what arrives over the links of nodes."""
        for number, received in enumerate(self.received):
            own = ways.plane == number
            received += _sums(ways.destination_link[own], share[own], len(received))

    def spread(self, groups: NodeGroups) -> None:
        """Give the links of all nodes what those of the first node of their group carry."""
        for number, plane in enumerate(self.network.planes):
            for uses, first, group in (
                (self.sent, groups.sender, groups.of_node),
                (self.received, groups.receiver, groups.end_of_node),
            ):
                begin = plane.starts[first[group]]
                uses[number] = groups.of_node_links(number, plane.node, begin, uses[number][groups.order[number]])

    def busiest(self, hardware: Hardware) -> Fraction:
        """Return the use of the busiest link over its rate, in units of the hardware's rate."""
        found = Fraction(0)
        for number, plane in enumerate(self.network.planes):
            between, rates = self.between[number], plane.timing.rate_mbps
            if rates is not None:
                between = between[self.labels[number]]
            found = max(found, _most(between, rates, hardware))
            if plane.node_cable_mm is None:
                continue
            for use in (self.sent[number], self.received[number]):
                found = max(found, _most(use, plane.timing.node_rate_mbps, hardware))
        return found


def _most(use: Ints, rates: Ints | None, hardware: Hardware) -> Fraction:
    """Return the largest use over a rate."""
    if rates is None:
        return Fraction(int(use.max(initial=0)))
    full = Fraction(hardware.link_gbps) * 1000
    used = np.unique(rates[use > 0])
    return max((int(use[rates == rate].max()) * full / int(rate) for rate in used), default=Fraction(0))


def _sums(places: Ints, amounts: Ints, size: int) -> Ints:
    """Return the sum of the amounts at each place, exactly: doubles would round beyond 2^53."""
    found = np.zeros(size, dtype=np.int64)
    np.add.at(found, places, amounts)
    return found


def _labels(network: Network) -> list[Ints]:
    return [np.arange(switches) for switches in network.plane_switches]


def _ways(network: Network, policy: Policy, groups: NodeGroups, sources: Ints, ends: Ints) -> Ways:
    """Return the ways from some groups of nodes to some ends, pair by pair."""
    here, there = np.repeat(groups.sender[sources], len(ends)), np.tile(groups.receiver[ends], len(sources))
    return ways_between(network, here, there, policy)


def _packets(groups: NodeGroups, sources: Ints, ends: Ints) -> Ints:
    """Return how many nodes of some sources send to how many others of some ends, as int64[sources, ends]."""
    themselves = np.where(groups.source_of[ends] == sources[:, None], groups.receivers[ends], 0)
    found: Ints = groups.senders[sources, None] * groups.receivers[ends] - themselves
    return found


def _parts(network: Network, policy: Policy, groups: NodeGroups, blocks: list[tuple[Ints, Ints]]) -> int:
    """Return the parts of a packet of which all ways between groups have a whole number."""
    fixed = fixed_parts(network, policy)
    if fixed is not None:
        return fixed
    return lcm(base_parts(network), *(_ways(network, policy, groups, *block).parts for block in blocks))


def _blocks(some: Ints, others: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield some groups at a time, as many as can be paired with all others at once, and the others."""
    step = max(1, PAIRS // len(others))
    for start in range(0, len(some), step):
        yield some[start : start + step], others
