"""Dimension-order routing in tori whose ties, halfway round a ring, are split evenly between both directions."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.errors import InputError
from isoplane.models.mathematics.grid import check_shape, coordinates
from isoplane.models.planes.routes import ARRIVED, Paths, Routes

from .torus_order import dateline_rule, torus_order

MAX_PATH_PORTS = 1 << 28  # half a gigabyte of source routes


def torus_parity_order(shape: Sequence[int], datelines: bool = False) -> Routes:
    """Return the routes of `torus_order` with ties in the direction of a parity, so that all-to-all loads are even.

    A packet with a tie in dimension i, from switch s with offset o (the coordinates of its destination minus those of
    s, modulo the sizes), goes in the direction of increasing coordinates if this sum is even::

        Σ s_j over even sizes + Σ o_j over j > i + Σ o_j over j < i with odd sizes

    Dimensions of size 2 have no ties, since both directions are the same cable. In a torus of N switches, each of which
    sends a packet to each, a link in a dimension of size k > 2 carries, if k is odd, N (k² - 1) / 8k packets; if k is a
    multiple of 4, or another size is even, N k / 8; otherwise N k / 8 rounded up or down.

    These are next ports, by parity of the switch, if all even sizes are 2 or multiples of 4: then it suffices that each
    switch where a tie occurs applies the rule. Other even sizes need the parity of lower coordinates of the source,
    which have been corrected by then; so the source determines all directions, and these are source routes.

    References
    ----------
    Adiga et al., Blue Gene/L Torus Interconnection Network, 2005: the source states the direction in each dimension.
    The parity rule is not taken from there.

    Examples
    --------
    >>> torus_parity_order((4,)).next_port.tolist()  # to the opposite switch by port 0 or 1
    [[65535, 0, 0, 1], [65535, 0, 1, 1]]
    """
    sizes = np.array(check_shape(shape))
    even = sizes % 2 == 0
    if not has_ties(shape):
        return torus_order(shape, datelines)
    by_source = _by_source(sizes)
    if by_source:
        _check_size_of_paths(sizes)
    position = coordinates(np.arange(sizes.prod()), shape)
    row = position[:, even].sum(axis=1) % 2
    ports = _direction_ports(position, sizes)
    channels = dateline_rule(tuple(shape)) if datelines else None
    if by_source:
        paths = _source_routes(ports, np.minimum(position, sizes - position))
        return Routes("torus", row.astype(np.int32), paths=paths, shape=tuple(shape), channels=channels)
    first = np.argmax(position > 0, axis=1)
    next_port = np.take_along_axis(ports, first[None, :, None], axis=2)[..., 0]
    next_port[:, 0] = ARRIVED
    return Routes("torus", row.astype(np.int32), next_port=next_port, shape=tuple(shape), channels=channels)


def _direction_ports(offset: Ints, sizes: Ints) -> NDArray[np.uint16]:
    """Return the port in every dimension, as uint16[parities of the source, offsets, dimensions]."""
    lower_even = np.cumsum(np.where(sizes % 2, 0, offset), axis=1) - np.where(sizes % 2, 0, offset)
    others = offset.sum(axis=1, keepdims=True) - offset - lower_even
    is_tie = (2 * offset == sizes) & (sizes > 2)
    odd_parity = (np.arange(2)[:, None, None] + others) % 2 == 1
    backward = (2 * offset > sizes) | (is_tie & odd_parity)
    port: NDArray[np.uint16] = (2 * np.arange(len(sizes)) + backward).astype(np.uint16)
    return port


def has_ties(shape: Sequence[int]) -> bool:
    """Whether packets can be halfway round a ring: in even sizes above 2.

    Examples
    --------
    >>> has_ties((4, 3)), has_ties((3, 2))
    (True, False)
    """
    return any(size > 2 and size % 2 == 0 for size in shape)


def parity_fits(shape: Sequence[int]) -> bool:
    """Whether the routes of `torus_parity_order` are small enough.

    Examples
    --------
    >>> parity_fits((6, 6)), parity_fits((70000, 6)), parity_fits((70000, 8))
    (True, False, True)
    """
    sizes = np.array(shape)
    return not _by_source(sizes) or _path_ports(sizes) <= MAX_PATH_PORTS


def _by_source(sizes: Ints) -> bool:
    """Whether directions follow from the source alone."""
    return bool((sizes[(sizes % 2 == 0) & (sizes > 2)] % 4).any())


def _path_ports(sizes: Ints) -> int:
    """Return the number of ports of the paths of both parities."""
    hops = sizes**2 // 4 * (sizes.prod() // sizes)  # to all offsets, in each dimension
    return 2 * int(hops.sum())


def _check_size_of_paths(sizes: Ints) -> None:
    """Raise an `InputError` if the paths of both parities take too much memory."""
    total = _path_ports(sizes)
    if total > MAX_PATH_PORTS:
        raise InputError(
            f"shape={sizes.tolist()}: {total} ports of source routes for ties by parity; expected at most "
            f"{MAX_PATH_PORTS}"
        )


def _source_routes(ports: NDArray[np.uint16], hops: Ints) -> Paths:
    """Return the paths that take the ports of all dimensions in order, each as often as there are hops in it."""
    lengths = np.tile(hops.sum(axis=1), len(ports))
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.uint32)
    return Paths(starts, np.repeat(ports.ravel(), np.tile(hops.ravel(), len(ports))))
