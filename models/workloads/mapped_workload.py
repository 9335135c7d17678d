"""Workloads whose processes run on given nodes of a machine."""

from dataclasses import dataclass, replace

import numpy as np

from ..arrays import Ints
from ..errors import InputError
from .message_list import MessageList
from .workload import Workload


@dataclass(frozen=True)
class MappedWorkload:
    """A workload between nodes: process i of another one runs on node ``nodes[i]``; other nodes are idle.

    Parameters
    ----------
    workload
        The workload of a job.
    nodes
        The node of every process, all different.
    machine_nodes
        Number of nodes of the network, at least as many as processes.

    Examples
    --------
    >>> from isoplane.models.workloads import all_to_all
    >>> MappedWorkload(all_to_all(2, 8), (3, 1), 4).message_list().source.tolist()
    [3, 1]
    """

    workload: Workload
    nodes: tuple[int, ...]
    machine_nodes: int

    def __post_init__(self) -> None:
        job, machine = self.workload.processes, self.machine_nodes
        if job > machine:
            raise InputError(f"workload.processes={job}: expected at most one for each of {machine} nodes")
        if len(self.nodes) != job:
            raise InputError(f"placement: {len(self.nodes)} nodes; expected one for each of {job} processes")
        outside = [node for node in self.nodes if not 0 <= node < machine]
        if outside:
            raise InputError(f"placement: node {outside[0]}; expected nodes from 0 to {machine - 1}")
        if len(set(self.nodes)) < job:
            twice = next(node for node in self.nodes if self.nodes.count(node) > 1)
            raise InputError(f"placement: node {twice} twice; expected different nodes")

    @property
    def name(self) -> str:
        """Name in reports."""
        return self.workload.name

    @property
    def processes(self) -> int:
        """Number of nodes of the network."""
        return self.machine_nodes

    @property
    def iterations(self) -> int:
        """Number of iterations."""
        return self.workload.iterations

    @property
    def messages(self) -> int:
        """Number of messages per iteration."""
        return self.workload.messages

    @property
    def length_bytes(self) -> Ints:
        """Lengths of the messages of an iteration."""
        return self.workload.length_bytes

    @property
    def most_active(self) -> int:
        """Estimate of the largest number of messages that are active at once."""
        return self.workload.most_active

    def matrix(self) -> Ints:
        """Return the bytes per iteration, by source and destination node."""
        matrix = np.zeros((self.machine_nodes, self.machine_nodes), dtype=np.int64)
        matrix[np.ix_(self.nodes, self.nodes)] = self.workload.matrix()
        return matrix

    def scaled(self, divisor: int) -> "MappedWorkload":
        """Return the workload with all message lengths divided by `divisor` and rounded down, to at least one byte."""
        return replace(self, workload=self.workload.scaled(divisor))

    def message_list(self) -> MessageList:
        """Return the messages of all iterations between nodes, with their dependencies."""
        messages, node = self.workload.message_list(), np.array(self.nodes, dtype=np.int32)
        source, destination = node[messages.source], node[messages.destination]
        return replace(messages, nodes=self.machine_nodes, source=source, destination=destination)
