"""Workloads: phases of messages between processes."""

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Ints
from ..checks import check_int
from ..errors import InputError
from ..mathematics.occurrences import sorted_unique
from ..mathematics.spans import spans, starts_of
from .message_list import MAX_BYTES, MAX_NODES, MessageList, between_barriers, check_message_count

MAX_ITERATIONS = 1 << 16


@dataclass(frozen=True, eq=False)
class PhasedWorkload:
    """Messages between processes, in phases.

    A process begins a phase once all messages that it sends or receives in earlier phases have arrived; so neighbours
    can be a phase apart. The last phase of an iteration precedes the first of the next.

    Parameters
    ----------
    name
        Name in reports.
    processes
        Number of processes, at least 2.
    phase, source, destination, length_bytes : int64[messages]
        The messages of an iteration; kept in ascending order of phases.
    iterations
        Number of iterations.
    synchronised
        Whether a barrier separates phases: a phase begins once all messages of all earlier phases have arrived.

    Examples
    --------
    >>> ping_pong = PhasedWorkload("ping-pong", 2, *map(np.array, ([0, 1], [0, 1], [1, 0], [8, 8])))
    >>> ping_pong.message_list().dependency.tolist()
    [0]
    """

    name: str
    processes: int
    phase: Ints
    source: Ints
    destination: Ints
    length_bytes: Ints
    iterations: int = 1
    synchronised: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PhasedWorkload):
            return NotImplemented
        return self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def _value(self) -> tuple[object, ...]:
        arrays = (self.phase, self.source, self.destination, self.length_bytes)
        return (self.name, self.processes, self.iterations, self.synchronised, *(array.tobytes() for array in arrays))

    def __post_init__(self) -> None:
        check_int("workload.processes", self.processes, 2, MAX_NODES)
        check_int("workload.iterations", self.iterations, 1, MAX_ITERATIONS)
        names = ("phase", "source", "destination", "length_bytes")
        arrays = {name: np.asarray(getattr(self, name), dtype=np.int64) for name in names}
        if not isinstance(self.synchronised, bool):
            raise InputError(f"workload.synchronised={self.synchronised}: expected true or false")
        if not len(arrays["source"]):
            raise InputError("workload: no messages; expected at least one")
        for name, array in arrays.items():
            if array.shape != arrays["source"].shape or array.ndim != 1:
                raise InputError(f"workload.{name}: an array of shape {array.shape}; expected one number per message")
        limits = {"phase": (0, MAX_NODES), "length_bytes": (1, MAX_BYTES)}
        for name, array in arrays.items():
            low, high = limits.get(name, (0, self.processes - 1))
            wrong = array[(array < low) | (array > high)]
            if len(wrong):
                raise InputError(f"workload.{name}={wrong[0]}: expected {low} to {high}")
        to_itself = np.flatnonzero(arrays["source"] == arrays["destination"])
        if len(to_itself):
            raise InputError(
                f"workload: process {arrays['source'][to_itself[0]]} sends to itself; expected another process"
            )
        order = np.argsort(arrays["phase"], kind="stable")
        for name, array in arrays.items():
            object.__setattr__(self, name, array[order])

    @property
    def messages(self) -> int:
        """Number of messages per iteration."""
        return len(self.source)

    @property
    def most_active(self) -> int:
        """Largest number of messages of a phase."""
        return int(np.unique(self.phase, return_counts=True)[1].max())

    def matrix(self) -> Ints:
        """Return the bytes per iteration, by source and destination."""
        matrix = np.zeros((self.processes, self.processes), dtype=np.int64)
        np.add.at(matrix, (self.source, self.destination), self.length_bytes)
        return matrix

    def scaled(self, divisor: int) -> "PhasedWorkload":
        """Return the workload with all message lengths divided by `divisor` and rounded down, to at least one byte."""
        check_int("divisor", divisor, 1)
        return replace(self, length_bytes=np.maximum(self.length_bytes // divisor, 1))

    def message_list(self) -> MessageList:
        """Return the messages of all iterations, with their dependencies, and barriers if phases are synchronised."""
        check_message_count(self.iterations * self.messages)
        _, phase = np.unique(self.phase, return_inverse=True)
        iteration = np.repeat(np.arange(self.iterations), self.messages)
        step = np.tile(phase, self.iterations) + (int(phase.max()) + 1) * iteration
        source, destination = (np.tile(ends, self.iterations) for ends in (self.source, self.destination))
        lengths = np.tile(self.length_bytes, self.iterations)
        if self.synchronised:
            return between_barriers(self.processes, step, source, destination, lengths)
        starts, dependency = _own_earlier_messages(step, source, destination)
        ends = (source.astype(np.int32), destination.astype(np.int32))
        return MessageList(self.processes, *ends, lengths, np.zeros_like(lengths), starts, dependency.astype(np.int32))


def _own_earlier_messages(step: Ints, source: Ints, destination: Ints) -> tuple[Ints, Ints]:
    """Return the dependencies of messages in ascending order of steps, as offsets and messages.

    A message depends on all that its source has sent or received since the step in which it last sent, that one
    included; those before have been awaited then.
    """
    steps, messages = int(step[-1]) + 1, np.arange(len(step))
    # The messages of each process in order, by the key process · steps + step.
    message = np.concatenate([messages, messages])
    process = np.concatenate([source, destination])
    order = np.lexsort((message, process))
    own, key = message[order], (process * steps + step[message])[order]
    sent = source * steps + step
    senders = sorted_unique(sent)
    last = np.searchsorted(senders, sent) - 1
    has_sent = (last >= 0) & (senders[last] // steps == source)
    begin = np.searchsorted(key, np.where(has_sent, senders[last], source * steps))
    count = np.searchsorted(key, sent) - begin
    return starts_of(count), own[spans(begin, count)]
