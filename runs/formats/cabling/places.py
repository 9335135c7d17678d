"""Places of devices: the rack and the unit of every switch and node."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.racks import node_racks
from isoplane.models.ranks import ranks_among_equal

from ..exporter import Exported
from ..names import node_name, switch_name

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Places:
    """The racks of a network, and the place of every device in them.

    Devices are numbered: the switches of plane 0, of plane 1 and so on, then the nodes. Racks are numbered row by row;
    planes share them. The units of a rack are counted from its top, from 1: switches first, by plane and number, then
    nodes by number; each device takes one unit.

    Attributes
    ----------
    first : int64[planes + 1]
        The device number of switch 0 of each plane, and of node 0.
    names
        The name of every device.
    rack, unit : int64[devices]
        The rack of every device, and its unit.
    row, place : int64[racks]
        The row of every rack and its place in the row, from 1; only racks with a device are listed.
    """

    first: Ints
    names: list[str]
    rack: Ints
    unit: Ints
    row: Ints
    place: Ints

    @property
    def nodes_from(self) -> int:
        """The device number of node 0."""
        return int(self.first[-1])

    @cached_property
    def rack_names(self) -> list[str]:
        """The name of every rack: that of place 3 in row 1 is ``R1-3``."""
        return [f"R{row}-{place}" for row, place in zip(self.row.tolist(), self.place.tolist(), strict=True)]

    def plane_of(self, device: Ints) -> Ints:
        """Return the planes of switches; the number of planes for nodes."""
        found: Ints = np.searchsorted(self.first, device, side="right") - 1
        return found


def places_of(exported: Exported, format_name: str) -> Places:
    """Return the places of all devices of a design.

    A node is in the rack of the switch at its first link. The nodes of a direct network are its switches, not devices
    of their own.

    Raises
    ------
    InputError
        If the design has no layout, or it does not fit.
    """
    network, racks = exported.network, exported.require_layout(format_name)
    layout = network.site.layout
    assert layout is not None
    grid, offset = [], 0
    for each in racks:
        across, deep = layout.grid_of(len(each.positions_mm))
        grid.append((each.rack.astype(np.int64) // across, each.rack.astype(np.int64) % across))
        offset = max(offset, across, deep)
    keys = [row * offset + place for row, place in grid]
    if network.node_cable_mm is not None:
        keys.append(node_racks(network.unrouted_planes, keys))
    found, rack = np.unique(np.concatenate(keys), return_inverse=True)
    first = np.cumsum([0, *(len(each.rack) for each in racks)])
    units, row, place = ranks_among_equal(rack) + 1, found // offset + 1, found % offset + 1
    return Places(first, _names(network), rack.astype(np.int64), units, row, place)


def _names(network: Network) -> list[str]:
    planes = enumerate(network.unrouted_planes)
    switches = [switch_name(plane, switch) for plane, each in planes for switch in range(each.topology.switches)]
    nodes = range(network.nodes if network.node_cable_mm is not None else 0)
    return switches + [node_name(node) for node in nodes]
