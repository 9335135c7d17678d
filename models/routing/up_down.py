"""Up*/down* routing: deadlock-free on any graph, with one virtual channel."""

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..planes.routes import ARRIVED, MAX_TABLE_SWITCHES, NO_ROUTE, Routes, check_table_size
from ..planes.topology import Topology

UNREACHED = MAX_TABLE_SWITCHES  # in place of a number of hops


def up_down(topology: Topology, root: int = 0) -> Routes:
    """Return up*/down* routing as a table: no up hop follows a down hop, so channel dependencies are acyclic.

    Up is towards the switch nearer to the root; ties are broken in favour of the lower id. The next port depends on the
    switch and the destination only; so a switch that packets reach by a down hop must forward all packets for their
    destination down. Switches are processed from the root downwards. A switch forwards packets for a destination down,
    along the shortest down-only path, if that is not longer than the path via the best switch above it, or if a switch
    above it forwards them down to it; otherwise up. Ties between ports are broken in favour of the lowest. Some routes
    are longer than the shortest up-then-down path.

    Parameters
    ----------
    topology
        A connected graph.
    root
        The switch above all others.

    References
    ----------
    Schroeder et al., Autonet: A High-Speed, Self-Configuring Local Area Network Using Point-to-Point Links, 1991.

    Examples
    --------
    >>> from ..topologies import torus
    >>> up_down(torus((4,))).next_port[1].tolist()  # 1 reaches 3 via the root 0, because 2 is below both
    [1, 65535, 0, 1]
    """
    check_table_size(topology.switches)
    check_int("root", root, 0, topology.switches - 1)
    topology.require_connected()
    table = up_down_table(topology, depths(topology, root))
    return Routes("table", np.arange(topology.switches, dtype=np.int32), next_port=table)


def depths(topology: Topology, roots: int | NDArray[np.integer]) -> NDArray[np.int32]:
    """Return the rank of each switch by its distance from the nearest root, ties broken in favour of the lower id.

    Examples
    --------
    >>> from ..topologies import torus
    >>> depths(torus((4,)), 1).tolist()
    [1, 0, 2, 3]
    """
    ids = np.arange(topology.switches, dtype=np.int32)
    rank = np.empty_like(ids)
    rank[np.lexsort((ids, topology.levels(roots)))] = ids
    return rank


def up_down_table(topology: Topology, depth: NDArray[np.int32]) -> NDArray[np.uint16]:
    """Return the next ports of up*/down* routes if up is towards smaller depths.

    Parameters
    ----------
    topology
        The switches and their cables.
    depth : int32[switches]
        A permutation of the numbers from 0.

    Returns
    -------
    uint16[switches, switches]
        `NO_ROUTE` where no up hops followed by down hops lead to the destination.
    """
    return up_down_hops(topology, depth)[1]


def up_down_hops(topology: Topology, depth: NDArray[np.int32]) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return the number of hops of the routes of `up_down_table`, `UNREACHED` where there is none, and that table."""
    order = np.argsort(depth)
    hops, table = _down_paths(topology, order, depth)
    sends_down = np.zeros(hops.shape, dtype=np.bool_)
    # From the roots downwards: the routes of all switches above are final.
    for switch in order:
        ports = np.flatnonzero((topology.peer[switch] >= 0) & (depth[topology.peer[switch]] < depth[switch]))
        sends_up = np.zeros(topology.switches, dtype=np.bool_)
        if len(ports):
            hops_above = hops[topology.peer[switch, ports]]
            # Whoever gets packets by a down hop must not send them up again. `UNREACHED` + 1 still fits 16 bits.
            sends_up = ~sends_down[switch] & (hops_above.min(axis=0) + 1 < hops[switch])
            _enter_best_ports(hops[switch], table[switch], hops_above, ports, sends_up)
        sends_down[switch] = ~sends_up & (hops[switch] < UNREACHED)
        sends_down[switch, switch] = False
        down = np.flatnonzero(sends_down[switch])
        # The next switch down, whose turn comes later, is bound to go on downwards.
        sends_down[topology.peer[switch, table[switch, down]], down] = True
    table[hops == UNREACHED] = NO_ROUTE
    return hops, table


def _down_paths(
    topology: Topology, order: NDArray[np.int64], depth: NDArray[np.int32]
) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    """Return hops and next ports of the shortest down-only paths; `UNREACHED` and `ARRIVED` if there is none."""
    hops = np.full((topology.switches, topology.switches), UNREACHED, dtype=np.int16)
    table = np.full(hops.shape, ARRIVED, dtype=np.uint16)
    # Upwards: the down-only paths of all switches below are complete.
    for switch in reversed(order):
        ports = np.flatnonzero((topology.peer[switch] >= 0) & (depth[topology.peer[switch]] > depth[switch]))
        if len(ports):
            peer_hops = hops[topology.peer[switch, ports]]
            _enter_best_ports(hops[switch], table[switch], peer_hops, ports, (peer_hops < UNREACHED).any(axis=0))
        hops[switch, switch] = 0
    return hops, table


def _enter_best_ports(
    hops: NDArray[np.int16],
    table: NDArray[np.uint16],
    peer_hops: NDArray[np.int16],
    ports: NDArray[np.int64],
    selected: NDArray[np.bool_],
) -> None:
    """Enter the best of several ports into a row of hops and a row of next ports, for some destinations."""
    best = peer_hops.argmin(axis=0)[selected]
    hops[selected] = peer_hops.min(axis=0)[selected] + 1
    table[selected] = ports[best]
