"""Whether packets on one lane can deadlock, from nothing but cables and forwarding tables."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.planes.routes import ARRIVED, NO_ROUTE
from isoplane.models.planes.topology import Topology

ENTRIES_AT_ONCE = 1 << 22


def is_acyclic(topology: Topology, port: NDArray[np.uint16], end: Ints) -> bool:
    """Return whether the dependencies of links are acyclic, so that packets on one lane cannot deadlock.

    A link depends on the next one if a packet to some column takes one after the other. All entries count, whether
    packets of nodes pass them or not.

    Parameters
    ----------
    topology
        The cables.
    port : uint16[switches, columns]
        The next port to each column; `ARRIVED` and `NO_ROUTE` as in `Routes`.
    end : int64[columns]
        The destination switch of each column.

    References
    ----------
    Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987.

    Examples
    --------
    >>> from isoplane.models.routing import torus_order
    >>> from isoplane.models.topologies import torus
    >>> from isoplane.models.planes.routing_columns import next_ports_to
    >>> is_acyclic(torus((4,)), next_ports_to(torus_order((4,)), np.arange(4)), np.arange(4))
    False
    """
    ports = topology.ports
    # A mark for each turn at a switch: columns repeat the same turns, and would fill lists with them.
    used = np.zeros(topology.switches * ports * ports, dtype=np.bool_)
    at_once = max(1, ENTRIES_AT_ONCE // topology.switches)
    for start in range(0, len(end), at_once):
        some = port[:, start : start + at_once]
        switch, column = np.nonzero(some < NO_ROUTE)
        out = some[switch, column].astype(np.int64)
        then = topology.peer[switch, out]
        out_then = some[then, column]
        ahead = (out_then != ARRIVED) & (out_then != NO_ROUTE)
        used[((switch * ports + out) * ports + out_then)[ahead]] = True
    number = np.flatnonzero(used)
    held, out_then = np.divmod(number, ports)
    requested = topology.peer.ravel()[held].astype(np.int64) * ports + out_then
    return _peels(topology.switches * ports, held, requested)


def _peels(channels: int, held: Ints, requested: Ints) -> bool:
    """Return whether a graph vanishes if vertices without edges to others are removed over and over."""
    while len(held):
        waits = np.zeros(channels, dtype=np.bool_)
        waits[held] = True
        kept = waits[requested]
        # Whatever is requested waits itself: from channel to channel, this must come back to an earlier one.
        if kept.all():
            return False
        held, requested = held[kept], requested[kept]
    return True
