"""Levels of messages by their dependencies, and the time of a workload that is sent level by level."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isoplane.models import MessageList
from isoplane.models.arrays import Ints
from isoplane.models.mathematics.spans import spans, starts_of

from .link_timing import LinkTiming
from .paths import PathTransfers


def message_levels(messages: MessageList) -> Ints:
    """Return the level of each message: 0 without dependencies, else 1 + the highest level among these.

    Parameters
    ----------
    messages
        The messages.

    Returns
    -------
    int64[messages]

    Examples
    --------
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> message_levels(ring_all_reduce(3, 3).message_list()).tolist()
    [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    """
    dependent = np.repeat(np.arange(messages.messages), np.diff(messages.dependency_start))
    dependent = dependent[np.argsort(messages.dependency, kind="stable")]
    dependents = np.bincount(messages.dependency, minlength=messages.messages)
    first, missing = starts_of(dependents)[:-1], np.diff(messages.dependency_start)
    level, ready, depth = np.zeros(messages.messages, dtype=np.int64), np.flatnonzero(missing == 0), 0
    while len(ready):
        level[ready] = depth
        released = dependent[spans(first[ready], dependents[ready])]
        np.subtract.at(missing, released, 1)
        # Several messages of a level may release the same one.
        ready, depth = np.unique(released[missing[released] == 0]), depth + 1
    return level


def longest_chain(messages: MessageList, level: Ints, time: NDArray[np.float64]) -> float:
    """Return the longest sum of times along a chain of messages that depend on each other.

    Parameters
    ----------
    messages
        The messages.
    level : int64[messages]
        Their `message_levels`.
    time : float64[messages]
        The time of each message.

    Examples
    --------
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> ring = ring_all_reduce(3, 3).message_list()
    >>> longest_chain(ring, message_levels(ring), np.full(ring.messages, 2.5))
    10.0
    """
    order = np.argsort(level, kind="stable")
    first, end = starts_of(np.bincount(level)), time.astype(np.float64)
    for current in np.split(order, first[1:-1])[1:]:
        lengths = np.diff(messages.dependency_start)[current]
        earlier = messages.dependency[spans(messages.dependency_start[:-1][current], lengths)]
        # Above level 0 every message waits for another one, so that no range is empty.
        end[current] += np.maximum.reduceat(end[earlier], starts_of(lengths)[:-1])
    return float(end.max())


def synchronised_time_ns(transfers: PathTransfers, message_level: Ints, timing: LinkTiming) -> Fraction:
    """Return the sum over all levels of the busy time of the busiest link of the level.

    With L_k(l) the bytes that the messages of level k send over link l of rate c(l), the time is
    Σ_k max_l 8·L_k(l) / c(l): each level begins once the one before has ended, and its busiest link never idles.

    Parameters
    ----------
    transfers
        The messages as transfers over links.
    message_level : int64[messages]
        The level of each message.
    timing
        The rates of all links.
    """
    lengths = transfers.paths.lengths[transfers.path]
    link = transfers.paths.link[spans(transfers.paths.link_start[:-1][transfers.path], lengths)]
    links = len(timing.rate)
    place, index = np.unique(np.repeat(message_level[transfers.message], lengths) * links + link, return_inverse=True)
    load = np.zeros(len(place), dtype=np.int64)
    np.add.at(load, index, np.repeat(transfers.length_bytes, lengths))
    rates, levels = len(timing.rates_gbps), int(message_level.max()) + 1
    peak = np.zeros((levels, rates), dtype=np.int64)
    np.maximum.at(peak, (place // links, timing.rate[place % links]), load)
    # Iterations repeat their levels, so that few of them are distinct and need fractions.
    patterns, repetitions = np.unique(peak, axis=0, return_counts=True)
    return sum(
        (
            count * max(8 * Fraction(byte) / rate for byte, rate in zip(bytes_at, timing.rates_gbps, strict=True))
            for bytes_at, count in zip(patterns.tolist(), repetitions.tolist(), strict=True)
        ),
        Fraction(0),
    )
