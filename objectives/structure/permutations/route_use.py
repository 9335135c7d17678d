"""The pairs of nodes whose routes take given links."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.node_classes import NodeGroups
from isoplane.models.paths.path_shares import PathShares, paths_between
from isoplane.models.paths.transmission_times import TransmissionTimes
from isoplane.models.planes.route_steps import route_steps

Mask = NDArray[np.bool_]

PAIRS = 1 << 17  # per step


@dataclass(frozen=True, eq=False)
class RouteUse:
    """Use of links by the routes between groups of nodes.

    Parameters
    ----------
    link, sender, end, units : int64[uses]
        Units of traffic that a node of group `sender` sends over a link if it sends a whole packet to a node of group
        `end`, ascending by link. A link is the index of its plane, switch and port among all links of the mask.
    node_time
        The largest time that a packet to another node takes on one link of either node; 0 in a direct network.
    node_pair
        The group of sources and the group of destinations of such a packet; (-1, -1) in a direct network.
    """

    link: Ints
    sender: Ints
    end: Ints
    units: Ints
    node_time: int
    node_pair: tuple[int, int]


def route_use(
    network: Network,
    groups: NodeGroups,
    rates: TransmissionTimes,
    parts: int,
    masks: tuple[Mask, ...],
    senders: Ints,
    ends: Ints,
) -> RouteUse:
    """Return the use of some links by the routes from some groups of nodes to others.

    Parameters
    ----------
    network, groups, rates
        The network, with its `node_groups` and its times by `transmission_times_of`.
    parts
        Units per packet, of which every path takes a whole number.
    masks : bool[switches, ports], one per plane
        The links.
    senders, ends
        Groups of sources, and of destinations.

    Raises
    ------
    InputError
        If a route does not lead to its destination, no plane connects a pair, or the policy is ``adaptive``.
    """
    step, node_time, node_pair = max(1, PAIRS // len(senders)), 0, (-1, -1)
    number = _link_numbers(masks)
    nothing = np.zeros(0, dtype=np.int64)
    uses: list[tuple[Ints, ...]] = [(nothing,) * 4]
    for start in range(0, len(ends), step):
        sender, end = (each.ravel() for each in np.meshgrid(senders, ends[start : start + step], indexing="ij"))
        paths = paths_between(network, groups.sender[sender], groups.receiver[end], network.policy)
        units = parts // paths.denominator * paths.weight
        if network.node_cable_mm is not None:
            # A group of a single node can only send to itself here; in larger ones another node stands for the pair.
            is_self = (groups.source_of[end] == sender) & (groups.senders[sender] == 1)
            time, pair = _node_time(network, rates, paths, np.where(is_self[paths.pair], 0, units))
            if time > node_time:
                node_time, node_pair = time, (int(sender[pair]), int(end[pair]))
        for plane in range(len(network.planes)):
            for link, path in _links_on_paths(network, paths, plane, masks[plane], number[plane]):
                uses.append((link, sender[paths.pair[path]], end[paths.pair[path]], units[path]))
    link, sender, end, units = (np.concatenate([use[i] for use in uses]) for i in range(4))
    order = np.argsort(link, kind="stable")
    return _merged(
        RouteUse(link[order], sender[order], end[order], units[order], node_time, node_pair), len(groups.receivers)
    )


def _link_numbers(masks: tuple[Mask, ...]) -> list[Ints]:
    """Return the number of each link of the masks among all of them."""
    numbers, first = [], 0
    for mask in masks:
        numbers.append(first + np.cumsum(mask).reshape(mask.shape) - 1)
        first += int(mask.sum())
    return numbers


def _links_on_paths(
    network: Network, paths: PathShares, number: int, mask: Mask, link: Ints
) -> list[tuple[Ints, Ints]]:
    """Return the links of a mask on the paths of a plane, with the indices of these paths, step by step."""
    plane, used = network.planes[number], []
    path = np.flatnonzero(paths.plane == number)
    target = plane.routes.targets(plane.node_switch)[paths.destination_link[path]]
    steps = route_steps(plane.topology, plane.routes, plane.node_switch[paths.source_link[path]], target)
    for route, switch, port in steps:
        kept = mask[switch, port]
        used.append((link[switch[kept], port[kept]], path[route[kept]]))
    return used


def _node_time(network: Network, rates: TransmissionTimes, paths: PathShares, units: Ints) -> tuple[int, int]:
    """Return the largest time that a packet takes on one link of its source or destination, and the pair of nodes."""
    sizes = [len(plane.node_switch) for plane in network.planes]
    first = np.cumsum([0, *sizes])[:-1]
    time, heaviest = np.concatenate(rates.node_link), (0, 0)
    for node_link in (paths.source_link, paths.destination_link):
        number = first[paths.plane] + node_link
        # Several paths of a pair may share a link of the node, whose times add up.
        key, index = np.unique(paths.pair * sum(sizes) + number, return_inverse=True)
        total = np.zeros(len(key), dtype=np.int64)
        np.add.at(total, index, units * time[number])
        largest = int(np.argmax(total))
        heaviest = max(heaviest, (int(total[largest]), int(key[largest]) // sum(sizes)), key=lambda each: each[0])
    return heaviest


def _merged(use: RouteUse, ends: int) -> RouteUse:
    """Add the units of several paths of a pair over one link."""
    key = use.sender * ends + use.end
    order = np.lexsort((key, use.link))
    link, key, units = use.link[order], key[order], use.units[order]
    is_first = np.ones(len(link), dtype=np.bool_)
    is_first[1:] = (link[1:] != link[:-1]) | (key[1:] != key[:-1])
    first = np.flatnonzero(is_first)
    total = np.add.reduceat(units, first) if len(first) else units
    return RouteUse(link[first], key[first] // ends, key[first] % ends, total, use.node_time, use.node_pair)
