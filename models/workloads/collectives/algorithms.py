"""Algorithms of collective operations: which member of a group sends how many bytes to which one in each phase."""

from dataclasses import dataclass

import numpy as np

from isoplane.models.arrays import Ints


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
    # After phase k a member has heard of 2^(k+1) members, itself included: of all once that reaches their number.
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
        # By now the multiples of 2^(k+1) have the data; those whose partner would be beyond the last member are left
        # out.
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
    # A whole subtree has as many members as it is away from its parent; the last one may be cut off.
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


def linear_gather(members: int, size_bytes: Ints) -> Steps:
    """Return a gather of parts of any lengths, which all members send to member 0 at once.

    A tree would need what only member 0 knows, the lengths of all parts.

    Parameters
    ----------
    members
        Number of members.
    size_bytes : int64[members]
        Length of the part of each member.

    Examples
    --------
    >>> linear_gather(3, np.array([5, 0, 7])).source.tolist()  # parts of no bytes are not sent
    [2]
    """
    source = np.arange(1, members)
    return Steps.of([(source, np.zeros_like(source), size_bytes[1:])]).nonempty()


def linear_scatter(members: int, size_bytes: Ints) -> Steps:
    """Return a scatter of parts of any lengths: a `linear_gather` turned round.

    Examples
    --------
    >>> linear_scatter(3, np.array([5, 6, 7])).destination.tolist()
    [2, 1]
    """
    return _reversed(linear_gather(members, size_bytes))


def ring_all_gather(members: int, size_bytes: int | Ints) -> Steps:
    """Return an all-gather over a ring, on which every member passes on the part that it got last.

    Parameters
    ----------
    members
        Number of members.
    size_bytes : int or int64[members]
        Length of every part, or of the part of each member.

    Examples
    --------
    >>> ring_all_gather(3, 8).destination.tolist()
    [1, 2, 0, 1, 2, 0]
    >>> ring_all_gather(3, np.array([5, 6, 7])).size_bytes.tolist()
    [5, 6, 7, 7, 5, 6]
    """
    member, sizes = np.arange(members), np.broadcast_to(size_bytes, members)
    phases = [(member, (member + 1) % members, sizes[(member - phase) % members]) for phase in range(members - 1)]
    return Steps.of(phases)


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
    # XOR leads beyond the last member unless their number is a power of two.
    destination = shift if members & (members - 1) else source ^ (phase + 1)
    sizes = np.broadcast_to(np.asarray(size_bytes, dtype=np.int64), (members, members))
    return Steps(phase, source, destination, sizes[source, destination]).nonempty()


def _reversed(there: Steps) -> Steps:
    """Return steps in the opposite order, with messages in the opposite direction."""
    phase = there.phase.max(initial=0) - there.phase[::-1]
    return Steps(phase, there.destination[::-1], there.source[::-1], there.size_bytes[::-1])
