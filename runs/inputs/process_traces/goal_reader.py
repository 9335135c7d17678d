"""GOAL, the schedules of LogGOPSim: operations of processes, and what each of them requires."""

import re
from collections import defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path

from isoplane.models import InputError, MessageList
from isoplane.models.checks import check_int
from isoplane.models.workloads import TraceWorkload
from isoplane.models.workloads.message_list import MAX_BYTES
from isoplane.models.workloads.programs import MessageGraph

from .places import MAX_PROCESSES, Place, lines_of

OPERATION = re.compile(
    r"(?:(?P<label>\w+)\s*:\s*)?"
    r"(?:(?P<kind>send|recv)\s+(?P<size>\d+)b\s+(?P<word>to|from)\s+(?P<peer>\d+)(?:\s+tag\s+(?P<tag>\d+))?"
    r"|calc\s+(?P<time>\d+))(?:\s+(?:cpu|nic)\s+\d+)*"
)
REQUIRES = re.compile(r"(?P<label>\w+)\s+(?P<kind>i?requires)\s+(?P<other>\w+)")
EXPECTED = "label: send SIZEb to RANK, recv SIZEb from RANK, calc NS, or label requires label"


@dataclass(eq=False)
class _Operation:
    """An operation of a process, and the operations that end, or begin, before it begins."""

    place: Place
    kind: str
    process: int
    size_bytes: int = 0
    time_ps: int = 0
    message: int = -1
    after_end: list["_Operation"] = field(default_factory=list)
    after_begin: list["_Operation"] = field(default_factory=list)
    partner: "_Operation | None" = None  # the send of what it receives
    begins: list[int] | None = None  # the messages after whose arrivals it begins
    ends: list[int] | None = None

    def needed(self) -> list["_Operation"]:
        """Return the operations that begin before it does."""
        sends = [other.partner for other in self.after_end if other.partner]
        return [*self.after_end, *self.after_begin, *sends]


def read_goal(path: Path, eager_bytes: int = 65536) -> TraceWorkload:
    """Return the messages of a schedule in GOAL.

    Parameters
    ----------
    path
        The file, as text.
    eager_bytes
        A send of up to this length ends when it begins, as if a buffer took it; others end when they arrive.

    Raises
    ------
    InputError
        If the schedule is damaged; one line that names the file and the line.

    References
    ----------
    Hoefler, Schneider and Lumsdaine, LogGOPSim: Simulating Large-Scale Applications in the LogGOPS Model, 2010.
    """
    check_int("workload.eager_bytes", eager_bytes, 0, MAX_BYTES)
    # Read again where receives matter, so that the operations need not be kept.
    return TraceWorkload(
        path.stem, _messages(path, eager_bytes, "sender"), partial(_messages, path, eager_bytes, "both")
    )


def _messages(path: Path, eager_bytes: int, start: str) -> MessageList:
    return _Schedule(path).messages(eager_bytes, start)


