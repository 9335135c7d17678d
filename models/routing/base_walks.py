"""Shortest walks on the base torus of a recursive diagonal torus that pass nodes of given ranks."""

from collections import deque
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..topologies.rdt import ranks_of_tile
from .offsets import Ints

CLASSES = 8  # places modulo (2, 2) and (2, -2): no link of an upper rank changes the class
REST = 3  # what rank 1 leaves of an offset is at most this in x and in y
FAR = 6  # how far from its start a walk may stray
STEPS = ((1, 0), (-1, 0), (0, 1), (0, -1))  # ports 0 to 3


def class_at(x: Ints, y: Ints) -> Ints:
    """Return the class of places: equal for those that (2, 2) and (2, -2) carry into each other.

    Examples
    --------
    >>> class_at(np.array([0, 2, 4, 1, 3]), np.array([0, 2, 0, 0, 2])).tolist()
    [0, 0, 0, 1, 1]
    """
    return x % 2 + 2 * ((y - x + x % 2) % 4)


@dataclass(frozen=True, eq=False)
class BaseWalks:
    """The walks, by class of the start, set of ranks that are needed (bit r - 1 for rank r) and offset of the end.

    Parameters
    ----------
    port : int64[classes, sets, 7, 7, nodes]
        The port that a walk takes at each of its nodes, for ends from (-3, -3) to (3, 3); -1 at the last and after it.
    rank : int64[classes, sets, 7, 7, nodes]
        The needed rank that a node is the first one of; 0 at all others.
    """

    port: Ints
    rank: Ints

    def lengths(self) -> Ints:
        """Return the number of steps of each walk."""
        counted: Ints = (self.port >= 0).sum(axis=-1)
        return counted


State = tuple[int, int, int]  # x and y, as seen from the start, and the set of ranks that have been passed
Walk = tuple[list[int], list[int]]  # the ports that are taken, and the needed ranks of the nodes


@lru_cache(maxsize=8)
def base_walks(tile: str) -> BaseWalks:
    """Return the walks for a tile.

    Of several shortest walks it is the one that a breadth-first search finds first that tries ports in ascending order.

    Examples
    --------
    >>> from ..topologies.rdt import ALPHA
    >>> base_walks(ALPHA).port[0, 0b0010, REST, REST, :3].tolist()  # to a node of rank 2 and back
    [0, 1, -1]
    """
    ranks = ranks_of_tile(tile)
    sets = 1 << int(ranks.max())
    found: dict[tuple[int, ...], Walk] = {}
    for x, y in ((x, y) for y in range(4) for x in range(2)):
        here = int(class_at(np.array(x), np.array(y)))
        before = _search(x, y, ranks)
        for end in before:
            if max(abs(end[0]), abs(end[1])) <= REST:
                for needed in range(sets):
                    place = (here, needed, end[0] + REST, end[1] + REST)
                    if end[2] & needed == needed and place not in found:
                        found[place] = _walk(end, before, needed)
    nodes = 1 + max(len(ports) for ports, _ in found.values())
    port, rank = (np.full((CLASSES, sets, 2 * REST + 1, 2 * REST + 1, nodes), fill) for fill in (-1, 0))
    for end_at, (ports, marks) in found.items():
        port[end_at][: len(ports)] = ports
        rank[end_at][: len(marks)] = marks
    return BaseWalks(port, rank)


def _search(x: int, y: int, ranks: NDArray[np.int64]) -> dict[State, tuple[State, int] | None]:
    """Return every state that walks from a place reach, nearest first, with the state before it and the port there."""
    start = (0, 0, 1 << int(ranks[x, y]) - 1)
    before: dict[State, tuple[State, int] | None] = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        for port, (dx, dy) in enumerate(STEPS):
            to_x, to_y = state[0] + dx, state[1] + dy
            rank = int(ranks[(x + to_x) % 4, (y + to_y) % 4])
            after = (to_x, to_y, state[2] | 1 << rank - 1)
            if max(abs(to_x), abs(to_y)) <= FAR and after not in before:
                before[after] = (state, port)
                queue.append(after)
    return before


def _walk(end: State, before: dict[State, tuple[State, int] | None], needed: int) -> Walk:
    """Return the walk to a state, with the needed ranks marked at their first nodes."""
    ports: list[int] = []
    marks: list[int] = []
    state = end
    while (last := before[state]) is not None:
        ports.append(last[1])
        marks.append((state[2] & ~last[0][2] & needed).bit_length())
        state = last[0]
    return ports[::-1], [(state[2] & needed).bit_length(), *marks[::-1]]
