"""Messages of a program with fewer steps of its main loop, and which of them repeat those of the step before."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isoplane.models.arrays import Ints

from ..message_list import MessageList
from .dependencies import keyed_message_list
from .operations import Operations, joined


@dataclass(frozen=True, eq=False)
class StepList:
    """Messages of a program that does some steps, one after another, between what it does before and after them.

    A message has the same place in every step, however many there are. Local messages can be missing in the first and
    in the last steps, where what precedes or follows them differs.

    Parameters
    ----------
    messages
        The messages and their dependencies.
    steps
        Number of steps.
    step : int64[messages]
        The step of each message: -1 before the first one, `steps` after the last one.
    place : int64[messages]
        A number of each message that no other one of its step has, nor one outside the steps.

    Examples
    --------
    >>> from isoplane.models.workloads.programs import Program
    >>> program = Program(2)
    >>> with program.repeated(1000):
    ...     program.exchange([0, 1], [1, 0], 8)
    >>> listed = program.step_list(3)
    >>> listed.step.tolist(), len(set(listed.place.tolist()))
    ([0, 0, 1, 1, 2, 2], 2)
    """

    messages: MessageList
    steps: int
    step: Ints
    place: Ints

    @classmethod
    def of(
        cls, processes: int, parts: tuple[Operations, Operations, Operations], steps: int, eager_bytes: int, start: str
    ) -> "StepList":
        """Return the messages of operations before the steps, of each of them, and after them, by `message_list_of`."""
        before, body, after = parts
        operations = joined([before, body.repeated(steps), after])
        messages, key = keyed_message_list(processes, operations, eager_bytes, start)
        # The keys of an operation are the four numbers from four times its own on.
        first, length = 4 * len(before.kind), 4 * len(body.kind)
        step = np.clip((key - first) // length, -1, steps)
        shift = np.where(step < 0, 0, np.where(step == steps, (steps - 1) * length, step * length))
        return cls(messages, steps, step, key - shift)

    @cached_property
    def has_one_pace(self) -> bool:
        """Whether what follows a message of a step includes all messages of later steps, for each message.

        Then no message can fall behind others by more and more steps, as those of processes can that do not depend on
        others, or only on some that do not wait for them.
        """
        import igraph  # slow to import: only for programs whose steps do not recur

        in_step, start = self.step == self.steps // 2, self.messages.dependency_start
        dependent = np.repeat(np.arange(len(self.step)), np.diff(start))
        places = np.unique(self.place[in_step])
        is_edge = in_step[dependent] & np.isin(self.place[self.messages.dependency], places)
        ends = [self.place[ends[is_edge]] for ends in (self.messages.dependency, dependent)]
        edges = np.searchsorted(places, np.stack(ends, axis=1))
        return bool(igraph.Graph(n=len(places), edges=edges, directed=True).is_connected(mode="strong"))
