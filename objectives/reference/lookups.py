"""Reference power and area of look-ups: the terms of equation (5), switch by switch."""

from fractions import Fraction
from math import floor

from isoplane.models import Network
from isoplane.models.checks import fraction_of


def lookup_integers(network: Network, miss_rate: Fraction) -> dict[str, int]:
    """Return the power of the look-ups of all switches in µW, and the largest area of the caches of a switch in µm².

    Both are rounded to the nearest integer, and left out if the switch model does not state them; the area also without
    caches.

    References
    ----------
    Hirasawa et al. 2020, equation (5).

    Examples
    --------
    >>> from isoplane.models import Site, SwitchModel
    >>> from isoplane.models.families.torus import Torus
    >>> switch = SwitchModel(link_gbps=200, packet_bytes=400, lookup_nj=42, static_mw=36)
    >>> lookup_integers(Network(Torus(shape=(4, 4, 4)), Site(switch=switch)), Fraction(0))  # 64 · (36 mW + 9.1875 W)
    {'lookup_power': 590304000}
    """
    switch, cache, found = network.site.switch, network.site.switch.cache, {}
    energies = [switch.lookup_nj, switch.static_mw] + ([] if cache is None else [cache.lookup_nj, cache.static_mw])
    has_power = None not in energies and switch.packet_bytes > 0
    has_area = cache is not None and cache.area_mm2 is not None
    ports = _ports(network) if has_power or has_area else []  # most networks state neither
    if has_power:
        table_nj, table_mw, cache_nj, cache_mw = map(fraction_of, (*energies, 0, 0)[:4])
        per_packet_nj = table_nj if cache is None else cache_nj + miss_rate * table_nj
        watts = Fraction(0)
        for rates_gbps in ports:
            if rates_gbps:
                packets_per_ns = fraction_of(switch.lookup_load) * sum(rates_gbps) / (8 * switch.packet_bytes)
                watts += packets_per_ns * per_packet_nj + (table_mw + len(rates_gbps) * cache_mw) / 1000
        found["lookup_power"] = floor(watts * 10**6 + Fraction(1, 2))
    if cache is not None and cache.area_mm2 is not None:
        found["cache_area"] = floor(max(map(len, ports)) * fraction_of(cache.area_mm2) * 10**6 + Fraction(1, 2))
    return found


def lookup_metrics(network: Network, miss_rate: Fraction) -> dict[str, float]:
    """Return the same as the metrics of a record, in W and mm²."""
    units = {"lookup_power": "lookup_power_w", "cache_area": "cache_area_mm2"}
    return {units[name]: value / 10**6 for name, value in lookup_integers(network, miss_rate).items()}


def _ports(network: Network) -> list[list[Fraction]]:
    """Return the rates in Gbit/s of the ports in use of each switch of all planes, of cables and of links of nodes."""
    default, found = fraction_of(network.site.switch.link_gbps), []
    for plane in network.planes:
        timing = plane.timing
        rates: list[list[Fraction]] = [[] for _ in range(plane.topology.switches)]
        for switch, peers in enumerate(plane.topology.peer.tolist()):
            for port, peer in enumerate(peers):
                if peer >= 0:
                    stated = timing.rate_mbps
                    rates[switch].append(default if stated is None else Fraction(int(stated[switch, port]), 1000))
        for link, switch in enumerate(plane.node_switch.tolist()):
            stated = timing.node_rate_mbps
            rates[switch].append(default if stated is None else Fraction(int(stated[link]), 1000))
        found += rates
    return found
