"""Look-ups of routes in switches with and without caches: their power, their area on the chip, and their throughput."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import NamedTuple

import numpy as np

from isoplane.models import Network, SwitchModel
from isoplane.models.arrays import rows_of
from isoplane.models.checks import check_int, exact_number, fraction_of
from isoplane.models.planes.plane import Cabling
from isoplane.models.site.switch_model import Time


class _LookupPower(NamedTuple):
    """Power of the look-ups of a switch in W: per look-up and static, of its routing table and of its caches."""

    table_dynamic_w: Fraction
    table_static_w: Fraction
    cache_dynamic_w: Fraction
    cache_static_w: Fraction

    @property
    def total_w(self) -> Fraction:
        """The sum."""
        return sum(self, Fraction(0))


def lookup_power(
    switch: SwitchModel,
    ports: int,
    load: Time | None = None,
    miss_rate: Time = 0,
    capacity_gbps: Fraction | None = None,
) -> _LookupPower | None:
    """Return the power of the look-ups of a switch, S = n (E_cache + r E_table) + d P_cache + P_table.

    n = load · capacity / (8 · `packet_bytes`) packets arrive per second, of which the share r misses the cache; a
    look-up takes the energies E, and each of the d caches and the table has a static power P. Without caches, E_cache
    and P_cache are 0 and r is 1.

    Parameters
    ----------
    switch
        The switch model.
    ports
        Number d of ports, each with a cache.
    load
        Share of the capacity in use; `lookup_load` by default.
    miss_rate
        Share r of the packets that miss the cache of their port; without effect if there is none.
    capacity_gbps
        Rates of all ports in Gbit/s; `ports` · `link_gbps` by default.

    Returns
    -------
    _LookupPower
        The four terms in W, and their sum; None if the switch model does not state all energies and powers, or the
        length of packets.

    References
    ----------
    Hirasawa et al. 2020, equation (5).

    Examples
    --------
    >>> power = lookup_power(SwitchModel(link_gbps=200, packet_bytes=400, lookup_nj=42, static_mw=36), 7)
    >>> float(power.table_dynamic_w), float(power.total_w)  # 218.75 million packets per second
    (9.1875, 9.2235)
    """
    check_int("ports", ports, 0)
    used = exact_number("load", switch.lookup_load if load is None else load, high=1)
    misses = exact_number("miss_rate", miss_rate, high=1)
    cache, table = switch.cache, (switch.lookup_nj, switch.static_mw)
    of_cache = (0, 0) if cache is None else (cache.lookup_nj, cache.static_mw)
    if None in table or None in of_cache or not switch.packet_bytes:
        return None
    capacity = ports * fraction_of(switch.link_gbps) if capacity_gbps is None else capacity_gbps
    per_ns = used * capacity / (8 * switch.packet_bytes)  # nJ · 1/ns = W
    table_nj, table_mw, cache_nj, cache_mw = map(fraction_of, (*table, *of_cache))
    per_table = per_ns if cache is None else per_ns * misses
    return _LookupPower(per_table * table_nj, table_mw / 1000, per_ns * cache_nj, ports * cache_mw / 1000)


def lookup_powers(network: Network, miss_rate: Fraction) -> Iterator[tuple[int, Fraction, int, _LookupPower]]:
    """Yield ports in use, the sum of their rates in Gbit/s, number and power of the switches that are alike.

    Every port in use takes up `SwitchModel.lookup_load` of its rate; `miss_rate` is the share of packets that miss.
    Nothing if the switch model does not state the power of look-ups.
    """
    switch = network.site.switch
    alike: Counter[tuple[int, Fraction]] = Counter()
    for plane in network.cabling if lookup_power(switch, 1) is not None else ():
        alike.update(_ports_and_rates(plane, fraction_of(switch.link_gbps)))
    for (ports, gbps), count in sorted(alike.items()):
        power = lookup_power(switch, ports, None, miss_rate, gbps)
        if power is not None and ports:  # it is stated; switches without ports are not bought
            yield ports, gbps, count, power


def most_ports(network: Network) -> int:
    """Return the ports in use of the switch that has the most, for cables and for nodes."""
    return max(used for plane in network.cabling for used, _ in _ports_and_rates(plane, Fraction(1)))


def _ports_and_rates(plane: Cabling, link_gbps: Fraction) -> Iterator[tuple[int, Fraction]]:
    """Yield for each switch the ports in use and the sum of their rates in Gbit/s, `link_gbps` where none is stated.

    Nodes have a port also in a direct network, where it has no cable: their packets look up their route, too.
    """
    timing, cabled = plane.timing, (plane.topology.peer >= 0).sum(axis=1)
    nodes = np.bincount(plane.node_switch, minlength=len(cabled))
    stated_mbps, unstated = np.zeros_like(cabled), np.zeros_like(cabled)
    if timing.rate_mbps is None:
        unstated += cabled
    else:
        stated_mbps += timing.rate_mbps.sum(axis=1)
    if timing.node_rate_mbps is None:
        unstated += nodes
    else:
        np.add.at(stated_mbps, plane.node_switch, timing.node_rate_mbps)
    for used, mbps, links in rows_of(cabled + nodes, stated_mbps, unstated):
        yield used, Fraction(mbps, 1000) + links * link_gbps


def cache_area_mm2(switch: SwitchModel, ports: int) -> Fraction | None:
    """Return the area of the caches of all ports of a switch in mm²: 0 without caches, None if it is unknown.

    References
    ----------
    Hirasawa et al. 2020, section 4.1.
    """
    if switch.cache is None:
        return Fraction(0)
    area = switch.cache.area_mm2
    return None if area is None else check_int("ports", ports, 0) * fraction_of(area)


def in_millionths(value: Fraction | int | None) -> int | None:
    """Return a value in 10^-6 as an integer, to the nearest, so that values of all caches compare; None if unknown.

    Examples
    --------
    >>> in_millionths(Fraction(2, 3)), in_millionths(None)
    (666667, None)
    """
    return None if value is None else floor(10**6 * value + Fraction(1, 2))


def cache_share_of_chip(switch: SwitchModel, ports: int) -> Fraction | None:
    """Return the area of the caches of all ports in areas of the chip `chip_mm2`; None if either is unknown.

    Examples
    --------
    >>> from isoplane.models import RoutingCache
    >>> cache = RoutingCache(area_mm2=0.73)
    >>> switch = SwitchModel(endpoint_delay_ns=None, routing_ns=25, cache=cache, chip_mm2=329)
    >>> float(cache_area_mm2(switch, 10)), round(float(cache_share_of_chip(switch, 10)), 4)
    (7.3, 0.0222)
    """
    area = cache_area_mm2(switch, ports)
    return None if area is None or not switch.chip_mm2 else area / fraction_of(switch.chip_mm2)


def lookup_mpps(switch: SwitchModel, miss_rate: Time = 0, ports: int = 1) -> Fraction | None:
    """Return how many million packets per second can be looked up: min(d / L_cache, 1 / (r L_table)).

    L_cache and L_table are the least times between two look-ups, `interval_ns` of the cache and `table_interval_ns`;
    without caches it is 1 / L_table. The paper has one port and one table (d = 1); in a switch, d ports with a cache
    each share one table.

    Parameters
    ----------
    switch
        The switch model.
    miss_rate
        Share r of the packets that miss the cache of their port; without effect if there is none.
    ports
        Number d of ports that share the table.

    Returns
    -------
    Fraction
        Million packets per second; None if nothing that is known limits them.

    References
    ----------
    Hirasawa et al. 2020, equations (6) and (7).

    Examples
    --------
    >>> from isoplane.models import RoutingCache
    >>> switch = SwitchModel(endpoint_delay_ns=None, routing_ns=25, table_interval_ns=25)
    >>> lookup_mpps(switch)
    Fraction(40, 1)
    """
    check_int("ports", ports, 1)
    misses, cache = exact_number("miss_rate", miss_rate, high=1), switch.cache
    table_ns = fraction_of(switch.table_interval_ns) * (1 if cache is None else misses)
    limits_mpps = [1000 / table_ns] if table_ns else []
    if cache is not None:
        if cache.interval_ns is None:
            return None  # the caches may limit more than the table
        if cache.interval_ns:
            limits_mpps.append(1000 * ports / fraction_of(cache.interval_ns))
    return min(limits_mpps, default=None)


def limiting_miss_rate(switch: SwitchModel, ports: int = 1) -> Fraction | None:
    """Return the share of misses from which the table, which all ports share, limits look-ups: L_cache / (d L_table).

    Returns
    -------
    Fraction
        The share, 1 if the table never limits; None without a cache or if its interval is unknown.

    Examples
    --------
    >>> from isoplane.models import RoutingCache
    >>> cache = RoutingCache(interval_ns=1)
    >>> switch = SwitchModel(endpoint_delay_ns=None, routing_ns=25, table_interval_ns=25, cache=cache)
    >>> float(limiting_miss_rate(switch)), limiting_miss_rate(switch, 7)
    (0.04, Fraction(1, 175))
    """
    check_int("ports", ports, 1)
    if switch.cache is None or switch.cache.interval_ns is None:
        return None
    table_ns = ports * fraction_of(switch.table_interval_ns)
    return min(Fraction(1), fraction_of(switch.cache.interval_ns) / table_ns) if table_ns else Fraction(1)
