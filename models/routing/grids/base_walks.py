"""Shortest walks on the base torus of a recursive diagonal torus that visit nodes of given ranks."""

from collections import deque
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.topologies.rdt import ranks_of_tile

CLASSES = 8  # nodes modulo (2, 2) and (2, -2): links of upper ranks preserve the class
MAX_REMAINDER = 3  # largest |x| or |y| of the remainder, which is covered by rank-0 links
MAX_DISTANCE = 6  # largest |x| or |y| of a node on a walk, relative to its start
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))  # ports 0 to 3


def class_at(x: Ints, y: Ints) -> Ints:
    """Return the class of nodes: equal if their difference is a combination of (2, 2) and (2, -2).

    Examples
    --------
    >>> class_at(np.array([0, 2, 4, 1, 3]), np.array([0, 2, 0, 0, 2])).tolist()
    [0, 0, 0, 1, 1]
    """
    return x % 2 + 2 * ((y - x + x % 2) % 4)


State = tuple[int, int, int]  # x and y relative to the start, and the set of visited ranks
Walk = tuple[list[int], list[int]]  # the ports, and the required ranks of the nodes


@lru_cache(maxsize=8)
def base_walks(tile: str) -> tuple[Ints, Ints]:
    """Return the walks for a tile, by class of the start, set of required ranks and offset of the end.

    Bit r - 1 of a set stands for rank r. Ties between shortest walks are broken by a breadth-first search that tries
    ports in ascending order.

    Returns
    -------
    port : int64[classes, sets, 7, 7, nodes]
        The port of a walk at each of its nodes, for ends from (-3, -3) to (3, 3); -1 at the last node and beyond.
    rank : int64[classes, sets, 7, 7, nodes]
        The required rank if a node is the first of that rank on the walk; 0 at all others.

    Examples
    --------
    >>> from isoplane.models.topologies.rdt import ALPHA
    >>> base_walks(ALPHA)[0][0, 0b0010, MAX_REMAINDER, MAX_REMAINDER, :3].tolist()  # to a node of rank 2 and back
    [0, 1, -1]
    """
    ranks = ranks_of_tile(tile)
    sets = 1 << int(ranks.max())
    walks: dict[tuple[int, ...], Walk] = {}
    for x, y in ((x, y) for y in range(4) for x in range(2)):
        start_class = int(class_at(np.array(x), np.array(y)))
        predecessors = _reachable_states(x, y, ranks)
        # Nearest first: the first state with all required ranks ends a shortest walk.
        for end in predecessors:
            if max(abs(end[0]), abs(end[1])) <= MAX_REMAINDER:
                for required in range(sets):
                    key = (start_class, required, end[0] + MAX_REMAINDER, end[1] + MAX_REMAINDER)
                    if end[2] & required == required and key not in walks:
                        walks[key] = _walk(end, predecessors, required)
    nodes = 1 + max(len(ports) for ports, _ in walks.values())
    port, rank = (
        np.full((CLASSES, sets, 2 * MAX_REMAINDER + 1, 2 * MAX_REMAINDER + 1, nodes), fill) for fill in (-1, 0)
    )
    for index, (ports, required_ranks) in walks.items():
        port[index][: len(ports)] = ports
        rank[index][: len(required_ranks)] = required_ranks
    return port, rank


def _reachable_states(x: int, y: int, ranks: NDArray[np.int64]) -> dict[State, tuple[State, int] | None]:
    """Return the states reachable from a node, nearest first, each with its predecessor and the port there."""
    start = (0, 0, 1 << int(ranks[x, y]) - 1)
    predecessors: dict[State, tuple[State, int] | None] = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for port, (dx, dy) in enumerate(STEPS):
            to_x, to_y = state[0] + dx, state[1] + dy
            rank = int(ranks[(x + to_x) % 4, (y + to_y) % 4])
            next_state = (to_x, to_y, state[2] | 1 << rank - 1)
            if max(abs(to_x), abs(to_y)) <= MAX_DISTANCE and next_state not in predecessors:
                predecessors[next_state] = (state, port)
                queue.append(next_state)
    return predecessors


def _walk(end: State, predecessors: dict[State, tuple[State, int] | None], required: int) -> Walk:
    """Return the walk to a state, with the required ranks marked at their first nodes."""
    ports: list[int] = []
    marks: list[int] = []
    state, step = end, predecessors[end]
    while step is not None:
        before, port = step
        ports.append(port)
        # At most one rank is new at a node, and rank r is bit r - 1.
        marks.append((state[2] & ~before[2] & required).bit_length())
        state, step = before, predecessors[before]
    return ports[::-1], [(state[2] & required).bit_length(), *marks[::-1]]
