"""Programs: what processes do, step by step, with loops."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from isoplane.models.arrays import Ints
from isoplane.models.errors import InputError

from ..collectives import algorithms as collective_steps
from ..collectives import reductions as reduction_steps
from ..message_list import MessageList, check_message_count
from .dependencies import message_list_of
from .message_counts import MessageCounts
from .operations import Operations, computing, exchange, joined, wavefront
from .step_list import StepList

ALGORITHMS: dict[str, Callable[..., collective_steps.Steps]] = {
    "barrier": collective_steps.barrier,
    "bcast": collective_steps.broadcast,
    "reduce": collective_steps.reduction,
    "scatter": collective_steps.scatter,
    "scatterv": collective_steps.linear_scatter,
    "gather": collective_steps.gather,
    "gatherv": collective_steps.linear_gather,
    "allreduce": reduction_steps.all_reduce,
    "scan": reduction_steps.scan,
    "exscan": reduction_steps.scan,
    "allgather": collective_steps.ring_all_gather,
    "allgatherv": collective_steps.ring_all_gather,
    "alltoall": collective_steps.all_to_all,
    "alltoallv": collective_steps.all_to_all,
}


@dataclass(frozen=True, eq=False)
class Collective:
    """A collective operation of groups of processes, all at once.

    Parameters
    ----------
    name
        Name, as in the functions of MPI: a key of `ALGORITHMS`.
    groups : int64[groups, members]
        Processes of each group, the root first.
    size_bytes : int, int64[members] or int64[members, members]
        Length of the vector, or of the part of each member; of all-to-all exchanges, what a process sends to each
        other one.
    """

    name: str
    groups: Ints
    size_bytes: int | Ints

    def messages(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Return sources, destinations, lengths and phases of the messages; copies to oneself are none."""
        members = self.groups.shape[1]
        arguments = () if self.name == "barrier" else (self.size_bytes,)
        steps = ALGORITHMS[self.name](members, *arguments)
        source, destination = (self.groups[:, ends].ravel() for ends in (steps.source, steps.destination))
        size, phase = (np.tile(column, len(self.groups)) for column in (steps.size_bytes, steps.phase))
        return source, destination, size, phase

    def operations(self) -> Operations:
        """Return the operations on these messages."""
        return exchange(*self.messages())


@dataclass(frozen=True, eq=False)
class _Loop:
    times: int
    body: "list[Operations | Collective | _Loop]"


