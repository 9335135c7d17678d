"""The floor: the racks of a network, with their names, and the rack of every device."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..arrays import Ints
from ..checks import millimetres
from ..planes.plane import Cabling
from ..site.layout import Layout
from .racks import RackAssignment, plane_racks


@dataclass(frozen=True, eq=False)
class Floor:
    """The racks that hold a device, and the rack of every device; this is the one place where racks are numbered.

    A plane assigns its switches to racks in a grid of its own size (`assign_racks`). All grids begin at the same corner
    of the floor, so racks of two planes at the same row and place are one rack. Racks are numbered row by row.

    Attributes
    ----------
    row, place : int64[racks]
        The row of every rack and its place in the row, from 1.
    positions_mm : int64[racks, 2]
        The position of every rack, across and deep.
    slack_mm
        Added to the Manhattan distance between two racks.
    of_switches : int64[switches] per plane
        The rack of every switch.
    of_nodes : int64[nodes]
        The rack of every node, that of the switch at its first link; 0 for a node without a link.
    assigned : one per plane
        The racks of every plane in a grid of its own size, from which the lengths of its cables follow.
    """

    row: Ints
    place: Ints
    positions_mm: Ints
    slack_mm: int
    of_switches: tuple[Ints, ...]
    of_nodes: Ints
    assigned: tuple[RackAssignment, ...]

    @cached_property
    def names(self) -> list[str]:
        """The name of every rack."""
        return [rack_name(row, place) for row, place in zip(self.row.tolist(), self.place.tolist(), strict=True)]

    def needed_mm(self, rack: Ints, other: Ints) -> Ints:
        """Return the required lengths of cables between two arrays of racks; 0 inside a rack."""
        apart = np.abs(self.positions_mm[rack] - self.positions_mm[other]).sum(axis=1) + self.slack_mm
        return np.where(rack == other, 0, apart)


def rack_name(row: int, place: int) -> str:
    """Return the name of the rack at a place of a row, both from 1.

    Examples
    --------
    >>> rack_name(2, 3)
    'R2-3'
    """
    return f"R{row}-{place}"


def floor_of(planes: Sequence[Cabling], layout: Layout) -> Floor:
    """Return the floor of the planes of a network; `Network.floor` has it.

    Examples
    --------
    >>> from ..families._dual_cube import dual_cube
    >>> network = dual_cube(5, (7, 11, 19, 29, 30))  # two planes of 8 racks with 4 switches each, in two rows
    >>> floor = network.floor
    >>> floor.names
    ['R1-1', 'R1-2', 'R1-3', 'R1-4', 'R2-1', 'R2-2', 'R2-3', 'R2-4']
    >>> floor.names[floor.of_switches[1][17]]
    'R2-1'
    """
    # Equal planes are often one object, and their racks are searched only once.
    racks_of: dict[int, RackAssignment] = {}
    for plane in planes:
        if id(plane) not in racks_of:
            racks_of[id(plane)] = plane_racks(plane, layout)
    assigned = tuple(racks_of[id(plane)] for plane in planes)
    grids = [layout.grid_of(len(assignment.positions_mm))[0] for assignment in assigned]
    width = max(grids)
    keys = [
        assignment.rack // across * width + assignment.rack % across
        for assignment, across in zip(assigned, grids, strict=True)
    ]
    # Keys count in rows of the widest grid, so that the same place has one key in all planes.
    used, rack = np.unique(np.concatenate(keys), return_inverse=True)
    row, place = used // width, used % width
    pitch = [millimetres("", metres) for metres in (layout.pitch_across_m, layout.pitch_deep_m)]
    of_switches = tuple(np.split(rack.astype(np.int64), np.cumsum([len(key) for key in keys])[:-1]))
    return Floor(
        row + 1,
        place + 1,
        np.stack([place * pitch[0], row * pitch[1]], axis=1),
        millimetres("", layout.slack_m),
        of_switches,
        node_racks(planes, of_switches),
        assigned,
    )


def node_racks(planes: Sequence[Cabling], of_switches: Sequence[Ints]) -> Ints:
    """Return the rack of each node: that of the switch at its first link; 0 for a node without a link."""
    found = np.full(planes[0].nodes, -1, dtype=np.int64)
    for plane, rack in zip(planes, of_switches, strict=True):
        # The first plane with a link of a node decides.
        (placed,) = np.nonzero((found < 0) & (np.diff(plane.starts) > 0))
        found[placed] = rack[plane.node_switch[plane.starts[placed]]]
    return np.maximum(0, found)
