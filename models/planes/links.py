"""Consecutive numbers for all links of a network, and the links on routes."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..errors import InputError
from ..mathematics.spans import starts_of
from .plane import Plane
from .route_steps import route_steps

Value = TypeVar("Value", bound=np.generic)
CABLE, OUT, INTO = range(3)  # kinds of links


@dataclass(frozen=True, eq=False)
class PlaneLinks:
    """The unidirectional links of a plane.

    Links between switches come first, ascending by source switch and port; then those from nodes to switches, and those
    from switches to nodes, both ascending by node link. A direct network has only links between switches.

    Parameters
    ----------
    plane
        The plane.
    first
        Index of its first link in the network; links are numbered consecutively over all planes.
    """

    plane: Plane
    first: int = 0

    @property
    def links(self) -> int:
        """Number of unidirectional links."""
        return self._switch_links + 2 * self._node_links

    @property
    def is_direct(self) -> bool:
        """Whether nodes are part of their switches, without separate links."""
        return self.plane.node_cable_mm is None

    def values(
        self, between_switches: NDArray[Value], from_nodes: NDArray[Value], to_nodes: NDArray[Value]
    ) -> NDArray[Value]:
        """Return a value per link, in the order of the links.

        Parameters
        ----------
        between_switches : [switches, ports]
            Values of the outgoing link of each port; ignored for ports without a cable.
        from_nodes, to_nodes : [node links]
            Values of the links from and to nodes; ignored in a direct network.
        """
        values = between_switches[self.plane.topology.peer >= 0]
        return values if self.is_direct else np.concatenate([values, from_nodes, to_nodes])

    @property
    def rates_mbps(self) -> Ints:
        """Rate of each link; 0 if the plane states none."""
        plane, timing = self.plane, self.plane.timing
        between = np.zeros_like(plane.cable_mm) if timing.rate_mbps is None else timing.rate_mbps
        nodes = np.zeros(len(plane.node_switch), np.int64) if timing.node_rate_mbps is None else timing.node_rate_mbps
        return self.values(between, nodes, nodes)

    def of_routes(self, source: NDArray[np.integer], destination: NDArray[np.integer]) -> tuple[Ints, Ints]:
        """Return the links on routes, in route order; see `Network.route_links`."""
        source_link, destination_link = np.broadcast_arrays(
            np.asarray(source, dtype=np.int64), np.asarray(destination, dtype=np.int64)
        )
        self._require_node_links(source_link)
        self._require_node_links(destination_link)
        plane, links_per_end = self.plane, 0 if self.is_direct else 1
        target = plane.routes.targets(plane.node_switch)
        # Kept as a list: links can only be placed when the lengths of all routes are known.
        steps = list(
            route_steps(plane.topology, plane.routes, plane.node_switch[source_link], target[destination_link])
        )
        lengths = np.full(len(source_link), 2 * links_per_end)
        for route, _, _ in steps:
            # A route occurs once per step: repeated indices would be counted only once.
            lengths[route] += 1
        start = starts_of(lengths)
        link = np.empty(start[-1], dtype=np.int64)
        for step, (route, switch, port) in enumerate(steps):
            link[start[route] + links_per_end + step] = self.first + self._port_link[switch, port]
        if links_per_end:
            link[start[:-1]] = self.first + self._switch_links + source_link
            link[start[1:] - 1] = self.first + self._switch_links + self._node_links + destination_link
        return start, link

    @cached_property
    def _port_link(self) -> Ints:
        """Index within the plane of the outgoing link of each port; -1 without a cable."""
        cabled = self.plane.topology.peer >= 0
        number: Ints = np.where(cabled, np.cumsum(cabled).reshape(cabled.shape) - 1, -1)
        return number

    @cached_property
    def _switch_links(self) -> int:
        return int((self.plane.topology.peer >= 0).sum())

    @property
    def _node_links(self) -> int:
        return 0 if self.is_direct else len(self.plane.node_switch)

    def _require_node_links(self, numbers: Ints) -> None:
        highest = len(self.plane.node_switch) - 1
        wrong = np.flatnonzero((numbers < 0) | (numbers > highest))
        if numbers.ndim != 1 or len(wrong):
            shown = f"an array of shape {numbers.shape}" if numbers.ndim != 1 else str(numbers[wrong[0]])
            raise InputError(f"node link {shown}: expected integers from 0 to {highest} in a one-dimensional array")


def link_kinds(planes: Sequence[PlaneLinks]) -> Ints:
    """Return the kind of each link of planes: `CABLE` between switches, `OUT` of a node, `INTO` a node.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import Network
    >>> link_kinds(Network(Torus(shape=(2,), node_cable_m=2.0)).plane_links).tolist()
    [0, 0, 1, 1, 2, 2]
    """
    kinds = []
    for links in planes:
        between = np.full(links.plane.topology.peer.shape, CABLE, dtype=np.int64)
        nodes = np.ones(len(links.plane.node_switch), dtype=np.int64)
        kinds.append(links.values(between, OUT * nodes, INTO * nodes))
    return np.concatenate(kinds)


def links_of_planes(planes: tuple[Plane, ...]) -> tuple[PlaneLinks, ...]:
    """Return the links of all planes, numbered consecutively."""
    numbered: list[PlaneLinks] = []
    for plane in planes:
        numbered.append(PlaneLinks(plane, sum(links.links for links in numbered)))
    return tuple(numbered)


def link_titles(planes: Sequence[PlaneLinks], links: Sequence[int]) -> list[str]:
    """Return the names of directed links of planes, numbered as in `PlaneLinks`, for messages.

    Switches, nodes and ports are numbered from 0, and so are planes, which are named where there are several.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import Network
    >>> link_titles(Network(Torus(shape=(3,), node_cable_m=2.0)).plane_links, [0, 7, 10])
    ['switch 0 port 0 to switch 1', 'node 1 to switch 1', 'switch 1 to node 1']
    """
    kinds, many = link_kinds(planes), len(planes) > 1
    titles = {}
    for number, part in enumerate(planes):
        topology, nodes = part.plane.topology, np.arange(len(part.plane.node_switch))
        place = part.values(np.arange(topology.peer.size).reshape(topology.peer.shape), nodes, nodes)
        for link in links:
            if part.first <= link < part.first + part.links:
                here = int(place[link - part.first])
                if kinds[link] == CABLE:
                    switch, port = divmod(here, topology.peer.shape[1])
                    ends = f"switch {switch} port {port} to switch {topology.peer[switch, port]}"
                else:
                    node, switch = f"node {part.plane.node[here]}", f"switch {part.plane.node_switch[here]}"
                    ends = f"{node} to {switch}" if kinds[link] == OUT else f"{switch} to {node}"
                titles[link] = ends + (f" in plane {number}" if many else "")
    return [titles[link] for link in links]
