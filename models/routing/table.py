"""Forwarding tables: shortest-path routes on any graph, and explicitly given tables."""

import numpy as np
from numpy.typing import ArrayLike

from .. import _native
from ..checks import check_int
from ..errors import InputError
from ..planes.route_walk import hops
from ..planes.routes import ARRIVED, Routes, check_table_size
from ..planes.topology import Topology
from ..steps import step

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


def explicit_table(topology: Topology, next_port: ArrayLike) -> Routes:
    """Return the routes of a given table, after checking that every route arrives.

    Parameters
    ----------
    topology
        The switches and their cables.
    next_port
        A row per switch with the port for each destination; the diagonal is ignored.

    Raises
    ------
    InputError
        If it is not a valid table, or a route does not arrive; the message names source and destination.

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
        raise InputError("next_port: rows of different lengths; expected one port per switch") from error
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
