"""Simultaneous traversal of many routes, hop by hop."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from .route_walk import links_of_route
from .routes import Routes
from .routing_columns import offset_between
from .topology import Topology


def route_steps(
    topology: Topology, routes: Routes, source: NDArray[np.integer], target: NDArray[np.integer]
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield, hop by hop, the unfinished routes with their current switches and next ports.

    Parameters
    ----------
    topology, routes
        The network.
    source : int[routes]
        The first switch of each route.
    target : int[routes]
        The target of each route in the sense of `Routes.targets`: a column of nodes, or a switch.

    Yields
    ------
    int64[...], int64[...], int64[...]
        Indices of the unfinished routes, their switches, and their ports.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from ..routing.grids.torus_order import torus_order
    >>> steps = route_steps(torus((5,)), torus_order((5,)), np.array([4, 0]), np.array([1, 1]))
    >>> [(route.tolist(), switch.tolist(), port.tolist()) for route, switch, port in steps]
    [([0, 1], [4, 0], [0, 0]), ([0], [0], [0])]
    """
    start, end = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    end_switch, switch, route = routes.switch_of(end).astype(np.int64), start, np.arange(len(start))
    # One step more than the longest route without a loop, in which it is seen to end.
    for step in range(topology.switches + 1):
        port, unfinished = _next_ports(routes, start, switch, end, end_switch, step)
        if not unfinished.all():
            finished = ~unfinished
            _require_valid(topology, routes, start[finished], end[finished], switch[finished] == end_switch[finished])
            route, start, switch, end, end_switch, port = (
                column[unfinished] for column in (route, start, switch, end, end_switch, port)
            )
        if not len(route):
            return
        cabled = port < topology.ports
        cabled &= topology.peer[switch, np.where(cabled, port, 0)] >= 0
        _require_valid(topology, routes, start, end, cabled)
        yield route, switch, port
        switch = topology.peer[switch, port].astype(np.int64)
    # After more hops than there are switches, a route has returned to one.
    _require_valid(topology, routes, start, end, np.zeros(len(route), dtype=np.bool_))


def first_ports(
    routes: Routes, source: NDArray[np.integer], target: NDArray[np.integer]
) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the first ports of routes, and whether they lead to another switch; ports of others are arbitrary.

    The port is `NO_ROUTE` where there is no route.

    Parameters
    ----------
    routes, source, target
        As in `route_steps`.

    Examples
    --------
    >>> from ..routing.grids.torus_order import torus_order
    >>> ports, is_elsewhere = first_ports(torus_order((5,)), np.array([4, 0, 1]), np.array([1, 4, 1]))
    >>> ports[:2].tolist(), is_elsewhere.tolist()
    ([0, 1], [True, True, False])
    """
    start, end = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    return _next_ports(routes, start, start, end, routes.switch_of(end).astype(np.int64), 0)


def _next_ports(
    routes: Routes, start: Ints, switch: Ints, end: Ints, end_switch: Ints, step: int
) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the ports that routes take at a step, and a mask of the unfinished routes."""
    if routes.next_port is not None:
        return routes.next_port[routes.row[switch], offset_between(routes, switch, end)].astype(
            np.int64
        ), switch != end_switch
    assert routes.paths is not None
    entry = routes.row[start].astype(np.int64) * routes.columns + offset_between(routes, start, end)
    index = routes.paths.starts[entry].astype(np.int64) + step
    unfinished = index < routes.paths.starts[entry + 1]
    return routes.paths.ports[np.where(unfinished, index, 0)].astype(np.int64), unfinished


def _require_valid(topology: Topology, routes: Routes, start: Ints, end: Ints, valid: NDArray[np.bool_]) -> None:
    """Raise the error of the first route that is not valid."""
    if not valid.all():
        wrong = int(np.argmin(valid))
        links_of_route(topology, routes, int(start[wrong]), int(end[wrong]))
