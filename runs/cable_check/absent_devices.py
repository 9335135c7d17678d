"""Devices of a design that are not in a fabric."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints

from .devices import CabledDevices

# A device that is not in the files; number of its cables in the design, which are no separate differences, or 0 if it
# is a node whose only cable is one; and nodes and adapters that are not in the files either, because they have cables
# to absent switches only, this one first.
Absent = tuple[int, int, tuple[int, ...]]


def without_ends(mate: Ints, left_out: NDArray[np.bool_]) -> Ints:
    """Return the mates of ends without the cables of some ends."""
    own = np.flatnonzero((mate >= 0) & left_out)
    result = mate.copy()
    result[mate[own]] = -1
    result[own] = -1
    return result


def is_difference(devices: CabledDevices, mate: Ints, is_absent: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which absent devices are a difference with all of their cables: switches, and nodes with several."""
    cables = np.bincount(np.flatnonzero(mate >= 0) // devices.width, minlength=len(devices))
    return is_absent & (devices.is_switch | (cables > 1))


def absent_devices(devices: CabledDevices, mate: Ints, is_absent: NDArray[np.bool_]) -> tuple[Absent, ...]:
    """Return the devices with cables in a design that are not in the files; nodes with the switch that they are at.

    Parameters
    ----------
    devices
        The devices.
    mate
        The cables of the design.
    is_absent : bool[devices]
        Whether a device is not in the files.
    """
    width = devices.width
    end = np.flatnonzero(mate >= 0)
    cables = np.bincount(end // width, minlength=len(devices))
    is_absent = is_absent & (cables > 0)
    is_whole = is_difference(devices, mate, is_absent)
    at_present = np.zeros(len(devices), dtype=np.bool_)
    at_present[end[~is_absent[mate[end] // width]] // width] = True
    others: dict[int, list[int]] = {}
    for node in np.flatnonzero(is_absent & ~devices.is_switch & ~at_present).tolist():
        far = mate[node * width : (node + 1) * width]
        others.setdefault(int(far[far >= 0][0]) // width, []).append(node)
    folded = {node for nodes in others.values() for node in nodes}
    return tuple(
        (device, int(cables[device] * is_whole[device]), tuple(others.get(device, ())))
        for device in np.flatnonzero(is_absent).tolist()
        if device not in folded
    )
