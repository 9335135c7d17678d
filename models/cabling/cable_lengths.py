"""Cable lengths by layout, and cable tables: total length and price of the cables of each generator."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..checks import Metres, millimetres
from ..errors import InputError
from ..planes.plane import Cabling
from ..planes.topology import Topology
from ..site.layout import Layout
from ..site.prices import PriceList
from .floor_plan import Floor
from .racks import RackAssignment

Cables = TypeVar("Cables", bound=Cabling)


@dataclass(frozen=True, eq=False)
class CableTable:
    """Totals over all switches for every possible generator of a plane with 2^n switches.

    Attributes
    ----------
    length_mm : int64[2^n]
        Σ over switches x of the catalogue length of the cable x to x ⊕ g, in millimetres; each cable counts twice, once
        per end. -1 if a distance exceeds the longest cable of the catalogue; 0 for g = 0.
    price_cents : int64[2^n]
        The price of these cables, each counted once.
    longest_mm : int64[2^n]
        The maximum required length, including slack, before rounding to the catalogue.
    """

    length_mm: NDArray[np.int64]
    price_cents: NDArray[np.int64]
    longest_mm: NDArray[np.int64]

    def require_cable(self, generator: int, prices: PriceList) -> None:
        """Raise an `InputError` if the catalogue has no cable that is long enough for this generator."""
        if self.length_mm[generator] < 0:
            raise InputError(
                f"generator {generator} needs a cable of {self.longest_mm[generator] / 1000:g} m: the longest in "
                f"prices={prices.name} is {prices.lengths_mm[-1] / 1000:g} m; expected a catalogue with a longer "
                "one, or layout=none"
            )

    def longest_cables_mm(self, prices: PriceList) -> NDArray[np.int64]:
        """Return the catalogue length of the longest cable of every generator, ``int64[2^n]``; -1 if there is none."""
        lengths = np.append(prices.lengths_mm, -1)
        return np.where(self.longest_mm > 0, lengths[np.searchsorted(prices.lengths_mm, self.longest_mm)], 0)

    def require_all_cables(self, prices: PriceList) -> None:
        """Raise an `InputError` if the catalogue has no cable that is long enough for every generator."""
        self.require_cable(int(np.argmax(self.longest_mm)), prices)


def check_longest_cable(n: int, layout: Layout, prices: PriceList) -> None:
    """Check that the catalogue has a cable for any two racks; takes time linear in the number of racks.

    Raises
    ------
    InputError
        If it has none for the two racks farthest apart, or the layout does not fit 2^n switches.

    Examples
    --------
    >>> check_longest_cable(12, Layout(), PriceList())
    """
    positions = layout.positions_mm(1 << n)
    # |dx| + |dy| is the larger of |dx + dy| and |dx - dy|: the farthest two racks are extremes along a diagonal.
    diagonals = positions.sum(axis=1), positions[:, 0] - positions[:, 1]
    farthest = max(int(diagonal.max() - diagonal.min()) for diagonal in diagonals)
    if farthest:
        prices.cable_for_mm(farthest + millimetres("", layout.slack_m))


@lru_cache(maxsize=64)
def cable_table(n: int, layout: Layout, prices: PriceList) -> CableTable:
    """Compute the cable totals of every generator of GF(2)^n.

    A cable between racks is as long as the Manhattan distance plus slack; a cable inside a rack is as long as the rack
    cable. Each is rounded up to the next catalogue length.

    References
    ----------
    Hosomi et al. 2021, section 3.1.2.

    Examples
    --------
    >>> table = cable_table(5, Layout(), PriceList())
    >>> [int(table.length_mm[g]) // 32 for g in (1, 4, 31)]
    [1000, 3000, 10000]
    """
    switches = 1 << n
    needed_mm = _length_function(layout, switches)
    lengths, price_of = prices.lengths_mm, prices.cable_cents
    # If the number of switches per rack is a power of two, the length depends only on the rack offset.
    per_rack = layout.switches_per_rack
    step = per_rack if per_rack & (per_rack - 1) == 0 and per_rack <= switches else 1
    length_mm, price_cents, longest_mm = (np.zeros(switches, dtype=np.int64) for _ in range(3))
    ids = np.arange(0, switches, step, dtype=np.int64)
    for offset in range(0, switches, step):
        needed = needed_mm(ids, ids ^ offset)
        index = np.searchsorted(lengths, needed)
        longest_mm[offset : offset + step] = needed.max()
        if index.max() == len(lengths):
            length_mm[offset : offset + step] = -1
            continue
        length_mm[offset : offset + step] = lengths[index].sum() * step
        price_cents[offset : offset + step] = price_of[index].sum() * step // 2
    length_mm[0] = price_cents[0] = longest_mm[0] = 0
    return CableTable(length_mm, price_cents, longest_mm)


def cable_lengths_mm(topology: Topology, racks: RackAssignment, prices: PriceList) -> NDArray[np.int64]:
    """Return the catalogue length of the cable at each port, ``int64[switches, ports]``; 0 without a cable.

    Parameters
    ----------
    topology
        The cables.
    racks
        The racks of the switches.
    prices
        The available lengths.

    References
    ----------
    Hosomi et al. 2021, section 3.1.2.

    Examples
    --------
    >>> from .racks import assign_racks
    >>> topology = Topology(np.arange(32)[:, None] ^ 31, np.zeros((32, 1)))
    >>> cable_lengths_mm(topology, assign_racks(topology, None, Layout()), PriceList())[0].tolist()
    [10000]
    """
    switch, port = np.nonzero(topology.peer >= 0)
    needed = racks.needed_mm(switch, topology.peer[switch, port])
    prices.cable_for_mm(int(needed.max(initial=0)))
    cable_mm = np.zeros(topology.peer.shape, dtype=np.int64)
    cable_mm[switch, port] = prices.lengths_mm[np.searchsorted(prices.lengths_mm, needed)]
    return cable_mm


def laid_out(planes: tuple[Cables, ...], floor: Floor, prices: PriceList) -> tuple[Cables, ...]:
    """Return planes with the catalogue lengths that cables need on a floor; nodes keep given ones that are enough."""
    laid: dict[int, Cables] = {}  # equal planes are often one object, and stay one
    for plane, racks, rack in zip(planes, floor.assigned, floor.of_switches, strict=True):
        if id(plane) in laid:
            continue
        node_cables_mm = None
        needed = floor.needed_mm(rack[plane.node_switch], floor.of_nodes[plane.node])
        given = plane.node_lengths_mm
        if plane.node_cable_mm is not None and (needed > given).any():
            prices.cable_for_mm(int(needed.max()))
            catalogue = prices.lengths_mm
            node_cables_mm = np.where(needed > given, catalogue[np.searchsorted(catalogue, needed)], given)
        cable_mm = cable_lengths_mm(plane.topology, racks, prices)
        laid[id(plane)] = replace(plane, cable_mm=cable_mm, node_cables_mm=node_cables_mm)
    return tuple(laid[id(plane)] for plane in planes)


def check_assumed_cable(assumed_cable_m: Metres | None) -> None:
    """Raise an `InputError` unless a value is a length in metres, or None for lengths from the layout."""
    if assumed_cable_m is not None:
        millimetres("network.assumed_cable_m", assumed_cable_m)


def given_cables_mm(topology: Topology, assumed_cable_m: Metres | None) -> NDArray[np.int64]:
    """Return the length of the cable at each port, ``int64[switches, ports]``; 0 without a cable.

    Parameters
    ----------
    topology
        The switches and their cables.
    assumed_cable_m
        The length of all cables in metres; None for lengths that follow from a layout (`Network`), here all 0.

    Examples
    --------
    >>> given_cables_mm(Topology(np.array([[1, -1], [0, -1]]), np.zeros((2, 2))), 2.5).tolist()
    [[2500, 0], [2500, 0]]
    """
    length_mm = 0 if assumed_cable_m is None else millimetres("network.assumed_cable_m", assumed_cable_m)
    return np.where(topology.peer >= 0, length_mm, 0)


def _length_function(
    layout: Layout, switches: int
) -> Callable[[NDArray[np.integer], NDArray[np.integer]], NDArray[np.int64]]:
    """Return a function from two arrays of switches to required cable lengths, before rounding to the catalogue.

    Racks are filled by switch id.
    """
    layout.require_filled_by_id()
    positions = layout.positions_mm(switches)
    rack_cable, slack = millimetres("", layout.rack_cable_m), millimetres("", layout.slack_m)

    def needed_mm(switch: NDArray[np.integer], other: NDArray[np.integer]) -> NDArray[np.int64]:
        rack, other_rack = switch // layout.switches_per_rack, other // layout.switches_per_rack
        between_racks = np.abs(positions[rack] - positions[other_rack]).sum(axis=1) + slack
        return np.where(rack == other_rack, rack_cable, between_racks)

    return needed_mm
