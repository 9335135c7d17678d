"""Devices of a design that the built one does not have: what is bought, and where it is mounted."""

from collections.abc import Collection, Iterator

import numpy as np

from isoplane.objectives.costs.bill import KINDS, Part

from .cables import PlacedCables

# A switch or node with cables that is added: its plane, or the first one in which a node has a cable, its number in
# `PlacedCables`, and the switch, or the interfaces of a node, that are bought for it.
AddedDevice = tuple[int, int, Part]


def added_devices(placed: PlacedCables, built: Collection[str]) -> Iterator[AddedDevice]:
    """Yield the devices that are not among the names of built ones, by plane, switches first.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
    >>> from isoplane.runs.exports.cabling.cables import placed_cables
    >>> from isoplane.runs.exports.exporter import Exported
    >>> placed = placed_cables(Exported(Design(dual_cube(2, (1, 3))), {}), "cabling")
    >>> [(plane, placed.names[device], part.description) for plane, device, part in added_devices(
    ...     placed, set(placed.names) - {"P1-S2", "N7"})]
    [(0, 'N7', 'interface of 2 ports'), (1, 'P1-S2', 'switch of 6 ports')]
    """
    ports = np.bincount(placed.ends.ravel(), minlength=len(placed.names))
    first = np.full(len(placed.names), len(placed.first), dtype=np.int64)
    np.minimum.at(first, placed.ends.ravel(), np.repeat(placed.cables.plane, 2))
    added = [device for device in np.flatnonzero(ports).tolist() if placed.names[device] not in built]
    for device in sorted(added, key=lambda each: (first[each], each)):
        kind = "switch" if device < placed.nodes_from else "nic"
        (part,) = KINDS[kind](placed.prices, {int(ports[device]): 1})
        yield int(first[device]), device, part
