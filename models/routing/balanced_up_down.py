"""Up*/down* routing from the best roots, with traffic spread over parallel ways: one virtual channel on any graph."""

import numpy as np
from numpy.typing import NDArray

from ..topology import Topology
from .balanced import Columns, balance, balancer_of
from .routes import NO_ROUTE, Routes
from .shared_tables import shared_tables
from .table import check_table_size, forwarding_table
from .up_down import depths, up_down_table
from .walk import hops

MAX_ROOTS = 16
ROOT_PAIRS = 1 << 22  # of switches, over all single roots that are tried
MIN_MOVES = 1 << 18  # in place of those for shortest paths: there are fewer alternatives
MAX_ENTRIES = 1 << 22  # of a table with a column for each node link

Ints = NDArray[np.int64]


def balanced_up_down(topology: Topology, node_switch: NDArray[np.integer]) -> Routes:
    """Return up*/down* routes between switches with nodes, whose heaviest link is as light as local search can make it.

    Up is towards the nearest root, as in `up_down`. Roots are either all switches without nodes that are farthest from
    those with nodes, the top of a tree, if that leaves no pair without a route; or the best of the single switches
    that are nearest to all nodes: 16 of them, in networks of over 512 switches as many as 2^22 pairs of switches allow.
    Of both, the one with the lower heaviest load after `balance` is taken. Routes to nodes at one switch may differ, if
    there are at most 2^22 pairs of a switch and a link of a node.

    Parameters
    ----------
    topology
        A connected graph.
    node_switch : int[node links]
        The switch of each node link.

    Raises
    ------
    InputError
        If two switches are not connected, or there are too many for a table of all pairs.

    References
    ----------
    Schroeder et al., Autonet: A High-Speed, Self-Configuring Local Area Network Using Point-to-Point Links, 1991; the
    routing engine ``updn`` of OpenSM, with the top switches of a tree as roots.

    Examples
    --------
    Two leaf switches with two nodes each, below two others, one of which leads to each node of a leaf switch:

    >>> from ..topologies import graph
    >>> routes = balanced_up_down(graph([(0, 2), (0, 3), (1, 2), (1, 3)]), np.array([0, 0, 1, 1]))
    >>> sorted(routes.next_port[routes.row[0], routes.column[2:]].tolist())
    [0, 1]
    """
    check_table_size(topology.switches)
    topology.require_connected()
    target, receivers = _columns(topology, node_switch)
    senders = np.bincount(node_switch, minlength=topology.switches)
    best: tuple[int, NDArray[np.uint16]] | None = None
    for roots in (_top(topology, np.unique(node_switch)), _best_root(topology, senders)):
        depth = depths(topology, roots)
        table = np.ascontiguousarray(up_down_table(topology, depth)[:, target])
        if (table[senders > 0] == NO_ROUTE).any():
            continue
        heaviest = balance(topology, senders, Columns(target, receivers, table), depth=depth, min_moves=MIN_MOVES)
        if best is None or heaviest < best[0]:
            best = heaviest, table
    assert best is not None  # from a single root every switch is reached
    if len(target) == len(node_switch):
        return shared_tables(best[1], target)
    return Routes(
        "table",
        np.arange(topology.switches, dtype=np.int32),
        next_port=best[1],
        column=np.searchsorted(target, node_switch).astype(np.int32),
        target_switch=target,
    )


def _columns(topology: Topology, node_switch: NDArray[np.integer]) -> tuple[NDArray[np.int32], Ints]:
    """Return the target switch and the receivers of each column: one for each node link, or for each switch of some."""
    if topology.switches * len(node_switch) <= MAX_ENTRIES:
        return np.asarray(node_switch, dtype=np.int32), np.ones(len(node_switch), dtype=np.int64)
    target, receivers = np.unique(node_switch, return_counts=True)
    return target.astype(np.int32), receivers


def _top(topology: Topology, attached: Ints) -> Ints:
    """Return the switches that are farthest from those with nodes; the first one if all have nodes."""
    height = topology.levels(attached)
    return np.flatnonzero(height == height.max()) if height.any() else attached[:1]


def _best_root(topology: Topology, senders: Ints) -> Ints:
    """Return the root whose up*/down* routes have the lightest heaviest link before any balancing."""
    roots = np.argsort(hops(topology, forwarding_table(topology)) @ senders, kind="stable")
    roots = roots[: max(1, min(MAX_ROOTS, ROOT_PAIRS // topology.switches**2))]
    every = np.arange(topology.switches, dtype=np.int32)
    tables = (up_down_table(topology, depths(topology, root)) for root in roots)
    load = [balancer_of(topology, senders, Columns(every, senders, table)).heaviest for table in tables]
    return roots[[int(np.argmin(load))]]
