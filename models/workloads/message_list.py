"""Message lists: messages between nodes, and the dependencies among them."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import check_int
from ..errors import InputError

MAX_NODES = 1 << 31
MAX_BYTES = 1 << 30
MAX_DELAY_PS = 10**18
MAX_MESSAGES = 1 << 25  # that are built of a workload
MAX_OPERATIONS = 1 << 26  # of a program that becomes a list, for which they take up to 165 bytes each


@dataclass(frozen=True, eq=False)
class MessageList:
    """Messages with dependencies.

    A message is created when its delay has elapsed since all messages that it depends on arrived completely; without
    dependencies, since the start. The delay models computation at the source. A *local* message, from a node to itself,
    takes no link and arrives when it is created: it models computation that others wait for, or a barrier.

    Parameters
    ----------
    nodes
        Number of nodes.
    source, destination : int32[messages]
        Nodes, from 0; equal for local messages.
    length_bytes : int64[messages]
        Lengths, at least 1, or 0 for local messages.
    delay_ps : int64[messages]
        Delays in picoseconds, at least 0.
    dependency_start : int64[messages + 1], dependency : int32[...]
        Message i depends on the messages ``dependency[dependency_start[i]:dependency_start[i + 1]]``.

    Raises
    ------
    InputError
        If the arrays are inconsistent, a number is out of range, or the dependencies have a cycle.

    Examples
    --------
    >>> exchange = MessageList(2, *map(np.array, ([0, 1], [1, 0], [8, 8], [0, 500], [0, 0, 1], [0])))
    >>> exchange.messages
    2
    """

    nodes: int
    source: NDArray[np.int32]
    destination: NDArray[np.int32]
    length_bytes: NDArray[np.int64]
    delay_ps: NDArray[np.int64]
    dependency_start: NDArray[np.int64]
    dependency: NDArray[np.int32]

    def __post_init__(self) -> None:
        check_int("nodes", self.nodes, 2, MAX_NODES)
        arrays = {field.name: np.asarray(getattr(self, field.name), dtype=np.int64) for field in fields(self)[1:]}
        messages = len(arrays["source"])
        if not messages:
            raise InputError("messages: none; expected at least one")
        for name, array in arrays.items():
            length = messages + 1 if name == "dependency_start" else len(array) if name == "dependency" else messages
            if array.shape != (length,):
                raise InputError(f"messages: {name} of shape {array.shape}; expected {(length,)}")
        # In 64 bits: 32 bits could wrap a wrong number into the range.
        _check_ranges(arrays, self.nodes)
        for name, array in arrays.items():
            narrow = name in ("source", "destination", "dependency")
            object.__setattr__(self, name, np.ascontiguousarray(array, dtype=np.int32 if narrow else np.int64))
        cycle = dependency_cycle(self.dependency_start, self.dependency)
        if cycle:
            raise InputError(f"message {' after '.join(map(str, cycle))}; expected no cycle")

    @property
    def messages(self) -> int:
        """Number of messages."""
        return len(self.source)

    @property
    def local(self) -> NDArray[np.bool_]:
        """Whether each message is local."""
        is_local: NDArray[np.bool_] = self.source == self.destination
        return is_local

    @property
    def sent_messages(self) -> int:
        """Number of messages that take links."""
        return self.messages - int(self.local.sum())

    @property
    def sent_bytes(self) -> int:
        """Total length of the messages that take links."""
        return int(self.length_bytes[~self.local].sum())


def check_message_count(messages: int, operations: int = 0) -> None:
    """Check that the messages of a workload are not too many to be built, nor the operations of its program."""
    if messages > MAX_MESSAGES:
        raise InputError(
            f"workload: {messages} messages; expected at most {MAX_MESSAGES}, for example in fewer iterations or "
            "processes or, if it is a program whose steps are all listed, with steps=repeated"
        )
    if operations > MAX_OPERATIONS:
        raise InputError(
            f"workload: {operations} operations that send, wait or compute; expected at most {MAX_OPERATIONS}, for "
            "example in fewer iterations or processes or, if all its steps are listed, with steps=repeated"
        )


def _check_ranges(arrays: dict[str, NDArray[np.int64]], nodes: int) -> None:
    messages, start = len(arrays["source"]), arrays["dependency_start"]
    if start[0] != 0 or start[-1] != len(arrays["dependency"]) or (np.diff(start) < 0).any():
        raise InputError(
            f"messages: dependency_start; expected ascending integers from 0 to {len(arrays['dependency'])}"
        )
    for name, low, high in (
        ("source", 0, nodes - 1),
        ("destination", 0, nodes - 1),
        ("length_bytes", 0, MAX_BYTES),
        ("delay_ps", 0, MAX_DELAY_PS),
        ("dependency", 0, messages - 1),
    ):
        wrong = arrays[name][(arrays[name] < low) | (arrays[name] > high)]
        if len(wrong):
            raise InputError(f"messages: {name}={wrong[0]}; expected {low} to {high}")
    empty = np.flatnonzero((arrays["length_bytes"] == 0) & (arrays["source"] != arrays["destination"]))
    if len(empty):
        raise InputError(f"message {empty[0]}: length_bytes=0; expected 1 to {MAX_BYTES} between different nodes")


def dependency_cycle(dependency_start: NDArray[np.int64], dependency: NDArray[np.int32]) -> tuple[int, ...]:
    """Return a cycle of messages that depend on each other; empty if there is none.

    Parameters
    ----------
    dependency_start, dependency
        As in a `MessageList`.

    Returns
    -------
    tuple of int
        Each message depends on the next one; the first one is repeated at the end.

    Examples
    --------
    >>> dependency_cycle(np.array([0, 1, 2, 2]), np.array([1, 0]))
    (0, 1, 0)
    """
    messages = len(dependency_start) - 1
    dependent_of = np.repeat(np.arange(messages), np.diff(dependency_start))
    # From message to message the numbers fall: they cannot come back to the first.
    if (dependency < dependent_of).all():
        return ()
    order = np.argsort(dependency, kind="stable")
    ends = np.searchsorted(dependency[order], np.arange(messages + 1)).tolist()
    dependents, missing = dependent_of[order].tolist(), np.diff(dependency_start).tolist()
    ready = [message for message in range(messages) if not missing[message]]
    while ready:
        message = ready.pop()
        for dependent in dependents[ends[message] : ends[message + 1]]:
            missing[dependent] -= 1
            if not missing[dependent]:
                ready.append(dependent)
    # Each message that is left depends on another one that is left, so that following these ends in a cycle.
    blocked = next((message for message in range(messages) if missing[message]), None)
    path: dict[int, None] = {}
    while blocked is not None and blocked not in path:
        path[blocked] = None
        dependencies = dependency[dependency_start[blocked] : dependency_start[blocked + 1]].tolist()
        blocked = next(message for message in dependencies if missing[message])
    return () if blocked is None else (*list(path)[list(path).index(blocked) :], blocked)


def between_barriers(
    nodes: int, phase: ArrayLike, source: ArrayLike, destination: ArrayLike, length_bytes: ArrayLike
) -> MessageList:
    """Return messages none of which begins before all messages of the phases before have arrived.

    A barrier is a local message, empty and without a delay, at the source of the first message: it follows all messages
    of a phase, and all of the next phase follow it. So M messages in P phases have 2·M dependencies at most, and P - 1
    barriers stand between them in the list.

    Parameters
    ----------
    nodes
        Number of nodes.
    phase : int[messages]
        Phase of each message, ascending; only the order of phases matters.
    source, destination, length_bytes : int[messages]
        As in a `MessageList`.

    Examples
    --------
    >>> there_and_back = between_barriers(2, [0, 1], [0, 1], [1, 0], [8, 8])
    >>> there_and_back.local.tolist(), there_and_back.dependency_start.tolist(), there_and_back.dependency.tolist()
    ([False, True, False], [0, 0, 1, 2], [0, 1])
    """
    _, number, sizes = np.unique(np.asarray(phase), return_inverse=True, return_counts=True)
    messages, barriers = len(number), len(sizes) - 1
    place = np.arange(messages) + number  # of each message: after the barriers of all phases before
    barrier = np.cumsum(sizes[:-1]) + np.arange(barriers)
    waits_for: NDArray[np.int64] = np.zeros(messages + barriers, dtype=np.int64)
    waits_for[place] = number > 0
    waits_for[barrier] = sizes[:-1]
    follows_phase = np.repeat(np.isin(np.arange(messages + barriers), barrier), waits_for)
    dependency = np.empty(len(follows_phase), dtype=np.int64)
    dependency[follows_phase] = place[number < barriers]
    dependency[~follows_phase] = barrier[number[number > 0] - 1]

    def spread(values: ArrayLike, at_barriers: int) -> NDArray[np.int64]:
        spread_values = np.full(messages + barriers, at_barriers, dtype=np.int64)
        spread_values[place] = values
        return spread_values

    first = int(np.asarray(source)[0])
    return MessageList(
        nodes,
        spread(source, first).astype(np.int32),
        spread(destination, first).astype(np.int32),
        spread(length_bytes, 0),
        np.zeros(messages + barriers, dtype=np.int64),
        np.concatenate([[0], np.cumsum(waits_for)]),
        dependency.astype(np.int32),
    )
