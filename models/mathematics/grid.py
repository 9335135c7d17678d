"""Grids of switches: shapes, ids and coordinates of tori and meshes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..errors import InputError

MAX_SWITCHES = 1 << 20


def check_shape(shape: Sequence[int], name: str = "shape") -> tuple[int, ...]:
    """Return the sizes of a grid as a tuple.

    Examples
    --------
    >>> check_shape([4, 4])
    (4, 4)
    """
    if not isinstance(shape, (tuple, list)) or not shape:
        raise InputError(f"{name}={shape!r}: expected a list of sizes, one per dimension, such as [4,4]")
    positions = 1
    for size in shape:
        positions *= check_int(name, size, 2, MAX_SWITCHES)
    if positions > MAX_SWITCHES:
        raise InputError(f"{name}={list(shape)}: {positions} positions; expected at most {MAX_SWITCHES}")
    return tuple(shape)


def strides(shape: Sequence[int]) -> NDArray[np.int64]:
    """Return the id stride of each dimension; the first coordinate varies fastest.

    Examples
    --------
    >>> strides((4, 3, 2)).tolist()
    [1, 4, 12]
    """
    return np.cumprod([1, *shape[:-1]], dtype=np.int64)


def coordinates(ids: NDArray[np.integer], shape: Sequence[int]) -> NDArray[np.int64]:
    """Return the coordinates of switches along a new last axis.

    Examples
    --------
    >>> coordinates(np.array([0, 5, 23]), (4, 3, 2)).tolist()
    [[0, 0, 0], [1, 1, 0], [3, 2, 1]]
    """
    positions: NDArray[np.int64] = np.asarray(ids, dtype=np.int64)[..., None] // strides(shape) % np.array(shape)
    return positions
