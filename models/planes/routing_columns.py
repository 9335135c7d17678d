"""Columns of routing tables, and the translation symmetry of switches that share a row."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..errors import InputError
from ..mathematics.grid import strides
from .routes import ARRIVED, Routes
from .topology import Topology


def offset_between(routes: Routes, source: NDArray[np.integer], destination: NDArray[np.integer]) -> Ints:
    """Return the columns for packets at sources: offsets, or for tables the targets; the arrays are broadcast.

    The destinations are targets, as in `Routes.targets`: columns of nodes, or switches.

    Examples
    --------
    >>> from ..routing.grids.torus_order import torus_order
    >>> offset_between(torus_order((4, 4)), np.array(3), np.array([0, 7])).tolist()
    [1, 4]
    """
    sources, destinations = np.asarray(source, dtype=np.int64), np.asarray(destination, dtype=np.int64)
    if routes.group == "table":
        return np.broadcast_to(destinations, np.broadcast_shapes(sources.shape, destinations.shape))
    if routes.group == "xor":
        return sources ^ destinations
    return _add_vectors(routes, destinations, sources, -1)


def destination_at(routes: Routes, source: NDArray[np.integer], offset: NDArray[np.integer]) -> Ints:
    """Return the destinations at offsets from sources: the inverse of `offset_between`.

    Examples
    --------
    >>> from ..routing.grids.torus_order import torus_order
    >>> destination_at(torus_order((4, 4)), np.array(3), np.array([1, 4])).tolist()
    [0, 7]
    """
    sources, offsets = np.asarray(source, dtype=np.int64), np.asarray(offset, dtype=np.int64)
    if routes.group != "torus":
        return offset_between(routes, sources, offsets)
    return _add_vectors(routes, sources, offsets, 1)


def _add_vectors(routes: Routes, position: Ints, vector: Ints, sign: int) -> Ints:
    """Add vectors to switches of a torus, or subtract them."""
    moved: Ints = np.zeros(np.broadcast_shapes(position.shape, vector.shape), dtype=np.int64)
    # One coordinate at a time, to save memory traffic; division by one number is several times faster than by an array.
    for size, stride in zip(routes.shape, strides(routes.shape).tolist(), strict=True):
        moved += (position // stride + sign * (vector // stride)) % size * stride
    return moved


def next_ports_to(routes: Routes, targets: NDArray[np.integer]) -> NDArray[np.uint16]:
    """Return the next ports of all switches to some targets as uint16[switches, targets].

    The entry is `ARRIVED` at the switch of a target, regardless of the table.
    """
    assert routes.next_port is not None
    ids = np.arange(routes.switches)[:, None]
    port = routes.next_port[routes.row[:, None], offset_between(routes, ids, targets)]
    return np.where(ids == routes.switch_of(targets), np.uint16(ARRIVED), port)


def row_count(routes: Routes) -> int:
    """Return the number of rows of the routes."""
    if routes.next_port is not None:
        return int(routes.next_port.shape[0])
    assert routes.paths is not None
    return (len(routes.paths.starts) - 1) // routes.columns


def representatives(routes: Routes) -> Ints:
    """Return the first switch of each row."""
    used, first = np.unique(routes.row, return_index=True)
    if not np.array_equal(used, np.arange(row_count(routes))):
        raise InputError(f"routes: switches with {len(used)} rows; expected the rows 0 to {row_count(routes) - 1}")
    return first.astype(np.int64)


def common_moves(topology: Topology, routes: Routes) -> tuple[Ints, Ints] | None:
    """Return the effect of the ports if switches that share a row are equivalent for the routes; else None.

    Equivalent means that each port leads, by the same offset, to the same port of a switch with the same row. Then a
    property of a route from one of them holds for the routes with the same offset from all of them. Tables have no
    offsets.

    Returns
    -------
    int64[rows, ports], int64[rows, ports]
        Offset and row of the switch at the far end of each port; -1 without a cable.
    """
    if routes.group == "table":
        return None
    cabled = topology.peer >= 0
    ids = np.arange(topology.switches)[:, None]
    offset = np.where(cabled, offset_between(routes, ids, np.maximum(topology.peer, 0)), -1)
    peer_row = np.where(cabled, routes.row[topology.peer], -1).astype(np.int64)
    first = representatives(routes)
    for values in (offset, peer_row, topology.peer_port):
        if not np.array_equal(values, values[first][routes.row]):
            return None
    return offset[first], peer_row[first]
