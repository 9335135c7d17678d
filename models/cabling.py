"""Cables of a plane: what each generator costs in metres and money."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from .checks import millimetres
from .errors import InputError
from .layout import Layout
from .prices import PriceList
from .topology import Topology


@dataclass(frozen=True, eq=False)
class CableTable:
    """Totals over all switches for every possible generator of a plane with 2^n switches.

    Attributes
    ----------
    length_mm : int64[2^n]
        Σ over switches x of the catalogue length of the cable x to x ⊕ g, in millimetres; each cable counts at both
        ends. -1 where the catalogue has no cable that is long enough; 0 for g = 0.
    price_cents : int64[2^n]
        The price of those cables, each counted once.
    longest_mm : int64[2^n]
        The longest distance with slack that one of them has to cover, before the catalogue rounds it.
    """

    length_mm: NDArray[np.int64]
    price_cents: NDArray[np.int64]
    longest_mm: NDArray[np.int64]

    def require(self, generator: int, prices: PriceList) -> None:
        """Raise an `InputError` if the catalogue lacks a cable that this generator needs."""
        if self.length_mm[generator] < 0:
            raise InputError(
                f"generator {generator} needs a cable of {self.longest_mm[generator] / 1000:g} m: the longest in "
                f"prices={prices.name} is {prices.lengths_mm[-1] / 1000:g} m; expected a catalogue with a longer "
                "one, or layout=none"
            )

    def require_all(self, prices: PriceList) -> None:
        """Raise an `InputError` if any generator at all needs a cable that the catalogue lacks."""
        self.require(int(np.argmax(self.longest_mm)), prices)


def check_reach(n: int, layout: Layout, prices: PriceList) -> None:
    """Check that the catalogue has a cable between any two racks, which takes no time even for the largest layouts.

    Raises
    ------
    InputError
        If it has none for the two racks that are farthest apart, or the layout does not fit 2^n switches.

    Examples
    --------
    >>> check_reach(12, Layout(), PriceList())
    """
    places = layout.positions_mm(1 << n)
    diagonals = places.sum(axis=1), places[:, 0] - places[:, 1]
    farthest = max(int(diagonal.max() - diagonal.min()) for diagonal in diagonals)  # of Manhattan distances
    if farthest:
        prices.cable_for_mm(farthest + millimetres("", layout.slack_m))


@lru_cache(maxsize=64)
def cable_table(n: int, layout: Layout, prices: PriceList) -> CableTable:
    """Compute the cable totals of every generator of GF(2)^n.

    A cable between racks has the Manhattan distance plus slack, inside a rack the rack cable; each is rounded up to
    the next catalogue length.

    Raises
    ------
    InputError
        If the layout does not fit 2^n switches.

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
    needed_mm = _ruler(layout, switches)
    lengths, price_of = prices.lengths_mm, prices.cable_cents
    # Where racks hold a power of two of switches, only the offset of the rack matters.
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


def cable_lengths_mm(topology: Topology, layout: Layout, prices: PriceList) -> NDArray[np.int64]:
    """Return the catalogue length of the cable at each port, ``int64[switches, ports]``; 0 where there is none.

    Raises
    ------
    InputError
        If the layout does not fit the switches, or the catalogue has no cable that is long enough.

    References
    ----------
    Hosomi et al. 2021, section 3.1.2.

    Examples
    --------
    >>> cable_lengths_mm(Topology(np.arange(32)[:, None] ^ 31, np.zeros((32, 1))), Layout(), PriceList())[0].tolist()
    [10000]
    """
    switch, port = np.nonzero(topology.peer >= 0)
    needed = _ruler(layout, topology.switches)(switch, topology.peer[switch, port])
    prices.cable_for_mm(int(needed.max(initial=0)))
    found = np.zeros(topology.peer.shape, dtype=np.int64)
    found[switch, port] = prices.lengths_mm[np.searchsorted(prices.lengths_mm, needed)]
    return found


def _ruler(layout: Layout, switches: int) -> Callable[[NDArray[np.integer], NDArray[np.integer]], NDArray[np.int64]]:
    """Return a function of two arrays of switches: the lengths between them before the catalogue rounds them."""
    positions = layout.positions_mm(switches)
    rack_cable, slack = millimetres("", layout.rack_cable_m), millimetres("", layout.slack_m)

    def needed_mm(switch: NDArray[np.integer], other: NDArray[np.integer]) -> NDArray[np.int64]:
        here, there = switch // layout.switches_per_rack, other // layout.switches_per_rack
        between_racks = np.abs(positions[here] - positions[there]).sum(axis=1) + slack
        return np.where(here == there, rack_cable, between_racks)

    return needed_mm
