"""Elements of a SimGrid platform: links with latencies and rates, hosts, and zones with their gateways."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import interface_ports, node_ports
from isoplane.models.checks import exact_number
from isoplane.models.device_names import node_name, switch_name
from isoplane.models.mathematics.occurrences import members
from isoplane.models.planes.links import CABLE, PlaneLinks, link_kinds

from .platform_zones import PlatformZones
from .route_lines import CROSSBAR, gateway_name, routes_within


def link_names(network: Network) -> list[str]:
    """Return the names of all links, in the order of `PlaneLinks`: the device that sends, and its port.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> link_names(Network(Torus(shape=(2,), node_cable_m=2.0)))
    ['P0-S0:1', 'P0-S1:1', 'N0:1', 'N1:1', 'P0-S0:2', 'P0-S1:2']
    """
    found: list[str] = []
    for index, (links, rails) in enumerate(zip(network.plane_links, interface_ports(network.cabling), strict=True)):
        plane = links.plane
        switch, port = np.nonzero(plane.topology.peer >= 0)
        found += map(_name, [switch_name(index, each) for each in switch.tolist()], (port + 1).tolist())
        if not links.is_direct:
            ports, switches = node_ports(plane).tolist(), plane.node_switch.tolist()
            found += map(_name, map(node_name, plane.node.tolist()), rails.tolist())
            found += map(_name, [switch_name(index, each) for each in switches], ports)
    return found


def _name(device: str, port: int) -> str:
    return f"{device}:{port}"


def element_lines(zones: PlatformZones, names: list[str], misses: tuple[Ints, int]) -> Iterator[str]:
    """Yield all links, hosts and zones, with the routes within each zone.

    Misses are the share of packets that miss the cache of the port to which each link leads, and its denominator.
    """
    network, elements = zones.network, _link_elements(zones.network, names, misses)
    if zones.is_flat:
        yield from (f"    {line}" for line in elements)
        yield from (f"    {_host(node)}" for node in range(network.nodes))
        return
    yield from _zone_lines(zones, names, elements)
    yield from (f"    {elements[link]}" for link in np.flatnonzero(link_kinds(network.plane_links) == CABLE).tolist())
    if zones.share_switches:
        # FATPIPE: flows do not share the link, so that it never delays any.
        yield f'    <link id="{CROSSBAR}" bandwidth="1000000Gbps" latency="0ns" sharing_policy="FATPIPE"/>'


def _host(node: int) -> str:
    return f'<host id="{node_name(node)}" speed="1Gf"/>'  # a design has no processors


def _zone_lines(zones: PlatformZones, names: list[str], elements: list[str]) -> Iterator[str]:
    """Yield each zone: hosts, the links of nodes, a gateway for each port of a node, and the routes to it and back."""
    rails = [ports.tolist() for ports in interface_ports(zones.network.cabling)]
    planes = list(zip(zones.network.plane_links, rails, strict=True))
    for zone, (nodes, routes) in enumerate(zip(members(zones.zone), routes_within(zones, names), strict=True)):
        ends = [end for links, ports in planes for end in _ends(links, ports, nodes.tolist())]
        yield f'    <zone id="Z{zone}" routing="Full">'
        yield from (f"      {_host(node)}" for node in nodes.tolist())
        yield from (f'      <router id="{gateway_name(zone, rail)}"/>' for rail in sorted({end[1] for end in ends}))
        yield from (f"      {elements[link]}" for end in ends for link in end[2:])
        for node, rail, out, into in ends:
            host, gateway = node_name(node), gateway_name(zone, rail)
            for src, dst, link in ((host, gateway, out), (gateway, host, into)):
                yield f'      <route src="{src}" dst="{dst}" symmetrical="NO"><link_ctn id="{names[link]}"/></route>'
        yield from routes
        yield "    </zone>"


def _ends(links: PlaneLinks, rails: list[int], nodes: list[int]) -> Iterator[tuple[int, int, int, int]]:
    """Yield the node and the port of each node link of some nodes in a plane, and the links out of and into it."""
    starts, count = links.plane.starts, len(links.plane.node_switch)
    into = links.first + links.links - count  # the last of all, after those out of nodes
    for node in nodes:
        for number in range(int(starts[node]), int(starts[node + 1])):
            yield node, rails[number], into - count + number, into + number


def _link_elements(network: Network, names: list[str], misses: tuple[Ints, int]) -> list[str]:
    """Return the elements of all links, with the rate and the latency of each."""
    return [
        f'<link id="{name}" bandwidth="{rate}" latency="{latency}"/>'
        for name, rate, latency in zip(names, _rates(network), _latencies(network, *misses), strict=True)
    ]


def _latencies(network: Network, misses: Ints, parts: int) -> list[str]:
    """Return the delay of each link with the switch that it leads to, or in a direct network that it leaves.

    Misses, in 1 / `parts`, take a look-up in the table more.
    """
    units = network.delay_units
    per_ps, found = units.per_ns // 1000, []
    for links in network.plane_links:
        plane, timing = links.plane, links.plane.timing
        switch = np.full(plane.topology.switches, units.hop)
        if timing.switch_delay_ps is not None:
            switch = timing.switch_delay_ps * per_ps
        cable = plane.cable_mm * units.cable_mm if timing.delay_ps is None else timing.delay_ps * per_ps
        node = plane.node_lengths_mm * units.cable_mm
        if timing.node_delay_ps is not None:
            node = timing.node_delay_ps * per_ps
        # A port without a cable reads the last switch, and `values` leaves it out.
        crossed = switch[:, None] if links.is_direct else switch[plane.topology.peer]
        found.append(links.values(cable + crossed, node + switch[plane.node_switch], node))
    delays = np.concatenate(found)
    if misses.any():
        # Python's integers: common denominators of many ports may exceed 64 bits.
        delays = delays.astype(object) * parts + misses.astype(object) * units.lookup
        return _texts(delays, Fraction(1, units.per_ns * parts), "ns")
    return _texts(delays, Fraction(1, units.per_ns), "ns")


def _rates(network: Network) -> list[str]:
    """Return the rate of each link: that of the plane, or else of the switch model."""
    default = Fraction(exact_number("switch.link_gbps", network.site.switch.link_gbps))
    rates = np.concatenate([links.rates_mbps for links in network.plane_links])
    shown = _texts(rates, Fraction(1, 1000), "Gbps")
    return [f"{float(default)!r}Gbps" if rate == 0 else text for rate, text in zip(rates, shown, strict=True)]


def _texts(values: Ints, unit: Fraction, suffix: str) -> list[str]:
    """Return values times a unit as decimal numbers."""
    unique, index = np.unique(values, return_inverse=True)
    texts = np.array([f"{float(int(value) * unit)!r}{suffix}" for value in unique], dtype=object)
    found: list[str] = texts[index.ravel()].tolist()
    return found
