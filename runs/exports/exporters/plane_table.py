"""The plane choice as a table, for libraries with several rails: the ways of each pair of nodes and their shares."""

from collections.abc import Iterator, Sequence

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints

from ..exporter import PACKETS, Exported, Exporter, Files
from ..number_rows import number_rows
from ..plane_choice.pair_ways import check_pairs, pair_ways

MAX_NODES = 2048
HEADING = b"source,destination,plane,source_rail,destination_rail,weight,denominator\n"


def files(exported: Exported) -> Files:
    """Yield the table: a line for each way of each pair of nodes."""
    check_pairs(exported.network, "plane_table", MAX_NODES, ", or format=plane_rule for planes of cubes")
    yield "planes.csv", _chunks(exported.network, exported.rails)


def _chunks(network: Network, rails: Sequence[Ints]) -> Iterator[bytes]:
    yield HEADING
    for rows in pair_ways(network):
        plane, ways = rows.plane, rows.ways
        source_rail, destination_rail = np.zeros_like(plane), np.zeros_like(plane)
        for number, ports in enumerate(rails):
            here = plane == number
            source_rail[here] = ports[rows.source_link[here]]
            destination_rail[here] = ports[rows.destination_link[here]]
        shares = ways.weight[rows.index], ways.denominator[rows.index]
        columns = (rows.destination, plane, source_rail, destination_rail, *shares)
        yield number_rows([("", rows.source), *((",", column) for column in columns)])


EXPORTER = Exporter("plane and rails of each pair of nodes", None, files, kinds=PACKETS)
