"""Workloads that follow from programs of processes."""

from dataclasses import dataclass, replace
from functools import cached_property

from ..arrays import Ints
from ..checks import check_int
from ..errors import InputError
from .message_list import MessageList
from .programs import MessageCounts, MessageGraph, Program, StepList
from .workload import CompleteList, divided

Parameter = str | int | float | None


@dataclass(frozen=True, eq=False)
class ProgramWorkload(CompleteList):
    """Messages of a program of processes.

    Parameters
    ----------
    name
        Name in reports.
    program
        The program, determined by the parameters.
    parameters
        Keys and values that describe the program in a record, the first one its kind.
    eager_bytes
        A process does not wait for the arrival of its own messages of up to this length.
    divisor
        Number by which the lengths of messages are divided.

    Examples
    --------
    >>> from isoplane.models.workloads import npb
    >>> work = npb("cg", "S", 4, iterations=1)
    >>> work.messages, work.scaled(10).messages
    (750, 750)
    """

    name: str
    program: Program | MessageGraph
    parameters: tuple[tuple[str, Parameter], ...]
    eager_bytes: int
    divisor: int = 1

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ProgramWorkload):
            return NotImplemented
        return (self.parameters, self.divisor) == (other.parameters, other.divisor)

    def __hash__(self) -> int:
        return hash((self.parameters, self.divisor))

    @property
    def processes(self) -> int:
        """Number of processes."""
        return self.program.processes

    def matrix(self) -> Ints:
        """Return the bytes by source and destination."""
        return self._counts.matrix()

    def scaled(self, divisor: int) -> "ProgramWorkload":
        """Return the workload with all message lengths divided by `divisor` and rounded down, to at least one byte."""
        return replace(self, divisor=check_int("divisor", divisor, 1) * self.divisor)

    def message_list(self) -> MessageList:
        """Return all messages, with their dependencies."""
        return self._messages

    @property
    def steps(self) -> int:
        """Number of steps of its program; 1 without a loop."""
        return self.program.steps if isinstance(self.program, Program) else 1

    def step_list(self, steps: int, start: str = "sender") -> StepList:
        """Return the messages if the program has fewer or more steps; they begin as in `message_list_of`."""
        if not isinstance(self.program, Program):
            raise InputError(f"steps={steps}: expected a program with a loop")
        listed = self.program.step_list(steps, self.eager_bytes, start)
        length_bytes = divided(listed.messages.length_bytes, self.divisor)
        return replace(listed, messages=replace(listed.messages, length_bytes=length_bytes))

    @cached_property
    def _counts(self) -> MessageCounts:
        counts = self.program.counts(collectives=True)
        return replace(counts, size_bytes=divided(counts.size_bytes, self.divisor))

    @cached_property
    def _messages(self) -> MessageList:
        messages = self.program.message_list(self.eager_bytes)
        return replace(messages, length_bytes=divided(messages.length_bytes, self.divisor))
