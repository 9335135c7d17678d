"""Which links the routes of a plane take, if they look alike from every switch."""

import numpy as np

from isoplane.models.planes.plane import Plane
from isoplane.models.planes.route_steps import first_ports

MOST_LINKS = 64  # of a switch, as bits of a word


def links_of_routes(plane: Plane) -> tuple[int, ...] | None:
    """Return, for each vector of GF(2)^n, a bit for each link of the route there from switch 0.

    Switches are these vectors. A link of a switch has the bit of the vector that its two ends differ by.

    Parameters
    ----------
    plane
        The plane, with 2^n switches.

    Returns
    -------
    tuple
        None unless the links of all switches differ by the same vectors, at most 64, and so do those of all routes
        between switches that differ alike, each by a vector once.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> links_of_routes(dual_cube(2, (1, 3)).planes[0])
    (0, 1, 2, 3)
    >>> links_of_routes(dual_cube(2, (1, 3), folded=True).planes[0])
    (0, 1, 2, 4)
    """
    topology, routes = plane.topology, plane.routes
    if routes.next_port is None or routes.target_switch is not None:
        return None
    switches = np.arange(topology.switches)
    ends = np.where(topology.peer < 0, 0, topology.peer ^ switches[:, None])  # those of no cable are equal
    vectors = np.unique(ends[0][ends[0] > 0])
    if not np.array_equal(np.sort(ends, axis=1), np.broadcast_to(np.sort(ends[0]), ends.shape)):
        return None
    if len(vectors) > MOST_LINKS or len(vectors) < (topology.peer[0] >= 0).sum():
        return None
    first = np.empty(0, dtype=np.int64)  # by which the first link towards each vector differs
    for switch in switches:
        port, is_elsewhere = first_ports(routes, np.full(len(switches), switch), switches ^ switch)
        towards = np.where(is_elsewhere, ends[switch, np.where(is_elsewhere, port, 0)], 0)
        if switch == 0:
            first = towards
        elif not np.array_equal(first, towards):
            return None
    links, rest = np.zeros(len(switches), dtype=np.uint64), switches
    bit = np.zeros(len(switches), dtype=np.uint64)
    bit[vectors] = np.uint64(1) << np.arange(len(vectors), dtype=np.uint64)
    while rest.any():
        taken = bit[first[rest]]
        if (links & taken).any():
            return None
        links, rest = links | taken, rest ^ first[rest]
    return tuple(links.tolist())
