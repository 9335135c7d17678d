"""A network in the racks of a built one: its devices stay there, and further ones stand beside them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from isoplane.models import InputError, Layout, Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.floor_plan import Floor, node_racks
from isoplane.models.cabling.racks import filled_racks
from isoplane.models.checks import millimetres
from isoplane.models.planes.plane import Cabling
from isoplane.models.site.layout import IN_ORDER


@dataclass(frozen=True)
class _InRacks(Network):
    """A network whose devices are in the racks of a built one, as `in_racks` returns it."""

    plain: Network = field(kw_only=True)
    built: Network = field(kw_only=True)
    places: Sequence[int] | None = field(kw_only=True)

    def __reduce__(self) -> tuple[Any, ...]:
        return in_racks, (self.plain, self.built, self.places)

    @cached_property
    def floor(self) -> Floor | None:
        floor, planes = self.built.floor, self._planes_of_family
        if floor is None:
            return None
        counts = [plane.topology.switches for plane in planes]
        if counts != [len(racks) for racks in floor.of_switches]:
            floor = _with_switches(floor, planes, self.built.site.layout or Layout())
        if self.nodes == len(floor.of_nodes):
            return floor
        # Further nodes, and places of nodes, are near their switches.
        of_nodes = node_racks(planes, floor.of_switches)
        places = range(self.nodes) if self.places is None else self.places
        of_nodes[np.array(places[: len(floor.of_nodes)])] = floor.of_nodes
        return replace(floor, of_nodes=of_nodes)


def in_racks(network: Network, built: Network, places: Sequence[int] | None = None) -> Network:
    """Return a network in the racks of a built one, if that has any; it may have more devices.

    Further switches are in further racks, filled in the order of their ids as the layout of the built network says, at
    the free places of the grid that this has for as many racks, row by row. Further nodes are in the racks of their
    switches. The nodes of the built network are the first ones, or at the given places.
    """
    try:
        if built.floor is None:
            return network
    except InputError:  # cables of assumed lengths need no layout that fits; what needs racks says so itself
        return network
    # The racks are given, so this layout assigns none: families that fill racks by id refuse other rules.
    layout = None if built.site.layout is None else replace(built.site.layout, assignment=IN_ORDER, nodes_per_rack=None)
    site = replace(network.site, layout=layout)
    return _InRacks(network.family, site, plain=network, built=built, places=places)


def _with_switches(floor: Floor, planes: tuple[Cabling, ...], layout: Layout) -> Floor:
    """Return a floor with racks for the switches of planes that it does not have yet."""
    further = [
        _further_racks(plane, len(racks), layout) for plane, racks in zip(planes, floor.of_switches, strict=True)
    ]
    before, added = len(floor.row), 1 + max(int(racks.max(initial=-1)) for racks in further)
    row, place = _places(floor, added, layout)
    pitch_mm = [millimetres("", metres) for metres in (layout.pitch_across_m, layout.pitch_deep_m)]
    positions_mm = np.stack([(place - 1) * pitch_mm[0], (row - 1) * pitch_mm[1]], axis=1)
    of_switches = tuple(
        np.concatenate([racks, before + more]) for racks, more in zip(floor.of_switches, further, strict=True)
    )
    return replace(
        floor,
        row=row,
        place=place,
        positions_mm=positions_mm,
        of_switches=of_switches,
        assigned=tuple(
            replace(assigned, rack=rack.astype(np.int32), positions_mm=positions_mm)
            for assigned, rack in zip(floor.assigned, of_switches, strict=True)
        ),
    )


def _further_racks(plane: Cabling, built: int, layout: Layout) -> Ints:
    """Return the racks of the switches of a plane that are not among the built ones, from 0."""
    starts = plane.starts[:-1][np.diff(plane.starts) > 0]
    nodes = np.bincount(plane.node_switch[starts], minlength=plane.topology.switches)[built:]
    if not len(nodes):
        return np.empty(0, dtype=np.int64)
    return filled_racks(nodes, np.arange(len(nodes)), layout).astype(np.int64)


def _places(floor: Floor, added: int, layout: Layout) -> tuple[Ints, Ints]:
    """Return the rows and places of the racks of a floor and of some more."""
    racks = len(floor.row) + added
    try:
        across = max(layout.grid_of(racks)[0], int(floor.place.max()))
    except InputError as error:
        raise InputError(
            f"rewired_from: {added} further racks beside {len(floor.row)} that are built, with the layout of this "
            f"record: {error}; save the record again with such a layout"
        ) from None
    used = (floor.row - 1) * across + floor.place - 1
    free = np.setdiff1d(np.arange(int(used.max()) + 1 + added), used)[:added]
    key = np.concatenate([used, free])
    return key // across + 1, key % across + 1
