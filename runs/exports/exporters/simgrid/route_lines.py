"""Routes of a SimGrid platform, as the links of each."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints, rows_of
from isoplane.models.cabling.cable_list import interface_ports
from isoplane.models.device_names import node_name
from isoplane.models.mathematics.occurrences import occurrences
from isoplane.models.paths.path_shares import paths_between
from isoplane.models.policy import with_empty_queues
from isoplane.runs.exports.pair_ways import at_links

from .platform_zones import PlatformZones

Ways = tuple[Ints, Ints, Ints]  # plane, source link and destination link of each pair
PAIRS_AT_ONCE = 1 << 16
CROSSBAR = "crossbar"  # between two nodes of a switch in different zones: SimGrid allows no route without a link


def gateway_name(zone: int, rail: int) -> str:
    """Return the name of the gateway of a zone for one of the ports of its nodes."""
    return f"Z{zone}:{rail}"


def routes_between(zones: PlatformZones, names: list[str]) -> Iterator[str]:
    """Yield the routes between all zones, or between all nodes if each is a separate zone."""
    count, rows = len(zones), max(1, PAIRS_AT_ONCE // len(zones))
    pieces = _pieces(names)
    for begin in range(0, count, rows):
        source = np.repeat(np.arange(begin, min(begin + rows, count)), count)
        destination = np.arange(len(source)) % count
        source, destination = source[source != destination], destination[source != destination]
        if not len(source):  # a single zone
            return
        first, last = zones.first[source], zones.first[destination]
        ways = single_ways(zones.network, first, last, source)
        start, link = _links(zones.network, ways)
        if zones.is_flat:
            yield from _routes(_heads("    ", first, last), pieces, start, link, "</route>")
        else:
            heads = _zone_heads(zones, source, destination, ways)
            yield from _routes(heads, pieces, *_without_ends(start, link, len(names)), "</zoneRoute>")


def routes_within(zones: PlatformZones, names: list[str]) -> Iterator[list[str]]:
    """Yield the routes between the nodes of each zone, in the order of zones."""
    pieces, members = _pieces(names), np.argsort(zones.zone, kind="stable")
    sizes = np.bincount(zones.zone)
    for begin, end in _batches((sizes**2).tolist()):
        size = sizes[begin:end]
        nodes = members[sizes[:begin].sum() : sizes[:end].sum()]
        source = np.repeat(nodes, np.repeat(size, size))
        offset = np.repeat(np.cumsum(size) - size, size**2)
        within = np.arange(len(source)) - np.repeat(np.cumsum(size**2) - size**2, size**2)
        destination = nodes[offset + within % np.repeat(size, size**2)]
        source, destination = source[source != destination], destination[source != destination]
        lines: list[str] = []
        if len(source):
            start, link = _links(zones.network, single_ways(zones.network, source, destination, source))
            lines = _routes(_heads("      ", source, destination), pieces, start, link, "</route>")
        for first, last in pairwise([0, *np.cumsum(size * (size - 1)).tolist()]):
            yield lines[first:last]


def _batches(pairs: list[int]) -> Iterator[tuple[int, int]]:
    """Yield slices of numbers whose sum is at most `PAIRS_AT_ONCE`, or that have one number."""
    begin, total = 0, 0
    for index, count in enumerate(pairs):
        if index > begin and total + count > PAIRS_AT_ONCE:
            yield begin, index
            begin, total = index, 0
        total += count
    yield begin, len(pairs)


def single_ways(network: Network, source: Ints, destination: Ints, turn: Ints) -> Ways:
    """Return one way for each pair of nodes, as plane, source link and destination link.

    Where the plane policy has several ways, the destinations of a source take them in turn, in proportion to their
    shares: destination k of those that have a choice, from 0, takes the way in whose shares number ``turn + k`` falls,
    modulo the sum of shares in lowest terms. Ways are in the order of plane, source link and destination link.
    ``adaptive`` is like ``spray``, and ``spill`` like ``nearest``, to which they come down with empty queues.

    Parameters
    ----------
    network
        The network.
    source, destination : int64[pairs]
        The nodes of each pair; all pairs of a source follow one another.
    turn : int64[pairs]
        The turn with which the source of each pair begins.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> source, turn = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    >>> network = dual_cube(2, (1, 3), nodes_per_switch=1)  # cables to 1 and 2 in plane 0, to 1 and 3 in plane 1
    >>> single_ways(network, source, np.array([1, 2, 3]), turn)[0].tolist()
    [0, 0, 1]
    >>> single_ways(network, source, np.array([1, 2, 3]), turn + 1)[0].tolist()
    [1, 0, 1]
    """
    ways = paths_between(network, source, destination, with_empty_queues(network.policy))
    order = np.argsort(ways.pair, kind="stable")
    pair, counts = ways.pair[order], np.bincount(ways.pair, minlength=len(source))
    starts = np.cumsum(counts) - counts
    shares = np.lcm.reduceat(ways.denominator[order], starts)  # the sum of the shares of each pair
    upto = np.cumsum(ways.weight[order] * (shares[pair] // ways.denominator[order]))
    upto -= (np.cumsum(shares) - shares)[pair]
    choice, several = np.zeros_like(source), counts > 1
    choice[several] = occurrences(source[several])
    number = (turn + choice) % shares
    # As many ways end at or below the number as precede the one in whose share it falls.
    chosen = order[starts + np.add.reduceat((upto <= number[pair]).astype(np.int64), starts)]
    return ways.plane[chosen], ways.source_link[chosen], ways.destination_link[chosen]


def _links(network: Network, ways: Ways) -> tuple[Ints, Ints]:
    """Return the links of the routes of pairs of nodes, in the order of pairs; see `Network.route_links`."""
    plane, source_link, destination_link = ways
    of_planes = []
    lengths = np.zeros(len(plane), dtype=np.int64)
    for number in range(len(network.planes)):
        (chosen,) = np.nonzero(plane == number)
        start, link = network.route_links(source_link[chosen], destination_link[chosen], number)
        lengths[chosen] = np.diff(start)
        of_planes.append((chosen, start, link))
    starts = np.concatenate([[0], np.cumsum(lengths)])
    links = np.empty(starts[-1], dtype=np.int64)
    for chosen, start, link in of_planes:
        links[np.arange(len(link)) + np.repeat(starts[chosen] - start[:-1], np.diff(start))] = link
    return starts, links


def _without_ends(start: Ints, link: Ints, crossbar: int) -> tuple[Ints, Ints]:
    """Replace the first and last links of each route, of which there are always two, by none, or by the crossbar."""
    inner = np.ones(len(link), dtype=np.bool_)
    inner[start[:-1]] = inner[start[1:] - 1] = False
    (empty,) = np.nonzero(np.diff(start) == 2)
    link = link.copy()
    link[start[empty]], inner[start[empty]] = crossbar, True
    lengths = np.add.reduceat(inner.astype(np.int64), start[:-1])
    return np.concatenate([[0], np.cumsum(lengths)]), link[inner]


def _pieces(names: list[str]) -> list[str]:
    """Return the elements of links, of which the last is the crossbar."""
    return [f'<link_ctn id="{name}"/>' for name in (*names, CROSSBAR)]


def _routes(heads: Iterator[str], pieces: list[str], start: Ints, link: Ints, tail: str) -> list[str]:
    """Return routes as elements, with their links."""
    parts = [pieces[each] for each in link.tolist()]
    ends = pairwise(start.tolist())
    return [f"{head}{''.join(parts[first:last])}{tail}" for head, (first, last) in zip(heads, ends, strict=True)]


def _heads(indent: str, source: Ints, destination: Ints) -> Iterator[str]:
    for a, b in rows_of(source, destination):
        yield f'{indent}<route src="{node_name(a)}" dst="{node_name(b)}" symmetrical="NO">'


def _zone_heads(zones: PlatformZones, source: Ints, destination: Ints, ways: Ways) -> Iterator[str]:
    """Yield the first tags of routes between zones, with the gateways of the ports that nodes use."""
    ports = interface_ports(zones.network.cabling)
    plane, *links = ways
    columns = source, destination, *(at_links(ports, plane, link) for link in links)
    for a, b, out, into in rows_of(*columns):
        yield (
            f'    <zoneRoute src="Z{a}" dst="Z{b}" gw_src="{gateway_name(a, out)}" gw_dst="{gateway_name(b, into)}" '
            'symmetrical="NO">'
        )
