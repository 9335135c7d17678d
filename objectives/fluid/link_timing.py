"""Rates and delays of all links of a network."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from isoplane.models import DelayUnits, InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.checks import exact_number
from isoplane.models.planes.links import PlaneLinks

MAX_DELAY = 1 << 47  # per cable or switch, in delay units: sums over routes of 2^14 hops fit in 64 bits


@dataclass(frozen=True, eq=False)
class LinkTiming:
    """Rates and delays, in the order of `isoplane.models.planes.links`.

    Parameters
    ----------
    rate : int64[links]
        Index of each link's rate in `rates_gbps`.
    rates_gbps
        All distinct rates, exact.
    delay : int64[links]
        Delay of each link plus that of the switch to which it leads, in 1 / `per_ns` nanoseconds.
    per_ns
        Delay units per nanosecond.
    """

    rate: Ints
    rates_gbps: tuple[Fraction, ...]
    delay: Ints
    per_ns: int


def link_timing(network: Network) -> LinkTiming:
    """Return the rates and delays of all links: those stated by planes, by default those of the site's switches.

    The delay of a cable is proportional to its length; a switch delays the packets that enter it from a link, here as
    if all hit its cache, if it has one. In a direct network it delays those that leave it by a link, and so not those
    whose destination it is.

    Raises
    ------
    InputError
        If a delay exceeds the integer range.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> timing = link_timing(dual_cube(3, (3, 5, 7)))
    >>> timing.rates_gbps, (timing.delay // timing.per_ns).tolist()[:1]  # 90 ns plus 1 m of cable
    ((Fraction(100, 1),), [95])
    """
    units = network.delay_units
    _require_range(units.lookup, units.per_ns)
    default = exact_number("switch.link_gbps", network.site.switch.link_gbps)
    mbps = np.concatenate([links.rates_mbps for links in network.plane_links])
    delay = np.concatenate([_delays(links, units) for links in network.plane_links])
    distinct, rate = np.unique(mbps, return_inverse=True)
    rates = tuple(Fraction(value, 1000) if value else default for value in distinct.tolist())
    return LinkTiming(rate.astype(np.int64), rates, delay, units.per_ns)


def _delays(links: PlaneLinks, units: DelayUnits) -> Ints:
    """Return the delays of a plane's links, each including that of the switch to which it leads."""
    plane, timing, per_ps = links.plane, links.plane.timing, units.per_ns // 1000
    switches = plane.topology.switches
    switch = _stated_or_default(timing.switch_delay_ps, per_ps, np.ones(switches, np.int64), units.hop)
    cables = _stated_or_default(timing.delay_ps, per_ps, plane.cable_mm, units.cable_mm)
    nodes = _stated_or_default(timing.node_delay_ps, per_ps, plane.node_lengths_mm, units.cable_mm)
    # A port without a cable reads the last switch, and `values` leaves it out.
    crossed = switch[:, None] if links.is_direct else switch[plane.topology.peer]
    return links.values(cables + crossed, nodes + switch[plane.node_switch], nodes)


def _stated_or_default(stated_ps: Ints | None, per_ps: int, default: Ints, per_unit: int) -> Ints:
    """Return the stated delays, or else the default ones, in delay units."""
    values, factor = (default, per_unit) if stated_ps is None else (stated_ps, per_ps)
    # In Python's integers, before the product of arrays could overflow.
    _require_range(int(values.max(initial=0)) * factor, 1000 * per_ps)
    return values * factor


def _require_range(delay: int, per_ns: int) -> None:
    if delay >= MAX_DELAY:
        raise InputError(f"network: a delay of {delay} units of 1 / {per_ns} ns; expected fewer than 2^47")
