"""Equivalence classes of nodes, so that loads and distances are computed per pair of classes instead of nodes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Ints
from ..mathematics.spans import spans, starts_of
from ..planes.routing_columns import common_moves, representatives

if TYPE_CHECKING:
    from ..network import Network
    from ..planes.plane import Plane


@dataclass(frozen=True, eq=False)
class GroupLinks:
    """The links of each group of nodes in a plane: their switches, or their targets in the sense of `Routes.targets`.

    Parameters
    ----------
    start : int64[groups + 1]
        Group i has the links ``start[i]`` to ``start[i + 1] - 1``.
    at : int64[links]
        Switch or target of each link, ascending within a group.
    """

    start: Ints
    at: Ints

    @property
    def group(self) -> Ints:
        """The group of each link."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))


@dataclass(frozen=True, eq=False)
class NodeGroups:
    """Equivalence classes of nodes as sources, and as destinations.

    Sources are equivalent if their links lead to the same switches; destinations, if all switches forward to them by
    the same ports.

    Parameters
    ----------
    sender : int64[sources]
        The first node of each group whose nodes have links to the same switches in every plane.
    senders : int64[sources]
        Number of nodes of that group.
    source : one per plane
        The switches of the links of each group of sources.
    receiver : int64[ends]
        The first node of each group whose nodes have links with the same switches and targets in every plane.
    receivers, source_of : int64[ends]
        Number of nodes of that group, and the group of sources to which they belong.
    target : one per plane
        The targets of the links of each group of destinations.
    of_node, end_of_node : int64[nodes]
        Index of the group of sources and of the group of destinations of every node.
    order : int64[node links], one per plane
        Permutation that sorts the node links by node and, within a node, in the order of its group.
    """

    sender: Ints
    senders: Ints
    source: tuple[GroupLinks, ...]
    receiver: Ints
    receivers: Ints
    source_of: Ints
    target: tuple[GroupLinks, ...]
    of_node: Ints
    end_of_node: Ints
    order: tuple[Ints, ...]

    def of_node_links(self, number: int, node: Ints, begin: Ints, values: Ints) -> Ints:
        """Expand values of group links to all node links of a plane, as int64[node links].

        Parameters
        ----------
        number
            Index of the plane.
        node : int64[node links]
            The node of each node link, as in `Plane.node`.
        begin : int64[nodes]
            Index of the first value of each node; its links follow in the order of its group.
        values
            The values of the links of groups.
        """
        place = np.arange(len(node)) - np.searchsorted(node, node)
        expanded = np.empty(len(node), dtype=np.int64)
        expanded[self.order[number]] = values[begin[node] + place]
        return expanded


def node_groups(network: "Network", node_times: Sequence[Ints] | None = None) -> NodeGroups:
    """Return the groups of nodes of a network, ascending by their switches.

    Parameters
    ----------
    network
        The network.
    node_times : int64[node links], one per plane
        The time on each link of a node, to have it alike in a group, too; None if it may differ.

    Examples
    --------
    >>> from ..families._dual_cube import dual_cube
    >>> node_groups(dual_cube(2, (1, 3))).senders.tolist()
    [4, 4, 4, 4]
    """
    planes = network.planes
    targets = [plane.routes.targets(plane.node_switch) for plane in planes]
    times = [np.zeros_like(plane.node) for plane in planes] if node_times is None else node_times
    order = tuple(
        np.lexsort((time, target, plane.node_switch, plane.node))
        for plane, target, time in zip(planes, targets, times, strict=True)
    )
    switch = [plane.node_switch.astype(np.int64)[rank] for plane, rank in zip(planes, order, strict=True)]
    targets = [target[rank] for target, rank in zip(targets, order, strict=True)]
    times = [time[rank] for time, rank in zip(times, order, strict=True)]
    switch_rows = np.concatenate(
        [_padded_values(plane, each) for values in (switch, times) for plane, each in zip(planes, values, strict=True)]
    )
    target_rows = np.concatenate([_padded_values(plane, values) for plane, values in zip(planes, targets, strict=True)])
    _, sender, of_node, senders = np.unique(
        switch_rows, axis=1, return_index=True, return_inverse=True, return_counts=True
    )
    _, receiver, end_of_node, receivers = np.unique(
        np.concatenate([switch_rows, target_rows]), axis=1, return_index=True, return_inverse=True, return_counts=True
    )
    return NodeGroups(
        sender,
        senders,
        tuple(_links_of(plane, sender, values) for plane, values in zip(planes, switch, strict=True)),
        receiver,
        receivers,
        of_node.ravel()[receiver].astype(np.int64),
        tuple(_links_of(plane, receiver, values) for plane, values in zip(planes, targets, strict=True)),
        of_node.ravel().astype(np.int64),
        end_of_node.ravel().astype(np.int64),
        order,
    )


def _padded_values(plane: "Plane", values: Ints) -> Ints:
    """Return the values of the links of each node as int64[max links, nodes], padded with -1."""
    starts, node = plane.starts, plane.node
    rows = np.full((int(np.diff(starts).max()), plane.nodes), -1, dtype=np.int64)
    rows[np.arange(len(node)) - starts[node], node] = values
    return rows


def _links_of(plane: "Plane", nodes: Ints, values: Ints) -> GroupLinks:
    """Return the values of the links of some nodes."""
    counts = np.diff(plane.starts)[nodes]
    return GroupLinks(starts_of(counts), values[spans(plane.starts[nodes], counts)])


def switch_classes(network: "Network") -> tuple[Ints, Ints] | None:
    """Return the equivalence class of every switch, the same in all planes, and a representative of each class.

    Switches of a class are related by translations that preserve cables and routes; all classes have the same number of
    switches, and the nodes of each switch form a group. None unless every node is at the same switch in all planes, all
    switches have the same number of nodes, all nodes the same number of links, and routes depend on offsets only.
    """
    first_plane, node_switches = network.planes[0], [_single_switches(plane) for plane in network.planes]
    if (
        node_switches[0] is None
        or len(set(np.bincount(node_switches[0], minlength=first_plane.topology.switches).tolist())) != 1
    ):
        return None
    for plane, switches in zip(network.planes, node_switches, strict=True):
        routes = plane.routes
        same_kind = (routes.group, routes.shape) == (first_plane.routes.group, first_plane.routes.shape)
        if not same_kind or not np.array_equal(routes.row, first_plane.routes.row):
            return None
        if (
            switches is None
            or not np.array_equal(switches, node_switches[0])
            or common_moves(plane.topology, routes) is None
        ):
            return None
    return first_plane.routes.row.astype(np.int64), representatives(first_plane.routes)


def _single_switches(plane: "Plane") -> Ints | None:
    """Return the switch of every node if all nodes have the same number of links, all to one switch; else None."""
    counts = set(np.diff(plane.starts).tolist())
    if len(counts) != 1 or counts == {0}:
        return None
    switches = plane.node_switch.reshape(plane.nodes, -1)
    one_switch_each = (switches == switches[:, :1]).all()
    return switches[:, 0].astype(np.int64) if one_switch_each else None
