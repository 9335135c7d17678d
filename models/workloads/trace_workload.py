"""Workloads that are given message by message, for example read from a trace."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Ints
from ..checks import check_int
from ..errors import InputError
from .message_list import MessageList
from .workload import CompleteList, divided

COLUMNS = ("source", "destination", "length_bytes", "delay_ps", "dependency_start", "dependency")


@dataclass(frozen=True, eq=False)
class TraceWorkload(CompleteList):
    """A list of messages as a workload.

    Parameters
    ----------
    name
        Name in reports.
    listed
        The messages.
    received
        Returns the messages if each also awaits that its receiver has posted the receive; None if that is not known.

    Examples
    --------
    >>> from isoplane.models.workloads import pipeline
    >>> work = TraceWorkload("two stages", pipeline(2, 3, 1000).message_list())
    >>> work.messages, work.matrix().tolist()
    (6, [[0, 3000], [3000, 0]])
    """

    name: str
    listed: MessageList
    received: Callable[[], MessageList] | None = None

    def __post_init__(self) -> None:
        if self.listed.local.all():
            raise InputError(f"workload={self.name}: no messages between processes; expected at least one")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TraceWorkload):
            return NotImplemented
        return self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def _value(self) -> tuple[object, ...]:
        return (self.name, self.processes, *(getattr(self.listed, column).tobytes() for column in COLUMNS))

    @property
    def processes(self) -> int:
        """Number of processes."""
        return self.listed.nodes

    def matrix(self) -> Ints:
        """Return the bytes by source and destination; those to oneself are left out."""
        matrix = np.zeros((self.processes, self.processes), dtype=np.int64)
        np.add.at(matrix, (self.listed.source, self.listed.destination), self.listed.length_bytes)
        np.fill_diagonal(matrix, 0)
        return matrix

    def scaled(self, divisor: int) -> "TraceWorkload":
        """Return the workload with all message lengths divided by `divisor` and rounded down, to at least one byte."""
        check_int("divisor", divisor, 1)
        received = self.received
        if received is None:
            return TraceWorkload(self.name, _scaled(self.listed, divisor))
        return TraceWorkload(self.name, _scaled(self.listed, divisor), lambda: _scaled(received(), divisor))

    def message_list(self) -> MessageList:
        """Return the messages."""
        return self.listed


def _scaled(messages: MessageList, divisor: int) -> MessageList:
    return replace(messages, length_bytes=divided(messages.length_bytes, divisor))
