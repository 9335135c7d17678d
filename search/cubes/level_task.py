"""The messages of a workload by level, as the native walks over connection sets take them."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList
from isoplane.objectives.fluid.levels import message_levels

from .. import _native
from .connection_sets import ConnectionSets

Ints = NDArray[np.int64]

MAX_TOTAL = 1 << 61  # bytes over all links together: ranks are sums of two totals of at most 63 bits
Level = tuple[Ints, Ints, Ints]  # ends (source · nodes + destination), bytes, and the part over plane 0 on a tie


def level_task(sets: ConnectionSets, messages: MessageList) -> _native.LevelTask:
    """Return the messages that leave their node, added up over equal ends in a level and over equal levels.

    A message with B bytes between nodes that are equally near in both planes sends ⌊B/2⌋ of them over plane 0.

    Raises
    ------
    InputError
        If the bytes over all links together may exceed 2^61.
    """
    nodes = sets.nodes_per_switch << sets.n
    most_links = sets.n + 3
    if int(messages.length_bytes.sum()) * most_links >= MAX_TOTAL:
        raise InputError(f"workload: {messages.length_bytes.sum()} bytes; expected fewer than 2^61 over all links")
    repetitions: dict[bytes, int] = {}
    distinct: dict[bytes, Level] = {}
    for level in _levels(messages, nodes):
        key = np.concatenate(level).tobytes()
        repetitions[key] = repetitions.get(key, 0) + 1
        distinct.setdefault(key, level)
    ends, length_bytes, half = (np.concatenate(columns) for columns in zip(*distinct.values(), strict=True))
    starts = np.cumsum([0, *(len(level[0]) for level in distinct.values())])
    return _native.LevelTask(
        sets.n,
        sets.folded,
        sets.nodes_per_switch,
        starts.tolist(),
        list(repetitions.values()),
        (ends // nodes).tolist(),
        (ends % nodes).tolist(),
        length_bytes.tolist(),
        half.tolist(),
    )


def _levels(messages: MessageList, nodes: int) -> list[Level]:
    """Return the messages of each level by their ends."""
    remote = np.flatnonzero(messages.source != messages.destination)
    level = message_levels(messages)[remote]
    source, destination = (each[remote].astype(np.int64) for each in (messages.source, messages.destination))
    place, index = np.unique((level * nodes + source) * nodes + destination, return_inverse=True)
    length_bytes, half = np.zeros((2, len(place)), dtype=np.int64)
    np.add.at(length_bytes, index, messages.length_bytes[remote])
    np.add.at(half, index, messages.length_bytes[remote] // 2)
    borders = np.flatnonzero(np.diff(place // nodes**2)) + 1
    return list(zip(*(np.split(each, borders) for each in (place % nodes**2, length_bytes, half)), strict=True))
