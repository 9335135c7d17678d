"""Differences between the cables of a design and those found, and the moves that mend them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from isoplane.models.arrays import Ints

Kind = Literal["swapped", "permuted", "moved", "missing", "extra"]
Cable = tuple[int, int]


@dataclass(frozen=True)
class Move:
    """A step of a technician.

    Parameters
    ----------
    action
        ``move`` one end of a cable from a port to another one, ``add`` a cable between two free ports, or ``remove``
        one.
    cable
        The two ends: for ``move`` the one that remains, and the one that is unplugged.
    to
        The port into which the end is plugged; None for the other actions.
    """

    action: Literal["move", "add", "remove"]
    cable: Cable
    to: int | None = None


@dataclass(frozen=True)
class Difference:
    """Cables that differ and belong together, because each shares a port with the next.

    Parameters
    ----------
    kind
        ``swapped``: two cables, each with an end where that of the other belongs; ``permuted``: the same with more
        cables; ``moved``: a cable ends at a port that should be free, and the ports of others may follow from that;
        ``missing`` and ``extra``: there is one cable less or more than in the design.
    found, designed
        The cables.
    moves
        What mends it, in an order in which each port is free when it is plugged in. Where cables are swapped or
        permuted no port is free: the end of the last move is unplugged first, and is loose until then.
    """

    kind: Kind
    found: tuple[Cable, ...]
    designed: tuple[Cable, ...]
    moves: tuple[Move, ...]


def differences(design: Ints, found: Ints, device: Callable[[int], int]) -> list[Difference]:
    """Return the differences between two sets of cables, with as few moves as possible.

    The cables of only one of the sets form paths and cycles, because a port has at most one cable of each. In each of
    them, a cable of the design results from at most one move, so that the larger of the two numbers of cables is a
    lower bound on its moves; it is reached.

    Parameters
    ----------
    design, found
        The mate of each end; -1 without a cable.
    device
        Function from an end to its device: moves at few devices are preferred.

    Examples
    --------
    >>> right, wrong = np.array([1, 0, 3, 2]), np.array([3, 2, 1, 0])  # cables 0-1 and 2-3, or 0-3 and 1-2
    >>> (only,) = differences(right, wrong, lambda end: end // 2)
    >>> only.kind, only.found, only.designed
    ('swapped', ((0, 3), (2, 1)), ((3, 2), (1, 0)))
    >>> [(move.cable, move.to) for move in only.moves]
    [((1, 2), 0), ((3, 0), 2)]
    """
    changed = np.flatnonzero(design != found)
    # In a path, an end without a cable in one of the sets is the first or last one; those without in neither are equal.
    lonely = changed[(design[changed] < 0) | (found[changed] < 0)]
    seen: set[int] = set()
    result = []
    for start in (*lonely.tolist(), *changed.tolist()):
        if start in seen:
            continue
        ends = list(_walk(start, design, found))
        seen.update(ends)
        result.append(_difference(ends, design, found, device))
    return sorted(result, key=lambda each: min((*each.found, *each.designed)))


def _walk(start: int, design: Ints, found: Ints) -> Iterator[int]:
    """Yield the ends of a path or cycle in turn: a found cable first, unless the first end has none."""
    use_found, end = int(found[start]) >= 0, start
    while True:
        yield end
        following = int((found if use_found else design)[end])
        if following < 0 or following == start:
            return
        end, use_found = following, not use_found


def _difference(ends: list[int], design: Ints, found: Ints, device: Callable[[int], int]) -> Difference:
    steps = list(pairwise(ends))
    first = 0 if int(found[ends[0]]) >= 0 else 1
    if int(found[ends[0]]) >= 0 and int(design[ends[0]]) >= 0:
        return _cycle(ends, device)
    found_cables, designed = tuple(steps[first::2]), tuple(steps[1 - first :: 2])
    if len(found_cables) == len(designed) and first:
        ends = ends[::-1]  # so that the first cable is a found one, and the last end is free
        steps = list(pairwise(ends))
        found_cables, designed = tuple(steps[::2]), tuple(steps[1::2])
    if len(found_cables) < len(designed):
        moves = [Move("move", (a, b), ends[2 * i]) for i, (a, b) in enumerate(found_cables)]
        return Difference("missing", found_cables, designed, (*moves, Move("add", designed[-1])))
    moves = [Move("move", (b, a), ends[2 * i + 2]) for i, (a, b) in enumerate(found_cables) if 2 * i + 2 < len(ends)]
    # From the free end backwards: each move frees the port for the next one.
    moves.reverse()
    if len(found_cables) > len(designed):
        return Difference("extra", found_cables, designed, (Move("remove", found_cables[-1]), *moves))
    return Difference("moved", found_cables, designed, tuple(moves))


def _cycle(ends: list[int], device: Callable[[int], int]) -> Difference:
    """Return the difference of a cycle, mended at every other end: those at fewer devices, or the first ones."""
    length = len(ends)
    found = tuple((ends[i], ends[i + 1]) for i in range(0, length, 2))
    designed = tuple((ends[i + 1], ends[(i + 2) % length]) for i in range(0, length, 2))
    choices: list[tuple[int, int, tuple[Move, ...]]] = []
    for parity, step in ((0, 2), (1, -2)):
        moved = [(parity + step * turn) % length for turn in range(length // 2)]
        # The end at moved[0] is loose until the others have been moved up, the last of them into its port.
        moves = [Move("move", (ends[at ^ 1], ends[at]), ends[(at + step) % length]) for at in (*moved[:0:-1], moved[0])]
        choices.append((len({device(ends[at]) for at in moved}), parity, tuple(moves)))
    kind: Kind = "swapped" if length == 4 else "permuted"
    return Difference(kind, found, designed, min(choices)[2])