class _Schedule:
    """All operations of a file."""

    def __init__(self, path: Path) -> None:
        self.path, self.ranks = path, 0
        self.operations: list[_Operation] = []
        self.labels: dict[str, _Operation] = {}
        self.sends: dict[tuple[int, int, int], list[_Operation]] = defaultdict(list)
        self.receives: dict[tuple[int, int, int], list[_Operation]] = defaultdict(list)
        rank: int | None = None
        ranks: set[int] = set()
        requirements: list[tuple[Place, re.Match[str]]] = []
        for place, line in lines_of(path):
            content = re.sub(r"//.*|/\*.*?\*/", "", line).strip()
            if not content:
                continue
            if not self.ranks:
                rank_count = re.fullmatch(r"num_ranks\s+(\d+)", content)
                if not rank_count:
                    raise place.error(content, "num_ranks and their number")
                self.ranks = place.integer(rank_count[1], "num_ranks", 2, MAX_PROCESSES)
            elif rank is None and (begin := re.fullmatch(r"rank\s+(\d+)\s*\{", content)):
                rank, self.labels = place.integer(begin[1], "rank", 0, self.ranks - 1), {}
                if rank in ranks:
                    raise place.error(f"rank {rank} twice", "each rank once")
                ranks.add(rank)
            elif rank is not None and content == "}":
                self._require(requirements)
                rank, requirements = None, []
            elif rank is not None and (found := REQUIRES.fullmatch(content)):
                requirements.append((place, found))
            elif rank is not None and (found := OPERATION.fullmatch(content)):
                self._add(place, rank, found)
            else:
                raise place.error(content, EXPECTED if rank is not None else "rank RANK {")
        if rank is not None or not self.operations:
            raise InputError(f"workload.file={path}: ends early; expected ranks with operations, each closed by }}")

    def _add(self, place: Place, rank: int, found: re.Match[str]) -> None:
        """Add an operation."""
        operation = _Operation(place, found["kind"] or "calc", rank)
        if found["kind"]:
            peer = place.integer(found["peer"], "rank", 0, self.ranks - 1)
            if found["word"] != ("to" if found["kind"] == "send" else "from"):
                raise place.error(found[0], EXPECTED)
            operation.size_bytes = place.integer(found["size"], "size", 0, MAX_BYTES)
            tag = place.integer(found["tag"] or "0", "tag")
            ends = (rank, peer, tag) if operation.kind == "send" else (peer, rank, tag)
            (self.sends if operation.kind == "send" else self.receives)[ends].append(operation)
        else:
            operation.time_ps = place.time_ps(found["time"], "calc", Fraction(1000))
        if found["label"] in self.labels:
            raise place.error(f"label {found['label']} twice", "each label once in a rank")
        if found["label"]:
            self.labels[found["label"]] = operation
        self.operations.append(operation)

    def _require(self, requirements: list[tuple[Place, re.Match[str]]]) -> None:
        """Add what the operations of a rank require."""
        for place, found in requirements:
            for name in (found["label"], found["other"]):
                if name not in self.labels:
                    raise place.error(f"label {name}", "that of an operation of the rank")
            operation, other = self.labels[found["label"]], self.labels[found["other"]]
            (operation.after_end if found["kind"] == "requires" else operation.after_begin).append(other)

    def messages(self, eager_bytes: int, start: str) -> MessageList:
        """Return the messages, with local ones for computing; with ``both`` they also await what receives require."""
        graph = MessageGraph(self.ranks)
        # Sorted, so that the numbers of messages do not depend on the order of ranks in the file.
        for ends in sorted({*self.sends, *self.receives}):
            self._match(graph, ends)
        for operation in self._in_order():
            begins = {message for other in operation.after_end for message in other.ends or ()}
            begins |= {message for other in operation.after_begin for message in other.begins or ()}
            operation.begins = operation.ends = sorted(begins)
            if len(begins) > 2:  # one message for many, so that dependencies stay few
                operation.begins = operation.ends = [
                    graph.add(operation.process, operation.process, 0, after=sorted(begins))
                ]
            if operation.kind == "calc" and operation.time_ps:
                local = graph.add(
                    operation.process, operation.process, 0, delay_ps=operation.time_ps, after=operation.begins
                )
                operation.ends = [local]
            elif operation.kind == "send":
                graph.require(operation.message, operation.begins)
                operation.ends = operation.begins if operation.size_bytes <= eager_bytes else [operation.message]
            elif operation.kind == "recv":
                if start == "both":
                    graph.require(operation.message, operation.begins)
                operation.ends = [*operation.begins, operation.message]
        try:
            return graph.message_list()
        except InputError as error:
            raise InputError(f"workload.file={self.path}: {error}") from error

    def _match(self, graph: MessageGraph, ends: tuple[int, int, int]) -> None:
        sends, receives = self.sends[ends], self.receives[ends]
        if len(sends) != len(receives):
            lonely = max(sends, receives, key=len)[min(len(sends), len(receives))]
            raise lonely.place.error(
                f"{len(sends)} sends from {ends[0]} to {ends[1]} with tag {ends[2]}, and {len(receives)} receives",
                "as many of both",
            )
        # Messages with the same ends and tag do not overtake each other: the k-th receive takes the k-th send.
        for send, receive in zip(sends, receives, strict=True):
            if receive.size_bytes < send.size_bytes:
                raise receive.place.error(f"{receive.size_bytes} bytes received", f"{send.size_bytes}, as sent")
            receive.partner = send
            send.message = receive.message = graph.add(ends[0], ends[1], max(send.size_bytes, 1))

    def _in_order(self) -> list[_Operation]:
        """Return all operations, each after those that begin before it does."""
        missing = {id(operation): len(operation.needed()) for operation in self.operations}
        following: dict[int, list[_Operation]] = defaultdict(list)
        for operation in self.operations:
            for other in operation.needed():
                following[id(other)].append(operation)
        # The list grows while it is read, by what has become ready (Kahn's algorithm).
        order = [operation for operation in self.operations if not missing[id(operation)]]
        for operation in order:
            for other in following[id(operation)]:
                missing[id(other)] -= 1
                if not missing[id(other)]:
                    order.append(other)
        if len(order) < len(self.operations):
            # Each operation that is left needs another one that is left: following these ends in a cycle.
            stuck, seen = next(operation for operation in self.operations if missing[id(operation)]), set()
            while id(stuck) not in seen:
                seen.add(id(stuck))
                stuck = next(operation for operation in stuck.needed() if missing[id(operation)])
            raise stuck.place.error("operations require each other in a cycle", "no cycle")
        return order