class Program:
    """A program of processes, written down by calling its methods in order.

    Parameters
    ----------
    processes
        Number of processes.

    Examples
    --------
    >>> program = Program(4)
    >>> with program.repeated(10):
    ...     program.exchange([0, 1, 2, 3], [1, 2, 3, 0], 8)
    ...     program.collective("allreduce", 16)
    >>> program.counts().messages.tolist(), program.message_list().messages
    ([10, 10, 10, 10], 120)
    """

    def __init__(self, processes: int) -> None:
        self.processes = processes
        self._body: list[Operations | Collective | _Loop] = []

    @contextmanager
    def repeated(self, times: int) -> Iterator[None]:
        """Enclose what is executed several times."""
        around, self._body = self._body, []
        yield
        body, self._body = self._body, around
        if times and body:
            self._body.append(_Loop(times, body))

    def exchange(
        self,
        source: ArrayLike,
        destination: ArrayLike,
        size_bytes: ArrayLike,
        phase: ArrayLike = 0,
        *,
        blocking: bool = False,
    ) -> None:
        """Add an `exchange`."""
        operations = exchange(source, destination, size_bytes, phase, blocking=blocking)
        if operations.messages:
            self._body.append(operations)

    def wavefront(
        self, level: Ints, source: ArrayLike, destination: ArrayLike, size_bytes: ArrayLike, delay_ps: int = 0
    ) -> None:
        """Add a `wavefront`."""
        self._body.append(wavefront(level, source, destination, size_bytes, delay_ps))

    def add(self, operations: Operations) -> None:
        """Add any operations."""
        self._body.append(operations)

    def compute(self, delay_ps: int) -> None:
        """Let all processes compute."""
        if delay_ps:
            self._body.append(computing(self.processes, delay_ps))

    def collective(self, name: str, size_bytes: int | Ints = 0, groups: Ints | None = None) -> None:
        """Add a `Collective`, of all processes unless groups are given."""
        self._body.append(Collective(name, np.arange(self.processes)[None] if groups is None else groups, size_bytes))

    def counts(self, *, collectives: bool = False) -> MessageCounts:
        """Return the messages of the whole program by pair of processes and length.

        Parameters
        ----------
        collectives
            Whether messages of collective operations count, and not only those that the processes send themselves.
        """
        parts = _flat(self._body, 1)
        return MessageCounts.of(
            self.processes,
            [(_messages(part), times) for part, times in parts if collectives or isinstance(part, Operations)],
        )

    def collectives(self) -> list[tuple[Collective, int]]:
        """Return the collective operations, each with the number of times that it is executed."""
        return [(part, times) for part, times in _flat(self._body, 1) if isinstance(part, Collective)]

    def operations(self) -> Operations:
        """Return all operations; collective ones on the messages of their algorithms."""
        # Before any operation is built: nested loops multiply few lines to more messages than fit in memory.
        check_message_count(*_counts(self._body))
        return _operations_of(self._body)

    def message_list(self, eager_bytes: int = 0) -> MessageList:
        """Return all messages with their dependencies, as `message_list_of`."""
        return message_list_of(self.processes, self.operations(), eager_bytes)

    @property
    def messages(self) -> int:
        """Number of all messages, those of collective operations included."""
        return _counts(self._body)[0]

    @property
    def steps(self) -> int:
        """Number of steps: how often the main loop is executed, the outermost one that sends most; 1 if none sends."""
        place = self._main_loop
        return 1 if place is None else self._loop(place).times

    def step_list(self, steps: int, eager_bytes: int = 0, start: str = "sender") -> StepList:
        """Return all messages with their dependencies if the main loop is executed `steps` times.

        Parameters
        ----------
        steps
            Number of steps; only a program with a loop that sends has some.
        eager_bytes, start
            As for `message_list_of`.
        """
        place = self._main_loop
        if place is None:
            raise InputError(f"steps={steps}: expected a program with a loop that sends")
        body = self._loop(place).body
        before, after = self._body[:place], self._body[place + 1 :]
        check_message_count(*_counts([*before, _Loop(steps, body), *after]))
        parts = _operations_of(before), _operations_of(body), _operations_of(after)
        return StepList.of(self.processes, parts, steps, eager_bytes, start)

    @property
    def _main_loop(self) -> int | None:
        """Return where the main loop stands."""
        sent = {place: _counts([part])[0] for place, part in enumerate(self._body) if isinstance(part, _Loop)}
        return max(filter(sent.get, sent), key=lambda place: sent[place], default=None)

    def _loop(self, place: int) -> _Loop:
        loop = self._body[place]
        assert isinstance(loop, _Loop)
        return loop


def _flat(body: "list[Operations | Collective | _Loop]", times: int) -> Iterator[tuple[Operations | Collective, int]]:
    """Yield all parts, each with the number of times that it is executed."""
    for part in body:
        if isinstance(part, _Loop):
            yield from _flat(part.body, times * part.times)
        else:
            yield part, times


def _counts(body: "list[Operations | Collective | _Loop]") -> tuple[int, int]:
    """Return the number of messages, and that of operations."""
    messages = operations = 0
    for part, times in _flat(body, 1):
        sent = len(_messages(part)[0])
        messages += times * sent
        # Of a collective operation: each message is sent, and awaited at both ends.
        operations += times * (len(part.kind) if isinstance(part, Operations) else 3 * sent)
    return messages, operations


def _messages(part: Operations | Collective) -> tuple[Ints, Ints, Ints]:
    """Return sources, destinations and lengths."""
    if isinstance(part, Operations):
        return part.source, part.destination, part.size_bytes
    return part.messages()[:3]


def _operations_of(body: "list[Operations | Collective | _Loop]") -> Operations:
    parts = []
    for part in body:
        if isinstance(part, _Loop):
            parts.append(_operations_of(part.body).repeated(part.times))
        else:
            parts.append(part if isinstance(part, Operations) else part.operations())
    return joined(parts)
