"""The thread blocks of a rank: connections, their channels, steps, and what steps wait for."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, zip_longest

import numpy as np

from isoplane.models.arrays import rows_of

from .schedule import INPUT, OUTPUT, Schedule
from .target import Target

NOBODY = -1
Pair = tuple[int, int]
Place = tuple[str, int]


@dataclass
class Step:
    """A step of a thread block, with the thread block and step that it waits for, and whether others wait for it."""

    kind: str
    source: Place
    destination: Place
    chunks: int
    waits_for: Pair | None = None
    awaited: bool = False


# The steps that a rank takes one after the other, all over one connection in each direction: the ranks that it sends to
# and receives from, the channel, and the steps.
ThreadBlock = tuple[int, int, int, list[Step]]


def require_thread_blocks(schedule: Schedule, target: Target) -> None:
    """Require that the thread blocks of a runtime suffice for the connections of each rank, and for its own chunk."""
    pairs = np.unique(schedule.source * schedule.ranks + schedule.destination)
    for end in (pairs // schedule.ranks, pairs % schedule.ranks):
        needed = int(np.bincount(end).max()) + 1
        what = f"{needed} thread blocks for each of {schedule.ranks} ranks"
        target.require("max_blocks", needed, what)


def channels_of(schedule: Schedule, target: Target) -> dict[Pair, int]:
    """Return the channel of each connection, by source and destination, in the order of first use.

    A channel takes the connections of further phases until a rank would send, or receive, over too many.
    """
    found: dict[Pair, int] = {}
    most, channel = target.max_blocks_per_channel, 0
    sends, receives = Counter[int](), Counter[int]()
    rows = rows_of(schedule.phase, schedule.source, schedule.destination)
    for _, group in groupby(rows, key=lambda row: row[0]):
        new = [(source, destination) for _, source, destination in group if (source, destination) not in found]
        if any(sends[source] == most or receives[destination] == most for source, destination in new):
            channel += 1
            sends.clear()
            receives.clear()
        for source, destination in new:
            found[source, destination] = channel
            sends[source] += 1
            receives[destination] += 1
    target.require("max_channels", channel + 1, f"{channel + 1} channels")
    return found


def thread_blocks(schedule: Schedule, target: Target) -> Iterator[list[ThreadBlock]]:
    """Yield the thread blocks of each rank.

    The k-th connection on which a rank sends in a channel shares a thread block with the k-th on which it receives; so
    does the whole phase, if no rank is idle in one. The last thread block copies the chunk that the rank keeps. Steps
    are in the order of phases, sends first. If every connection buffers at least one message, they cannot deadlock:
    the first message that is not yet received, by phase, is at the front of its connection or may be sent.
    """
    sent: list[list[Pair]] = [[] for _ in range(schedule.ranks)]
    received: list[list[Pair]] = [[] for _ in range(schedule.ranks)]
    for (source, destination), channel in channels_of(schedule, target).items():
        sent[source].append((channel, destination))
        received[destination].append((channel, source))
    messages: list[list[tuple[int, bool, int]]] = [[] for _ in range(schedule.ranks)]
    rows = rows_of(schedule.phase, schedule.source, schedule.destination)
    for number, (phase, source, destination) in enumerate(rows):
        messages[source].append((phase, False, number))
        messages[destination].append((phase, True, number))
    for rank in range(schedule.ranks):
        blocks = _paired(sent[rank], received[rank])
        # Sorted by phase; False is less than True, so that sends precede receives.
        yield _RankProgram(schedule, target, rank, blocks).filled(sorted(messages[rank]))


def _paired(sent: list[Pair], received: list[Pair]) -> list[ThreadBlock]:
    """Return thread blocks for the connections of a rank, given as channel and peer in the order of first use."""
    blocks = []
    for channel in sorted({channel for channel, _ in (*sent, *received)}):
        ends = ([peer for each, peer in connections if each == channel] for connections in (sent, received))
        blocks += [(send, receive, channel, list[Step]()) for send, receive in zip_longest(*ends, fillvalue=NOBODY)]
    return blocks


class _RankProgram:
    """The thread blocks of a rank while they are filled."""

    def __init__(self, schedule: Schedule, target: Target, rank: int, blocks: list[ThreadBlock]) -> None:
        self.schedule, self.target, self.rank = schedule, target, rank
        self.sending = {send: number for number, (send, *_) in enumerate(blocks) if send != NOBODY}
        self.receiving = {receive: number for number, (_, receive, *_) in enumerate(blocks) if receive != NOBODY}
        own_input, own_output = schedule.own[rank].tolist()
        copy = Step("cpy", (INPUT, own_input), (OUTPUT, own_output), 1)
        self.blocks = [*blocks, (NOBODY, NOBODY, 0, [copy])]
        self.steps = [steps for *_, steps in self.blocks]
        self.written: dict[int, Pair] = {own_output: (len(blocks), 0)}  # the step that writes each chunk of the output
        self.done: list[dict[int, int]] = [{} for _ in self.blocks]  # what is known to each: the last step of others
        if target.ordered:
            # A step knows all that precede it, in any thread block: one dictionary, shared by all, is enough.
            self.done = [{}] * len(self.blocks)
        self.previous: Pair | None = None

    def filled(self, messages: list[tuple[int, bool, int]]) -> list[ThreadBlock]:
        """Return the thread blocks with the steps of messages, given as phase, whether received, and number."""
        for _, group in groupby(messages, key=lambda message: message[0]):
            pieces = [list(self._pieces(receives, number)) for _, receives, number in group]
            for steps in zip_longest(*pieces):
                for number, step in filter(None, steps):
                    self._add(number, step)
        self._check()
        return self.blocks

    def _pieces(self, receives: bool, number: int) -> Iterator[tuple[int, Step]]:
        """Yield the steps of a message with the numbers of their thread blocks."""
        schedule = self.schedule
        source, destination = int(schedule.source[number]), int(schedule.destination[number])
        block = self.receiving[source] if receives else self.sending[destination]
        buffer = INPUT if schedule.from_input[number] else OUTPUT
        chunks, most = int(schedule.chunks[number]), self.target.max_chunks
        for first in range(0, chunks, most):
            source_place = buffer, int(schedule.source_offset[number]) + first
            destination_place = OUTPUT, int(schedule.destination_offset[number]) + first
            count = min(most, chunks - first)
            yield block, Step("r" if receives else "s", source_place, destination_place, count)

    def _add(self, number: int, step: Step) -> None:
        """Append a step to a thread block, after steps that do nothing but wait, if it waits for several."""
        steps = self.steps[number]
        waits = sorted(self._waits(number, step).items())
        for each in waits:
            self.target.require("max_awaited_block", each[0], f"to wait for thread block {each[0]}")
            self.steps[each[0]][each[1]].awaited = True
        # The format has room for one dependency per step.
        steps += [Step("nop", (INPUT, -1), (OUTPUT, -1), 0, each) for each in waits[:-1]]
        step.waits_for = waits[-1] if waits else None
        steps.append(step)
        self.done[number].update(waits)
        self.previous = number, len(steps) - 1
        if self.target.ordered:
            self.done[number][number] = len(steps) - 1
        if step.kind == "r":
            first = step.destination[1]
            self.written.update(dict.fromkeys(range(first, first + step.chunks), self.previous))

    def _waits(self, number: int, step: Step) -> dict[int, int]:
        """Return the steps that a step waits for, the last one of each other thread block."""
        waits: dict[int, int] = {}
        # Chunks of the input are there from the beginning, those of the output only once a step has written them.
        if step.kind == "s" and step.source[0] == OUTPUT:
            for chunk in range(step.source[1], step.source[1] + step.chunks):
                block, last = self.written[chunk]
                if block != number and self.done[number].get(block, -1) < last:
                    waits[block] = max(waits.get(block, -1), last)
        if self.target.ordered and self.previous is not None and self.previous[0] != number:
            waits[self.previous[0]] = self.previous[1]
        return waits

    def _check(self) -> None:
        """Require that the runtime has enough thread blocks and steps."""
        count = len(self.blocks)
        self.target.require("max_blocks", count, f"{count} thread blocks for rank {self.rank}")
        longest = max(map(len, self.steps))
        self.target.require("max_steps", longest, f"{longest} steps in a thread block of rank {self.rank}")
