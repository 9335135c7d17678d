"""The devices and cables of a design with their places, parts and prices."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isoplane.models import PriceList
from isoplane.models.arrays import Ints, rows_of
from isoplane.models.cabling.cable_list import CableList
from isoplane.models.cabling.floor_plan import Floor
from isoplane.models.files.exact_text import metres
from isoplane.models.mathematics.occurrences import occurrences

from ..built_design import device_names
from ..exporter import Exported


def part_name(prices: PriceList, length_mm: int) -> str:
    """Return the name of a cable of the catalogue.

    Examples
    --------
    >>> part_name(PriceList(copper_to_m=3), 5000)
    'optics 5 m'
    """
    return f"{prices.cable_class(length_mm)} {metres(length_mm)} m"


def cable_labels(cables: CableList) -> list[str]:
    """Return the label of each cable: both ends with their ports, the lower switch first, a node last.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.models.cabling.cable_list import cable_list
    >>> labels = cable_labels(cable_list(dual_cube(2, (1, 3)).cabling))
    >>> labels[0], labels[-1]
    ('P0-S0:1-S1:1', 'P1-S3:6-N15:2')
    """
    kind = np.where(cables.to_node, "N", "S")
    rows = rows_of(cables.plane, cables.switch, cables.switch_port, kind, cables.other, cables.other_port)
    return [f"P{plane}-S{a}:{port}-{kind}{b}:{other_port}" for plane, a, port, kind, b, other_port in rows]


@dataclass(frozen=True, eq=False)
class PlacedCables:
    """The devices of a network in its racks, and every cable between them with its part and price.

    Devices are numbered: the switches of plane 0, of plane 1 and so on, then the nodes. The positions of a rack number
    its devices from the top, from 1: switches first, by plane and number, then nodes by number. They are no rack units:
    a chassis of 2 units with four nodes has four positions.

    Attributes
    ----------
    floor
        The racks.
    first : int64[planes + 1]
        The device number of switch 0 of each plane, and of node 0.
    names, at_site
        The name of every device, and that at the site, such as of an imported fabric: empty if none is known.
    rack, position : int64[devices]
        The rack of every device, and its position.
    cables
        The cables.
    prices
        The catalogue.
    part_mm, cents : int64[cables]
        The length and price of the cable of the catalogue: the shortest one that is long enough.
    """

    floor: Floor
    first: Ints
    names: list[str]
    at_site: list[str]
    rack: Ints
    position: Ints
    cables: CableList
    prices: PriceList
    part_mm: Ints
    cents: Ints

    @property
    def nodes_from(self) -> int:
        """The device number of node 0."""
        return int(self.first[-1])

    def plane_of(self, device: Ints) -> Ints:
        """Return the planes of switches; the number of planes for nodes."""
        found: Ints = np.searchsorted(self.first, device, side="right") - 1
        return found

    @cached_property
    def ends(self) -> Ints:
        """The devices at both ends, as int64[cables, 2]: the switch, and the other switch or the node."""
        first, cables = self.first, self.cables
        other = np.where(cables.to_node, self.nodes_from, first[cables.plane]) + cables.other
        return np.stack([first[cables.plane] + cables.switch, other], axis=1)

    @cached_property
    def ports(self) -> Ints:
        """The port numbers at both ends, as int64[cables, 2]."""
        return np.stack([self.cables.switch_port, self.cables.other_port], axis=1)

    @cached_property
    def end_racks(self) -> Ints:
        """The racks of both ends, as int64[cables, 2]."""
        return self.rack[self.ends]

    @cached_property
    def bundles(self) -> tuple[Ints, Ints]:
        """The racks at both ends of each bundle, the lower one first, as int64[bundles, 2]; the bundle of each cable.

        A bundle has the cables between two racks, or those inside a rack; bundles are in the order of their racks.
        """
        count = len(self.floor.names)
        racks, bundle = np.unique(np.sort(self.end_racks, axis=1) @ np.array([count, 1]), return_inverse=True)
        return np.stack([racks // count, racks % count], axis=1), bundle.astype(np.int64)

    @cached_property
    def needed_mm(self) -> Ints:
        """The length that two racks require, their Manhattan distance plus slack; 0 inside a rack."""
        return self.floor.needed_mm(*self.end_racks.T)

    @cached_property
    def labels(self) -> list[str]:
        """The label of each cable."""
        return cable_labels(self.cables)

    @cached_property
    def parts(self) -> list[str]:
        """The part of each cable."""
        names = {length: part_name(self.prices, length) for length in np.unique(self.part_mm).tolist()}
        return [names[length] for length in self.part_mm.tolist()]


def placed_cables(exported: Exported, format_name: str) -> PlacedCables:
    """Return the devices and cables of a design that are bought, with their places, parts and prices.

    The nodes of a direct network are its switches, not separate devices.
    """
    network, cables, floor = exported.network, exported.cables, exported.require_floor(format_name)
    nodes = [] if network.node_cable_mm is None else [floor.of_nodes]
    rack = np.concatenate([*floor.of_switches, *nodes])
    first = np.cumsum([0, *map(len, floor.of_switches)])
    prices = network.site.prices
    lengths, index = np.unique(cables.length_mm, return_inverse=True)
    found = np.array([prices.cable_for_mm(length) for length in lengths.tolist()], dtype=np.int64).reshape(-1, 2)
    parts = found[index].T
    names = device_names(network)[: len(rack)]
    at_site = [exported.site_names[name] for name in names] if exported.site_names else []
    return PlacedCables(floor, first, names, at_site, rack, occurrences(rack) + 1, cables, prices, *parts)
