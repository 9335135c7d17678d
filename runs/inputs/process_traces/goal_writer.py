"""GOAL, the schedules of LogGOPSim, written from messages with dependencies."""

from collections.abc import Iterator

import numpy as np

from isoplane.models import InputError, MessageList
from isoplane.models.mathematics.occurrences import occurrences


def goal_lines(messages: MessageList) -> Iterator[str]:
    r"""Yield the lines of a schedule in GOAL.

    Delays are rounded to nanoseconds. That a message follows the arrival of one that its process has sent becomes that
    it follows the send: in LogGOPSim a send of more than S bytes ends with its arrival.

    Raises
    ------
    InputError
        If a message depends on one between other processes.

    References
    ----------
    Hoefler, Schneider and Lumsdaine, LogGOPSim: Simulating Large-Scale Applications in the LogGOPS Model, 2010.

    Examples
    --------
    >>> from isoplane.models.workloads import pipeline
    >>> print(*goal_lines(pipeline(2, 1, 8, 1, 2).message_list()), sep="\n")
    num_ranks 2
    rank 0 {
    l0: calc 1000
    l1: send 8b to 1 tag 0
    l1 requires l0
    l2: recv 8b from 1 tag 0
    l3: calc 2000
    l3 requires l0
    l3 requires l2
    }
    rank 1 {
    l0: recv 8b from 0 tag 0
    l1: calc 3000
    l1 requires l0
    l2: send 8b to 0 tag 0
    l2 requires l1
    }
    """
    yield f"num_ranks {messages.nodes}"
    writer = _Writer(messages)
    for process in range(messages.nodes):
        yield f"rank {process} {{"
        yield from writer.lines[process]
        yield "}"


class _Writer:
    """Lines of all processes, and the labels by which messages are referred to."""

    def __init__(self, messages: MessageList) -> None:
        self.messages = messages
        self.lines: list[list[str]] = [[] for _ in range(messages.nodes)]
        self.labels = [0] * messages.nodes
        self.known: dict[tuple[int, int], int] = {}
        self.computed: dict[tuple[int, tuple[int, ...]], dict[int, int]] = {}
        self.source, self.destination = messages.source.tolist(), messages.destination.tolist()
        # The number of each message among those between the same processes.
        self.tags = occurrences(messages.source.astype(np.int64) * messages.nodes + messages.destination).tolist()
        for message in range(messages.messages):
            self._add(message)

    def _add(self, message: int) -> None:
        source, destination = self.source[message], self.destination[message]
        delay_ns = (int(self.messages.delay_ps[message]) + 500) // 1000
        needed = self._needed(message)
        if delay_ns or source == destination:
            needed = [self._computed(source, delay_ns, needed)]
        if source == destination:
            self.known[source, message] = needed[0]
            return
        size = f"{self.messages.length_bytes[message]}b"
        send = self._write(source, f"send {size} to {destination} tag {self.tags[message]}", needed)
        receive = self._write(destination, f"recv {size} from {source} tag {self.tags[message]}", [])
        self.known[source, message], self.known[destination, message] = send, receive

    def _computed(self, process: int, delay_ns: int, needed: list[int]) -> int:
        """Return the label of computing for some time, which continues what follows the same events, if anything."""
        found = self.computed.setdefault((process, tuple(needed)), {})
        if delay_ns not in found:
            before = max((time for time in found if time < delay_ns), default=None)
            rest, after = (delay_ns, needed) if before is None else (delay_ns - before, [found[before]])
            found[delay_ns] = self._write(process, f"calc {rest}", after)
        return found[delay_ns]

    def _needed(self, message: int) -> list[int]:
        """Return the labels that a message requires at its source."""
        start, end = self.messages.dependency_start[message : message + 2]
        found = []
        for dependency in self.messages.dependency[start:end].tolist():
            label = self.known.get((self.source[message], dependency))
            if label is None:
                raise InputError(
                    f"format=goal: message {message} of process {self.source[message]} follows one from "
                    f"{self.source[dependency]} to {self.destination[dependency]}; expected earlier messages of its own"
                )
            found.append(label)
        return found

    def _write(self, process: int, text: str, needed: list[int]) -> int:
        label = self.labels[process]
        self.labels[process] += 1
        self.lines[process].append(f"l{label}: {text}")
        self.lines[process] += [f"l{label} requires l{other}" for other in needed]
        return label
