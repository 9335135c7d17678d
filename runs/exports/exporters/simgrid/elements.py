"""Elements of a SimGrid platform other than links: hosts, and zones with their gateways."""

from collections.abc import Iterator

import numpy as np

from isoplane.models.cabling.cable_list import interface_ports
from isoplane.models.device_names import node_name
from isoplane.models.planes.links import CABLE, PlaneLinks, link_kinds

from .links import link_elements
from .platform_zones import PlatformZones
from .route_lines import CROSSBAR, gateway_name, routes_within


def element_lines(zones: PlatformZones, names: list[str]) -> Iterator[str]:
    """Yield all links, hosts and zones, with the routes within each zone."""
    network, elements = zones.network, link_elements(zones.network, names)
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
    members = np.split(np.argsort(zones.zone, kind="stable"), np.cumsum(np.bincount(zones.zone))[:-1])
    rails = [ports.tolist() for ports in interface_ports(zones.network.cabling)]
    planes = list(zip(zones.network.plane_links, rails, strict=True))
    for zone, (nodes, routes) in enumerate(zip(members, routes_within(zones, names), strict=True)):
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
