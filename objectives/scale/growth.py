"""The cables that are moved when a network grows."""

import numpy as np
from numpy.typing import ArrayLike

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.planes.plane import Cabling

UNMATCHED = -1


def cables_moved(old: Network, new: Network, switch_map: "tuple[ArrayLike, ...] | None" = None) -> dict[str, int]:
    """Return how many cables between switches are kept, moved, added and removed if a network becomes another one.

    Planes are matched by their index, and a plane that only one of the networks has is added or removed as a whole.
    Within a plane, as many cables between two switches are kept as both networks have between them; lengths and ports
    do not count. As many of the others are moved, to be used again at other switches, as both networks have.

    A map gives the switch of the new network that each switch of the old one becomes. By default it is, in each plane,
    the better of two: the same number, and `level_map`. Neither need be the best, so ``moved`` is an upper bound on the
    cables that must be moved, and ``kept`` a lower bound.

    Parameters
    ----------
    old, new
        The networks, usually of one family.
    switch_map : int[switches of old], one per plane
        The switch of the new network that each switch of the old one becomes, each at most once; -1 for one that is
        removed.

    Raises
    ------
    InputError
        If a map has the wrong length, or leads to a switch that does not exist, or twice to the same.

    Examples
    --------
    A ring of four switches grows by one: the cable that closes it moves, and another one is added.

    >>> from isoplane.models.families.torus import Torus
    >>> cables_moved(Network(Torus(shape=(4,))), Network(Torus(shape=(5,))))
    {'kept': 3, 'moved': 1, 'added': 1, 'removed': 0}
    """
    kept = moved = added = removed = 0
    for number in range(max(len(old.cabling), len(new.cabling))):
        before, after = (planes[number : number + 1] for planes in (old.cabling, new.cabling))
        counts = [sum(len(_ends(plane)) for plane in each) for each in (before, after)]
        same = 0
        if before and after:
            given = None if switch_map is None else _checked_map(switch_map, number, before[0], after[0])
            maps = [_same_numbers(before[0], after[0]), level_map(before[0], after[0])] if given is None else [given]
            same = max(_common_cables(before[0], after[0], each) for each in maps)
        old_left, new_left = (count - same for count in counts)
        kept, moved = kept + same, moved + min(old_left, new_left)
        added, removed = added + max(0, new_left - old_left), removed + max(0, old_left - new_left)
    return {"kept": kept, "moved": moved, "added": added, "removed": removed}


def level_map(old: Cabling, new: Cabling) -> Ints:
    """Return the switch of a new plane that each switch of an old one becomes, matched by level and order.

    The level of a switch is its distance from the nearest switch with nodes: in a tree leaves are at level 0, and so
    are all switches of networks with nodes at each. The i-th switch of a level, by number, becomes the i-th of the same
    level, or -1 if there are fewer.

    Examples
    --------
    >>> from isoplane.models.families.leaf_spine import LeafSpine
    >>> small, large = (Network(LeafSpine(leaf_switches=leaves, spine_switches=2)).planes[0] for leaves in (2, 3))
    >>> level_map(small, large).tolist()  # spines 2 and 3 become 3 and 4
    [0, 1, 3, 4]
    """
    old_level, new_level = _levels(old), _levels(new)
    successor = np.full(len(old_level), UNMATCHED, dtype=np.int64)
    for level in range(int(old_level.max()) + 1):
        before, after = np.flatnonzero(old_level == level), np.flatnonzero(new_level == level)
        both = min(len(before), len(after))
        successor[before[:both]] = after[:both]
    return successor


def _levels(plane: Cabling) -> Ints:
    """Return the hops from each switch to the nearest one with nodes."""
    peer = plane.topology.peer
    level = np.full(plane.topology.switches, -1, dtype=np.int64)
    level[plane.node_switch] = hops = 0
    while (level < 0).any():  # a plane is connected
        hops += 1
        reached = ((peer >= 0) & (level[peer] == hops - 1)).any(axis=1)
        level[reached & (level < 0)] = hops
    return level


def _same_numbers(old: Cabling, new: Cabling) -> Ints:
    number = np.arange(old.topology.switches)
    same: Ints = np.where(number < new.topology.switches, number, UNMATCHED)
    return same


def _checked_map(switch_map: "tuple[ArrayLike, ...]", number: int, old: Cabling, new: Cabling) -> Ints:
    name = f"switch_map[{number}]"
    if number >= len(switch_map):
        raise InputError(f"{name}: none; expected a map for each plane")
    successor = np.asarray(switch_map[number], dtype=np.int64)
    if successor.shape != (old.topology.switches,):
        raise InputError(f"{name}: an array of shape {successor.shape}; expected {old.topology.switches} switches")
    matched = successor[successor != UNMATCHED]
    if matched.size and (
        matched.min() < 0 or matched.max() >= new.topology.switches or len(np.unique(matched)) < len(matched)
    ):
        raise InputError(f"{name}: expected different switches from 0 to {new.topology.switches - 1}, or -1")
    return successor


def _common_cables(old: Cabling, new: Cabling, switch_map: Ints) -> int:
    """Return the number of cables of an old plane that the new one has between the same switches."""
    before, after = _ends(old), _ends(new)
    mapped = switch_map[before]
    mapped = mapped[(mapped != UNMATCHED).all(axis=1)]
    switches = new.topology.switches
    # Cables have no direction: with its ends sorted, each pair of switches has one number.
    (pairs, count), (new_pairs, new_count) = (
        np.unique(np.sort(ends, axis=1) @ (switches, 1), return_counts=True) for ends in (mapped, after)
    )
    _, at, new_at = np.intersect1d(pairs, new_pairs, assume_unique=True, return_indices=True)
    return int(np.minimum(count[at], new_count[new_at]).sum())


def _ends(plane: Cabling) -> Ints:
    """Return the two switches of each cable."""
    switch, port = plane.topology.cable_ends()
    return np.stack([switch, plane.topology.peer[switch, port]], axis=1)
