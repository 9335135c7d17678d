"""Forwarding tables: routes by the shortest paths of any graph, and tables that are given."""

import numpy as np
from numpy.typing import ArrayLike

from .. import _native
from ..checks import check_int
from ..errors import InputError
from ..topology import Topology
from .routes import ARRIVED, Routes
from .walk import hops

MAX_TABLE_SWITCHES = 1 << 14  # half a gigabyte of ports
COLUMNS = 512  # filled by one call, which other threads and interrupts may have to wait for


def forwarding_table(topology: Topology) -> Routes:
    """Return routes along shortest paths: at each switch the lowest port that leads nearer to the destination.

    Such routes may wait for each other in a circle; `channel_cycle` tells, and `up_down` avoids it.

    Raises
    ------
    InputError
        If two switches are not connected, or there are too many for a table of all pairs.

    Examples
    --------
    >>> from ..topologies import graph
    >>> forwarding_table(graph([(0, 1), (1, 2)])).next_port.tolist()
    [[65535, 0, 0], [0, 65535, 1], [0, 0, 65535]]
    """
    check_table_size(topology.switches)
    topology.require_connected()
    table = np.full((topology.switches, topology.switches), ARRIVED, dtype=np.uint16)
    for start in range(0, topology.switches, COLUMNS):
        _native.minimal_columns(topology.peer, start, min(COLUMNS, topology.switches - start), table)
    return Routes("table", np.arange(topology.switches, dtype=np.int32), next_port=table)


def explicit_table(topology: Topology, next_port: ArrayLike) -> Routes:
    """Return the routes of a table that someone else has made, after following all of them.

    Parameters
    ----------
    topology
        What the ports lead to.
    next_port
        For every switch a row with the port for each destination. The diagonal does not count.

    Raises
    ------
    InputError
        If it is no such table, or a route of it does not arrive, naming its source and destination.

    Examples
    --------
    >>> from ..topologies import graph
    >>> explicit_table(graph([(0, 1), (1, 2)]), [[-1, 0, 0], [0, -1, 1], [0, 0, -1]]).next_port[2].tolist()
    [0, 0, 65535]
    """
    check_table_size(topology.switches)
    try:
        table = np.array(next_port)
    except ValueError as error:
        raise InputError("next_port: rows of different lengths; expected a port for each switch") from error
    if table.shape != (topology.switches, topology.switches) or not np.issubdtype(table.dtype, np.integer):
        raise InputError(
            f"next_port: an array of {table.dtype} of shape {table.shape}; expected integers for "
            f"{topology.switches} x {topology.switches} switches"
        )
    np.fill_diagonal(table, 0)
    wrong = np.argwhere((table < 0) | (table >= topology.ports))
    if len(wrong):
        switch, destination = wrong[0]
        check_int(f"next_port[{switch}][{destination}]", int(table[switch, destination]), 0, topology.ports - 1)
    np.fill_diagonal(table, ARRIVED)
    routes = Routes("table", np.arange(topology.switches, dtype=np.int32), next_port=table.astype(np.uint16))
    hops(topology, routes)
    return routes


def check_table_size(switches: int) -> int:
    """Return a number of switches if a table of all pairs of them is not too large.

    Raises
    ------
    InputError
        If it is.
    """
    return check_int("switches", switches, 1, MAX_TABLE_SWITCHES)
