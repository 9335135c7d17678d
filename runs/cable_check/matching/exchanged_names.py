"""Devices whose names are exchanged, as their cables show."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints, rows_of

from ..devices import CabledDevices
from .identification import agreeing_ends

MIN_VOTES = 3  # with fewer cables, those of a device are as likely to be wrong as its name
MIN_GAIN = 6  # cables: as many as three exchanged pairs of ends, since fewer are more likely to be wrong cables


def exchanged(design: CabledDevices, found: CabledDevices, device: Ints) -> tuple[Ints, tuple[tuple[int, ...], ...]]:
    """Return an identification by cables of those devices that names identify wrongly, and these.

    Each of these groups consists of devices of the design by their names, and each of them has the cables of the next
    one. The first of a cycle is its last one as well; else no name of the fabric is that of the last one.

    The cables of a device vote for what it is, each by the device at its other end. A device is another one than its
    name says if most of its cables, and at least 3, vote for that, at the same ports. The names of a cycle or a path of
    such devices are exchanged if that makes 6 cables right at least, and leaves fewer than half of the wrong ones at
    these devices.

    Parameters
    ----------
    design, found
        Of the same width.
    device
        The devices of the design by names; -1 where there is none.
    """
    image = _without_conflicts(device, _voted(design, found, device))
    while len(image):
        new = device.copy()
        new[list(image)] = list(image.values())
        before, after = (_right(design, found, each) for each in (device, new))
        cabled = np.bincount(np.flatnonzero(found.mate >= 0) // found.width, minlength=len(found))
        groups = _groups(device, image)
        rejected = [
            member
            for members, _ in groups
            for member in members
            if not _is_better(cabled[members].sum(), before[members].sum(), after[members].sum())
        ]
        if not rejected:
            return new, tuple(_exchange(device, image, *group) for group in groups)
        image = {own: target for own, target in image.items() if own not in set(rejected)}
    return device, ()


def _is_better(cables: int, before: int, after: int) -> bool:
    return after - before >= MIN_GAIN and 2 * (cables - after) < cables - before


def _right(design: CabledDevices, found: CabledDevices, device: Ints) -> Ints:
    """Return how many cables of each device are in the design."""
    return np.bincount(np.flatnonzero(agreeing_ends(design, found, device)) // found.width, minlength=len(found))


def _voted(design: CabledDevices, found: CabledDevices, device: Ints) -> dict[int, int]:
    """Return the device of the design for which most cables of a device vote, of those whose names say another one."""
    width = found.width
    end = np.flatnonzero(found.mate >= 0)
    far = found.mate[end]
    known = device[far // width] >= 0
    wanted = np.where(known, design.mate[np.where(known, device[far // width] * width + far % width, 0)], -1)
    votes: NDArray[np.bool_] = (wanted >= 0) & (wanted % width == end % width)
    pairs, counts = np.unique(np.stack([end, wanted])[:, votes] // width, axis=1, return_counts=True)
    cables = np.bincount(end // width, minlength=len(found))
    return {
        own: target
        for (own, target), count in rows_of(pairs.T, counts)
        if count >= MIN_VOTES
        # A majority, which no two devices of the design can have.
        and 2 * count > cables[own]
        and device[own] not in (-1, target)
        and found.is_switch[own] == design.is_switch[target]
    }


def _without_conflicts(device: Ints, image: dict[int, int]) -> dict[int, int]:
    """Return the new devices such that no two devices are the same, unless their names say so."""
    image = {own: target for own, target in image.items() if (device == device[own]).sum() == 1}
    while True:
        new = device.copy()
        new[list(image)] = list(image.values())
        # A device that is dropped keeps its named one, which may be the image of another: repeated until none is.
        uses = np.bincount(new[new >= 0], minlength=int(device.max(initial=0)) + 1)
        kept = {own: target for own, target in image.items() if uses[target] == 1}
        if len(kept) == len(image):
            return kept
        image = kept


def _groups(device: Ints, image: dict[int, int]) -> list[tuple[list[int], bool]]:
    """Return the devices of each path and cycle in turn, and whether it is a cycle."""
    owner = {int(device[own]): own for own in image}
    following = {own: owner.get(target) for own, target in image.items()}
    # Paths from their beginnings; whatever these do not reach is on a cycle.
    starts = sorted(set(image) - set(following.values()))
    groups, seen = [], set[int]()
    for start in (*starts, *sorted(image, key=lambda own: int(device[own]))):
        members: list[int] = []
        own: int | None = start
        while own is not None and own not in seen:
            members.append(own)
            seen.add(own)
            own = following[own]
        if members:
            groups.append((members, own == start))
    return groups


def _exchange(device: Ints, image: dict[int, int], members: list[int], is_cycle: bool) -> tuple[int, ...]:
    named = tuple(int(device[own]) for own in members)
    return (*named, named[0] if is_cycle else image[members[-1]])
