"""The permutation traffic that loads a link of a routed network most."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.node_classes import GroupLinks, NodeGroups, node_groups
from isoplane.models.planes.route_steps import first_ports
from isoplane.objectives.general import LinkLoads, all_to_all_loads

from .group_matching import completed, match_groups, matching_limit, paired_nodes
from .route_use import Mask, RouteUse, route_use

MAX_STEPS = 1 << 20  # hops of all routes between groups of nodes: about a second, and 50 MB
HEAVIEST_LINKS, NEAREST_SENDERS, NEAREST_ENDS = 8, 512, 512
HEAVIEST_LINKS_OF_LARGE, LARGE_SWITCHES = 3, 1024


@dataclass(frozen=True, eq=False)
class WorstPermutation:
    """A permutation in which every node sends to one node, and the load of the busiest link.

    Parameters
    ----------
    load
        Packet times on that link per packet of every node, in packet times on the reference link; links of nodes count.
    is_exact
        Whether no permutation has a higher load; else it is the worst one found.
    destination : int64[nodes]
        The node to which each node sends.
    """

    load: Fraction
    is_exact: bool
    destination: Ints

    @property
    def throughput(self) -> Fraction | None:
        """Rate of every node at which the busiest link saturates, in capacities of the reference link.

        It is None if no link carries load.
        """
        return 1 / self.load if self.load else None


def worst_permutation(network: Network) -> WorstPermutation:
    """Find the permutation traffic with the lowest throughput under the routes and the policy of a network.

    Routes are oblivious, so that the worst permutation for one link is a matching of sources and destinations with the
    largest sum of the shares of their packets that take the link. All links are examined, one for all equivalent ones,
    if the routes have at most a million hops in total; otherwise the 8 of them with the highest all-to-all loads (3
    above 1,024 switches), with the sources nearest to each, and the nearest destinations to which its switch forwards
    over it. A node may be
    matched with itself, over no link.

    Raises
    ------
    InputError
        If a route does not lead to its destination, no plane connects a pair of nodes, the policy is ``adaptive``, or
        only some links state a rate.

    References
    ----------
    Towles and Dally, Worst-case traffic for oblivious routing functions, 2002.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> worst = worst_permutation(Network(Torus(shape=(6,))))  # over a link: 3 hops from 1 source, 2 or 3 from 2 others
    >>> worst.load, worst.is_exact
    (Fraction(3, 1), True)
    """
    loads = all_to_all_loads(network)
    groups = node_groups(network, loads.rates.node_link)  # one packet of a node can be the worst on a slow link of it
    steps = loads.weighted_sum(tuple(np.ones_like(plane.cable_mm) for plane in network.planes)) // loads.parts
    steps = steps * len(groups.senders) * len(groups.receivers) // network.nodes**2
    is_exact = steps <= MAX_STEPS
    uses = _all_uses(network, groups, loads) if is_exact else _heaviest_uses(network, groups, loads)
    best, node_time, pairs = 0, 0, [(0, 0)]
    for time, use, part in uses:
        if use.node_time > node_time:
            node_time, node_pair = use.node_time, use.node_pair
        problem = use.sender[part], use.end[part], use.units[part], groups.senders, groups.receivers
        # The limit takes two sums, a matching a flow: links that cannot exceed the best are not matched.
        if time * matching_limit(*problem) > best:
            units, found = match_groups(*problem)
            if time * units > best:
                best, pairs = time * units, paired_nodes(groups.of_node, groups.end_of_node, found)
    # The links of two nodes need only one packet, so one pair reaches the load whatever the others do.
    if node_time > best:
        best, pairs = node_time, [_distinct_nodes(groups, *node_pair)]
    return WorstPermutation(Fraction(best, loads.peak_parts), is_exact, completed(network.nodes, pairs))


def _all_uses(network: Network, groups: NodeGroups, loads: LinkLoads) -> Iterator[tuple[int, RouteUse, slice]]:
    """Yield the time on each link and its uses, the links with the highest limits first."""
    masks = _masks(network, loads)
    every, ends = np.arange(len(groups.senders)), np.arange(len(groups.receivers))
    use = route_use(network, groups, loads.rates, loads.parts, masks, every, ends)
    time = np.concatenate([times[mask] for times, mask in zip(loads.rates.link, masks, strict=True)])
    start = np.searchsorted(use.link, np.arange(len(time) + 1))
    found = []
    for link, (first, last) in enumerate(zip(start[:-1].tolist(), start[1:].tolist(), strict=True)):
        part = slice(first, last)
        limit = matching_limit(use.sender[part], use.end[part], use.units[part], groups.senders, groups.receivers)
        found.append((-limit * int(time[link]), int(time[link]), part))
    yield 1, use, slice(0, 0)  # for the links of nodes
    for _, link_time, part in sorted(found, key=lambda each: each[0]):
        yield link_time, use, part


def _masks(network: Network, loads: LinkLoads) -> tuple[Mask, ...]:
    """Return the links of one switch of each class of equivalent ones."""
    masks = []
    for plane, label in zip(network.planes, loads.label, strict=True):
        mask = np.zeros(plane.topology.peer.shape, dtype=np.bool_)
        mask[np.unique(label, return_index=True)[1]] = True
        masks.append(mask & (plane.topology.peer >= 0))
    return tuple(masks)


def _heaviest_uses(network: Network, groups: NodeGroups, loads: LinkLoads) -> Iterator[tuple[int, RouteUse, slice]]:
    """Yield the time on each of the links with the highest loads and its uses by the nearest groups of nodes."""
    masks = _masks(network, loads)
    packets = [loads.packets(number)[mask] for number, mask in enumerate(masks)]
    places = [(number, *at) for number, mask in enumerate(masks) for at in np.argwhere(mask).tolist()]
    count = HEAVIEST_LINKS if sum(network.plane_switches) <= LARGE_SWITCHES else HEAVIEST_LINKS_OF_LARGE
    order = np.argsort(-np.concatenate(packets), kind="stable")[:count]
    for number, switch, port in (places[index] for index in order.tolist()):
        topology = network.planes[number].topology
        only = tuple(np.zeros_like(mask) for mask in masks)
        only[number][switch, port] = True
        before, after = topology.levels(switch), topology.levels(int(topology.peer[switch, port]))
        senders = _nearest(groups.source[number], before, NEAREST_SENDERS)
        ends = _ends_over(network, groups, number, (switch, port), after)
        if len(ends):
            use = route_use(network, groups, loads.rates, loads.parts, only, senders, ends)
            yield int(loads.rates.link[number][switch, port]), use, slice(None)


def _ends_over(
    network: Network, groups: NodeGroups, number: int, link: tuple[int, int], level: NDArray[np.int32]
) -> Ints:
    """Return the nearest destinations to which the switch of a link forwards over it."""
    plane, links = network.planes[number], groups.target[number]
    switch, port = link
    ports, is_elsewhere = first_ports(plane.routes, np.full(len(links.at), switch), links.at)
    uses = is_elsewhere & (ports == port)
    at = GroupLinks(links.start, plane.routes.switch_of(links.at).astype(np.int64))
    is_usable = np.zeros(len(groups.receivers), dtype=np.bool_)
    is_usable[np.repeat(np.arange(len(is_usable)), np.diff(links.start))[uses]] = True
    nearest = _nearest(at, level, len(is_usable))
    return nearest[is_usable[nearest]][:NEAREST_ENDS]


def _nearest(links: GroupLinks, level: NDArray[np.int32], count: int) -> Ints:
    """Return the groups of nodes whose switches are nearest by their levels."""
    distance = np.full(len(links.start) - 1, len(level))
    np.minimum.at(distance, np.repeat(np.arange(len(distance)), np.diff(links.start)), level[links.at])
    return np.argsort(distance, kind="stable")[:count]


def _distinct_nodes(groups: NodeGroups, sender: int, end: int) -> tuple[int, int]:
    """Return a node of a group of sources and another one of a group of destinations."""
    sources = np.flatnonzero(groups.of_node == sender)[:2].tolist()
    ends = np.flatnonzero(groups.end_of_node == end)[:2].tolist()
    return next((a, b) for a in sources for b in ends if a != b)
