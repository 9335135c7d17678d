"""From the operations of processes to messages with dependencies."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Bools, Ints
from isoplane.models.errors import InputError
from isoplane.models.mathematics.spans import spans

from ..message_list import MessageList
from .blocks import Blocks
from .operations import COMPUTE, Operations
from .receives import posting_blocks
from .topological_order import topological_order

STARTS = ("sender", "both")  # what a message begins with: its sender alone, or also its receiver
_Columns = tuple[NDArray[np.int32], NDArray[np.int32], Ints, Ints, Ints, NDArray[np.int32]]  # of a `MessageList`
MAX_COMPUTED_PS = 1 << 62  # of a process, so that its sums fit in 64 bits


def message_list_of(
    processes: int,
    operations: Operations,
    eager_bytes: int = 0,
    start: str = "sender",
    receives: Ints | None = None,
) -> MessageList:
    """Return the messages of processes with the dependencies that follow from the order of their operations.

    A message is sent when its process has executed all operations before it. Local messages, from a process to
    itself, stand for computing between events and for events that many messages depend on.

    With ``start="both"`` it is not sent before its receiver has posted the receive. A process posts its receives as
    early as written traces do (`trace_files`): those that it awaits one after another once it has awaited all arrivals
    before them, the first ones at the start.

    Parameters
    ----------
    processes
        Number of processes.
    operations
        Their operations.
    eager_bytes
        A process does not wait for the arrival of its own messages of up to this length, since a buffer holds them.
    start
        ``sender``, or ``both``: sender and receiver.
    receives : int64[messages], optional
        With ``start="both"``, the local message that is sent where the receive of each message is posted; -1, the
        default, where that is as above.

    Raises
    ------
    InputError
        If processes wait for each other forever, one computes for too long, or a number is out of range.

    Examples
    --------
    >>> from isoplane.models.workloads.programs.operations import exchange, joined
    >>> there, back = exchange([0], [1], 8), exchange([1], [0], 8)
    >>> message_list_of(2, joined([there, back])).dependency.tolist()
    [0]
    """
    return keyed_message_list(processes, operations, eager_bytes, start, receives)[0]


def keyed_message_list(
    processes: int,
    operations: Operations,
    eager_bytes: int = 0,
    start: str = "sender",
    receives: Ints | None = None,
) -> tuple[MessageList, Ints]:
    """Return the messages of `message_list_of`, and a key of each.

    The key is four times the number of an operation, plus 3 if this operation sends the message, and 1 or 2 if it is a
    local message that was added at this operation. So it is the same in every program with the operation, as far as the
    operations beside it are the same.
    """
    _require_computable(operations)
    # In a function of its own, so that what it needs is given back before the list takes memory.
    none = np.full(operations.messages, -1)
    columns, keys = _columns_of(operations, eager_bytes, start, none if receives is None else receives)
    return MessageList(processes, *columns), keys


def _require_computable(operations: Operations) -> None:
    computed = np.where(operations.kind == COMPUTE, operations.value, 0).astype(np.float64)
    # In floating point, since sums of the integers could overflow before they are compared.
    longest_ps = np.bincount(operations.process, computed, minlength=1).max()
    if longest_ps > MAX_COMPUTED_PS:
        raise InputError(
            f"workload: a process computes for {longest_ps / 1e12:.6g} s; expected at most {MAX_COMPUTED_PS // 10**12}"
        )


def _columns_of(operations: Operations, eager_bytes: int, start: str, receives: Ints) -> tuple[_Columns, Ints]:
    """Return the columns of a message list, and the key of each message."""
    blocks = Blocks.of(operations, eager_bytes, start)
    posted = np.full(operations.messages, -1)
    if start == "both":
        posted = posting_blocks(operations, blocks.process, blocks.value, blocks.kind, blocks.block)
        posted[receives >= 0] = -1
    return _Compiled(operations, blocks, posted, receives).columns()


@dataclass(frozen=True, eq=False)
class _Compiled:
    """Messages, the local ones added to them, and pairs of messages that depend on each other.

    The end of a block's waits is represented by the messages awaited, and if its end does not follow from them, by
    what represents the end of the block before. If much depends on it, a local message takes their place.

    Attributes
    ----------
    posted
        The block after whose waits each message may begin, since its receive is posted then; -1 if that is the start.
    receives
        A local message after which it may begin, for the same reason; -1 for none.
    """

    operations: Operations
    blocks: Blocks
    posted: Ints
    receives: Ints

    @cached_property
    def follows(self) -> Bools:
        """Whether a block depends on the one before other than by the messages that it awaits."""
        blocks = self.blocks
        sent_in = np.full(self.operations.messages, -2)
        sent_in[blocks.value[blocks.sends]] = blocks.block[blocks.sends]
        sent_at = np.zeros(self.operations.messages, dtype=np.int64)
        sent_at[blocks.value[blocks.sends]] = blocks.offset_ps[blocks.sends]
        awaited, block = blocks.value[blocks.waits], blocks.block[blocks.waits]
        follows = np.zeros(blocks.count, dtype=bool)
        follows[1:] = blocks.owner[1:] == blocks.owner[:-1]
        # A message that was sent at the end of the block before arrives after that end.
        implied = (sent_in[awaited] == block - 1) & (sent_at[awaited] == blocks.computed_ps[block - 1])
        follows[block[implied]] = False
        begins_at_start = np.ones(blocks.count, dtype=bool)
        begins_at_start[block] = False
        # A block that begins at the start and computes nothing ends at time 0, before which nothing happens.
        follows[1:] &= ~begins_at_start[:-1] | (blocks.computed_ps[:-1] > 0)
        return follows

    @cached_property
    def delayed(self) -> Ints:
        """Blocks that follow the one before after it has computed."""
        return np.flatnonzero(self.follows[1:] & (self.blocks.computed_ps[:-1] > 0)) + 1

    @cached_property
    def trailing(self) -> Ints:
        """Last blocks of processes, with computing after which nothing is sent."""
        blocks = self.blocks
        last = np.ones(blocks.count, dtype=bool)
        last[:-1] = blocks.owner[1:] != blocks.owner[:-1]
        return np.flatnonzero(last & (blocks.computed_ps > 0) & ~blocks.has_send_at_end())

    @cached_property
    def prepared(self) -> Ints:
        """Sends after computing in a block that await a receive, so that a local message computes for them."""
        blocks = self.blocks
        awaits = (self.posted >= 0) | (self.receives >= 0)
        return blocks.sends[(blocks.offset_ps[blocks.sends] > 0) & awaits[blocks.value[blocks.sends]]]

    @cached_property
    def awaiting(self) -> Ints:
        """Messages that await a receive."""
        return np.flatnonzero(self.posted >= 0)

    @cached_property
    def joins(self) -> Ints:
        """Blocks whose beginning is represented by a local message."""
        blocks = self.blocks
        size = np.bincount(blocks.block[blocks.waits], minlength=blocks.count) + self.follows
        users = np.bincount(blocks.block[blocks.sends], minlength=blocks.count)
        users += np.bincount(self.delayed - 1, minlength=blocks.count)
        users += np.bincount(self.posted[self.awaiting], minlength=blocks.count)
        directly = np.zeros(blocks.count, dtype=bool)
        directly[:-1] = self.follows[1:] & (blocks.computed_ps[:-1] == 0)
        # Without a join there are users · size pairs in place of users + size: more from 2 users and 3 elements on. The
        # next block takes over a single element, so that several must be joined for it.
        return np.flatnonzero((size > 1) & (directly | ((users > 1) & (size > 2))))

    def _elements(self) -> tuple[Ints, Ints]:
        """Return the blocks, ascending, with what represents their beginnings unless a local message does."""
        blocks, messages = self.blocks, self.operations.messages
        only = np.full(blocks.count, -1)
        only[blocks.block[blocks.waits]] = blocks.value[blocks.waits]
        only[self.joins] = messages + np.arange(len(self.joins))
        before = np.zeros(blocks.count, dtype=np.int64)
        before[1:] = only[:-1]
        before[self.delayed] = messages + len(self.joins) + np.arange(len(self.delayed))
        following = np.flatnonzero(self.follows)
        block = np.concatenate([following, blocks.block[blocks.waits]])
        element = np.concatenate([before[following], blocks.value[blocks.waits]])
        order = np.argsort(block, kind="stable")
        return block[order], element[order]

    def _pairs(self) -> tuple[Ints, Ints]:
        """Return pairs: a message, and one that it depends on."""
        blocks, messages = self.blocks, self.operations.messages
        of_block, element = self._elements()
        added = messages + np.arange(len(self.joins) + len(self.delayed) + len(self.trailing) + len(self.prepared))
        joins, rest = added[: len(self.joins)], added[len(self.joins) :]
        prepared, received = blocks.value[self.prepared], np.flatnonzero(self.receives >= 0)
        sent = np.setdiff1d(blocks.sends, self.prepared, assume_unique=True)
        user = np.concatenate([blocks.value[sent], rest, self.awaiting])
        used = np.concatenate(
            [
                blocks.block[sent],
                self.delayed - 1,
                self.trailing,
                blocks.block[self.prepared],
                self.posted[self.awaiting],
            ]
        )
        join_of = np.full(blocks.count, -1)
        join_of[self.joins] = joins
        by_join = join_of[used] >= 0
        user_all = np.concatenate([joins, user[~by_join]])
        # Of each used block, all places that hold it in the ascending numbers of blocks.
        wanted = np.concatenate([self.joins, used[~by_join]])
        low, high = np.searchsorted(of_block, wanted), np.searchsorted(of_block, wanted, side="right")
        expanded, picked = np.repeat(np.arange(len(wanted)), high - low), spans(low, high - low)
        return (
            np.concatenate([user[by_join], user_all[expanded], prepared, received]),
            np.concatenate(
                [join_of[used[by_join]], element[picked], added[len(added) - len(prepared) :], self.receives[received]]
            ),
        )

    def _keys(self) -> Ints:
        """Return a key for each message, by which they are in order if the operations stand in order of time."""
        blocks = self.blocks
        key = np.zeros(self.operations.messages, dtype=np.int64)
        # Steps of 4 leave room for local messages between two operations.
        key[blocks.value[blocks.sends]] = 4 * blocks.position[blocks.sends] + 3
        last_wait = np.zeros(blocks.count, dtype=np.int64)
        np.maximum.at(last_wait, blocks.block[blocks.waits], blocks.position[blocks.waits])
        ends = np.append(blocks.start[1:], len(blocks.kind)) - 1
        return np.concatenate(
            [
                key,
                4 * last_wait[self.joins] + 2,
                4 * blocks.position[blocks.start[self.delayed]] + 1,
                4 * blocks.position[ends[self.trailing]] + 1,
                4 * blocks.position[self.prepared] + 2,
            ]
        )

    def columns(self) -> tuple[_Columns, Ints]:
        """Return the messages in an order in which each depends on earlier ones, if there is one; and their keys."""
        blocks = self.blocks
        added = np.concatenate([self.joins, self.delayed, self.trailing, blocks.block[self.prepared]])
        owners = blocks.owner[added]
        count = self.operations.messages + len(owners)
        delay = np.zeros(count, dtype=np.int64)
        delay[blocks.value[blocks.sends]] = blocks.offset_ps[blocks.sends]
        delay[blocks.value[self.prepared]] = 0
        computed = blocks.computed_ps[np.concatenate([self.delayed - 1, self.trailing])]
        last = count - len(self.prepared)
        delay[last - len(computed) :] = np.concatenate([computed, blocks.offset_ps[self.prepared]])
        dependent, dependency = self._pairs()
        keys = self._keys()
        order = topological_order(keys, dependent, dependency)
        number = np.empty(count, dtype=np.int64)
        number[order] = np.arange(count)
        dependent, dependency = number[dependent], number[dependency]
        sorted_pairs = np.lexsort((dependency, dependent))
        none = np.zeros_like(owners)
        source, destination, length = (
            np.concatenate([column, more])[order]
            for column, more in (
                (self.operations.source, owners),
                (self.operations.destination, owners),
                (self.operations.size_bytes, none),
            )
        )
        starts = np.searchsorted(dependent[sorted_pairs], np.arange(count + 1))
        ends = (source.astype(np.int32), destination.astype(np.int32))
        after = dependency[sorted_pairs].astype(np.int32)
        return (*ends, length, delay[order], starts, after), keys[order]
