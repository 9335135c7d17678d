"""Operations of processes in blocks, after whose waits what follows in them happens."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Bools, Ints

from .operations import COMPUTE, SEND, WAIT, Operations
from .receives import arrival_groups


@dataclass(frozen=True, eq=False)
class Blocks:
    """Operations in blocks: each begins with all waits up to the next other operation, which leads to its sends.

    If receives matter, waits that follow a wait for an arrival, other than for an arrival, begin another block.

    Numbers are narrow where they can be: these columns take most of the memory of a program with millions of messages.

    Attributes
    ----------
    process, kind, value, position, block
        Operations by process, their positions among all, and the numbers of their blocks.
    """

    process: NDArray[np.int32]
    kind: NDArray[np.int8]
    value: Ints
    position: NDArray[np.int32]
    block: NDArray[np.int32]

    @classmethod
    def of(cls, operations: Operations, eager_bytes: int, start: str) -> "Blocks":
        """Return the blocks of operations."""
        process, kind, value = operations.process, operations.kind, operations.value
        sent = np.where(kind == COMPUTE, 0, value)  # of computing any message, which is not used
        is_own = np.zeros(len(kind), dtype=bool)
        if operations.messages:
            is_own = (process == operations.source[sent]) & (process != operations.destination[sent])
            is_own &= operations.size_bytes[sent] <= eager_bytes
        kept = np.flatnonzero(~((kind == WAIT) & is_own) & ~((kind == COMPUTE) & (value == 0)))
        # Stable: the order of the operations of a process is its program.
        order = kept[np.argsort(process[kept], kind="stable")]
        of_process, of_kind, value = process[order].astype(np.int32), kind[order].astype(np.int8), value[order]
        begins = np.ones(len(order), dtype=bool)
        begins[1:] = (of_process[1:] != of_process[:-1]) | ((of_kind[1:] == WAIT) & (of_kind[:-1] != WAIT))
        if start == "both":
            group = arrival_groups(operations)[order]
            begins[1:] |= (of_kind[1:] == WAIT) & (group[1:] != group[:-1])
        return cls(of_process, of_kind, value, order.astype(np.int32), np.cumsum(begins, dtype=np.int32) - 1)

    @property
    def count(self) -> int:
        """Number of blocks."""
        return int(self.block[-1]) + 1 if len(self.block) else 0

    @cached_property
    def start(self) -> Ints:
        """The first operation of each block."""
        return np.searchsorted(self.block, np.arange(self.count, dtype=np.int32))

    @cached_property
    def owner(self) -> NDArray[np.int32]:
        """The process of each block."""
        return self.process[self.start]

    @cached_property
    def waits(self) -> Ints:
        """The operations that wait."""
        return np.flatnonzero(self.kind == WAIT)

    @cached_property
    def sends(self) -> Ints:
        """The operations that send."""
        return np.flatnonzero(self.kind == SEND)

    @cached_property
    def offset_ps(self) -> Ints:
        """Time that a process has computed in a block before each operation."""
        computed = np.where(self.kind == COMPUTE, self.value, 0)
        before = np.cumsum(computed) - computed
        return before - before[self.start][self.block] if len(before) else before

    @cached_property
    def computed_ps(self) -> Ints:
        """Time that a process computes in each block."""
        computed = np.zeros(self.count, dtype=np.int64)
        np.add.at(computed, self.block, np.where(self.kind == COMPUTE, self.value, 0))
        return computed

    def has_send_at_end(self) -> Bools:
        """Return whether the last operation of each block that takes part sends, with no computing after it."""
        is_last = self.offset_ps[self.sends] == self.computed_ps[self.block[self.sends]]
        has_send = np.zeros(self.count, dtype=bool)
        has_send[self.block[self.sends[is_last]]] = True
        return has_send
