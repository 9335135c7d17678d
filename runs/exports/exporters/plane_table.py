"""The plane choice as a table, for libraries with several rails: the ways of each pair of nodes and their shares."""

from collections.abc import Iterator, Sequence

from isoplane.models import Network
from isoplane.models.arrays import Ints

from ..exporter import PACKETS, Exported, Exporter, Files
from ..pair_ways import at_links, check_pairs, number_rows, pair_ways

MAX_NODES = 2048
HEADING = b"source,destination,plane,source_rail,destination_rail,weight,denominator\n"


def files(exported: Exported) -> Files:
    """Yield the table: a line for each way of each pair of nodes."""
    check_pairs(exported.network, "plane_table", MAX_NODES, ", or format=plane_rule for planes of cubes")
    yield "planes.csv", _chunks(exported.network, exported.rails)


def _chunks(network: Network, rails: Sequence[Ints]) -> Iterator[bytes]:
    yield HEADING
    for ways, index, (source, destination), links in pair_ways(network):
        plane = ways.plane[index]
        ports = (at_links(rails, plane, link) for link in links)
        columns = (destination, plane, *ports, ways.weight[index], ways.denominator[index])
        yield number_rows([("", source), *((",", column) for column in columns)])


EXPORTER = Exporter("plane and rails of each pair of nodes", None, files, kinds=PACKETS)
