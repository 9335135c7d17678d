"""Numbers of messages by pair of processes and length."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from isoplane.models.arrays import Ints

_MERGED = 1 << 23  # rows after which equal ones are merged


@dataclass(frozen=True, eq=False)
class MessageCounts:
    """Messages by source, destination and length, in ascending order; messages of a process to itself included.

    Parameters
    ----------
    processes
        Number of processes.
    source, destination, size_bytes, messages : int64[rows]
        Processes, the length of a message, and the number of such messages.

    Examples
    --------
    >>> rows = np.array([[0, 1], [1, 0], [8, 4]])
    >>> counts = MessageCounts.of(2, [(rows, 3), (rows[:, :1], 1)])
    >>> counts.messages.tolist(), counts.matrix().tolist()
    ([4, 3], [[0, 32], [12, 0]])
    """

    processes: int
    source: Ints
    destination: Ints
    size_bytes: Ints
    messages: Ints

    @classmethod
    def of(cls, processes: int, parts: Iterable[tuple[Sequence[Ints] | Ints, int]]) -> "MessageCounts":
        """Return the messages of parts: columns of sources, destinations and lengths, and a number of times."""
        chunks, rows = [np.zeros((4, 0), dtype=np.int64)], 0
        for columns, times in parts:
            chunks.append(np.stack([*columns, np.full(len(columns[0]), times)]))
            rows += len(columns[0])
            # Merged on the way: memory then follows the different rows, and not the length of the program.
            if rows > _MERGED:
                chunks = [_merge(chunks)]
                rows = chunks[0].shape[1]
        return cls(processes, *_merge(chunks))

    @property
    def total_bytes(self) -> int:
        """Bytes of all messages."""
        return int((self.size_bytes * self.messages).sum())

    def matrix(self) -> Ints:
        """Return the bytes by source and destination; those to oneself are left out."""
        matrix = np.zeros((self.processes, self.processes), dtype=np.int64)
        np.add.at(matrix, (self.source, self.destination), self.size_bytes * self.messages)
        np.fill_diagonal(matrix, 0)
        return matrix


def _merge(chunks: list[Ints]) -> Ints:
    """Return rows in ascending order, with the numbers of messages of equal ones added."""
    rows = np.concatenate(chunks, axis=1)
    source, destination, size, messages = rows
    nodes = int(rows[:2].max(initial=0)) + 1
    limit = int(size.max(initial=0)) + 1
    if nodes**2 * limit >= 1 << 63:  # a key of fewer bits, in the same order
        sizes, size = np.unique(size, return_inverse=True)
        limit = len(sizes)
    key = (source * nodes + destination) * limit + size
    order = np.argsort(key, kind="stable")
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    if not len(order):
        return rows
    return np.concatenate([rows[:3, order[first]], np.add.reduceat(messages[order], first)[None]])
