"""All-reduces along binary trees, in chunks that follow each other."""

import numpy as np

from ..checks import check_int
from .collectives.algorithms import part_start
from .message_list import MAX_BYTES, check_message_count
from .program_workload import ProgramWorkload
from .programs import MessageGraph


def tree_all_reduce(
    processes: int = 128, vector_bytes: int = 40_000_000, trees: int = 2, chunks: int = 16
) -> ProgramWorkload:
    """Return an all-reduce along one binary tree, or along two that share the vector: up to the root, then down.

    A process sends a chunk up once that chunk has arrived from all of its children, and down once it has arrived from
    its parent; chunks follow each other over every edge. Every process is a leaf of one of two trees, or of both.

    Parameters
    ----------
    processes
        Number of processes.
    vector_bytes
        Length of the vector; parts of trees and chunks differ by at most a byte.
    trees
        1 or 2.
    chunks
        Number of chunks of the part of each tree.

    References
    ----------
    Sanders, Speck and Träff, Two-tree Algorithms for Full Bandwidth Broadcast, Reduction and Scan, 2009;
    NCCL, trees.cc.

    Examples
    --------
    >>> tree_all_reduce(4, 100, trees=1, chunks=1).matrix().tolist()
    [[0, 0, 100, 0], [0, 0, 100, 0], [100, 100, 0, 100], [0, 0, 100, 0]]
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    check_int("workload.vector_bytes", vector_bytes, 1, MAX_BYTES)
    check_int("workload.trees", trees, 1, 2)
    check_int("workload.chunks", chunks, 1, 1 << 12)
    check_message_count(2 * (processes - 1) * min(trees * chunks, vector_bytes))
    graph = MessageGraph(processes)
    share = np.diff(part_start(vector_bytes, trees, np.arange(trees + 1)))
    for tree in range(trees):
        sizes = np.diff(part_start(int(share[tree]), chunks, np.arange(chunks + 1)))
        _add_tree(graph, parents(processes, tree), [size for size in sizes.tolist() if size])
    parameters = (
        ("kind", "tree_all_reduce"),
        ("processes", processes),
        ("vector_bytes", vector_bytes),
        ("trees", trees),
        ("chunks", chunks),
    )
    return ProgramWorkload("tree_all_reduce", graph, parameters, eager_bytes=0)


def _add_tree(graph: MessageGraph, parent: list[int], sizes: list[int]) -> None:
    """Add an all-reduce along a tree, chunk by chunk, each of which follows the one before over every edge."""
    children: list[list[int]] = [[] for _ in parent]
    for process, up in enumerate(parent):
        if up >= 0:
            children[up].append(process)
    downwards = [parent.index(-1)]
    # The list grows while it is read: parents before their children.
    for process in downwards:
        downwards += children[process]
    last_up: dict[int, int] = {}
    last_down: dict[int, int] = {}
    for size in sizes:
        # Children before their parents, whose messages depend on theirs.
        for process in reversed(downwards[1:]):
            after = [last_up[child] for child in children[process]]
            after += [last_up[process]] if process in last_up else []
            last_up[process] = graph.add(process, parent[process], size, after=after)
        for process in downwards[1:]:
            up = parent[process]
            after = [last_up[child] for child in children[up]] if parent[up] < 0 else [last_down[up]]
            after += [last_down[process]] if process in last_down else []
            last_down[process] = graph.add(up, process, size, after=after)


def parents(processes: int, tree: int) -> list[int]:
    """Return the parent of every process in the first or the second tree, -1 for the root.

    In the first tree the lowest bit of a number that is set determines its height. The second one is its mirror image,
    or for an odd number of processes the first one shifted by one.

    Examples
    --------
    >>> parents(6, 0), parents(6, 1)
    ([-1, 2, 4, 2, 0, 4], [1, 5, 3, 1, 3, -1])
    """
    parent_of = [-1]
    for process in range(1, processes):
        bit = process & -process
        up = (process ^ bit) | bit << 1
        parent_of.append(up if up < processes else process ^ bit)
    if tree == 0:
        return parent_of
    if processes % 2 == 0:
        return [-1 if parent < 0 else processes - 1 - parent for parent in reversed(parent_of)]
    shifted = [-1 if parent < 0 else (parent + 1) % processes for parent in parent_of]
    return [shifted[(process - 1) % processes] for process in range(processes)]


WORKLOADS = (tree_all_reduce,)
