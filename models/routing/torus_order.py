"""Dimension-order routing in tori and meshes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..grid import check_shape, coordinates
from .routes import ARRIVED, ChannelRule, Routes
from .table import check_table_size


def torus_order(shape: Sequence[int], datelines: bool = False) -> Routes:
    """Return the routes of a torus that correct x first, then y, z, ..., each the shorter way round its ring.

    Half way round the ring a packet goes in the direction of growing coordinates. Without datelines the routes of
    rings of 4 and more switches wait for each other in a circle. With them a packet changes to the second class of
    virtual channels where it leaves the last switch of a ring for the first or the other way round, and no circle is
    left: nobody goes round a ring so far as to reach its dateline twice.

    Raises
    ------
    InputError
        If a size is below 2 or the torus is too large.

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
    for i, size in reversed(list(enumerate(sizes))):
        ahead = offset[:, i]
        next_port = np.where(ahead == 0, next_port, np.where(2 * ahead <= size, 2 * i, 2 * i + 1))
    channels = _datelines(sizes) if datelines else None
    return Routes(
        "torus",
        np.zeros(switches, dtype=np.int32),
        next_port=next_port.astype(np.uint16)[None],
        shape=sizes,
        channels=channels,
    )


def _datelines(sizes: tuple[int, ...]) -> ChannelRule:
    """Two classes, with the dateline of every ring between its last switch and its first."""
    place = coordinates(np.arange(int(np.prod(sizes))), sizes)
    dateline: NDArray[np.bool_] = np.zeros((len(place), 2 * len(sizes)), dtype=np.bool_)
    for i, size in enumerate(sizes):
        if size > 2:  # a ring of two has a single cable and no way round
            dateline[:, 2 * i] = place[:, i] == size - 1
            dateline[:, 2 * i + 1] = place[:, i] == 0
    return ChannelRule(np.arange(2 * len(sizes), dtype=np.int32) // 2, dateline, classes=2)


def mesh_order(shape: Sequence[int]) -> Routes:
    """Return the routes of a mesh that correct x first, then y, z, ...; they need no virtual channels.

    Which way a packet goes depends on both ends, so this is a table of all pairs.

    Raises
    ------
    InputError
        If a size is below 2, or there are too many switches for a table.

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
    place = coordinates(np.arange(switches), sizes).astype(np.int16)
    table = np.full((switches, switches), ARRIVED, dtype=np.uint16)
    for i in reversed(range(len(sizes))):
        here, there = place[:, None, i], place[None, :, i]
        table = np.where(here < there, np.uint16(2 * i), np.where(here > there, np.uint16(2 * i + 1), table))
    return Routes("table", np.arange(switches, dtype=np.int32), next_port=table)
