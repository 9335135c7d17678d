"""Workloads whose processes run on given nodes of a machine, one or several on each."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arrays import Ints
from ..checks import check_int
from ..errors import InputError
from .message_list import MessageList
from .phased_workload import PhasedWorkload
from .program_workload import ProgramWorkload
from .programs import StepList
from .workload import Workload

MAX_PER_NODE = 1 << 16
PER_NODE = "processes_per_node"


@dataclass(frozen=True)
class MappedWorkload:
    """A workload between nodes: process i of another one runs on node ``nodes[i]``; other nodes are idle.

    Messages between processes of a node are local: they take no link and no time, but those that depend on them wait
    for them and for their delays as before.

    Parameters
    ----------
    workload
        The workload of a job.
    nodes
        The node of every process.
    machine_nodes
        Number of nodes of the network.
    processes_per_node
        Number of processes that a node can run.

    Examples
    --------
    >>> from isoplane.models.workloads import all_to_all
    >>> MappedWorkload(all_to_all(2, 8), (3, 1), 4).message_list().source.tolist()
    [3, 1]
    >>> MappedWorkload(all_to_all(3, 8), (0, 0, 1), 2, processes_per_node=2).matrix().tolist()
    [[0, 16], [16, 0]]
    """

    workload: Workload
    nodes: tuple[int, ...]
    machine_nodes: int
    processes_per_node: int = 1

    def __post_init__(self) -> None:
        job, machine, most = self.workload.processes, self.machine_nodes, self.processes_per_node
        check_int(f"workload.{PER_NODE}", most, 1, MAX_PER_NODE)
        require_room(job, machine, most)
        if len(self.nodes) != job:
            raise InputError(f"placement: {len(self.nodes)} nodes; expected one for each of {job} processes")
        outside = [node for node in self.nodes if not 0 <= node < machine]
        if outside:
            raise InputError(f"placement: node {outside[0]}; expected nodes from 0 to {machine - 1}")
        counts = np.bincount(self.nodes)
        if counts.max() > most:
            node = next(node for node in self.nodes if counts[node] > most)
            raise InputError(
                f"placement: node {node} twice; expected different nodes"
                if most == 1
                else f"placement: {counts[node]} processes on node {node}; expected at most {most}"
            )
        if most > 1 and not self._takes_links:
            raise InputError(
                f"workload.{PER_NODE}={most}: all messages are between processes of a node; expected some between nodes"
            )

    @property
    def name(self) -> str:
        """Name in reports."""
        several = "" if self.processes_per_node == 1 else f", {self.processes_per_node} processes per node"
        return f"{self.workload.name}{several}"

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
        """Number of messages per iteration, without those between processes of a node."""
        return self.workload.messages if self.processes_per_node == 1 else len(self.length_bytes)

    @property
    def length_bytes(self) -> Ints:
        """Lengths of the messages of an iteration, without those between processes of a node."""
        return self.workload.length_bytes if self.processes_per_node == 1 else self._sent_bytes

    @property
    def most_active(self) -> int:
        """Estimate of the largest number of messages that are active at once."""
        return self.workload.most_active

    def matrix(self) -> Ints:
        """Return the bytes per iteration, by source and destination node."""
        matrix = np.zeros((self.machine_nodes, self.machine_nodes), dtype=np.int64)
        of_processes, node = self.workload.matrix(), np.array(self.nodes)
        source, destination = np.nonzero(of_processes)
        ends = node[source] * self.machine_nodes + node[destination]
        np.add.at(matrix.reshape(-1), ends, of_processes[source, destination])
        if self.processes_per_node > 1:
            np.fill_diagonal(matrix, 0)
        return matrix

    def scaled(self, divisor: int) -> "MappedWorkload":
        """Return the workload with all message lengths divided by `divisor` and rounded down, to at least one byte."""
        return replace(self, workload=self.workload.scaled(divisor))

    def message_list(self) -> MessageList:
        """Return the messages of all iterations between nodes, with their dependencies."""
        return self._between_nodes(self.workload.message_list())

    @property
    def steps(self) -> int:
        """Number of steps of its program; 1 without a loop."""
        return self.workload.steps if isinstance(self.workload, ProgramWorkload) else 1

    def step_list(self, steps: int, start: str = "sender") -> StepList:
        """Return the messages between nodes if its program has fewer or more steps."""
        if not isinstance(self.workload, ProgramWorkload):
            raise InputError(f"steps={steps}: expected a program with a loop")
        listed = self.workload.step_list(steps, start)
        return replace(listed, messages=self._between_nodes(listed.messages))

    def _between_nodes(self, messages: MessageList) -> MessageList:
        node = np.array(self.nodes, dtype=np.int32)
        source, destination = node[messages.source], node[messages.destination]
        return replace(messages, nodes=self.machine_nodes, source=source, destination=destination)

    @property
    def _takes_links(self) -> bool:
        """Whether a message is between nodes."""
        node = np.array(self.nodes)
        if isinstance(self.workload, PhasedWorkload):  # of so many processes that their pairs may not fit in memory
            source, destination = self.workload.source, self.workload.destination
        else:
            source, destination = np.nonzero(self.workload.matrix())
        return bool((node[source] != node[destination]).any())

    @cached_property
    def _sent_bytes(self) -> Ints:
        listed = self.message_list()
        # One iteration follows the other in the list.
        return listed.length_bytes[~listed.local][: listed.sent_messages // self.iterations]


def in_groups(workload: Workload, processes_per_node: object) -> Workload:
    """Return a workload between groups of processes that share a node: process i is in group ⌊i / processes_per_node⌋.

    Parameters
    ----------
    workload
        The workload; itself if there is one process on each node.
    processes_per_node
        Number of processes of a group; the last one may have fewer.

    Examples
    --------
    >>> from isoplane.models.workloads import all_to_all
    >>> in_groups(all_to_all(5, 8), 2).matrix()[0].tolist()
    [0, 32, 16]
    """
    several = check_int(f"workload.{PER_NODE}", processes_per_node, 1, MAX_PER_NODE)
    if several == 1:
        return workload
    group = np.arange(workload.processes) // several
    return MappedWorkload(workload, tuple(group.tolist()), int(group[-1]) + 1, several)


def placed_on(workload: Workload, nodes: tuple[int, ...], machine_nodes: int) -> Workload:
    """Return a workload with process i, or group i of `in_groups`, on node ``nodes[i]``; itself if these are in order.

    Examples
    --------
    >>> from isoplane.models.workloads import all_to_all
    >>> placed_on(in_groups(all_to_all(4, 8), 2), (3, 1), 4).nodes
    (3, 3, 1, 1)
    """
    if nodes == tuple(range(machine_nodes)) and workload.processes == machine_nodes:
        return workload
    if not isinstance(workload, MappedWorkload):
        return MappedWorkload(workload, nodes, machine_nodes)
    if len(nodes) != workload.processes:
        raise InputError(
            f"placement: {len(nodes)} nodes; expected one for each of {workload.processes} groups of "
            f"{workload.processes_per_node} processes"
        )
    return replace(workload, nodes=tuple(nodes[group] for group in workload.nodes), machine_nodes=machine_nodes)


def require_all_nodes(workload: Workload, nodes: int) -> None:
    """Require a workload with a process, or a group of processes, for each node."""
    if workload.processes == nodes:
        return
    if isinstance(workload, MappedWorkload) and workload.processes_per_node > 1:
        job, several = workload.workload.processes, workload.processes_per_node
        allowed = f"{several * (nodes - 1) + 1} to {several * nodes}, {several} for each of {nodes} nodes"
        raise InputError(f"workload.processes={job}: expected {allowed}")
    raise InputError(f"workload.processes={workload.processes}: expected one for each of {nodes} nodes")


def require_room(processes: int, nodes: int, processes_per_node: int = 1) -> None:
    """Require at most so many processes for each node."""
    if processes > nodes * processes_per_node:
        most = "one" if processes_per_node == 1 else str(processes_per_node)
        raise InputError(f"workload.processes={processes}: expected at most {most} for each of {nodes} nodes")
