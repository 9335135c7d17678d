"""The switches of all planes as one graph with link capacities, and the nodes at them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network, Plane
from isoplane.models.arrays import Floats, Ints
from isoplane.models.paths.node_classes import GroupLinks, node_groups
from isoplane.models.paths.transmission_times import transmission_times_of

Distances = NDArray[np.int32]

FAR = 1 << 29  # distance without a path


@dataclass(frozen=True, eq=False)
class CapacityGraph:
    """All planes of a network, numbered consecutively; parallel links are one link with the sum of their capacities.

    Parameters
    ----------
    switches
        Number of switches in all planes.
    tail, head, capacity : int64[links]
        Unidirectional links, ascending by tail and head. A capacity is in 1 / `unit` of the reference link
        (`TransmissionTimes`).
    unit
        Capacity of the reference link: 1 if no link states a rate.
    nodes : int64[groups]
        Number of nodes in each group; the nodes of a group are at the same switches in every plane.
    group_links
        The switches of the links of each group.
    group_of_node : int64[nodes]
        The group of every node.
    port_link : int64[switches, ports], one per plane
        The link at each port; -1 without a cable.
    """

    switches: int
    tail: Ints
    head: Ints
    capacity: Ints
    unit: int
    nodes: Ints
    group_links: GroupLinks
    group_of_node: Ints
    port_link: tuple[Ints, ...]

    @property
    def start(self) -> Ints:
        """Index of the first link of each switch, as int64[switches + 1]."""
        return np.searchsorted(self.tail, np.arange(self.switches + 1)).astype(np.int64)

    @property
    def visits(self) -> int:
        """Number of links visited by searches for shortest paths from every group of nodes."""
        return len(self.nodes) * len(self.tail)

    def group_switches(self, group: int) -> Ints:
        """Return the switches of a group, ascending, each once."""
        links = self.group_links
        return np.unique(links.at[links.start[group] : links.start[group + 1]])

    @cached_property
    def shortest_paths(self) -> tuple[Distances, Floats]:
        """The hops from every group of nodes to every switch, and the number of shortest paths.

        Both are arrays of groups and switches; without a path, the distance is `FAR` and the number 0.
        """
        groups, links = len(self.nodes), self.group_links
        # Switches first, so that the values of a neighbour are read in one piece.
        distance = np.full((self.switches, groups), FAR, dtype=np.int32)
        paths = np.zeros((self.switches + 1, groups))  # nothing comes from the last row
        np.add.at(paths, (links.at, links.group), 1.0)
        distance[paths[:-1] > 0] = 0
        neighbours, reached, hops = self._neighbours(), paths, 0
        while reached.any():
            hops += 1
            following = np.zeros_like(paths)
            for neighbour in neighbours:
                following[:-1] += reached[neighbour]
            # Only first arrivals count: later walks to the same switch are no shortest paths.
            following[:-1][distance < FAR] = 0
            distance[following[:-1] > 0] = hops
            paths += following
            reached = following
        return np.ascontiguousarray(distance.T), np.ascontiguousarray(paths[:-1].T)

    def _neighbours(self) -> Ints:
        """Return the neighbours of every switch, as int64[degree, switches]; `switches` where it has fewer."""
        rank = np.arange(len(self.tail)) - self.start[self.tail]
        neighbours = np.full((int(rank.max()) + 1, self.switches), self.switches)
        neighbours[rank, self.tail] = self.head
        return neighbours


def capacity_graph(network: Network) -> CapacityGraph:
    """Return all planes of a network as one graph.

    Raises
    ------
    InputError
        If only some links state a rate.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> graph = capacity_graph(dual_cube(2, (1, 3)))
    >>> graph.switches, len(graph.tail), graph.nodes.tolist(), graph.group_switches(1).tolist()
    (8, 16, [4, 4, 4, 4], [1, 5])
    """
    rates, groups = transmission_times_of(network), node_groups(network)
    switches = sum(network.plane_switches)
    ends, capacity = [], []
    for first, plane in _numbered(network):
        switch, port = np.nonzero(plane.topology.peer >= 0)
        ends.append((first + switch) * switches + first + plane.topology.peer[switch, port])
        stated = plane.timing.rate_mbps
        # Without stated rates all links are reference links, and the unit is one of them.
        capacity.append(np.ones(len(switch), dtype=np.int64) if stated is None else stated[switch, port])
    link, index = np.unique(np.concatenate(ends), return_inverse=True)
    total = np.zeros(len(link), dtype=np.int64)
    np.add.at(total, index, np.concatenate(capacity))
    return CapacityGraph(
        switches,
        link // switches,
        link % switches,
        total,
        rates.reference_mbps or 1,
        groups.senders.astype(np.int64),
        _all_links(network, groups.source),
        groups.of_node,
        tuple(_link_of_port(network, index)),
    )


def _numbered(network: Network) -> Iterator[tuple[int, Plane]]:
    """Yield the planes with the numbers of their first switches."""
    first = 0
    for plane in network.planes:
        yield first, plane
        first += plane.topology.switches


def _all_links(network: Network, planes: tuple[GroupLinks, ...]) -> GroupLinks:
    """Return the links of each group in all planes together."""
    group = np.concatenate([links.group for links in planes])
    at = np.concatenate([first + links.at for (first, _), links in zip(_numbered(network), planes, strict=True)])
    order = np.lexsort((at, group))
    start = np.searchsorted(group[order], np.arange(len(planes[0].start)))
    return GroupLinks(start.astype(np.int64), at[order])


def _link_of_port(network: Network, index: Ints) -> Iterator[Ints]:
    """Yield the link at each port of each plane, given the links of all cabled ports in order."""
    for plane in network.planes:
        cabled = plane.topology.peer >= 0
        link_at_port = np.full(cabled.shape, -1, dtype=np.int64)
        link_at_port[cabled], index = index[: cabled.sum()], index[cabled.sum() :]
        yield link_at_port
