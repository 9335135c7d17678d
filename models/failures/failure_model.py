"""Networks of which some cables or switches have failed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..arrays import Bools, Ints
from ..checks import check_int
from ..errors import InputError
from ..network import Network
from ..paths.nearest_plane import nearest_shares
from ..planes.plane import Plane
from ..planes.routes import ARRIVED
from ..planes.routing_columns import next_ports_to
from ..planes.topology import Topology
from ..policy import plane_weights
from .node_subsets import of_planes, require_no_circuits, with_links
from .rerouted import heaviest_load, loaded_table, remaining_part, repaired_plane


@dataclass(frozen=True, eq=False)
class _Remaining:
    """What remains of a network after failures.

    Parameters
    ----------
    network
        The remaining planes over the remaining nodes; None if no node remains.
    nodes : int64[remaining nodes]
        The remaining nodes, as numbered before, ascending.
    lost
        Number of the other nodes.
    switches : int64[remaining switches], by plane
        The remaining switches of each remaining plane, as numbered before, ascending.
    """

    network: Network | None
    nodes: Ints
    lost: int
    switches: Mapping[int, Ints]

    @property
    def connected_network(self) -> Network:
        """The network that remains."""
        if self.network is None:
            raise InputError("network.nodes: none can communicate; expected some that remain")
        return self.network


@dataclass(frozen=True, eq=False)
class FailureModel:
    """A network whose parts may fail.

    In every plane, the remaining switches that are connected with the most node links form the rest of the plane; other
    switches are lost with the failed ones, and so are links of nodes to them. A plane without any node is left out. Two
    nodes can communicate if both have a link in the same plane, one that carries packets under the policy. Nodes are
    lost until all others can communicate with each other and with themselves: of the nodes with links in the same
    planes that cannot communicate with some other ones, the fewest first. Routes that lost a cable are repaired
    (`rerouted`).

    Parameters
    ----------
    network
        A network without circuits.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> ring = FailureModel(Network(Torus(shape=(5,))))
    >>> ring.after(switches=[2]).nodes.tolist()
    [0, 1, 3, 4]
    >>> ring.after(cables=[0, 3]).nodes.tolist()  # cables 0 - 1 and 2 - 3: 1 and 2 remain connected, and 3, 4 and 0
    [0, 3, 4]
    """

    network: Network

    def __post_init__(self) -> None:
        require_no_circuits(self.network)

    @cached_property
    def cable_ends(self) -> "tuple[tuple[Ints, Ints], ...]":
        """The switch and port of the lower end of each cable, ascending, as int64[cables] per plane."""
        return tuple(plane.topology.cable_ends() for plane in self.network.planes)

    @property
    def cables(self) -> int:
        """Number of cables, numbered consecutively over the planes in the order of `cable_ends`."""
        return sum(len(switch) for switch, _ in self.cable_ends)

    @property
    def switches(self) -> int:
        """Number of switches, numbered consecutively over the planes."""
        return sum(self.network.plane_switches)

    def after(self, cables: ArrayLike = (), switches: ArrayLike = (), node_links: ArrayLike = ()) -> _Remaining:
        """Return what remains after the failure of some cables, switches and links of nodes, by consecutive numbers."""
        failed_cables = _split("cables", cables, [len(switch) for switch, _ in self.cable_ends])
        failed_switches = _split("switches", switches, list(self.network.plane_switches))
        failed_links = _split("node_links", node_links, [len(plane.node_switch) for plane in self.network.planes])
        parts = [
            remaining_part(plane, ends, *failed)
            for plane, ends, *failed in zip(
                self.network.planes, self.cable_ends, failed_cables, failed_switches, failed_links, strict=True
            )
        ]
        links = [kept[plane.node_switch] for plane, (_, kept) in self._with_planes(parts)]
        for kept_links, failed in zip(links, failed_links, strict=True):
            kept_links[failed] = False
        return self._built(parts, links, self._remaining_nodes(links))

    def _with_planes(self, parts: Sequence[tuple[Topology, Bools]]) -> "list[tuple[Plane, tuple[Topology, Bools]]]":
        return list(zip(self.network.planes, parts, strict=True))

    def _remaining_nodes(self, kept_links: Sequence[Bools]) -> Ints:
        """Return the nodes that can all communicate with each other."""
        weights = plane_weights(self.network.policy, len(self.network.planes)) or (1,) * len(self.network.planes)
        attached = np.stack(
            [
                # A plane with weight 0 carries no packets, so it joins no nodes.
                np.bincount(plane.node[kept], minlength=plane.nodes) * weight > 0
                for plane, kept, weight in zip(self.network.planes, kept_links, weights, strict=True)
            ],
            axis=1,
        )
        # Nodes with links in the same planes can communicate with the same others: at most 2^planes patterns stand for
        # all.
        patterns, pattern, count = np.unique(attached, axis=0, return_inverse=True, return_counts=True)
        communicate = (patterns[:, None] & patterns[None]).any(axis=2)
        # A node without a plane cannot communicate even with itself.
        remaining = np.diagonal(communicate).copy()
        while True:
            conflicts = np.flatnonzero(remaining & (~communicate & remaining).any(axis=1))
            if not len(conflicts):
                return np.flatnonzero(remaining[pattern.ravel()])
            # One pattern at a time: its loss may end the conflicts of others.
            remaining[conflicts[np.argmin(count[conflicts])]] = False

    def _built(self, parts: Sequence[tuple[Topology, Bools]], kept_links: Sequence[Bools], nodes: Ints) -> _Remaining:
        is_complete = len(nodes) == self.network.nodes and all(kept.all() for kept in kept_links)
        is_direct = is_complete and self.network.node_cable_mm is None
        is_left = np.zeros(self.network.nodes, dtype=np.bool_)
        is_left[nodes] = True
        shares = nearest_shares(self.network, *zip(*parts, strict=True)) or (None,) * len(parts)
        planes = {}
        for number, (plane, (topology, kept)) in enumerate(self._with_planes(parts)):
            links = kept_links[number] & is_left[plane.node]
            if links.any():
                attached = with_links(self.network, plane, np.flatnonzero(links), nodes, is_direct=is_direct)
                limit = self._limits[number] * len(nodes) // self.network.nodes
                table = loaded_table(attached, self._tables[number], shares[number])
                planes[number] = repaired_plane(attached, table, topology, kept, limit)
        remaining = of_planes(self.network, planes) if len(nodes) else None
        switches = {number: np.flatnonzero(parts[number][1]) for number in planes}
        return _Remaining(remaining, nodes, self.network.nodes - len(nodes), switches)

    @cached_property
    def _limits(self) -> tuple[int, ...]:
        """The heaviest load of each plane before any failure; 0 if its routes are whole paths."""
        planes = self.network.planes
        every = [np.ones(switches, dtype=np.bool_) for switches in self.network.plane_switches]
        shares = nearest_shares(self.network, [plane.topology for plane in planes], every) or (None,) * len(planes)
        return tuple(
            0 if plane.routes.next_port is None else heaviest_load(loaded_table(plane, table, share))
            for plane, table, share in zip(planes, self._tables, shares, strict=True)
        )

    @cached_property
    def _tables(self) -> "tuple[NDArray[np.uint16], ...]":
        """The next ports of each plane as uint16[switches, columns], with contiguous columns.

        They are invalid for routes that are whole paths.
        """
        return tuple(
            np.full((plane.routes.columns, plane.topology.switches), ARRIVED, dtype=np.uint16).T
            if plane.routes.next_port is None
            else np.asfortranarray(next_ports_to(plane.routes, np.arange(plane.routes.columns)))
            for plane in self.network.planes
        )


def _split(name: str, numbers: ArrayLike, sizes: list[int]) -> list[Ints]:
    """Return consecutive numbers over the planes as numbers within each plane."""
    distinct, total = np.unique(np.asarray(numbers, dtype=np.int64)), sum(sizes)
    # Ascending: the first and the last bound all others.
    for number in distinct[[0, -1]] if len(distinct) else ():
        check_int(name, int(number), 0, total - 1)
    starts = np.cumsum([0, *sizes])
    return [distinct[(distinct >= a) & (distinct < b)] - a for a, b in pairwise(starts)]
