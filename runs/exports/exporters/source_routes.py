"""Source routes: the ports of all switches on each way of each pair of nodes."""

from collections.abc import Iterator, Sequence

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.cabling.cable_list import node_ports
from isoplane.models.paths.path_shares import PathShares
from isoplane.models.planes.route_steps import route_steps

from ..exporter import PACKETS, Exported, Exporter, Files
from ..pair_ways import at_links, check_pairs, number_rows, pair_ways

MAX_NODES = 1024
HEADING = b"source,destination,source_rail,ports\n"


def files(exported: Exported) -> Files:
    """Yield the routes of all planes: a line for each way of each pair of nodes."""
    check_pairs(exported.network, "source_routes", MAX_NODES, ", because there is a line for each pair")
    yield "routes.csv", _chunks(exported.wired, exported.rails)


def _chunks(network: Network, rails: Sequence[Ints]) -> Iterator[bytes]:
    yield HEADING
    last_ports = [node_ports(plane) for plane in network.planes]
    for ways, index, (source, destination), (first, last) in pair_ways(network):
        between, count = _ports_between(network, ways)
        ports, plane = between[:, index], ways.plane[index]
        ports[count[index], np.arange(len(index))] = at_links(last_ports, plane, last)
        separators = [","] + [" "] * (len(ports) - 1)
        rail = at_links(rails, plane, first)
        columns = [("", source), (",", destination), (",", rail), *zip(separators, ports, strict=True)]
        yield number_rows(columns)


def _ports_between(network: Network, ways: PathShares) -> tuple[Ints, Ints]:
    """Return the ports to other switches on each way, as int64[hops + 1, ways], -1 after them; their counts."""
    count, ports = np.zeros_like(ways.pair), [np.full_like(ways.pair, -1)]
    for number, plane in enumerate(network.planes):
        here = np.flatnonzero(ways.plane == number)
        target = plane.routes.targets(plane.node_switch)[ways.destination_link[here]]
        start = plane.node_switch[ways.source_link[here]]
        for hop, (route, _, port) in enumerate(route_steps(plane.topology, plane.routes, start, target)):
            if hop + 1 == len(ports):
                ports.append(np.full_like(ways.pair, -1))
            ports[hop][here[route]] = port + 1
            count[here[route]] += 1
    return np.stack(ports), count


EXPORTER = Exporter("source routes of each pair of nodes", None, files, kinds=PACKETS)
