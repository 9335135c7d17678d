"""Algorithms of collective operations: which member of a group sends how many bytes to which one in each phase."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

LONG_BYTES = 2048  # all-reduces of more than that are by halving and doubling, as in MPICH


@dataclass(frozen=True, eq=False)
class Steps:
    """Messages among the members of a group, in phases.

    A member begins a phase once it has sent and received all of its messages of earlier phases.

    Parameters
    ----------
    phase, source, destination, size_bytes : int64[messages]
        The messages, between members of the group.
    """

    phase: Ints
    source: Ints
    destination: Ints
    size_bytes: Ints

    @classmethod
    def of(cls, steps: "list[tuple[Ints, Ints, Ints]]") -> "Steps":
        """Return the steps of one phase after another, each as sources, destinations and lengths."""
        phase = np.repeat(np.arange(len(steps)), [len(source) for source, _, _ in steps])
        columns = (np.concatenate([step[i] for step in steps]).astype(np.int64) for i in range(3))
        return cls(phase, *columns)

    def nonempty(self) -> "Steps":
        """Return the steps without messages of no bytes."""
        kept = self.size_bytes > 0
        return Steps(self.phase[kept], self.source[kept], self.destination[kept], self.size_bytes[kept])


def part_start(size_bytes: int, parts: int, part: Ints) -> Ints:
    """Return where parts of a vector begin: the first ``size_bytes % parts`` parts have one byte more.

    Examples
    --------
    >>> part_start(10, 4, np.arange(5)).tolist()
    [0, 3, 6, 8, 10]
    """
    return part * (size_bytes // parts) + np.minimum(part, size_bytes % parts)


def barrier(members: int, size_bytes: int = 1) -> Steps:
    """Return a barrier by dissemination: in phase k member i sends to member i + 2^k.

    Messages have one byte, since none is empty.

    References
    ----------
    Hensgen, Finkel and Manber, Two Algorithms for Barrier Synchronization, 1988.

    Examples
    --------
    >>> barrier(3).destination.tolist()
    [1, 2, 0, 2, 0, 1]
    """
    member, sizes = np.arange(members), np.full(members, size_bytes)
    return Steps.of([(member, (member + (1 << k)) % members, sizes) for k in range((members - 1).bit_length())])


def broadcast(members: int, size_bytes: int) -> Steps:
    """Return a broadcast from member 0 along a binomial tree.

    Examples
    --------
    >>> list(zip(broadcast(4, 8).source.tolist(), broadcast(4, 8).destination.tolist()))
    [(0, 2), (0, 1), (2, 3)]
    """
    steps = []
    for k in reversed(range((members - 1).bit_length())):
        source = np.arange(0, members - (1 << k), 2 << k)
        steps.append((source, source + (1 << k), np.full(len(source), size_bytes)))
    return Steps.of(steps)


def reduction(members: int, size_bytes: int) -> Steps:
    """Return a reduction to member 0 along a binomial tree: a broadcast turned round.

    Examples
    --------
    >>> reduction(4, 8).destination.tolist()
    [2, 0, 0]
    """
    return _reversed(broadcast(members, size_bytes))


def scatter(members: int, size_bytes: int) -> Steps:
    """Return a scatter along the binomial tree of `broadcast`, along which parts of whole subtrees are sent.

    Parameters
    ----------
    members
        Number of members.
    size_bytes
        Length of the part of each member.

    Examples
    --------
    >>> scatter(5, 8).size_bytes.tolist()  # to members 4, 2, 1 and 3
    [8, 16, 8, 8]
    """
    tree = broadcast(members, size_bytes)
    subtree = np.minimum(tree.destination - tree.source, members - tree.destination)
    return Steps(tree.phase, tree.source, tree.destination, subtree * size_bytes)


def gather(members: int, size_bytes: int) -> Steps:
    """Return a gather of parts to member 0: a scatter turned round.

    Examples
    --------
    >>> gather(5, 8).size_bytes.tolist()
    [8, 8, 16, 8]
    """
    return _reversed(scatter(members, size_bytes))


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


def ring_all_gather(members: int, size_bytes: int) -> Steps:
    """Return an all-gather over a ring, on which every member passes on the part that it got last.

    Examples
    --------
    >>> ring_all_gather(3, 8).destination.tolist()
    [1, 2, 0, 1, 2, 0]
    """
    member, sizes = np.arange(members), np.full(members, size_bytes)
    return Steps.of([(member, (member + 1) % members, sizes)] * (members - 1))


def all_to_all(members: int, size_bytes: "int | Ints") -> Steps:
    """Return an all-to-all exchange in pairs: by XOR if the number of members is a power of two, else by shifts.

    Parameters
    ----------
    members
        Number of members.
    size_bytes : int or int64[members, members]
        Bytes that every member sends to every other, or those by source and destination.

    References
    ----------
    Thakur, Rabenseifner and Gropp, 2005.

    Examples
    --------
    >>> all_to_all(4, 5).destination.reshape(3, 4).tolist()
    [[1, 0, 3, 2], [2, 3, 0, 1], [3, 2, 1, 0]]
    """
    phase, source = np.repeat(np.arange(members - 1), members), np.tile(np.arange(members), members - 1)
    shift = (source + phase + 1) % members
    destination = shift if members & (members - 1) else source ^ (phase + 1)
    sizes = np.broadcast_to(np.asarray(size_bytes, dtype=np.int64), (members, members))
    return Steps(phase, source, destination, sizes[source, destination]).nonempty()


def _reversed(there: Steps) -> Steps:
    """Return steps in the opposite order, with messages in the opposite direction."""
    phase = int(there.phase[-1]) - there.phase[::-1]
    return Steps(phase, there.destination[::-1], there.source[::-1], there.size_bytes[::-1])


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
    remaining = np.concatenate([even + 1, np.arange(2 * folded, members)])
    return remaining, [(even, even + 1, sizes)], [(even + 1, even, sizes)]


ALGORITHMS: dict[str, Callable[..., Steps]] = {
    "barrier": barrier,
    "bcast": broadcast,
    "reduce": reduction,
    "scatter": scatter,
    "gather": gather,
    "allreduce": all_reduce,
    "allgather": ring_all_gather,
    "alltoall": all_to_all,
    "alltoallv": all_to_all,
}
