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


def level_task(sets: ConnectionSets, messages: MessageList, *, whole: bool = False) -> _native.LevelTask:
    """Return the messages that leave their node, added up over equal ends in a level and over equal levels.

    Of B bytes between nodes that are equally near in both planes, ⌊B/2⌋ are sent over plane 0, as in the fluid model.
    If messages stay whole, as in packet simulations, a node sends its messages over plane 0 and plane 1 in turn.

    Parameters
    ----------
    sets
        The connection sets.
    messages
        The messages, between as many processes as nodes.
    whole
        Whether messages stay whole.

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
    for level in _levels(messages, nodes, _over_plane_0(messages, whole)):
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


def _levels(messages: MessageList, nodes: int, over_plane_0: Ints) -> list[Level]:
    """Return the messages of each level by their ends."""
    remote = np.flatnonzero(messages.source != messages.destination)
    level = message_levels(messages)[remote]
    source, destination = (each[remote].astype(np.int64) for each in (messages.source, messages.destination))
    place, index = np.unique((level * nodes + source) * nodes + destination, return_inverse=True)
    length_bytes, half = np.zeros((2, len(place)), dtype=np.int64)
    np.add.at(length_bytes, index, messages.length_bytes[remote])
    np.add.at(half, index, over_plane_0[remote])
    borders = np.flatnonzero(np.diff(place // nodes**2)) + 1
    return list(zip(*(np.split(each, borders) for each in (place % nodes**2, length_bytes, half)), strict=True))


def _over_plane_0(messages: MessageList, whole: bool) -> Ints:
    """Return the bytes of each message over plane 0, if both planes are equally near."""
    if not whole:
        return messages.length_bytes // 2
    order = np.argsort(messages.source, kind="stable")
    counts = np.bincount(messages.source, minlength=messages.nodes)
    rank = np.empty(messages.messages, dtype=np.int64)
    rank[order] = np.arange(messages.messages) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.where(rank % 2 == 0, messages.length_bytes, 0)
