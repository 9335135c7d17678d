"""Orders of an all-to-all exchange: which process sends to which one in each phase."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import check_int
from ..errors import InputError
from ..workloads import PhasedWorkload
from ..workloads.message_list import MAX_BYTES, MessageList, between_barriers

IDLE = -1
MAX_PROCESSES = 1 << 12


@dataclass(frozen=True, eq=False)
class ExchangeOrder:
    """An all-to-all exchange in phases, in each of which a process sends at most one message and receives at most one.

    Every process sends one message to each other process.

    Parameters
    ----------
    name
        Name in reports.
    nodes : int32[processes]
        The node of each process; a job on part of a machine names some of the nodes.
    destination : int32[phases, processes]
        The process that each one sends to in each phase; -1 if it sends nothing.

    Raises
    ------
    InputError
        If nodes are repeated, a process sends to itself or twice to another, or two send to one in the same phase.

    Examples
    --------
    >>> order = ExchangeOrder("by hand", [5, 9, 7], [[1, 2, 0], [2, 0, 1]])
    >>> order.phases, order.processes
    (2, 3)
    """

    name: str
    nodes: NDArray[np.int32]
    destination: NDArray[np.int32]

    def __post_init__(self) -> None:
        nodes, destination = _int32("nodes", self.nodes, 1), _int32("destination", self.destination, 2)
        object.__setattr__(self, "nodes", nodes)
        object.__setattr__(self, "destination", destination)
        check_int("order: processes", len(nodes), 2, MAX_PROCESSES)
        if nodes.min() < 0 or len(np.unique(nodes)) != len(nodes):
            raise InputError("order: nodes repeated or negative; expected different nodes from 0")
        if destination.shape[1] != len(nodes):
            raise InputError(f"order: destinations of {destination.shape[1]} processes; expected {len(nodes)}")
        _check_destinations(destination)

    @property
    def phases(self) -> int:
        """Number of phases."""
        return len(self.destination)

    @property
    def processes(self) -> int:
        """Number of processes."""
        return len(self.nodes)

    def messages(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Return phase, source and destination of every message, as processes, by phase and source."""
        phase, source = np.nonzero(self.destination != IDLE)
        return phase, source, self.destination[phase, source].astype(np.int64)

    def workload(self, message_bytes: int = 1_000_000, iterations: int = 1) -> PhasedWorkload:
        """Return the exchange as a workload; a process begins a phase when its earlier messages have arrived."""
        check_int("workload.message_bytes", message_bytes, 1, MAX_BYTES)
        phase, source, destination = self.messages()
        lengths = np.full(len(phase), message_bytes)
        return PhasedWorkload("all_to_all", self.processes, phase, source, destination, lengths, iterations)

    def with_barriers(self, nodes: int, message_bytes: int = 1_000_000) -> MessageList:
        """Return the messages between nodes, with a barrier after each phase: none begins before all others arrived.

        Parameters
        ----------
        nodes
            Number of nodes of the network.
        message_bytes
            Length of every message.

        Examples
        --------
        >>> ExchangeOrder("by hand", [0, 1], [[1, 0]]).with_barriers(2, 64).messages
        2
        """
        check_int("nodes", nodes, int(self.nodes.max()) + 1)
        check_int("message_bytes", message_bytes, 1, MAX_BYTES)
        phase, source, destination = self.messages()
        lengths = np.full(len(phase), message_bytes, dtype=np.int64)
        return between_barriers(nodes, phase, self.nodes[source], self.nodes[destination], lengths)


def _int32(name: str, values: ArrayLike, dimensions: int) -> NDArray[np.int32]:
    array = np.asarray(values)
    if array.ndim != dimensions or not array.size or array.dtype.kind not in "iu":
        raise InputError(f"order: {name} of shape {array.shape} and {array.dtype}; expected {dimensions}-D integers")
    if np.abs(array.astype(np.int64)).max() >= 1 << 31:
        raise InputError(f"order: {name} out of range; expected 32-bit integers")
    return np.ascontiguousarray(array, dtype=np.int32)


def _check_destinations(destination: NDArray[np.int32]) -> None:
    phases, processes = destination.shape
    wrong = destination[(destination < IDLE) | (destination >= processes)]
    if len(wrong):
        raise InputError(f"order: destination {wrong[0]}; expected {IDLE} to {processes - 1}")
    phase, source = np.nonzero(destination != IDLE)
    target = destination[phase, source].astype(np.int64)
    received = np.bincount(phase * processes + target, minlength=phases * processes)
    if received.max(initial=0) > 1:
        number, process = divmod(int(received.argmax()), processes)
        raise InputError(f"order: process {process} receives twice in phase {number}; expected at most one message")
    sent = np.bincount(source * processes + target, minlength=processes**2).reshape(processes, processes)
    wrong_pairs = np.argwhere(sent != 1 - np.eye(processes, dtype=np.int64))
    if len(wrong_pairs):
        first, second = wrong_pairs[0].tolist()
        expected = 0 if first == second else 1
        raise InputError(f"order: {sent[first, second]} messages from process {first} to {second}; expected {expected}")
