"""Dimension-order routing in hypercubes, plain and folded."""

import numpy as np

from isoplane.models.cubes.cube import Cube
from isoplane.models.planes.routes import ARRIVED, Routes


def dimension_order(cube: Cube) -> Routes:
    """Return the routes of a hypercube plane, identical to `Cube.route`.

    The next link is the lowest set bit of the routing value r; in a folded cube with wt(r) > (n+1)/2 it is the folded
    link, which leaves the complement of r. The routing is translation-invariant, so one row of 2^n offsets is enough.

    References
    ----------
    Hosomi et al. 2021, section 2.2; El-Amawy and Latifi, 1991.

    Examples
    --------
    >>> from isoplane.models.cubes.connection_set import ConnectionSet
    >>> dimension_order(Cube(ConnectionSet.unit(3))).next_port.tolist()
    [[65535, 0, 1, 0, 2, 0, 1, 0]]
    """
    value = cube.connections.routing_values()
    lowest = np.zeros(len(value), dtype=np.uint16)
    weight = np.zeros(len(value), dtype=np.int64)
    # Downwards, so that the lowest set bit is written last.
    for bit in reversed(range(cube.n)):
        is_set = (value >> np.uint32(bit) & np.uint32(1)).astype(bool)
        lowest[is_set] = bit
        weight += is_set
    lowest[value == 0] = ARRIVED
    if cube.folded:
        # Strictly: in a tie the packet does not use the folded link, as in `Cube.route`.
        lowest[2 * weight > cube.n + 1] = cube.n
    return Routes("xor", np.zeros(len(value), dtype=np.int32), next_port=lowest[None])
