"""The routes of a plane, written out as whole paths from switch to switch."""

from itertools import pairwise

import numpy as np

from isoplane.models import InputError, Plane
from isoplane.models.arrays import Ints
from isoplane.models.planes.route_steps import route_steps

MAX_ROUTES = 1 << 22  # about 200 MB of text


def plane_targets(plane: Plane) -> tuple[Ints, Ints]:
    """Return the targets of routes to nodes, ascending, and the index among them for each node link.

    All packets from a switch to the nodes of a target take the same route.
    """
    targets, index = np.unique(plane.routes.targets(plane.node_switch), return_inverse=True)
    return targets, index


def require_few_routes(format_name: str, planes: tuple[Plane, ...]) -> None:
    """Raise an `InputError` if a format would have to write out more than `MAX_ROUTES` routes of a plane."""
    for number, plane in enumerate(planes):
        routes = len(np.unique(plane.node_switch)) * len(plane_targets(plane)[0])
        if routes > MAX_ROUTES:
            raise InputError(
                f"format={format_name}: {routes} routes in plane {number}; expected a network of at most {MAX_ROUTES}"
            )


def switch_paths(plane: Plane, source: int, targets: Ints) -> tuple[list[list[int]], list[list[int]]]:
    """Return the routes from a switch to targets: the ports that each takes, from 0, and the switches after its source.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> switch_paths(Network(Torus(shape=(5,))).planes[0], 4, np.array([1, 4]))
    ([[0, 0], []], [[0, 1], []])
    """
    steps = list(route_steps(plane.topology, plane.routes, np.full(len(targets), source), targets))
    lengths = np.zeros(len(targets), dtype=np.int64)
    for route, _, _ in steps:
        lengths[route] += 1
    start = np.concatenate([[0], np.cumsum(lengths)])
    ports, switches = np.empty((2, start[-1]), dtype=np.int64)
    for number, (route, switch, port) in enumerate(steps):
        ports[start[route] + number] = port
        switches[start[route] + number] = plane.topology.peer[switch, port]
    return _divided(ports, start), _divided(switches, start)


def sources_of(plane: Plane) -> list[int]:
    """Return the switches with nodes, where packets begin."""
    found: list[int] = np.unique(plane.node_switch).tolist()
    return found


def _divided(values: Ints, start: Ints) -> list[list[int]]:
    flat, bounds = values.tolist(), start.tolist()
    return [flat[low:high] for low, high in pairwise(bounds)]
