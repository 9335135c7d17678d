"""When processes post their receives, from the order of their operations."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Bools, Ints

from .operations import WAIT, Operations


def arrival_groups(operations: Operations) -> Ints:
    """Return for each operation a number that rises within a process after each group of arrivals.

    Waits for arrivals one after another are a group.

    Parameters
    ----------
    operations
        Operations of processes.

    Examples
    --------
    >>> from .operations import exchange, joined
    >>> there = exchange([0, 0], [1, 1], 8)  # 0 sends twice and awaits both arrivals, and 1 awaits both
    >>> arrival_groups(joined([there, there])).tolist()
    [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1]
    """
    order = np.argsort(operations.process, kind="stable")
    process = operations.process[order]
    arrives = _arrives(operations, operations.process, operations.kind, operations.value)[order]
    ends = np.zeros(len(order), dtype=np.int64)
    ends[1:] = (process[1:] != process[:-1]) | (arrives[:-1] & ~arrives[1:])
    group = np.empty_like(ends)
    group[order] = np.cumsum(ends)
    return group


def posting_blocks(
    operations: Operations,
    process: NDArray[np.integer],
    value: Ints,
    kind: NDArray[np.integer],
    block: NDArray[np.integer],
) -> Ints:
    """Return the block of operations after whose waits the receive of each message is posted; -1 for the start.

    Parameters
    ----------
    operations
        Operations of processes.
    process, value, kind, block
        Those that matter by process, with the numbers of their blocks, none of which has arrivals of two groups.

    Returns
    -------
    int64[messages]
    """
    arrives = _arrives(operations, process, kind, value)
    of_arrival, received, message = block[arrives], process[arrives], value[arrives]
    begins = np.flatnonzero(np.diff(of_arrival, prepend=-1))
    before = np.full(len(begins), -1)
    same = received[begins[1:]] == received[begins[:-1]]
    before[1:][same] = of_arrival[begins[:-1]][same]
    lengths = np.diff(np.append(begins, len(of_arrival)))
    posted = np.full(operations.messages, -1)
    # Backwards, since the first wait for an arrival decides.
    posted[message[::-1]] = np.repeat(before, lengths)[::-1]
    return posted


def _arrives(operations: Operations, process: NDArray[np.integer], kind: NDArray[np.integer], value: Ints) -> Bools:
    """Return which operations wait for a message from another process."""
    arrives: Bools = kind == WAIT
    message = value[arrives]
    to_me = operations.destination[message] == process[arrives]
    arrives[arrives] = to_me & (operations.source[message] != process[arrives])
    return arrives
