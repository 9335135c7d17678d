"""The cables of a design with their places, parts and prices."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from isoplane.models import PriceList
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import CableList
from isoplane.models.files.exact_text import metres

from ..exporter import Exported
from .places import Places, places_of


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
    columns = zip(
        cables.plane.tolist(),
        cables.switch.tolist(),
        cables.switch_port.tolist(),
        np.where(cables.to_node, "N", "S").tolist(),
        cables.other.tolist(),
        cables.other_port.tolist(),
        strict=True,
    )
    return [f"P{plane}-S{a}:{port}-{kind}{b}:{other_port}" for plane, a, port, kind, b, other_port in columns]


@dataclass(frozen=True, eq=False)
class PlacedCables:
    """Every cable with devices at both ends, its part and price. Arrays have one entry for each cable.

    Attributes
    ----------
    cables
        The cables.
    places
        The places of their ends.
    prices
        The catalogue.
    part_mm, cents
        The length and price of the cable of the catalogue: the shortest one that is long enough.
    """

    cables: CableList
    places: Places
    prices: PriceList
    part_mm: Ints
    cents: Ints

    @cached_property
    def ends(self) -> Ints:
        """The devices at both ends, as int64[cables, 2]: the switch, and the other switch or the node."""
        first, cables = self.places.first, self.cables
        other = np.where(cables.to_node, self.places.nodes_from, first[cables.plane]) + cables.other
        return np.stack([first[cables.plane] + cables.switch, other], axis=1)

    @cached_property
    def ports(self) -> Ints:
        """The port numbers at both ends, as int64[cables, 2]."""
        return np.stack([self.cables.switch_port, self.cables.other_port], axis=1)

    @cached_property
    def racks(self) -> Ints:
        """The racks of both ends, as int64[cables, 2]."""
        return self.places.rack[self.ends]

    @cached_property
    def needed_mm(self) -> Ints:
        """The length that two racks require, their Manhattan distance plus slack; 0 inside a rack."""
        return self.places.floor.needed_mm(*self.racks.T)

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
    """Return the cables of a design with their places, parts and prices."""
    places, cables, prices = places_of(exported, format_name), exported.cables, exported.network.site.prices
    lengths, index = np.unique(cables.length_mm, return_inverse=True)
    found = np.array([prices.cable_for_mm(length) for length in lengths.tolist()], dtype=np.int64).reshape(-1, 2)
    return PlacedCables(cables, places, prices, *found[index].T)
