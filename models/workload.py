"""Workloads: what the nodes of a network send to each other."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from .checks import check_int
from .errors import InputError

MAX_NODES = 1 << 31
MAX_BYTES = 1 << 30
MAX_DELAY_PS = 10**18


@dataclass(frozen=True, eq=False)
class MessageList:
    """Messages that wait for each other.

    A message is created a delay after all that it depends on have arrived, each of them whole at its destination;
    one that depends on none is created a delay after the beginning. The delay stands for computing at the source.

    Parameters
    ----------
    nodes
        How many nodes there are.
    source, destination : int32[messages]
        Nodes, from 0; no message goes to its own source.
    length_bytes : int64[messages]
        Lengths, at least 1.
    delay_ps : int64[messages]
        Delays in picoseconds, at least 0.
    dependency_start : int64[messages + 1], dependency : int32[...]
        Message i depends on the messages ``dependency[dependency_start[i]:dependency_start[i + 1]]``.

    Raises
    ------
    InputError
        If the arrays do not fit together, a number is out of range, or messages wait for each other in a circle.

    Examples
    --------
    >>> answered = MessageList(2, *map(np.array, ([0, 1], [1, 0], [8, 8], [0, 500], [0, 0, 1], [0])))
    >>> answered.messages
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
        _check_ranges(arrays, self.nodes)
        for name, array in arrays.items():
            narrow = name in ("source", "destination", "dependency")
            object.__setattr__(self, name, np.ascontiguousarray(array, dtype=np.int32 if narrow else np.int64))
        waiting = circle(self.dependency_start, self.dependency)
        if waiting:
            raise InputError(f"message {' after '.join(map(str, waiting))}; expected no cycle")

    @property
    def messages(self) -> int:
        """Number of messages."""
        return len(self.source)


def _check_ranges(arrays: dict[str, NDArray[np.int64]], nodes: int) -> None:
    messages, start = len(arrays["source"]), arrays["dependency_start"]
    if start[0] != 0 or start[-1] != len(arrays["dependency"]) or (np.diff(start) < 0).any():
        raise InputError(f"messages: dependency_start; expected ascending ones from 0 to {len(arrays['dependency'])}")
    for name, low, high in (
        ("source", 0, nodes - 1),
        ("destination", 0, nodes - 1),
        ("length_bytes", 1, MAX_BYTES),
        ("delay_ps", 0, MAX_DELAY_PS),
        ("dependency", 0, messages - 1),
    ):
        wrong = arrays[name][(arrays[name] < low) | (arrays[name] > high)]
        if len(wrong):
            raise InputError(f"messages: {name}={wrong[0]}; expected {low} to {high}")
    same = np.flatnonzero(arrays["source"] == arrays["destination"])
    if len(same):
        raise InputError(f"message {same[0]}: destination={arrays['source'][same[0]]}; expected another node")


def circle(dependency_start: NDArray[np.int64], dependency: NDArray[np.int32]) -> tuple[int, ...]:
    """Return messages that wait for each other in a circle, or nothing if there are none.

    Parameters
    ----------
    dependency_start, dependency
        As in a `MessageList`.

    Returns
    -------
    tuple of int
        Each message depends on the next one; the last one is the first again.

    Examples
    --------
    >>> circle(np.array([0, 1, 2, 2]), np.array([1, 0]))
    (0, 1, 0)
    """
    messages = len(dependency_start) - 1
    follower = np.repeat(np.arange(messages), np.diff(dependency_start))
    if (dependency < follower).all():
        return ()
    order = np.argsort(dependency, kind="stable")
    ends = np.searchsorted(dependency[order], np.arange(messages + 1)).tolist()
    followers, missing = follower[order].tolist(), np.diff(dependency_start).tolist()
    free = [message for message in range(messages) if not missing[message]]
    while free:
        message = free.pop()
        for next_one in followers[ends[message] : ends[message + 1]]:
            missing[next_one] -= 1
            if not missing[next_one]:
                free.append(next_one)
    stuck = next((message for message in range(messages) if missing[message]), None)
    path: dict[int, None] = {}
    while stuck is not None and stuck not in path:
        path[stuck] = None
        of = dependency[dependency_start[stuck] : dependency_start[stuck + 1]].tolist()
        stuck = next(message for message in of if missing[message])
    return () if stuck is None else (*list(path)[list(path).index(stuck) :], stuck)
