"""Nodes that no plane tells apart, so that pairs of them need not be counted one by one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .routing.offsets import common_moves, representatives

if TYPE_CHECKING:
    from .network import Network
    from .plane import Plane

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class GroupLinks:
    """What each link of a group of nodes leads to in a plane: a switch, or a target as `Routes.targets` gives it.

    Parameters
    ----------
    start : int64[groups + 1]
        Group i has the links ``start[i]`` to before ``start[i + 1]``.
    at : int64[links]
        Where they lead, ascending within a group.
    """

    start: Ints
    at: Ints


@dataclass(frozen=True, eq=False)
class NodeGroups:
    """Groups of nodes that send alike, and of nodes to which all switches forward alike.

    Parameters
    ----------
    sender : int64[sources]
        The first node of each group whose nodes have links to the same switches in every plane.
    senders : int64[sources]
        How many nodes that group has.
    source : for each plane
        The switches of its links.
    receiver : int64[ends]
        The first node of each group whose nodes have links with the same switches and targets in every plane.
    receivers, source_of : int64[ends]
        How many nodes that group has, and to which source they belong.
    target : for each plane
        The targets of its links.
    of_node, end_of_node : int64[nodes]
        Source and end of every node.
    order : int64[node links], for each plane
        The links of all nodes, ascending by node, in the order in which groups have them.
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
        """Return a value for every node link of a plane, as int64[node links].

        Parameters
        ----------
        number
            The plane.
        node : int64[node links]
            `Plane.node`.
        begin : int64[nodes]
            Where the values for the links of each node begin, in the order in which groups have them.
        values
            The values.
        """
        nth = np.arange(len(node)) - np.searchsorted(node, node)
        found = np.empty(len(node), dtype=np.int64)
        found[self.order[number]] = values[begin[node] + nth]
        return found


def node_groups(network: "Network") -> NodeGroups:
    """Return the groups of nodes of a network, ascending by their switches.

    Examples
    --------
    >>> from .dual_cube import dual_cube
    >>> node_groups(dual_cube(2, (1, 3))).senders.tolist()
    [4, 4, 4, 4]
    """
    planes = network.planes
    targets = [plane.routes.targets(plane.node_switch) for plane in planes]
    order = tuple(
        np.lexsort((target, plane.node_switch, plane.node)) for plane, target in zip(planes, targets, strict=True)
    )
    switch = [plane.node_switch.astype(np.int64)[rank] for plane, rank in zip(planes, order, strict=True)]
    targets = [target[rank] for target, rank in zip(targets, order, strict=True)]
    here = np.concatenate([_rows(plane, values) for plane, values in zip(planes, switch, strict=True)])
    there = np.concatenate([_rows(plane, values) for plane, values in zip(planes, targets, strict=True)])
    _, sender, of_node, senders = np.unique(here, axis=1, return_index=True, return_inverse=True, return_counts=True)
    _, receiver, end_of_node, receivers = np.unique(
        np.concatenate([here, there]), axis=1, return_index=True, return_inverse=True, return_counts=True
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


def _rows(plane: "Plane", values: Ints) -> Ints:
    """Return the values of the links of each node as int64[most links, nodes]; -1 where a node has fewer."""
    starts, node = plane.starts, plane.node
    rows = np.full((int(np.diff(starts).max()), plane.nodes), -1, dtype=np.int64)
    rows[np.arange(len(node)) - starts[node], node] = values
    return rows


def _links_of(plane: "Plane", nodes: Ints, values: Ints) -> GroupLinks:
    """Return the values of the links of some nodes."""
    counts = np.diff(plane.starts)[nodes]
    start = np.concatenate([[0], np.cumsum(counts)])
    return GroupLinks(start, values[np.arange(start[-1]) + np.repeat(plane.starts[nodes] - start[:-1], counts)])


def alike(network: "Network") -> tuple[Ints, Ints] | None:
    """Return a label for every switch, the same where all look alike in all planes, and a switch for each label.

    Then groups of nodes are switches, and there are equally many switches of each label: routes by offsets look the
    same from all of them. None where nodes are not at equal switches of all planes, as many at each and with as many
    links, or the routes tell switches apart.
    """
    one, places = network.planes[0], [_only_switches(plane) for plane in network.planes]
    if places[0] is None or len(set(np.bincount(places[0], minlength=one.topology.switches).tolist())) != 1:
        return None
    for plane, place in zip(network.planes, places, strict=True):
        routes = plane.routes
        same = (routes.group, routes.shape) == (one.routes.group, one.routes.shape)
        if not same or not np.array_equal(routes.row, one.routes.row):
            return None
        if place is None or not np.array_equal(place, places[0]) or common_moves(plane.topology, routes) is None:
            return None
    return one.routes.row.astype(np.int64), representatives(one.routes)


def _only_switches(plane: "Plane") -> Ints | None:
    """Return the switch of every node where all nodes have equally many links, each all of them to one switch."""
    counts = set(np.diff(plane.starts).tolist())
    if len(counts) != 1 or counts == {0}:
        return None
    switches = plane.node_switch.reshape(plane.nodes, -1)
    same = (switches == switches[:, :1]).all()
    return switches[:, 0].astype(np.int64) if same else None
