"""Stencils: every process of a grid exchanges messages with its neighbours."""

from collections.abc import Sequence

import numpy as np

from ..checks import check_bool, check_int
from ..mathematics.grid import check_shape
from .message_list import MAX_BYTES
from .phased_workload import PhasedWorkload


def stencil(
    shape: Sequence[int] = (8, 16), message_bytes: int = 40_000_000, iterations: int = 5, periodic: bool = False
) -> PhasedWorkload:
    """Return a stencil: in each iteration, every process sends a message to both neighbours in every dimension.

    Processes are numbered row by row: the last coordinate varies fastest. In a periodic dimension of size 2, both
    neighbours are the same process, which receives one message.

    Parameters
    ----------
    shape
        Sizes of the grid, each at least 2.
    message_bytes
        Length of every message.
    iterations
        Number of iterations.
    periodic
        Whether the grid is a torus.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 3: 8 x 16 processes, 40 MB, 5 times. The boundary conditions are not stated.

    Examples
    --------
    >>> stencil().messages, stencil(periodic=True).messages
    (464, 512)
    """
    sizes = check_shape(shape, "workload.shape")
    check_int("workload.message_bytes", message_bytes, 1, MAX_BYTES)
    check_bool("workload.periodic", periodic)
    ids = np.arange(int(np.prod(sizes)))
    position = np.array(np.unravel_index(ids, sizes))
    pairs: set[tuple[int, int]] = set()
    for axis, size in enumerate(sizes):
        for step in (1, -1):
            neighbour = position.copy()
            neighbour[axis] += step
            kept = np.ones(len(ids), dtype=bool) if periodic else (neighbour[axis] >= 0) & (neighbour[axis] < size)
            neighbour[axis] %= size
            pairs.update(
                zip(ids[kept].tolist(), np.ravel_multi_index(tuple(neighbour), sizes)[kept].tolist(), strict=True)
            )
    # Sorted: messages are numbered in this order, and a set has none that is defined.
    source, destination = np.array(sorted(pairs)).T
    lengths = np.full(len(source), message_bytes)
    return PhasedWorkload("stencil", len(ids), np.zeros_like(source), source, destination, lengths, iterations)


WORKLOADS = (stencil,)
