"""Routes of forwarding tables that exist already: a port of each switch for each node link."""

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..planes.route_walk import hops
from ..planes.routes import ARRIVED, NO_ROUTE, Routes
from ..planes.shared_tables import shared_tables
from ..planes.topology import Topology


def imported_table(topology: Topology, ports: NDArray[np.integer], node_switch: NDArray[np.integer]) -> Routes:
    """Return the routes of forwarding tables, after checking that every route from a switch with nodes arrives.

    Parameters
    ----------
    topology
        The switches and their cables.
    ports : int[switches, node links]
        The port of each switch for packets to each node link, from 1 as in `node_ports`; 0 where it has no entry.
        Entries at the switch of the node itself are ignored.
    node_switch : int[node links]
        The switch of each node link.

    Raises
    ------
    InputError
        If the table does not fit, or a route does not arrive; the message names source and destination.

    Examples
    --------
    >>> from ..topologies import graph
    >>> imported_table(graph([(0, 1), (1, 2)]), np.array([[9, 1], [1, 2], [1, 9]]), np.array([0, 2])).row.tolist()
    [0, 1, 0]
    """
    if ports.shape != (topology.switches, len(node_switch)):
        raise InputError(
            f"tables: an array of shape {ports.shape}; expected {topology.switches} switches and {len(node_switch)} "
            "links of nodes, as in the plane"
        )
    table = np.where(ports == 0, NO_ROUTE, np.asarray(ports, dtype=np.uint16) - np.uint16(1)).astype(np.uint16)
    table[node_switch, np.arange(len(node_switch))] = ARRIVED
    wrong = np.argwhere((table >= topology.ports) & (table < NO_ROUTE))
    if len(wrong):
        switch, link = wrong[0].tolist()
        raise InputError(
            f"tables: port {table[switch, link] + 1} at switch {switch} for node link {link}; expected a port with a "
            "cable to another switch"
        )
    # Checked before rows are shared, which may replace missing entries.
    every = Routes(
        "table",
        np.arange(topology.switches, dtype=np.int32),
        next_port=table,
        column=np.arange(len(node_switch), dtype=np.int32),
        target_switch=np.asarray(node_switch, dtype=np.int32),
    )
    every.require_fit(topology, node_switch)
    hops(topology, every)
    return shared_tables(table, node_switch)
