"""Many routes at once, hop by hop."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..topology import Topology
from .offsets import Ints, offset_between
from .routes import Routes
from .walk import links_of_route


def route_steps(
    topology: Topology, routes: Routes, source: NDArray[np.integer], target: NDArray[np.integer]
) -> Iterator[tuple[Ints, Ints, Ints]]:
    """Yield, hop by hop, the routes that go on, each with the switch where it is and the port that it takes.

    Parameters
    ----------
    topology, routes
        The network.
    source : int[routes]
        The switch at which each route begins.
    target : int[routes]
        What `Routes.targets` gives for its destination: a column of nodes, or a switch.

    Yields
    ------
    int64[...], int64[...], int64[...]
        Which of the routes go on, their switches, and their ports.

    Raises
    ------
    InputError
        If a route loops, takes a port without a cable or ends at the wrong switch.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from .torus_order import torus_order
    >>> steps = route_steps(torus((5,)), torus_order((5,)), np.array([4, 0]), np.array([1, 1]))
    >>> [(which.tolist(), switch.tolist(), port.tolist()) for which, switch, port in steps]
    [([0, 1], [4, 0], [0, 0]), ([0], [0], [0])]
    """
    start, end = np.asarray(source, dtype=np.int64), np.asarray(target, dtype=np.int64)
    goal, here, which = routes.switch_of(end).astype(np.int64), start, np.arange(len(start))
    for step in range(topology.switches + 1):
        port, on = _next(routes, start, here, end, goal, step)
        if not on.all():
            _require(topology, routes, start[~on], end[~on], here[~on] == goal[~on])
            which, start, here, end, goal, port = (each[on] for each in (which, start, here, end, goal, port))
        if not len(which):
            return
        cabled = port < topology.ports
        cabled &= topology.peer[here, np.where(cabled, port, 0)] >= 0
        _require(topology, routes, start, end, cabled)
        yield which, here, port
        here = topology.peer[here, port].astype(np.int64)
    _require(topology, routes, start, end, np.zeros(len(which), dtype=np.bool_))


def _next(routes: Routes, start: Ints, here: Ints, end: Ints, goal: Ints, step: int) -> tuple[Ints, NDArray[np.bool_]]:
    """Return the ports that routes take after so many hops, and which of them go on."""
    if routes.next_port is not None:
        return routes.next_port[routes.row[here], offset_between(routes, here, end)].astype(np.int64), here != goal
    assert routes.paths is not None
    entry = routes.row[start].astype(np.int64) * routes.columns + offset_between(routes, start, end)
    at = routes.paths.starts[entry].astype(np.int64) + step
    on = at < routes.paths.starts[entry + 1]
    return routes.paths.ports[np.where(on, at, 0)].astype(np.int64), on


def _require(topology: Topology, routes: Routes, start: Ints, end: Ints, right: NDArray[np.bool_]) -> None:
    """Raise what is wrong with the first route that is not right."""
    for wrong in np.flatnonzero(~right)[:1]:
        links_of_route(topology, routes, int(start[wrong]), int(end[wrong]))
