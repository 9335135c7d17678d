"""Mixes: several workloads that run one after another on the same network, each so many times."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arrays import Ints
from ..checks import check_int
from ..errors import InputError
from .message_list import MessageList
from .workload import Workload

MAX_WEIGHT = 1 << 20


@dataclass(frozen=True)
class WorkloadMix:
    """Workloads with weights; a time of the mix is the sum of theirs, each times its weight.

    Parameters
    ----------
    parts
        Pairs of a weight, at least 1, and a workload; all between equally many processes.

    Raises
    ------
    InputError
        If there is no part, a weight is out of range, a part is itself a mix, or the numbers of processes differ.

    Examples
    --------
    >>> from isoplane.models.workloads import all_to_all, recursive_doubling
    >>> mix = WorkloadMix(((3, all_to_all(8, 100)), (1, recursive_doubling(8, 50))))
    >>> mix.processes, int(mix.matrix()[0, 1])
    (8, 350)
    """

    parts: Sequence[tuple[int, Workload]]

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        if not self.parts:
            raise InputError("workload.parts=[]: expected at least one workload")
        for weight, part in self.parts:
            check_int("workload.parts.weight", weight, 1, MAX_WEIGHT)
            if isinstance(part, WorkloadMix):
                raise InputError("workload.parts: a mix; expected workloads of other kinds")
            if part.processes != self.processes:
                raise InputError(
                    f"workload.parts: {part.name} of {part.processes} processes; expected {self.processes}, as in "
                    f"{self.parts[0][1].name}"
                )

    @property
    def name(self) -> str:
        """The parts with their weights, such as ``3 x all_to_all + 1 x ring_all_reduce``."""
        return " + ".join(f"{weight} x {part.name}" for weight, part in self.parts)

    @property
    def processes(self) -> int:
        """Number of processes."""
        return self.parts[0][1].processes

    @property
    def iterations(self) -> int:
        """One: the iterations of the parts are among their messages."""
        return 1

    @property
    def messages(self) -> int:
        """Number of messages of all parts, each once."""
        return sum(part.messages * part.iterations for _, part in self.parts)

    @cached_property
    def length_bytes(self) -> Ints:
        """Lengths of the messages of all parts, each once."""
        return np.concatenate([np.tile(part.length_bytes, part.iterations) for _, part in self.parts])

    @property
    def most_active(self) -> int:
        """The largest number of messages that are active at once in any part."""
        return max(part.most_active for _, part in self.parts)

    def matrix(self) -> Ints:
        """Return the bytes of all parts times their weights, by source and destination."""
        total: Ints = sum(
            (weight * part.iterations * part.matrix() for weight, part in self.parts),
            np.zeros((self.processes, self.processes), dtype=np.int64),
        )
        return total

    def scaled(self, divisor: int) -> "WorkloadMix":
        """Return the mix of the scaled parts."""
        return replace(self, parts=tuple((weight, part.scaled(divisor)) for weight, part in self.parts))

    def message_list(self) -> MessageList:
        """Raise an error: the parts are timed one by one."""
        raise InputError("workload=mix: its workloads are timed one by one; expected a single workload here")


def parts_of(workload: Workload) -> tuple[tuple[int, Workload], ...]:
    """Return the parts of a mix, or a workload itself with weight 1.

    Examples
    --------
    >>> from isoplane.models.workloads import all_to_all
    >>> [weight for weight, _ in parts_of(all_to_all(8))]
    [1]
    """
    return tuple(workload.parts) if isinstance(workload, WorkloadMix) else ((1, workload),)
