"""Messages in phases that barriers separate."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .message_list import MessageList


def between_barriers(
    nodes: int, phase: ArrayLike, source: ArrayLike, destination: ArrayLike, length_bytes: ArrayLike
) -> MessageList:
    """Return messages none of which begins before all messages of the phases before have arrived.

    A barrier is a local message, empty and without a delay, at the source of the first message: it follows all messages
    of a phase, and all of the next phase follow it. So M messages in P phases have 2·M dependencies at most, and P - 1
    barriers stand between them in the list.

    Parameters
    ----------
    nodes
        Number of nodes.
    phase : int[messages]
        Phase of each message, ascending; only the order of phases matters.
    source, destination, length_bytes : int[messages]
        As in a `MessageList`.

    Examples
    --------
    >>> there_and_back = between_barriers(2, [0, 1], [0, 1], [1, 0], [8, 8])
    >>> there_and_back.local.tolist(), there_and_back.dependency_start.tolist(), there_and_back.dependency.tolist()
    ([False, True, False], [0, 0, 1, 2], [0, 1])
    """
    _, number, sizes = np.unique(np.asarray(phase), return_inverse=True, return_counts=True)
    messages, barriers = len(number), len(sizes) - 1
    place = np.arange(messages) + number  # of each message: after the barriers of all phases before
    barrier = np.cumsum(sizes[:-1]) + np.arange(barriers)
    waits_for: NDArray[np.int64] = np.zeros(messages + barriers, dtype=np.int64)
    waits_for[place] = number > 0
    waits_for[barrier] = sizes[:-1]
    follows_phase = np.repeat(np.isin(np.arange(messages + barriers), barrier), waits_for)
    dependency = np.empty(len(follows_phase), dtype=np.int64)
    dependency[follows_phase] = place[number < barriers]
    dependency[~follows_phase] = barrier[number[number > 0] - 1]

    def spread(values: ArrayLike, at_barriers: int) -> NDArray[np.int64]:
        spread_values = np.full(messages + barriers, at_barriers, dtype=np.int64)
        spread_values[place] = values
        return spread_values

    first = int(np.asarray(source)[0])
    return MessageList(
        nodes,
        spread(source, first).astype(np.int32),
        spread(destination, first).astype(np.int32),
        spread(length_bytes, 0),
        np.zeros(messages + barriers, dtype=np.int64),
        np.concatenate([[0], np.cumsum(waits_for)]),
        dependency.astype(np.int32),
    )
