"""Nodes that no plane tells apart, so that pairs of them need not be counted one by one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from .routing.offsets import common_moves, representatives

if TYPE_CHECKING:
    from .network import Network

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class NodeGroups:
    """Groups of nodes that send alike, and of nodes to which all switches forward alike.

    Parameters
    ----------
    source : int64[planes, sources]
        The switches of nodes that are at the same switch of every plane.
    senders : int64[sources]
        How many these are.
    target : int64[planes, ends]
        What `Routes.targets` gives for nodes that have the same in every plane.
    receivers, source_of : int64[ends]
        How many these are, and to which source they belong.
    """

    source: Ints
    senders: Ints
    target: Ints
    receivers: Ints
    source_of: Ints


def node_groups(network: "Network") -> NodeGroups:
    """Return the groups of nodes of a network, ascending by their switches.

    Examples
    --------
    >>> from .dual_cube import dual_cube
    >>> node_groups(dual_cube(2, (1, 3))).senders.tolist()
    [4, 4, 4, 4]
    """
    switch = np.stack([plane.node_switch.astype(np.int64) for plane in network.planes])
    target = np.stack([plane.routes.targets(plane.node_switch) for plane in network.planes])
    source, of_node, senders = np.unique(switch, axis=1, return_inverse=True, return_counts=True)
    _, first, receivers = np.unique(np.concatenate([switch, target]), axis=1, return_index=True, return_counts=True)
    return NodeGroups(source, senders, target[:, first], receivers, of_node.ravel()[first].astype(np.int64))


def alike(network: "Network") -> tuple[Ints, Ints] | None:
    """Return a label for every switch, the same where all look alike in all planes, and a switch for each label.

    Then groups of nodes are switches, and there are equally many switches of each label: routes by offsets look the
    same from all of them. None where nodes are not at equal switches of all planes, as many at each, or the routes
    tell switches apart.
    """
    one = network.planes[0]
    if len(set(np.bincount(one.node_switch, minlength=one.topology.switches).tolist())) != 1:
        return None
    for plane in network.planes:
        routes = plane.routes
        same = (routes.group, routes.shape) == (one.routes.group, one.routes.shape)
        if not same or not np.array_equal(routes.row, one.routes.row):
            return None
        if not np.array_equal(plane.node_switch, one.node_switch) or common_moves(plane.topology, routes) is None:
            return None
    return one.routes.row.astype(np.int64), representatives(one.routes)
