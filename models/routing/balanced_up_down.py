"""Up*/down* routing from the best roots, with traffic spread over parallel paths: one virtual channel on any graph."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..mathematics.occurrences import occurrences
from ..planes.route_walk import hops
from ..planes.routes import NO_ROUTE, Routes, check_table_size
from ..planes.shared_tables import shared_tables
from ..planes.topology import Topology
from .balanced import balance, balancer_of
from .table import LoadedTable, forwarding_table, node_columns
from .up_down import depths, up_down_hops, up_down_table

MAX_ROOTS = 16
ROOT_PAIRS = 1 << 22  # of switches, over all single roots that are tried
MIN_MOVES = 1 << 18  # in place of those for shortest paths: there are fewer alternatives


def balanced_up_down(topology: Topology, node_switch: NDArray[np.integer]) -> Routes:
    """Return up*/down* routes between switches with nodes, whose heaviest link is as light as local search can make it.

    Up is towards the nearest root, as in `up_down`. Roots are either all switches without nodes that are farthest from
    those with nodes, the top of a tree, if that leaves no pair without a route; or the best of the single switches
    that are nearest to all nodes: 16 of them, in networks of over 512 switches as many as 2^22 pairs of switches allow.
    Of both, the one with the lower heaviest load is taken, with ports by the number of the destination as in d-mod-k
    routing; `balance` improves it. Routes to nodes at one switch may differ, if there are up to 2^22 pairs of a switch
    and a node link.

    Parameters
    ----------
    topology
        A connected graph.
    node_switch : int[node links]
        The switch of each node link.

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
    target, receivers, column = node_columns(topology, node_switch)
    senders = np.bincount(node_switch, minlength=topology.switches)
    best: tuple[int, NDArray[np.int32], LoadedTable] | None = None
    for roots in (_top(topology, np.unique(node_switch)), _best_root(topology, senders)):
        depth = depths(topology, roots)
        table = LoadedTable(topology, _spread(topology, depth, target, receivers), target, senders, receivers)
        # Below several roots, a pair may have no common switch above it.
        if (table.next_port[senders > 0] == NO_ROUTE).any():
            continue
        heaviest = balancer_of(table).heaviest
        # Strictly: the top of a tree, which is tried first, wins ties.
        if best is None or heaviest < best[0]:
            best = heaviest, depth, table
    assert best is not None  # from a single root every switch is reached
    _, depth, table = best
    balance(table, depth=depth, min_moves=MIN_MOVES)
    if len(target) == len(node_switch):
        return shared_tables(table.next_port, target)
    return Routes(
        "table",
        np.arange(topology.switches, dtype=np.int32),
        next_port=table.next_port,
        column=column,
        target_switch=target,
    )


def _spread(
    topology: Topology, depth: NDArray[np.int32], target: NDArray[np.int32], receivers: Ints
) -> NDArray[np.uint16]:
    """Return the next ports of up*/down* routes by column: of ports that lead as near, one by the number of the column.

    That is d-mod-k routing on trees: columns that differ modulo the number of switches above go up by different ones at
    the lowest switches, those that differ in the next digit at the switches above. This digit is also that of parallel
    cables, up and down.
    """
    hops, table = up_down_hops(topology, depth)
    is_up = (topology.peer >= 0) & (depth[topology.peer] < depth[:, None])
    # `ARRIVED` and `NO_ROUTE` are higher than any port; what is read in their place is not used.
    sends_up = np.take_along_axis(is_up, np.minimum(table, topology.ports - 1).astype(np.int64), axis=1)
    strides = _strides(topology, is_up, topology.levels(target), len(target))
    number, next_port = _numbers(topology, is_up, target, receivers), np.ascontiguousarray(table[:, target])
    for switch, stride in enumerate(strides.tolist()):
        ports = np.flatnonzero(topology.peer[switch] >= 0)
        ports = ports[np.argsort(occurrences(topology.peer[switch, ports]), kind="stable")]  # each peer once, first
        peer, rises = topology.peer[switch, ports], is_up[switch, ports][:, None]
        fits = (hops[peer][:, target] + 1 == hops[switch, target]) & (rises == sends_up[switch, target])
        # After a hop down, the switch there must not send the packet up again: that could close a cycle of channels.
        fits &= rises | (peer[:, None] == target) | ~sends_up[peer][:, target]
        count = fits.sum(axis=0)
        several = np.flatnonzero(count > 1)
        if not len(several):
            continue
        chosen = number[several] // stride % count[several]
        is_chosen = fits[:, several] & (np.cumsum(fits[:, several], axis=0) == chosen + 1)
        next_port[switch, several] = ports[is_chosen.argmax(axis=0)]
    return next_port


def _numbers(topology: Topology, is_up: NDArray[np.bool_], target: NDArray[np.int32], receivers: Ints) -> Ints:
    """Return numbers of columns, as many apart as they have receivers, in which those below one switch are near.

    They are in the order of the switches that are reached by going up to the lowest one again and again, the last
    first, so that it does not matter how switches and nodes of a tree are numbered.
    """
    upper = np.where(is_up, topology.peer, topology.switches).min(axis=1)
    upper = np.where(upper == topology.switches, np.arange(topology.switches), upper)
    chain = [target.astype(np.int64)]
    while (upper[chain[-1]] != chain[-1]).any():
        chain.append(upper[chain[-1]])
    order = np.lexsort((np.arange(len(target)), *chain))
    number = np.empty(len(target), dtype=np.int64)
    number[order] = np.cumsum(receivers[order]) - receivers[order]
    return number


def _strides(topology: Topology, is_up: NDArray[np.bool_], height: NDArray[np.int32], highest: int) -> Ints:
    """Return the product of the most switches above a switch over all lower heights, for each switch."""
    above = [len(np.unique(peers[rises])) for peers, rises in zip(topology.peer, is_up, strict=True)]
    strides = [1]
    for level in range(int(height.max())):
        most = max(count for count, at in zip(above, height.tolist(), strict=True) if at == level)
        strides.append(min(highest, strides[-1] * max(1, most)))
    return np.array(strides, dtype=np.int64)[height]


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
    load = [balancer_of(LoadedTable(topology, table, every, senders, senders)).heaviest for table in tables]
    return roots[[int(np.argmin(load))]]
