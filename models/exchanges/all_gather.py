"""Orders of an all-gather: which process sends which chunks to which one in each phase."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..checks import check_int
from ..errors import InputError
from ..mathematics.spans import spans
from .all_to_all import ExchangeOrder

MAX_PROCESSES = 1 << 10


@dataclass(frozen=True, eq=False)
class GatherOrder:
    """An all-gather in phases, in each of which a process sends at most one message and receives at most one.

    At first, process i has chunk i; in the end, every process has all chunks. A message has consecutive chunks.

    Parameters
    ----------
    name
        Name in reports.
    processes
        Number of processes, which are the nodes from 0.
    phase, source, destination : int64[messages]
        Phase of each message, ascending, and its two processes.
    first, chunks : int64[messages]
        The first chunk of each message, and the number of its chunks.

    Raises
    ------
    InputError
        If a process sends or receives twice in a phase, sends a chunk that it does not have when the phase begins,
        receives one that it has, or lacks one in the end.

    Examples
    --------
    >>> from .gather_orders import gather_order_named
    >>> order = gather_order_named("recursive_doubling", 4)
    >>> order.phases, order.chunks.tolist()
    (2, [1, 1, 1, 1, 2, 2, 2, 2])
    """

    name: str
    processes: int
    phase: Ints
    source: Ints
    destination: Ints
    first: Ints
    chunks: Ints

    def __post_init__(self) -> None:
        check_int("order: processes", self.processes, 2, MAX_PROCESSES)
        columns = (self.phase, self.source, self.destination, self.first, self.chunks)
        if not len(self.phase) or any(len(column) != len(self.phase) for column in columns):
            raise InputError("order: columns of different lengths, or no messages; expected a value for each message")
        _check_columns(self)
        held = np.eye(self.processes, dtype=bool)
        for number in range(self.phases):
            _deliver(self, slice(*np.searchsorted(self.phase, [number, number + 1])), held)
        if not held.all():
            process, chunk = np.argwhere(~held)[0].tolist()
            raise InputError(f"order: process {process} ends without chunk {chunk}; expected all chunks")

    @property
    def phases(self) -> int:
        """Number of phases."""
        return int(self.phase[-1]) + 1

    @property
    def nodes(self) -> NDArray[np.int32]:
        """The node of each process: its own number."""
        return np.arange(self.processes, dtype=np.int32)

    def messages(self) -> tuple[Ints, Ints, Ints]:
        """Return phase, source and destination of every message, by phase."""
        return self.phase, self.source, self.destination


def direct_gather(order: ExchangeOrder) -> GatherOrder:
    """Return the all-gather in which every process sends its own chunk to each other one, in the order of an exchange.

    Raises
    ------
    InputError
        If the exchange is not among the nodes from 0 to P - 1, or has more than 1,024 processes.

    Examples
    --------
    >>> order = direct_gather(ExchangeOrder("by hand", [0, 1], [[1, 0]]))
    >>> order.source.tolist(), order.first.tolist()
    ([0, 1], [0, 1])
    """
    if order.nodes.tolist() != list(range(order.processes)):
        raise InputError("order: a job on some of the nodes; expected processes on the nodes from 0")
    phase, source, destination = order.messages()
    return GatherOrder(order.name, order.processes, phase, source, destination, source, np.ones_like(source))


def _check_columns(order: GatherOrder) -> None:
    """Require values in range, phases in order, and one message at most of each process in a phase and direction."""
    last = order.processes - 1
    for name, low, high in (("source", 0, last), ("destination", 0, last), ("first", 0, last)):
        values = getattr(order, name)
        check_int(f"order: {name}", int(values.min()), low, high)
        check_int(f"order: {name}", int(values.max()), low, high)
    check_int("order: chunks", int(order.chunks.min()), 1, order.processes)
    check_int("order: last chunk", int((order.first + order.chunks - 1).max()), 0, last)
    if order.phase[0] < 0 or (np.diff(order.phase) < 0).any():
        raise InputError("order: phases out of order; expected ascending ones from 0")
    for end, does in (("source", "sends"), ("destination", "receives")):
        number = order.phase * order.processes + getattr(order, end)
        repeated = np.flatnonzero(np.bincount(number) > 1)
        if len(repeated):
            phase, process = divmod(int(repeated[0]), order.processes)
            raise InputError(f"order: process {process} {does} twice in phase {phase}; expected at most one message")


def _deliver(order: GatherOrder, messages: slice, held: NDArray[np.bool_]) -> None:
    """Add the chunks of the messages of a phase to the chunks that the processes hold."""
    counts = order.chunks[messages]
    number = np.repeat(np.arange(len(counts)), counts)
    chunk = spans(order.first[messages], counts)
    source, destination = order.source[messages][number], order.destination[messages][number]
    missing = np.flatnonzero(~held[source, chunk])
    if len(missing):
        raise InputError(
            f"order: process {source[missing[0]]} sends chunk {chunk[missing[0]]} before it has it; expected chunks "
            "of earlier phases"
        )
    again = np.flatnonzero(held[destination, chunk])
    if len(again):
        raise InputError(
            f"order: process {destination[again[0]]} receives chunk {chunk[again[0]]}, which it has; expected each "
            "chunk once"
        )
    # After all checks: what arrives in a phase cannot be sent on in the same one.
    held[destination, chunk] = True
