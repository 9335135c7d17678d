"""Numbers of messages by pair of processes and length."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from .operations import Ints

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
        merged = np.zeros((4, 0), dtype=np.int64)
        for columns, times in parts:
            added = np.stack([*columns, np.full(len(columns[0]), times)])
            merged = np.concatenate([merged, added], axis=1)
            if merged.shape[1] > _MERGED:
                merged = _merge(merged)
        return cls(processes, *_merge(merged))

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


def _merge(rows: Ints) -> Ints:
    """Return rows in ascending order, with the numbers of messages of equal ones added."""
    order = np.lexsort(rows[2::-1])
    rows = rows[:, order]
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = (rows[:3, 1:] != rows[:3, :-1]).any(axis=0)
    messages = np.add.reduceat(rows[3], np.flatnonzero(begins)) if len(order) else rows[3]
    return np.concatenate([rows[:3, begins], messages[None]])
