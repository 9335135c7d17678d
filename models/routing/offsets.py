"""Columns in which switches look routes up, and whether switches that share a row look alike."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..grid import coordinates, strides
from ..topology import Topology
from .routes import ARRIVED, Routes

Ints = NDArray[np.int64]


def offset_between(routes: Routes, source: NDArray[np.integer], destination: NDArray[np.integer]) -> Ints:
    """Return the columns in which switches look targets up, offsets where these are; the arrays are broadcast.

    A target is what `Routes.targets` gives: a column of nodes, or a destination switch.

    Examples
    --------
    >>> from .torus_order import torus_order
    >>> offset_between(torus_order((4, 4)), np.array(3), np.array([0, 7])).tolist()
    [1, 4]
    """
    here, there = np.asarray(source, dtype=np.int64), np.asarray(destination, dtype=np.int64)
    if routes.group == "table":
        return np.broadcast_to(there, np.broadcast_shapes(here.shape, there.shape))
    if routes.group == "xor":
        return here ^ there
    return _moved(routes, there, here, -1)


def destination_at(routes: Routes, source: NDArray[np.integer], offset: NDArray[np.integer]) -> Ints:
    """Return the destinations that are at offsets from sources: the other way round of `offset_between`.

    Examples
    --------
    >>> from .torus_order import torus_order
    >>> destination_at(torus_order((4, 4)), np.array(3), np.array([1, 4])).tolist()
    [0, 7]
    """
    here, away = np.asarray(source, dtype=np.int64), np.asarray(offset, dtype=np.int64)
    if routes.group != "torus":
        return offset_between(routes, here, away)
    return _moved(routes, here, away, 1)


def _moved(routes: Routes, place: Ints, vector: Ints, sign: int) -> Ints:
    """Add vectors to places of a torus, or subtract them."""
    start, step = coordinates(place, routes.shape), coordinates(vector, routes.shape)
    moved: Ints = np.zeros(np.broadcast_shapes(place.shape, vector.shape), dtype=np.int64)
    for i, (size, stride) in enumerate(zip(routes.shape, strides(routes.shape).tolist(), strict=True)):
        moved += (start[..., i] + sign * step[..., i]) % size * stride  # each by itself: far less memory to go through
    return moved


def next_ports_to(routes: Routes, targets: NDArray[np.integer]) -> NDArray[np.uint16]:
    """Return the next ports of all switches to some targets as uint16[switches, targets].

    It is `ARRIVED` at the switches to which the targets lead, whatever the table has there.
    """
    assert routes.next_port is not None
    ids = np.arange(routes.switches)[:, None]
    port = routes.next_port[routes.row[:, None], offset_between(routes, ids, targets)]
    return np.where(ids == routes.switch_of(targets), np.uint16(ARRIVED), port)


def rows_of(routes: Routes) -> int:
    """Return how many rows the routes have."""
    if routes.next_port is not None:
        return int(routes.next_port.shape[0])
    assert routes.paths is not None
    return (len(routes.paths.starts) - 1) // routes.columns


def representatives(routes: Routes) -> Ints:
    """Return the first switch of each row.

    Raises
    ------
    InputError
        If the rows of the switches are not those of the table.
    """
    found, first = np.unique(routes.row, return_index=True)
    if not np.array_equal(found, np.arange(rows_of(routes))):
        raise InputError(f"routes: switches with {len(found)} rows; expected the rows 0 to {rows_of(routes) - 1}")
    return first.astype(np.int64)


@dataclass(frozen=True, eq=False)
class Moves:
    """What the ports do, where they do the same at all switches that share a row.

    Parameters
    ----------
    offset : int64[rows, ports]
        Where a port leads, as an offset; -1 where it has no cable.
    row : int64[rows, ports]
        The row of the switch there.
    """

    offset: Ints
    row: Ints


def common_moves(topology: Topology, routes: Routes) -> Moves | None:
    """Return what ports do if all switches that share a row look alike to the routes, else None.

    Alike means: each port leads by the same offset to the same port of a switch with the same row. Then whatever holds
    for a route from one of them holds for the route by the same offset from all of them. A table has no offsets.
    """
    if routes.group == "table":
        return None
    cabled = topology.peer >= 0
    ids = np.arange(topology.switches)[:, None]
    offset = np.where(cabled, offset_between(routes, ids, np.maximum(topology.peer, 0)), -1)
    peer_row = np.where(cabled, routes.row[topology.peer], -1).astype(np.int64)
    first = representatives(routes)
    for seen in (offset, peer_row, topology.peer_port):
        if not np.array_equal(seen, seen[first][routes.row]):
            return None
    return Moves(offset[first], peer_row[first])
