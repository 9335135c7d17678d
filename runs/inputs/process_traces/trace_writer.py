"""Time-independent traces of SimGrid, written from the operations of processes."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.mathematics.occurrences import members, occurrences
from isoplane.models.workloads.programs import COMPUTE, SEND, WAIT, Operations

LIST = "traces.txt"
TAGS = 1 << 15  # the tags that every MPI library has


def trace_files(processes: int, operations: Operations) -> Iterator[tuple[str, list[str]]]:
    """Yield the names and lines of files: one with the names of all others, then one per process.

    Hosts of 1 Gflop/s compute for the time of the operations. A receive is posted before the first operation that
    follows the arrivals before it, so that long messages, which await it, do not block processes that exchange them.

    Parameters
    ----------
    processes, operations
        Number of processes, and their operations.

    References
    ----------
    Casanova, Desprez, Markomanolis and Suter, Simulation of MPI Applications with Time-Independent Traces, 2015.

    Examples
    --------
    >>> from isoplane.models.workloads.programs.operations import exchange
    >>> for name, lines in trace_files(2, exchange([0], [1], 8)):
    ...     print(name, lines)
    traces.txt ['rank_0.txt', 'rank_1.txt']
    rank_0.txt ['0 init', '0 send 1 0 8', '0 finalize']
    rank_1.txt ['1 init', '1 irecv 0 0 8', '1 wait 0 1 0', '1 finalize']
    """
    names = [f"rank_{process}.txt" for process in range(processes)]
    yield LIST, names
    # Different from those of the messages between the same processes around it.
    tags = occurrences(operations.source * processes + operations.destination) % TAGS
    never_awaited = _never_awaited(operations)
    of_processes = members(operations.process, processes)
    for process, (name, own) in enumerate(zip(names, of_processes, strict=True)):
        kinds, values = (column[own].tolist() for column in (operations.kind, operations.value))
        actions = _Own(process, kinds, values, never_awaited.get(process, []), operations, tags).actions()
        yield name, [f"{process} {action}" for action in ("init", *actions, "finalize")]


def _never_awaited(operations: Operations) -> dict[int, list[int]]:
    """Return the messages whose arrivals no process waits for, by destination."""
    awaited = np.zeros(operations.messages, dtype=bool)
    waits = np.flatnonzero(operations.kind == WAIT)
    message = operations.value[waits]
    awaited[message[operations.destination[message] == operations.process[waits]]] = True
    found: dict[int, list[int]] = {}
    for lonely in np.flatnonzero(~awaited).tolist():
        found.setdefault(int(operations.destination[lonely]), []).append(lonely)
    return found


@dataclass(frozen=True)
class _Own:
    """The operations of a process, as lists."""

    process: int
    kinds: list[int]
    values: list[int]
    never_awaited: list[int]
    operations: Operations
    tags: Ints

    @cached_property
    def arrivals(self) -> list[bool]:
        """Whether each operation waits for a message from another process."""
        ends = zip(self.kinds, self.values, strict=True)
        return [kind == WAIT and self._is_to_me(value) and not self._is_from_me(value) for kind, value in ends]

    @cached_property
    def posted(self) -> dict[int, list[int]]:
        """The messages for which receives are posted before an operation: the first one after earlier arrivals."""
        found, first = {0: self.never_awaited.copy()}, 0
        for index, arrival in enumerate(self.arrivals):
            if index and self.arrivals[index - 1] and not arrival:
                first = index
            if arrival:
                found.setdefault(first, []).append(self.values[index])
        return found

    def actions(self) -> Iterator[str]:
        """Yield the actions of the process."""
        if not self.kinds:
            yield from map(self._post, self.never_awaited)
        for index, (kind, value) in enumerate(zip(self.kinds, self.values, strict=True)):
            yield from map(self._post, self.posted.get(index, []))
            if kind == COMPUTE:
                yield f"compute {value / 1000:.3f}".rstrip("0").rstrip(".")
            elif kind == SEND:
                name = "send" if self._blocks(index) else "isend"
                yield f"{name} {self.operations.destination[value]} {self._tag_and_size(value)}"
            elif self._is_to_me(value) and self._is_from_me(value):
                yield f"recv {self.process} {self._tag_and_size(value)}"
            elif index == 0 or not self._blocks(index - 1):
                yield f"wait {self.operations.source[value]} {self.operations.destination[value]} {self.tags[value]}"

    def _blocks(self, index: int) -> bool:
        """Return whether an operation is a send to another process that the next one waits for."""
        value = self.values[index]
        following = list(zip(self.kinds[index : index + 2], self.values[index : index + 2], strict=True))
        return following == [(SEND, value), (WAIT, value)] and not self._is_to_me(value)

    def _is_to_me(self, message: int) -> bool:
        return bool(self.operations.destination[message] == self.process)

    def _is_from_me(self, message: int) -> bool:
        return bool(self.operations.source[message] == self.process)

    def _post(self, message: int) -> str:
        return f"irecv {self.operations.source[message]} {self._tag_and_size(message)}"

    def _tag_and_size(self, message: int) -> str:
        return f"{self.tags[message]} {self.operations.size_bytes[message]}"
