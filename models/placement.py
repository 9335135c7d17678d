"""Placements: the assignment of processes to nodes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .errors import InputError


@dataclass(frozen=True)
class Placement:
    """One process on every node.

    Parameters
    ----------
    nodes
        The node of every process; each node occurs once.

    Examples
    --------
    >>> Placement((2, 0, 1)).processes.tolist()
    [1, 2, 0]
    """

    nodes: tuple[int, ...]

    def __post_init__(self) -> None:
        if sorted(self.nodes) != list(range(len(self.nodes))):
            missing = sorted(set(range(len(self.nodes))) - set(self.nodes))
            raise InputError(f"placement: no process on node {missing[0]}; expected one process per node")

    @property
    def processes(self) -> NDArray[np.int64]:
        """The process of every node."""
        # What sorts a permutation is its inverse.
        process: NDArray[np.int64] = np.argsort(np.array(self.nodes, dtype=np.int64))
        return process


def by_switch(processes: int) -> Placement:
    """Return the placement of a scheduler that fills the edge switches one by one: process i on node i.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2: Switch Partitioning (SP).
    """
    return Placement(tuple(range(processes)))


def by_groups(group_of: Sequence[int], nodes_per_group: int) -> Placement:
    """Return the placement with each process in its given group; within a group, processes are in ascending order.

    Examples
    --------
    >>> by_groups((1, 0, 0, 1), 2).nodes
    (2, 0, 1, 3)
    """
    groups = np.array(group_of, dtype=np.int64)
    sizes = np.bincount(groups, minlength=1)
    wrong = np.flatnonzero(sizes != nodes_per_group)
    if len(wrong):
        raise InputError(f"placement: {sizes[wrong[0]]} processes in group {wrong[0]}; expected {nodes_per_group}")
    nodes = np.empty(len(groups), dtype=np.int64)
    nodes[np.argsort(groups, kind="stable")] = np.arange(len(groups))
    return Placement(tuple(nodes.tolist()))
