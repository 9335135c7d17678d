"""Source routes: the ports of all switches on each way of each pair of nodes."""

from collections.abc import Iterator

import numpy as np

from isoplane.models import Network
from isoplane.models.cable_list import interface_ports, node_ports
from isoplane.models.routing.route_steps import route_steps

from ..exporter import Exported, Exporter, Files
from ..number_rows import Ints, number_rows
from ..plane_choice.pair_ways import check_pairs, pair_ways

MAX_NODES = 1024
HEADING = b"source,destination,source_rail,ports\n"


def files(exported: Exported) -> Files:
    """Yield the routes of all planes: a line for each way of each pair of nodes."""
    check_pairs(exported.network, "source_routes", MAX_NODES, ", because there is a line for each pair")
    yield "routes.csv", _chunks(exported.network)


def _chunks(network: Network) -> Iterator[bytes]:
    yield HEADING
    rails, last_ports = interface_ports(network), [node_ports(plane) for plane in network.planes]
    for source, destination, ways in pair_ways(network):
        rail = np.zeros_like(source)
        ports: list[Ints] = []
        for number, plane in enumerate(network.planes):
            here = np.flatnonzero(ways.plane == number)
            first, last = ways.source_link[here], ways.destination_link[here]
            rail[here] = rails[number][first]
            count = np.zeros(len(here), dtype=np.int64)
            targets = plane.routes.targets(plane.node_switch)[last]
            for route, _, port in route_steps(plane.topology, plane.routes, plane.node_switch[first], targets):
                _column(ports, int(count[route[0]]), len(source))[here[route]] = port + 1
                count[route] += 1
            for hops in range(int(count.max(initial=0)) + 1):
                ends = count == hops
                _column(ports, hops, len(source))[here[ends]] = last_ports[number][last[ends]]
        separators = [","] + [" "] * (len(ports) - 1)
        columns = [("", source), (",", destination), (",", rail), *zip(separators, ports, strict=True)]
        yield number_rows(columns)


def _column(columns: list[Ints], index: int, rows: int) -> Ints:
    """Return a column of ports; columns are added up to it, without values."""
    while len(columns) <= index:
        columns.append(np.full(rows, -1, dtype=np.int64))
    return columns[index]


EXPORTER = Exporter("source routes of each pair of nodes", None, files)
