"""Balanced shortest paths between the switches with nodes, in as few classes of virtual channels as they need."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..deadlock.cycles import channel_cycle
from ..planes.route_walk import hops
from ..planes.routes import ChannelRule, Routes
from ..planes.topology import Topology
from .balanced import balanced_table
from .grids.turn_classes import table_turn_classes
from .hop_classes import hop_classes
from .up_down import depths


def balanced_between_nodes(topology: Topology, node_switch: NDArray[np.integer]) -> Routes:
    """Return the routes of `balanced_table` between switches with nodes, free from deadlock.

    Without cycles of channel dependencies, as on trees, packets may use any virtual channel. Otherwise there are
    classes by hops or by turns, in the order of switches or of their distance from the switch with the shortest
    longest route: those that are fewest.

    Parameters
    ----------
    topology
        A connected graph.
    node_switch : int[node links]
        The switch of each node link.

    Examples
    --------
    >>> from ..topologies import graph, torus
    >>> balanced_between_nodes(graph([(0, 2), (0, 3), (1, 2), (1, 3)]), np.array([0, 0, 1, 1])).channels
    >>> balanced_between_nodes(torus((8,)), np.arange(8)).channels.classes
    2
    """
    target, column = np.unique(node_switch, return_inverse=True)
    table = balanced_table(topology, np.bincount(node_switch, minlength=topology.switches))
    assert table.next_port is not None
    routes = replace(
        table,
        next_port=np.ascontiguousarray(table.next_port[:, target]),
        column=column.astype(np.int32),
        target_switch=target.astype(np.int32),
    )
    if channel_cycle(topology, routes, virtual_channels=1) is None:
        return routes
    # The centre ranks highest, so that the way to it rises and the way from it falls, as in up*/down* routes.
    by_hops, centre = hop_classes(topology, routes), int(hops(topology, routes).max(axis=1).argmin())
    ranks = np.arange(topology.switches), -depths(topology, centre).astype(np.int64)
    # min returns the first of equals: classes by hops if turns need as many.
    return min(by_hops, *(table_turn_classes(topology, routes, rank) for rank in ranks), key=_classes)


def _classes(routes: Routes) -> int:
    assert isinstance(routes.channels, ChannelRule)
    return routes.channels.classes
