"""Load of each link for a traffic pattern, from the routes alone."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.node_classes import NodeGroups, node_groups, switch_classes
from isoplane.models.paths.path_shares import PathShares, base_parts, fixed_parts, paths_between
from isoplane.models.planes.detours import Detours
from isoplane.models.planes.route_steps import route_steps
from isoplane.models.policy import Policy

from ..hardware import Hardware
from ..traffic.permutations import Nodes

PAIRS = 1 << 20  # pairs of nodes whose routes are followed at a time


def busiest_of_all_pairs(
    network: Network, hardware: Hardware, policy: Policy, detours: tuple[Detours, ...] | None = None
) -> Fraction:
    """Return the utilisation of the busiest link if every node offers a load of 1, evenly to all others.

    With detours, by plane, each packet takes a random one of those between its source and its destination.
    """
    groups = node_groups(network)
    rated = any(plane.timing.node_rate_mbps is not None for plane in network.planes)  # rates may distinguish nodes
    classes = None if rated or detours is not None else switch_classes(network)
    labels, sources, ends = _labels(network), np.arange(len(groups.sender)), np.arange(len(groups.receiver))
    if classes is not None:  # the groups are the switches
        labels, sources, ends = [classes[0]] * len(network.planes), classes[1], classes[1]
    from_blocks = list(_blocks(sources, np.arange(len(groups.receiver))))
    # Links into the nodes of representatives carry what all others send, so pairs are followed from this end, too.
    to_blocks = [(senders, receivers) for receivers, senders in _blocks(ends, np.arange(len(groups.sender)))]
    parts = _parts_per_packet(network, policy, groups, [*from_blocks, *to_blocks])
    loads = _LinkLoads(network, labels, detours)
    for block in from_blocks:
        paths, pairs = _paths(network, policy, groups, *block), _pair_counts(groups, *block)
        share = parts // paths.denominator * paths.weight
        loads.walk(paths, share * pairs.ravel()[paths.pair])
        loads.send(paths, share * groups.receivers[block[1]][paths.pair % len(block[1])])
    for block in to_blocks:
        paths = _paths(network, policy, groups, *block)
        loads.receive(
            paths, parts // paths.denominator * paths.weight * groups.senders[block[0]][paths.pair // len(block[1])]
        )
    # So far a node sends to itself as well: these packets are taken off its links again.
    for nodes, load in ((groups.sender[sources], loads.send), (groups.receiver[ends], loads.receive)):
        self_paths = paths_between(network, nodes, nodes, policy)
        load(self_paths, -(parts // self_paths.denominator * self_paths.weight))
    loads.spread(groups)
    return loads.max_utilisation(hardware) / (parts * (network.nodes - 1))


def busiest_of_pairs(
    network: Network,
    source: Nodes,
    destination: Nodes,
    hardware: Hardware,
    policy: Policy,
    detours: tuple[Detours, ...] | None = None,
) -> Fraction:
    """Return the utilisation of the busiest link if the source of each pair offers a load of 1 to its destination.

    With detours, by plane, each packet takes a random one of those between its source and its destination.
    """
    distinct = source != destination
    source, destination = source[distinct], destination[distinct]
    if not len(source):
        return Fraction(0)
    paths = paths_between(network, source, destination, policy)
    share, loads = paths.parts // paths.denominator * paths.weight, _LinkLoads(network, _labels(network), detours)
    loads.walk(paths, share)
    loads.send(paths, share)
    loads.receive(paths, share)
    return loads.max_utilisation(hardware) / paths.parts


class _LinkLoads:
    """Loads of links, in parts of a packet: those between switches by label and port, those of nodes by node link.

    With detours, the traffic between switches is collected first, and loads are multiplied by the number of regions
    that a packet may take.
    """

    def __init__(self, network: Network, labels: list[Ints], detours: tuple[Detours, ...] | None = None) -> None:
        self.network, self.labels, self.detours = network, labels, detours
        self.between = [np.zeros((switches,) * 2, dtype=np.int64) for switches in network.plane_switches if detours]
        self.switch_loads = [
            np.zeros((int(label.max()) + 1, plane.topology.ports), dtype=np.int64)
            for plane, label in zip(network.planes, labels, strict=True)
        ]
        self.sent, self.received = (
            [np.zeros(len(plane.node_switch), dtype=np.int64) for plane in network.planes] for _ in range(2)
        )

    def walk(self, paths: PathShares, share: Ints) -> None:
        """Follow the routes of paths to their ends, and add the share of each to the loads of its links."""
        for number, plane in enumerate(self.network.planes):
            selected = np.flatnonzero((paths.plane == number) & (share > 0))
            start = plane.node_switch[paths.source_link[selected]].astype(np.int64)
            target = plane.routes.targets(plane.node_switch)[paths.destination_link[selected]]
            if self.detours is None:
                self._follow(number, start, target, share[selected])
            else:
                np.add.at(self.between[number], (start, target), share[selected])

    def _follow(self, number: int, start: Ints, target: Ints, amount: Ints) -> None:
        """Follow minimal routes of a plane, and add an amount to the loads of the links of each."""
        plane = self.network.planes[number]
        for active, switch, port in route_steps(plane.topology, plane.routes, start, target):
            self._add(number, switch, port, amount[active])

    def _add(self, number: int, switch: Ints, port: Ints, amount: Ints) -> None:
        load = self.switch_loads[number]
        load += _sum_at(self.labels[number][switch] * load.shape[1] + port, amount, load.size).reshape(load.shape)

    def _follow_detours(self, number: int, detours: Detours) -> None:
        """Follow the detours of the traffic between the switches of a plane."""
        topology = self.network.planes[number].topology
        first, second = split_over_regions(self.between[number], detours, detours.ends(topology)[0])
        for source, region, switch, port in detours.steps(topology):
            self._add(number, switch, port, first[source, region])
        start, target = (switch.astype(np.int64) for switch in np.nonzero(second))
        self._follow(number, start, target, second[start, target])

    def send(self, paths: PathShares, share: Ints) -> None:
        """Add the shares to the loads of the links out of the source nodes."""
        for number, sent in enumerate(self.sent):
            in_plane = paths.plane == number
            sent += _sum_at(paths.source_link[in_plane], share[in_plane], len(sent))

    def receive(self, paths: PathShares, share: Ints) -> None:
        """Add the shares to the loads of the links into the destination nodes."""
        for number, received in enumerate(self.received):
            in_plane = paths.plane == number
            received += _sum_at(paths.destination_link[in_plane], share[in_plane], len(received))

    def spread(self, groups: NodeGroups) -> None:
        """Copy the loads of the node links of the first node of each group to its other nodes."""
        for number, plane in enumerate(self.network.planes):
            for loads, first, group in (
                (self.sent, groups.sender, groups.of_node),
                (self.received, groups.receiver, groups.end_of_node),
            ):
                begin = plane.starts[first[group]]
                loads[number] = groups.of_node_links(number, plane.node, begin, loads[number][groups.order[number]])

    def max_utilisation(self, hardware: Hardware) -> Fraction:
        """Return the utilisation of the busiest link: its load over its rate, in units of `link_gbps`."""
        highest = Fraction(0)
        for number, plane in enumerate(self.network.planes):
            regions_between = 1
            if self.detours is not None:
                self._follow_detours(number, self.detours[number])
                # Detours split a packet over all regions but two, and loads are in these parts.
                regions_between = self.detours[number].regions - 2
            switch_load, rates = self.switch_loads[number], plane.timing.rate_mbps
            if rates is not None:
                switch_load = switch_load[self.labels[number]]
            highest = max(highest, _max_utilisation(switch_load, rates, hardware) / regions_between)
            if plane.node_cable_mm is None:
                continue
            for load in (self.sent[number], self.received[number]):
                highest = max(highest, _max_utilisation(load, plane.timing.node_rate_mbps, hardware))
        return highest


def _max_utilisation(load: Ints, rates: Ints | None, hardware: Hardware) -> Fraction:
    """Return the maximum load over rate."""
    if rates is None:
        return Fraction(int(load.max(initial=0)))
    unit_mbps = Fraction(hardware.link_gbps) * 1000
    used = np.unique(rates[load > 0])
    return max((int(load[rates == rate].max()) * unit_mbps / int(rate) for rate in used), default=Fraction(0))


def _sum_at(indices: Ints, amounts: Ints, size: int) -> Ints:
    """Return the sum of the amounts at each index, exactly: doubles would round beyond 2^53."""
    found = np.zeros(size, dtype=np.int64)
    np.add.at(found, indices, amounts)
    return found


def _labels(network: Network) -> list[Ints]:
    """Return a different label for each switch, by plane."""
    return [np.arange(switches) for switches in network.plane_switches]


def _paths(network: Network, policy: Policy, groups: NodeGroups, sources: Ints, ends: Ints) -> PathShares:
    """Return the paths from source groups to destination groups, pair by pair."""
    source, destination = np.repeat(groups.sender[sources], len(ends)), np.tile(groups.receiver[ends], len(sources))
    return paths_between(network, source, destination, policy)


def _pair_counts(groups: NodeGroups, sources: Ints, ends: Ints) -> Ints:
    """Return the number of (source, destination) pairs of nodes by pair of groups, as int64[sources, ends]."""
    self_pairs = np.where(groups.source_of[ends] == sources[:, None], groups.receivers[ends], 0)
    found: Ints = groups.senders[sources, None] * groups.receivers[ends] - self_pairs
    return found


def _parts_per_packet(network: Network, policy: Policy, groups: NodeGroups, blocks: list[tuple[Ints, Ints]]) -> int:
    """Return a number of parts per packet for which the share of every path between groups is a whole number."""
    fixed = fixed_parts(network, policy)
    if fixed is not None:
        return fixed
    return lcm(base_parts(network), *(_paths(network, policy, groups, *block).parts for block in blocks))


def _blocks(groups: Ints, others: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Yield `groups` in blocks, each with all `others`; a block has at most `PAIRS` pairs, or a single group."""
    step = max(1, PAIRS // len(others))
    for start in range(0, len(groups), step):
        yield groups[start : start + step], others


def split_over_regions(traffic: Ints, detours: Detours, entry: Ints) -> tuple[Ints, Ints]:
    """Return the traffic on both halves of detours, if every packet takes a random region.

    Each of R - 2 regions, those other than the two of source and destination, has the same share; traffic within a
    region takes the minimal route, which counts as a second half. The results are in units of 1 / (R - 2).

    Parameters
    ----------
    traffic : int64[switches, switches]
        Traffic from switch to switch.
    detours
        The regions.
    entry : int64[switches, regions]
        The switch where a route from a switch enters a region, as in `Detours.ends`.

    Returns
    -------
    int64[switches, regions], int64[switches, switches]
        Traffic from each switch to the entry of each region, and between switches on minimal routes.

    Examples
    --------
    >>> from isoplane.models.planes.detours import detours_by_switch
    >>> from isoplane.models.routing import hyperx_order
    >>> from isoplane.models.topologies import hyperx
    >>> detours = detours_by_switch(hyperx((4,)), hyperx_order((4,)))
    >>> traffic = np.zeros((4, 4), dtype=np.int64)
    >>> traffic[0, 3] = 5
    >>> first, second = split_over_regions(traffic, detours, np.tile(np.arange(4), (4, 1)))
    >>> first[0].tolist(), second[:, 3].tolist()  # over switch 1 or 2
    ([0, 5, 5, 0], [0, 5, 5, 0])
    """
    region, regions = detours.region, np.arange(detours.regions)
    within = region[:, None] == region
    detoured = np.where(within, 0, traffic)
    second = (detours.regions - 2) * np.where(within, traffic, 0)
    first = np.zeros((len(region), detours.regions), dtype=np.int64)
    for source in np.flatnonzero(detoured.any(axis=1)):
        over = np.where(regions[:, None] == region, 0, detoured[source])  # [region, destination]
        over[region[source]] = 0
        first[source] = over.sum(axis=1)
        np.add.at(second, entry[source], over)
    return first, second
