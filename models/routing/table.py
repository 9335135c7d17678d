"""Forwarding tables: shortest-path routes on any graph, and the traffic that tables carry."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .. import _native
from ..planes.routes import ARRIVED, Routes, check_table_size
from ..planes.topology import Topology
from ..steps import step

MAX_ENTRIES = 1 << 22  # of a table with a column for each node link
COLUMNS_PER_CALL = 512  # bounds the time of a native call, which blocks interrupts


def forwarding_table(topology: Topology) -> Routes:
    """Return shortest-path routes: at each switch, the lowest port that leads nearer to the destination.

    Such routes may have cyclic channel dependencies: `channel_cycle` finds them, and `up_down` avoids them.

    Examples
    --------
    >>> from ..topologies import graph
    >>> forwarding_table(graph([(0, 1), (1, 2)])).next_port.tolist()
    [[65535, 0, 0], [0, 65535, 1], [0, 0, 65535]]
    """
    check_table_size(topology.switches)
    topology.require_connected()
    table = np.full((topology.switches, topology.switches), ARRIVED, dtype=np.uint16)
    with step("shortest paths") as searched:
        for start in range(0, topology.switches, COLUMNS_PER_CALL):
            _native.minimal_columns(topology.peer, start, min(COLUMNS_PER_CALL, topology.switches - start), table)
            searched.done = (start + COLUMNS_PER_CALL) / topology.switches
    return Routes("table", np.arange(topology.switches, dtype=np.int32), next_port=table)


@dataclass(frozen=True, eq=False)
class LoadedTable:
    """A forwarding table with the all-to-all traffic that it carries.

    Parameters
    ----------
    topology
        The switches and their cables, connected.
    next_port : uint16[switches, columns]
        The next ports; `rerouted` accepts any value where there is none, and reads a transposed array, whose columns
        are contiguous, fastest.
    target_switch : int32[columns]
        The destination switch of each column.
    senders : int64[switches]
        Node links of each switch: switch s sends ``senders[s] * receivers[c]`` packets, or that times
        ``share[c, s]``, along column c.
    receivers : int64[columns]
        Node links that packets reach by each column.
    share : uint16[columns, switches]
        Parts of the packets from each switch that take this plane, if there are others; None if all do.
    """

    topology: Topology
    next_port: NDArray[np.uint16]
    target_switch: NDArray[np.int32]
    senders: NDArray[np.int64]
    receivers: NDArray[np.int64]
    share: NDArray[np.uint16] | None = None


def node_columns(
    topology: Topology, node_switch: NDArray[np.integer]
) -> tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int32]]:
    """Return the target switch and the receivers of each column, and the column of each node link.

    There is a column for each node link, or, if the table would have more than 2^22 entries, for each switch of some.
    """
    links = len(node_switch)
    if topology.switches * links <= MAX_ENTRIES:
        own = np.arange(links, dtype=np.int32)
        return np.asarray(node_switch, dtype=np.int32), np.ones(links, dtype=np.int64), own
    target, column, receivers = np.unique(node_switch, return_inverse=True, return_counts=True)
    return target.astype(np.int32), receivers, column.astype(np.int32)
