"""Places of devices: the rack and the unit of every switch and node."""

from dataclasses import dataclass

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.mathematics.occurrences import occurrences

from ..built_design import device_names
from ..exporter import Exported


@dataclass(frozen=True, eq=False)
class Places:
    """The racks of a network, and the place of every device in them.

    Devices are numbered: the switches of plane 0, of plane 1 and so on, then the nodes. The units of a rack are counted
    from its top, from 1: switches first, by plane and number, then nodes by number; each device takes one unit.

    Attributes
    ----------
    first : int64[planes + 1]
        The device number of switch 0 of each plane, and of node 0.
    names
        The name of every device.
    rack, unit : int64[devices]
        The rack of every device, and its unit.
    floor
        The racks.
    """

    first: Ints
    names: list[str]
    rack: Ints
    unit: Ints
    floor: Floor

    @property
    def nodes_from(self) -> int:
        """The device number of node 0."""
        return int(self.first[-1])

    def plane_of(self, device: Ints) -> Ints:
        """Return the planes of switches; the number of planes for nodes."""
        found: Ints = np.searchsorted(self.first, device, side="right") - 1
        return found


def places_of(exported: Exported, format_name: str) -> Places:
    """Return the places of all devices of a design.

    The nodes of a direct network are its switches, not separate devices.
    """
    network, floor = exported.network, exported.require_floor(format_name)
    nodes = [] if network.node_cable_mm is None else [floor.of_nodes]
    rack = np.concatenate([*floor.of_switches, *nodes])
    first = np.cumsum([0, *map(len, floor.of_switches)])
    return Places(first, device_names(network), rack, occurrences(rack) + 1, floor)
