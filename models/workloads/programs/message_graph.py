"""Messages with explicit dependencies, one by one."""

from collections.abc import Iterable

import numpy as np

from ..message_list import MessageList
from .message_counts import MessageCounts
from .topological_order import topological_order


class MessageGraph:
    """Messages that depend on each other, written down one by one.

    Parameters
    ----------
    processes
        Number of processes.

    Examples
    --------
    >>> graph = MessageGraph(3)
    >>> first = graph.add(0, 1, 8)
    >>> second = graph.add(1, 2, 8, delay_ps=500, after=[first])
    >>> graph.message_list().dependency.tolist()
    [0]
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._rows: list[tuple[int, int, int, int]] = []
        self._pairs: list[tuple[int, int]] = []

    def add(
        self, source: int, destination: int, size_bytes: int, *, delay_ps: int = 0, after: Iterable[int] = ()
    ) -> int:
        """Add a message that is created some time after others have arrived, and return its number."""
        number = len(self._rows)
        self._rows.append((source, destination, size_bytes, delay_ps))
        self._pairs += [(number, dependency) for dependency in after]
        return number

    def require(self, number: int, after: Iterable[int]) -> None:
        """Let a message be created after others have arrived."""
        self._pairs += [(number, dependency) for dependency in after]

    def counts(self, *, collectives: bool = False) -> MessageCounts:
        """Return the messages by pair of processes and length; none belongs to a collective operation."""
        rows = np.array(self._rows, dtype=np.int64).reshape(-1, 4)
        rows = rows[(rows[:, 2] > 0) | (rows[:, 0] != rows[:, 1])]
        return MessageCounts.of(self.processes, [(rows.T[:3], 1)])

    def message_list(self, eager_bytes: int = 0) -> MessageList:
        """Return all messages; buffers do not matter, since all dependencies are explicit."""
        source, destination, size, delay = np.array(self._rows, dtype=np.int64).reshape(-1, 4).T
        dependent, dependency = np.array(self._pairs, dtype=np.int64).reshape(-1, 2).T
        order = topological_order(np.arange(len(source)), dependent, dependency)
        number = np.empty_like(order)
        number[order] = np.arange(len(order))
        by_dependent = np.lexsort((number[dependency], number[dependent]))
        starts = np.searchsorted(number[dependent][by_dependent], np.arange(len(order) + 1))
        first, last = (column[order].astype(np.int32) for column in (source, destination))
        after = number[dependency][by_dependent].astype(np.int32)
        return MessageList(self.processes, first, last, size[order], delay[order], starts, after)
