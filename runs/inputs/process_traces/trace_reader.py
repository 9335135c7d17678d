"""Time-independent traces of SimGrid: what each process computes, sends and receives."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import Ints
from isoplane.models.checks import check_int, exact_number
from isoplane.models.workloads import TraceWorkload
from isoplane.models.workloads.message_list import MAX_BYTES, MessageList
from isoplane.models.workloads.programs import COMPUTE, SEND, WAIT, Collective, Operations, message_list_of

from .deadlock import blocked_operation
from .places import MAX_PROCESSES, Place, lines_of, require
from .trace_collectives import COLLECTIVES, DOUBLE, VARYING, bytes_of, collective_of, collectives_of

IGNORED = ("finalize", "comm_size", "comm_split", "comm_dup", "location")
KNOWN = (
    *("compute", "sleep", "send", "isend", "recv", "irecv", "wait", "waitall", "test"),
    *(*COLLECTIVES, *VARYING, "init", *IGNORED),
)
POST = 3  # the kind of an action that posts a receive, beside those of operations
Key = tuple[int, int, int]


@dataclass(eq=False)
class _Request:
    """A send or a receive, and the number of its message once that is known."""

    place: Place
    size_bytes: int
    message: int = -1


@dataclass(eq=False)
class _Process:
    """What a process does: operations before, between and after collective ones."""

    number: int
    default_type: str | None = None
    parts: list[list[tuple[int, int | _Request]]] = field(default_factory=lambda: [[]])
    collectives: list[tuple[Place, Collective]] = field(default_factory=list)
    pending: dict[Key, list[_Request]] = field(default_factory=lambda: defaultdict(list))

    def add(self, kind: int, value: int | _Request) -> None:
        """Add an operation."""
        self.parts[-1].append((kind, value))


def read_trace(path: Path, gflops: object = 0, eager_bytes: int = 65536) -> TraceWorkload:
    """Return the messages of a time-independent trace.

    Parameters
    ----------
    path
        A file with the actions of all processes, or the names of the files of each process, one per line.
    gflops
        Rate at which a process computes, in 10^9 flop/s; 0 if computing takes no time.
    eager_bytes
        A process does not wait for the arrival of its own messages of up to this length.

    Raises
    ------
    InputError
        If the trace is damaged; one line that names the file and the line.

    References
    ----------
    Casanova, Desprez, Markomanolis and Suter, Simulation of MPI Applications with Time-Independent Traces, 2015.
    """
    rate = exact_number("workload.gflops", gflops)
    check_int("workload.eager_bytes", eager_bytes, 0, MAX_BYTES)
    # Read again where receives matter, so that the actions need not be kept.
    listed = _messages(path, rate, eager_bytes, "sender")
    return TraceWorkload(path.stem, listed, partial(_messages, path, rate, eager_bytes, "both"))


def _messages(path: Path, rate: Fraction, eager_bytes: int, start: str) -> MessageList:
    return _Reader(path, rate, start).messages(eager_bytes)


class _Reader:
    """Actions of all processes, from which operations follow.

    Where messages begin with their receivers, too, a local message at the receiver stands for posting a receive.
    """

    def __init__(self, path: Path, gflops: Fraction, start: str) -> None:
        self.path, self.gflops, self.start = path, gflops, start
        self.sends: dict[Key, list[_Request]] = defaultdict(list)
        self.receives: dict[Key, list[_Request]] = defaultdict(list)
        self.processes: list[_Process] = []
        # All at once: the number of processes, against which each action is checked, is known only at the end.
        actions = list(self._actions())
        count = 1 + max((process for _, process, _ in actions), default=-1)
        if count < 2:
            raise InputError(f"workload.file={path}: {count} processes; expected actions of at least two")
        if missing := sorted(set(range(count)) - {process for _, process, _ in actions}):
            raise InputError(
                f"workload.file={path}: no actions of process {missing[0]}; expected some of each from 0 to {count - 1}"
            )
        self.processes = [_Process(number) for number in range(count)]
        for place, process, words in actions:
            self._act(place, self.processes[process], words)

    def _actions(self) -> Iterator[tuple[Place, int, list[str]]]:
        """Yield all actions, with their processes."""
        for place, line in lines_of(self.path):
            words = line.split()
            if len(words) > 1:
                yield place, place.integer(words[0], "process", 0, MAX_PROCESSES - 1), words[1:]
                continue
            for inner, action in lines_of(self.path.parent / words[0]):
                number, *rest = action.split()
                if not rest:
                    raise inner.error(action, "the number of a process, and an action")
                yield inner, inner.integer(number, "process", 0, MAX_PROCESSES - 1), rest

    def _act(self, place: Place, process: _Process, words: list[str]) -> None:
        name, arguments = words[0].lower(), words[1:]
        if name in IGNORED:
            return
        if name == "init":
            require(place, name, arguments, 0, 1)
            process.default_type = DOUBLE if arguments else None
        elif name in ("send", "isend", "recv", "irecv"):
            self._communicate(place, process, name, arguments)
        elif name == "test":  # a poll: it takes no time, and the request still awaits its `wait`
            self._request_of(place, name, arguments)
        elif name in ("wait", "waitall"):
            self._wait(place, process, name, arguments)
        elif name in ("compute", "sleep"):
            require(place, name, arguments, 1, 1)
            process.add(COMPUTE, self._time_ps(place, name, arguments[0]))
        elif name in COLLECTIVES or name in VARYING:
            collective, flops = collective_of(place, name, arguments, len(self.processes), process.default_type)
            process.collectives.append((place, collective))
            process.parts.append([])
            process.add(COMPUTE, self._time_ps(place, "compute", flops))
        else:
            raise place.error(f"action {name}", ", ".join(KNOWN))

    def _communicate(self, place: Place, process: _Process, name: str, arguments: list[str]) -> None:
        receives = name.endswith("recv")
        require(place, name, arguments, 3, 4)
        partner = place.integer(arguments[0], "process", 0, len(self.processes) - 1)
        tag = place.integer(arguments[1], "tag")
        datatype = arguments[3] if len(arguments) > 3 else process.default_type
        size = bytes_of(place, arguments[2], datatype, any_size=receives)
        key = (partner, process.number, tag) if receives else (process.number, partner, tag)
        request = _Request(place, size)
        (self.receives if receives else self.sends)[key].append(request)
        if not receives or self.start == "both":
            process.add(POST if receives else SEND, request)
        if name in ("send", "recv"):
            process.add(WAIT, request)
        else:
            process.pending[key].append(request)

    def _time_ps(self, place: Place, name: str, word: str) -> int:
        per_flop = 1000 / self.gflops if self.gflops else Fraction(0)
        return place.time_ps(word, name, Fraction(10**12) if name == "sleep" else per_flop)

    def _wait(self, place: Place, process: _Process, name: str, arguments: list[str]) -> None:
        if name == "waitall":
            require(place, name, arguments, 0, 1)  # perhaps with the number of requests
            for requests in process.pending.values():
                for request in requests:
                    process.add(WAIT, request)
            process.pending.clear()
            return
        requests = process.pending.get(self._request_of(place, name, arguments), [])
        if not requests:
            raise place.error(f"wait {' '.join(arguments)}", "an isend or irecv of that pair and tag before it")
        # Requests with the same ends and tag end in the order of their posting.
        process.add(WAIT, requests.pop(0))

    def _request_of(self, place: Place, name: str, arguments: list[str]) -> Key:
        """Return the source, destination and tag of the request that an action names."""
        require(place, name, arguments, 3, 3)
        source, destination = (place.integer(word, "process", 0, len(self.processes) - 1) for word in arguments[:2])
        return source, destination, place.integer(arguments[2], "tag")

    def messages(self, eager_bytes: int) -> MessageList:
        """Return all messages."""
        columns = [self._match()]
        together = collectives_of([process.collectives for process in self.processes], self.path)
        collectives = [collective.operations() for collective in together]
        rows: list[Ints] = []
        for number in range(len(collectives) + 1):
            rows.append(self._rows(number))
            if number < len(collectives):
                part, first = collectives[number], sum(column.shape[1] for column in columns)
                rows.append(np.stack([part.process, part.kind, part.value + first]))
                columns.append(np.stack([part.source, part.destination, np.maximum(part.size_bytes, 1)]))
        sent, (process, kind, value) = np.concatenate(columns, axis=1), np.concatenate(rows, axis=1)
        if not sent.size:
            raise InputError(f"workload.file={self.path}: no messages between processes; expected at least one")
        posts = np.flatnonzero(kind == POST)
        local, receives = sent.shape[1] + np.arange(len(posts)), np.full(sent.shape[1] + len(posts), -1)
        receives[value[posts]] = local
        kind[posts], value[posts] = SEND, local
        ends = process[posts]
        source, destination, size = np.concatenate([sent, np.stack([ends, ends, np.zeros_like(local)])], axis=1)
        operations = Operations(source, destination, size, process, kind, value)
        try:
            return message_list_of(len(self.processes), operations, eager_bytes, self.start, receives)
        except InputError as error:
            if (row := blocked_operation(operations)) >= 0:
                raise self._places(collectives)[row].error(
                    f"process {operations.process[row]} waits forever for process "
                    f"{operations.source[operations.value[row]]}",
                    "no cycle of processes that wait for each other",
                ) from error
            raise InputError(f"workload.file={self.path}: {error}") from error

    def _places(self, collectives: list[Operations]) -> list[Place]:
        """Return the places of all operations; of computing, that of no line."""
        places: list[Place] = []
        for number in range(len(collectives) + 1):
            for process in self.processes:
                places += [getattr(value, "place", Place(self.path, 0)) for _, value in process.parts[number]]
            if number < len(collectives):
                own = [process.collectives[number][0] for process in self.processes]
                places += [own[process] for process in collectives[number].process.tolist()]
        return places

    def _rows(self, part: int) -> Ints:
        """Return the operations of all processes between two collective ones."""
        rows = [
            (process.number, kind, value.message if isinstance(value, _Request) else value)
            for process in self.processes
            for kind, value in process.parts[part]
        ]
        return np.array(rows, dtype=np.int64).reshape(-1, 3).T

    def _match(self) -> Ints:
        """Return sources, destinations and lengths of messages, each of a send and a receive, which are numbered.

        A message of no bytes counts as one byte.
        """
        rows: list[tuple[int, int, int]] = []
        for key in sorted({*self.sends, *self.receives}):
            sends, receives = self.sends[key], self.receives[key]
            if len(sends) != len(receives):
                lonely = (sends if len(sends) > len(receives) else receives)[min(len(sends), len(receives))]
                what = "sends" if len(sends) > len(receives) else "receives"
                raise lonely.place.error(
                    f"{len(sends)} sends from {key[0]} to {key[1]} with tag {key[2]}, and {len(receives)} receives",
                    f"as many of both; this one of the {what} has no partner",
                )
            for send, receive in zip(sends, receives, strict=True):
                # A receive of -1 bytes takes any length.
                if 0 <= receive.size_bytes < send.size_bytes:
                    raise receive.place.error(f"{receive.size_bytes} bytes received", f"{send.size_bytes}, as sent")
                send.message = receive.message = len(rows)
                rows.append((key[0], key[1], max(send.size_bytes, 1)))
        return np.array(rows, dtype=np.int64).reshape(-1, 3).T
