"""Zero-load latency of packets, also where switches look up their routes in a cache at each input port."""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from isoplane.models import DelayUnits, Network, Plane
from isoplane.models.arrays import Ints
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.planes.route_steps import route_steps

from .arrays import NetworkArrays
from .link_loads import LinkLoads, all_to_all_loads, node_link_loads
from .port_destinations import port_destinations, split_over_planes

PAIRS = 1 << 16  # whose routes are walked at a time
LARGEST = 1 << 62


class Misses(NamedTuple):
    """Misses of each input port in 1 / `parts` of the packets, and the packets out of each node link (`LinkLoads`)."""

    links: tuple[Ints, ...]
    node_links: tuple[Ints, ...]
    sent: tuple[Ints, ...]
    parts: int = 1


def misses_of(network: Network) -> Misses:
    """Return the share of packets that miss the cache of each input port, if all destinations are as likely.

    A port that t destinations can pass misses 1 - min(1, M / t) of its packets with a cache of M entries: those whose
    destination is not in it, whatever it replaces. Conflicts in a set and first references do not count.

    The values of a link between switches, indexed by the switch and port that it leaves, are those of the input port at
    its other end. Parts are the least common multiple of the numbers of destinations that exceed M. Without caches, all
    values are 0.

    References
    ----------
    Hirasawa et al. 2020, equation (1).

    Examples
    --------
    >>> from isoplane.models import RoutingCache, Site, SwitchModel
    >>> from isoplane.models.families.torus import Torus
    >>> switch = SwitchModel(delay_ns=100, endpoint_delay_ns=None, routing_ns=25, cache=RoutingCache(entries=8))
    >>> misses = misses_of(Network(Torus(shape=(5, 5)), Site(switch=switch)))
    >>> misses.links[0][0].tolist(), int(misses.node_links[0][0]), misses.parts  # 10, 10, 2, 2 and 24 destinations
    ([24, 24, 0, 0], 80, 120)
    """
    cache, planes = network.site.switch.cache, network.planes
    if cache is None:
        no_links, no_ends = (
            tuple(np.zeros(values.shape, dtype=np.int64) for values in of_planes)
            for of_planes in ([plane.cable_mm for plane in planes], [plane.node_switch for plane in planes])
        )
        return Misses(no_links, no_ends, no_ends)
    links, node_links, sent = port_destinations(network)
    counts = {count for values in (*links, *node_links) for count in np.unique(values).tolist()}
    parts = lcm(*(count for count in counts if count > cache.entries))
    missing = {count: max(0, count - cache.entries) * parts // max(count, 1) for count in counts}

    def rates(of_planes: tuple[Ints, ...]) -> tuple[Ints, ...]:
        return tuple(_mapped(values, missing) for values in of_planes)

    return Misses(rates(links), rates(node_links), sent, parts)


def _mapped(values: Ints, table: dict[int, int]) -> Ints:
    """Map each value; numbers beyond 64 bits become Python's integers."""
    unique, index = np.unique(values, return_inverse=True)
    return np.array([table[value] for value in unique.tolist()])[index].reshape(values.shape)


def _look_ups(loads: LinkLoads, misses: Misses) -> Fraction:
    """Return the misses of all packets if every node sends one to every node, itself included, in 1 / `loads.parts`."""
    of_links = [load[label] for load, label in zip(loads.load, loads.label, strict=True)]
    rates = zip((*of_links, *misses.sent), (*misses.links, *misses.node_links), strict=True)
    return Fraction(sum(_dot_product(load, missing) for load, missing in rates), misses.parts)


def mean_misses(network: Network) -> tuple[Fraction, Fraction]:
    """Return how many look-ups of a packet miss a cache on its way, in the mean, and the share of all that miss.

    Every node sends a packet to every node, itself included. Packets look up their route in every switch that they
    pass, and miss as in `misses_of`; both are 0 without caches, and where each holds all nodes but one. Under a policy
    that depends on queues, packets are spread over all planes.

    Examples
    --------
    >>> from isoplane.models import RoutingCache, Site, SwitchModel
    >>> from isoplane.models.families.torus import Torus
    >>> switch = SwitchModel(endpoint_delay_ns=None, routing_ns=25, cache=RoutingCache(entries=8))
    >>> mean_misses(Network(Torus(shape=(5, 5)), Site(switch=switch)))  # 1 · 2/3 + 6/5 · 1/5 of 1 + 6/5 + 6/5
    (Fraction(68, 75), Fraction(4, 15))
    """
    if network.site.switch.misses_none_of(network.nodes - 1):
        return Fraction(0), Fraction(0)
    network = split_over_planes(network)
    return means_of(all_to_all_loads(network), misses_of(network), network.nodes)


def means_of(loads: LinkLoads, misses: Misses, nodes: int) -> tuple[Fraction, Fraction]:
    """Return `mean_misses` from the loads of links and the misses of input ports."""
    of_links = sum(int(load[label].sum()) for load, label in zip(loads.load, loads.label, strict=True))
    missed = _look_ups(loads, misses)
    return missed / (loads.parts * nodes**2), missed / (of_links + sum(int(s.sum()) for s in misses.sent))


def _dot_product(a: Ints, b: Ints) -> int:
    # Python's integers: loads times delays over all links may exceed 64 bits.
    used = np.flatnonzero(b)
    return sum(int(x) * int(y) for x, y in zip(a.ravel()[used].tolist(), b.ravel()[used].tolist(), strict=True))


def hop_delays(plane: Plane, units: DelayUnits) -> Ints:
    """Return the delay of the link at each port and of the switch that it leads to, as int64[switches, ports]."""
    timing, per_ps = plane.timing, units.per_ns // 1000
    links = plane.cable_mm * units.cable_mm if timing.delay_ps is None else timing.delay_ps * per_ps
    if timing.switch_delay_ps is None:
        return links + units.hop
    delays: Ints = links + timing.switch_delay_ps[plane.topology.peer] * per_ps
    return delays


def differs_at_ends(plane: Plane) -> bool:
    """Whether delays at the ends of packets may differ from the endpoint delay."""
    timing = plane.timing
    stated = (timing.switch_delay_ps, timing.node_delay_ps, plane.node_cables_mm)
    return any(each is not None for each in stated)


def extra_node_delays(plane: Plane, units: DelayUnits) -> tuple[Ints, Ints]:
    """Return by how much the delays of sending and receiving over each node link differ from the endpoint delay."""
    timing, per_ps = plane.timing, units.per_ns // 1000
    link = switch = np.zeros(len(plane.node_switch), dtype=np.int64)
    if plane.node_cable_mm is not None:
        stated = timing.node_delay_ps
        link = plane.node_lengths_mm * units.cable_mm if stated is None else stated * per_ps
        link = link - plane.node_cable_mm * units.cable_mm
    if timing.switch_delay_ps is not None:
        switch = timing.switch_delay_ps[plane.node_switch] * per_ps - units.hop
    return link + switch, link


def total_delay(network: Network, loads: LinkLoads, misses: Misses) -> Fraction:
    """Return the delays of all packets if every node sends one to every node, in delay units / `loads.parts`.

    The endpoint delay includes one switch and two node links; delays that a plane states replace them. A miss in a
    cache adds the look-up in the table.
    """
    units = network.delay_units
    total = loads.weighted_sum(tuple(hop_delays(plane, units) for plane in network.planes))
    total += units.endpoint * loads.parts * network.nodes**2
    if any(differs_at_ends(plane) for plane in network.planes):
        for plane, sent, received in zip(network.planes, *node_link_loads(network, loads.parts), strict=True):
            send_delays, receive_delays = extra_node_delays(plane, units)
            total += _dot_product(sent, send_delays) + _dot_product(received, receive_delays)
    return total + units.lookup * _look_ups(loads, misses)


def _is_alike(values: Ints, label: Ints) -> bool:
    """Whether switches with the same label have the same values at their ports."""
    _, first, index = np.unique(label, return_index=True, return_inverse=True)
    return bool((values == values[first[index]]).all())


def largest_delay(network: Network, arrays: NetworkArrays, misses: Misses) -> Fraction:
    """Return the largest mean delay of a path that packets take, also from a node to itself, in delay units.

    It is the endpoint delay, and for each link between switches on the path the delay of its cable and of the switch
    that it leads to, where the look-up in the table counts by the share of packets that miss (`misses_of`).

    References
    ----------
    Hirasawa et al. 2020, equations (3) and (4).
    """
    network, units = split_over_planes(network), network.delay_units
    parts = misses.parts
    hops = [hop_delays(plane, units) for plane in network.planes]
    # Python's integers where sums over a route of as many hops as switches may exceed 64 bits.
    longest = max(int(values.max(initial=0)) + units.lookup for values in hops) * max(network.plane_switches)
    kind = np.dtype(np.int64 if longest * parts < LARGEST else object)
    ends = [extra_node_delays(plane, units) for plane in network.planes]

    def delays(fixed: Sequence[Ints], rates: Sequence[Ints]) -> list[Ints]:
        return [a.astype(kind) * parts + b.astype(kind) * units.lookup for a, b in zip(fixed, rates, strict=True)]

    by_port, sending = delays(hops, misses.links), delays([send for send, _ in ends], misses.node_links)
    receiving = [receive.astype(kind) * parts for _, receive in ends]
    sources, receivers = arrays.groups.sender, arrays.groups.receiver
    # Equivalent switches have equal routes, but the lengths of their cables may depend on their racks.
    if all(_is_alike(values, label) for values, label in zip(by_port, arrays.labels, strict=True)):
        sources = sources[arrays.sources]
    if any(differs_at_ends(plane) for plane in network.planes):
        sources = receivers = np.arange(network.nodes)
    largest, step = list[int](), max(1, PAIRS // len(receivers))
    for first in range(0, len(sources), step):
        some = sources[first : first + step]
        paths = paths_between(network, np.repeat(some, len(receivers)), np.tile(receivers, len(some)), network.policy)
        for number, plane in enumerate(network.planes):
            taken = paths.plane == number
            begin, end = paths.source_link[taken], paths.destination_link[taken]
            delay = sending[number][begin] + receiving[number][end]
            target = plane.routes.targets(plane.node_switch)[end]
            for route, switch, port in route_steps(plane.topology, plane.routes, plane.node_switch[begin], target):
                delay[route] += by_port[number][switch, port]
            largest += [int(delay.max())] if len(delay) else []
    return units.endpoint + Fraction(max(largest), parts)
