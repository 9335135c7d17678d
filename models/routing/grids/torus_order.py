"""Dimension-order routing in tori, meshes, and hypercubes, plain and folded."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models.cubes.cube import Cube
from isoplane.models.mathematics.grid import check_shape, coordinates
from isoplane.models.planes.routes import ARRIVED, ChannelRule, Routes, check_table_size


def torus_order(shape: Sequence[int], datelines: bool = False) -> Routes:
    """Return the routes of a torus that correct x first, then y, z, ..., in the shorter direction round each ring.

    Ties, halfway round a ring, go in the direction of increasing coordinates; `torus_parity_order` splits them evenly.
    Without datelines, rings of 4 or more switches have cyclic channel dependencies. With datelines, a packet changes to
    the second class of virtual channels on the link between the last and the first switch of a ring, in either
    direction. This breaks the cycles, because no packet crosses the dateline of a ring twice.

    References
    ----------
    Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987.

    Examples
    --------
    >>> torus_order((5,)).next_port.tolist()
    [[65535, 0, 0, 1, 1]]
    """
    sizes = check_shape(shape)
    switches = int(np.prod(sizes))
    offset = coordinates(np.arange(switches), sizes)
    next_port = np.full(switches, ARRIVED, dtype=np.uint16)
    # Backwards: the lowest dimension that differs, which a packet corrects first, has the last word.
    for i, size in reversed(list(enumerate(sizes))):
        distance = offset[:, i]
        next_port = np.where(distance == 0, next_port, np.where(2 * distance <= size, 2 * i, 2 * i + 1))
    channels = dateline_rule(sizes) if datelines else None
    return Routes(
        "torus",
        np.zeros(switches, dtype=np.int32),
        next_port=next_port.astype(np.uint16)[None],
        shape=sizes,
        channels=channels,
    )


def dateline_rule(sizes: tuple[int, ...]) -> ChannelRule:
    """Return a rule with two classes and a dateline between the last and the first switch of every ring.

    Examples
    --------
    >>> dateline_rule((3,)).dateline.tolist()
    [[False, True], [False, False], [True, False]]
    """
    position = coordinates(np.arange(int(np.prod(sizes))), sizes)
    dateline: NDArray[np.bool_] = np.zeros((len(position), 2 * len(sizes)), dtype=np.bool_)
    for i, size in enumerate(sizes):
        if size > 2:  # a ring of two is a single cable
            dateline[:, 2 * i] = position[:, i] == size - 1
            dateline[:, 2 * i + 1] = position[:, i] == 0
    return ChannelRule(np.arange(2 * len(sizes), dtype=np.int32) // 2, dateline, classes=2)


def mesh_order(shape: Sequence[int]) -> Routes:
    """Return the routes of a mesh that correct x first, then y, z, ...; they need no virtual channels.

    The direction of a packet depends on both ends, not on the offset alone, so this is a table of all pairs.

    References
    ----------
    Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987.

    Examples
    --------
    >>> mesh_order((3,)).next_port.tolist()
    [[65535, 0, 0], [1, 65535, 0], [1, 1, 65535]]
    """
    sizes = check_shape(shape)
    switches = check_table_size(int(np.prod(sizes)))
    table = np.full((1, 1), ARRIVED, dtype=np.uint16)
    for i in reversed(range(len(sizes))):  # switches of the slower dimensions, with those along dimension i between
        others, size = len(table), sizes[i]
        along = np.empty((others, size, others, size), dtype=np.uint16)
        for x in range(size):
            along[:, x, :, :x], along[:, x, :, x], along[:, x, :, x + 1 :] = 2 * i + 1, table, 2 * i
        table = along.reshape(others * size, others * size)
    return Routes("table", np.arange(switches, dtype=np.int32), next_port=table)


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
