"""All links of a network in one numbering, and those that routes take."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .errors import InputError
from .plane import Plane
from .routing.route_steps import route_steps

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PlaneLinks:
    """The links of a plane, each direction by itself.

    First come the links between switches, ascending by the switch and the port at which they begin; then those from
    nodes to switches, and those from switches to nodes, ascending by node link. A direct network has none of these two.

    Parameters
    ----------
    plane
        The plane.
    first
        Number of its first link in the network: the links of planes follow each other.
    """

    plane: Plane
    first: int = 0

    @property
    def links(self) -> int:
        """Number of links, in both directions."""
        return self._between + 2 * self._to_nodes

    @property
    def is_direct(self) -> bool:
        """Whether nodes are parts of their switches, without links of their own."""
        return self.plane.node_cable_mm is None

    def values(self, between: Ints, out: Ints, into: Ints) -> Ints:
        """Return a number for each link, in the order of the links.

        Parameters
        ----------
        between : int64[switches, ports]
            Of the link that begins at each port; ignored where there is none.
        out, into : int64[node links]
            Of those from and to nodes; ignored in a direct network.
        """
        ours = between[self.plane.topology.peer >= 0]
        return ours if self.is_direct else np.concatenate([ours, out, into])

    def of_routes(self, source: NDArray[np.integer], destination: NDArray[np.integer]) -> tuple[Ints, Ints]:
        """Return the links that routes take, in their order; see `Network.links`."""
        one, other = np.broadcast_arrays(np.asarray(source, dtype=np.int64), np.asarray(destination, dtype=np.int64))
        self._require_node_links(one)
        self._require_node_links(other)
        plane, at_ends = self.plane, 0 if self.is_direct else 1
        target = plane.routes.targets(plane.node_switch)
        steps = list(route_steps(plane.topology, plane.routes, plane.node_switch[one], target[other]))
        lengths = np.full(len(one), 2 * at_ends)
        for which, _, _ in steps:
            lengths[which] += 1
        start = np.concatenate([[0], np.cumsum(lengths)])
        found = np.empty(start[-1], dtype=np.int64)
        for step, (which, switch, port) in enumerate(steps):
            found[start[which] + at_ends + step] = self.first + self._number[switch, port]
        if at_ends:
            found[start[:-1]] = self.first + self._between + one
            found[start[1:] - 1] = self.first + self._between + self._to_nodes + other
        return start, found

    @cached_property
    def _number(self) -> Ints:
        """The number of the link that begins at each port, from 0."""
        cabled = self.plane.topology.peer >= 0
        number: Ints = np.where(cabled, np.cumsum(cabled).reshape(cabled.shape) - 1, -1)
        return number

    @cached_property
    def _between(self) -> int:
        return int((self.plane.topology.peer >= 0).sum())

    @property
    def _to_nodes(self) -> int:
        return 0 if self.is_direct else len(self.plane.node_switch)

    def _require_node_links(self, numbers: Ints) -> None:
        most = len(self.plane.node_switch) - 1
        wrong = np.flatnonzero((numbers < 0) | (numbers > most))
        if numbers.ndim != 1 or len(wrong):
            shown = f"an array of shape {numbers.shape}" if numbers.ndim != 1 else str(numbers[wrong[0]])
            raise InputError(f"node link {shown}: expected integers from 0 to {most} on one axis")


def links_of_planes(planes: tuple[Plane, ...]) -> tuple[PlaneLinks, ...]:
    """Return the links of all planes, numbered one plane after the other."""
    found: list[PlaneLinks] = []
    for plane in planes:
        found.append(PlaneLinks(plane, sum(each.links for each in found)))
    return tuple(found)
