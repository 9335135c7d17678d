"""The messages of a workload by level, as the native walks over connection sets take them."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList
from isoplane.models.arrays import Ints
from isoplane.objectives.fluid.message_levels import message_levels

from .. import _native
from .space import ConnectionSets

MAX_TOTAL = 1 << 61  # bytes over all links together: ranks are sums of two totals of at most 63 bits
Level = tuple[Ints, Ints, Ints]  # ends (source · nodes + destination), bytes, and the part over plane 0 on a tie
Levels = tuple[tuple[Level, int], ...]  # the distinct levels of messages, and how often each occurs


def entries_of(levels: Levels) -> int:
    """Return the number of ends with messages, over all distinct levels."""
    return sum(len(ends) for (ends, _, _), _ in levels)


def distinct_levels(sets: ConnectionSets, messages: MessageList, *, whole: bool = False) -> Levels:
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
    """
    nodes = sets.nodes_per_switch << sets.n
    repetitions: dict[bytes, int] = {}
    distinct: dict[bytes, Level] = {}
    for level in _levels(messages, nodes, whole):
        key = np.concatenate(level).tobytes()
        repetitions[key] = repetitions.get(key, 0) + 1
        distinct.setdefault(key, level)
    return tuple((level, repetitions[key]) for key, level in distinct.items())


def level_task(sets: ConnectionSets, levels: Levels) -> _native.LevelTask:
    """Return levels as the native walks take them.

    Raises
    ------
    InputError
        If no message leaves its node, or the bytes over all links together may exceed 2^61.
    """
    nodes = sets.nodes_per_switch << sets.n
    if not levels:
        raise InputError("workload: all messages are from nodes to themselves; expected some to other nodes")
    links = sets.n + 3  # of a route, with those of nodes and the folded one
    most = links * sum(count * int(level[1].sum()) for level, count in levels)
    if most >= MAX_TOTAL:
        raise InputError(f"workload: up to {most} bytes over all links; expected fewer than 2^61")
    columns = zip(*(level for level, _ in levels), strict=True)
    ends, length_bytes, first = map(np.concatenate, columns)
    return _native.LevelTask(
        sets.n,
        sets.folded,
        sets.nodes_per_switch,
        np.cumsum([0, *(len(level[0]) for level, _ in levels)]).tolist(),
        [count for _, count in levels],
        (ends // nodes).tolist(),
        (ends % nodes).tolist(),
        length_bytes.tolist(),
        first.tolist(),
    )


def _levels(messages: MessageList, nodes: int, whole: bool) -> list[Level]:
    """Return the messages of each level by their ends."""
    remote = np.flatnonzero(messages.source != messages.destination)
    level, sent = message_levels(messages)[remote], messages.length_bytes[remote]
    source, destination = (column[remote].astype(np.int64) for column in (messages.source, messages.destination))
    place, index = np.unique((level * nodes + source) * nodes + destination, return_inverse=True)
    length_bytes, first = np.zeros((2, len(place)), dtype=np.int64)
    np.add.at(length_bytes, index, sent)
    np.add.at(first, index, np.where(_even(source), sent, 0) if whole else sent // 2)
    # `unique` has sorted by level first, so the messages of each level are neighbours.
    borders = np.flatnonzero(np.diff(place // nodes**2)) + 1
    return list(zip(*(np.split(column, borders) for column in (place % nodes**2, length_bytes, first)), strict=True))


def _even(source: Ints) -> NDArray[np.bool_]:
    """Return whether each message is the first, third, fifth, ... of its source."""
    order, counts = np.argsort(source, kind="stable"), np.bincount(source)
    rank = np.empty(len(source), dtype=np.int64)
    rank[order] = np.arange(len(source)) - np.repeat(np.cumsum(counts) - counts, counts)
    even: NDArray[np.bool_] = rank % 2 == 0
    return even
