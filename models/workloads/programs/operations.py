"""Operations of processes: what each process sends, awaits and computes, in its order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from isoplane.models.arrays import Ints

# Kinds of operations: a process begins to send a message or waits for its arrival, which the value numbers, or computes
# for a time in picoseconds.
SEND, WAIT, COMPUTE = range(3)


@dataclass(frozen=True, eq=False)
class Operations:
    """Messages, and the operations of all processes on them.

    The operations of each process are executed in the order in which they stand; those of different processes may be
    interleaved in any way.

    Parameters
    ----------
    source, destination, size_bytes : int64[messages]
        The messages; each is sent by one operation.
    process, kind, value : int64[operations]
        The operations: of each its process, its kind, `SEND`, `WAIT` or `COMPUTE`, and the value that belongs to it.

    Examples
    --------
    >>> exchange([0], [1], 8).kind.tolist()  # 0 sends and waits for the arrival, as does 1
    [0, 1, 1]
    """

    source: Ints
    destination: Ints
    size_bytes: Ints
    process: Ints
    kind: Ints
    value: Ints

    @property
    def messages(self) -> int:
        """Number of messages."""
        return len(self.source)

    def repeated(self, times: int) -> "Operations":
        """Return the operations executed several times, with separate messages each time."""
        shift = np.arange(times)[:, None] * np.where(self.kind == COMPUTE, 0, self.messages)
        source, destination, size, process, kind = (np.tile(column, times) for column in self._columns())
        return Operations(source, destination, size, process, kind, (self.value + shift).ravel())

    def _columns(self) -> tuple[Ints, ...]:
        """Return all columns but the values."""
        return self.source, self.destination, self.size_bytes, self.process, self.kind


def joined(parts: Sequence[Operations]) -> Operations:
    """Return operations one after another: those of each process in the order of the parts."""
    numbered, first = [], 0
    for part in parts:
        numbered.append(np.where(part.kind == COMPUTE, part.value, part.value + first))
        first += part.messages
    none = np.zeros(0, dtype=np.int64)
    columns = zip((none,) * 5, *(part._columns() for part in parts), strict=True)
    source, destination, size, process, kind = (np.concatenate(column) for column in columns)
    return Operations(source, destination, size, process, kind, np.concatenate([none, *numbered]))


def exchange(
    source: ArrayLike,
    destination: ArrayLike,
    size_bytes: ArrayLike,
    phase: ArrayLike = 0,
    *,
    blocking: bool = False,
) -> Operations:
    """Return an exchange of messages: in each phase, every process sends all of its messages and awaits all arrivals.

    Parameters
    ----------
    source, destination, size_bytes, phase : int64[messages] or int
        The messages, and the phases in which they are sent.
    blocking
        Whether a process awaits the arrival of each message before it sends the next one, and not only at the end.
    """
    columns = np.broadcast_arrays(*(np.asarray(c, dtype=np.int64) for c in (source, destination, size_bytes, phase)))
    source, destination, size_bytes, phase = (np.atleast_1d(column).copy() for column in columns)
    message = np.arange(len(source))
    others = np.flatnonzero(source != destination)  # a message to oneself is awaited once
    process = np.concatenate([source, source[others], destination])
    kind = np.repeat([SEND, WAIT, WAIT], [len(message), len(others), len(message)]).astype(np.int64)
    value = np.concatenate([message, others, message])
    stage = np.repeat([0, 0 if blocking else 1, 2], [len(message), len(others), len(message)])
    # By phase, stage and message; last by kind, since a send comes before the wait for the same message.
    order = np.lexsort((kind, value, stage, phase[value]))
    return Operations(source, destination, size_bytes, process[order], kind[order], value[order])


def wavefront(
    level: Ints, source: ArrayLike, destination: ArrayLike, size_bytes: ArrayLike, delay_ps: int = 0
) -> Operations:
    """Return a wavefront: each process awaits its messages, computes, and sends messages one after another.

    Parameters
    ----------
    level : int64[processes]
        The level of each process; messages go to higher levels.
    source, destination, size_bytes : int64[messages]
        The messages.
    delay_ps
        Time that each process computes.
    """
    columns = np.broadcast_arrays(*(np.asarray(c, dtype=np.int64) for c in (source, destination, size_bytes)))
    source, destination, size_bytes = (column.copy() for column in columns)
    message, everyone = np.arange(len(source)), np.arange(len(level))
    process = np.concatenate([destination, everyone, source, source])
    counts = [len(message), len(everyone), len(message), len(message)]
    kind = np.repeat([WAIT, COMPUTE, SEND, WAIT], counts).astype(np.int64)
    value = np.concatenate([message, np.full(len(everyone), delay_ps), message, message])
    stage, rank = np.repeat([0, 1, 2, 2], counts), np.concatenate([message, everyone, message, message])
    order = np.lexsort((kind, rank, stage, level[process]))
    return Operations(source, destination, size_bytes, process[order], kind[order], value[order])


def computing(processes: int, delay_ps: int) -> Operations:
    """Return the operations of processes that all compute for some time."""
    none = np.zeros(0, dtype=np.int64)
    everyone = np.arange(processes)
    kind, value = (np.full_like(everyone, number) for number in (COMPUTE, delay_ps))
    return Operations(none, none, none, everyone, kind, value)
