"""Algorithms of reductions whose result all members, or their parts of them, hold: phases of messages in a group."""

import numpy as np

from isoplane.models.arrays import Ints

from .algorithms import Steps, part_start

LONG_BYTES = 2048  # all-reduces of more than that are by halving and doubling, as in MPICH


def recursive_doubling(members: int, size_bytes: int) -> Steps:
    """Return an all-reduce in which members that differ in bit p exchange the vector in phase p.

    Unless the number of members is a power of two, members first fold into the largest one below it.

    References
    ----------
    Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005.

    Examples
    --------
    >>> len(recursive_doubling(8, 4).phase), len(recursive_doubling(7, 4).phase)
    (24, 14)
    """
    core, before, after = _folded(members, size_bytes)
    index = np.arange(len(core))
    sizes = np.full(len(core), size_bytes)
    steps = [(core, core[index ^ (1 << k)], sizes) for k in range(len(core).bit_length() - 1)]
    return Steps.of([*before, *steps, *after])


def halving_doubling(members: int, size_bytes: int) -> Steps:
    """Return an all-reduce: a reduce-scatter by recursive halving, then an all-gather by recursive doubling.

    Unless the number of members is a power of two, members first fold into the largest one below it. Parts of a vector
    whose length is no multiple of that differ by one byte.

    References
    ----------
    Rabenseifner, Optimization of Collective Reduction Operations, 2004.

    Examples
    --------
    >>> halving_doubling(4, 16).size_bytes.reshape(4, 4)[:, 0].tolist()
    [8, 4, 4, 8]
    """
    core, before, after = _folded(members, size_bytes)
    halvings = _halvings(core, size_bytes)
    return Steps.of([*before, *halvings, *_turned_round(halvings), *after]).nonempty()


def reduce_scatter(members: int, size_bytes: int) -> Steps:
    """Return a reduce-scatter by recursive halving among a power of two of members, each of which keeps its part.

    Examples
    --------
    >>> reduce_scatter(4, 6).size_bytes.tolist()
    [2, 2, 4, 4, 2, 2, 1, 1]
    """
    return Steps.of(_halvings(np.arange(members), size_bytes)).nonempty()


def all_gather(members: int, size_bytes: int) -> Steps:
    """Return an all-gather by recursive doubling among a power of two of members, each of which begins with its part.

    Examples
    --------
    >>> all_gather(4, 8).size_bytes.tolist()
    [2, 2, 2, 2, 4, 4, 4, 4]
    """
    return Steps.of(_turned_round(_halvings(np.arange(members), size_bytes))).nonempty()


def all_reduce(members: int, size_bytes: int) -> Steps:
    """Return an all-reduce as in MPICH: by recursive doubling up to `LONG_BYTES`, else by halving and doubling.

    Examples
    --------
    >>> len(all_reduce(8, 2048).phase), len(all_reduce(8, 4096).phase)
    (24, 48)
    """
    return (halving_doubling if size_bytes > LONG_BYTES else recursive_doubling)(members, size_bytes)


def scan(members: int, size_bytes: int) -> Steps:
    """Return a scan by recursive doubling: in phase k, members that differ in bit k exchange their partial results.

    A member without a partner in a phase has nothing to do in it. Exclusive scans send the same messages.

    Examples
    --------
    >>> [list(pair) for pair in zip(scan(3, 8).source.tolist(), scan(3, 8).destination.tolist())]
    [[0, 1], [1, 0], [0, 2], [2, 0]]
    """
    member, steps = np.arange(members), []
    for k in range((members - 1).bit_length()):
        source = member[member ^ (1 << k) < members]
        steps.append((source, source ^ (1 << k), np.full(len(source), size_bytes)))
    return Steps.of(steps)


def _halvings(core: Ints, size_bytes: int) -> list[tuple[Ints, Ints, Ints]]:
    """Return the phases of recursive halving: partners send each other the half of the parts that the other keeps."""
    index, phases = np.arange(len(core)), []
    for k in reversed(range(len(core).bit_length() - 1)):
        partner = index ^ (1 << k)
        first = partner >> k << k  # of the parts that the partner keeps
        low, high = (part_start(size_bytes, len(core), first + width) for width in (0, 1 << k))
        phases.append((core, core[partner], high - low))
    return phases


def _turned_round(phases: list[tuple[Ints, Ints, Ints]]) -> list[tuple[Ints, Ints, Ints]]:
    """Return phases in the opposite order, with messages in the opposite direction."""
    return [(destination, source, size) for source, destination, size in reversed(phases)]


def _folded(members: int, size_bytes: int) -> tuple[Ints, list[tuple[Ints, Ints, Ints]], list[tuple[Ints, Ints, Ints]]]:
    """Return the members that remain, a power of two, and the phases before and after their exchange."""
    core = 1 << (members.bit_length() - 1)
    folded = members - core
    if not folded:
        return np.arange(members), [], []
    even, sizes = 2 * np.arange(folded), np.full(folded, size_bytes)
    # Of each pair that folds the odd member remains, and after them all without a partner.
    remaining = np.concatenate([even + 1, np.arange(2 * folded, members)])
    return remaining, [(even, even + 1, sizes)], [(even + 1, even, sizes)]
