"""The ways of all pairs of nodes, some sources at a time, and lines of integers for each of them."""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.node_classes import node_groups
from isoplane.models.paths.path_shares import PathShares, paths_between
from isoplane.models.policy import with_empty_queues

from .simple_networks import require_ways_of_pairs

PAIRS_AT_ONCE = 1 << 18


def check_pairs(network: Network, format_name: str, max_nodes: int, instead: str) -> None:
    """Raise an `InputError` if a network has too many nodes for a line for each pair, or not all pairs have a way.

    Raises
    ------
    InputError
        If it has more than `max_nodes` nodes, or two nodes have no way.
    """
    if network.nodes > max_nodes:
        raise InputError(f"format={format_name}: {network.nodes} nodes; expected at most {max_nodes}{instead}")
    require_ways_of_pairs(network)


def pair_ways(network: Network) -> Iterator[tuple[PathShares, Ints, tuple[Ints, Ints], tuple[Ints, Ints]]]:
    """Yield the ways of all pairs of different nodes, some sources at a time.

    There is a row for each way of each pair, ascending by source, destination and plane. Under a policy that looks
    at queues, these are the ways with empty ones.

    Yields
    ------
    PathShares
        The ways of representative pairs: nodes with single links to the same switches have the same ways.
    int64[rows]
        The way of each row, as an index into these.
    tuple of int64[rows]
        The nodes: source and destination.
    tuple of int64[rows]
        Their links in the plane.
    """
    starts = np.stack([plane.starts for plane in network.planes])
    sender, of_node, receiver, end_of_node = _groups(network)
    nodes, policy = np.arange(network.nodes), with_empty_queues(network.policy)
    at_once = max(1, PAIRS_AT_ONCE // network.nodes)
    for first in range(0, network.nodes, at_once):
        some = nodes[first : first + at_once]
        used, group = np.unique(of_node[some], return_inverse=True)
        rep_source, rep_destination = sender[used].repeat(len(receiver)), np.tile(receiver, len(used))
        found = paths_between(network, rep_source, rep_destination, policy)
        order = np.argsort(found.pair, kind="stable")
        ways = PathShares(*(getattr(found, name)[order] for name in PathShares.__dataclass_fields__))
        source, destination = some.repeat(network.nodes), np.tile(nodes, len(some))
        elsewhere = source != destination
        pair = (group.ravel()[:, None] * len(receiver) + end_of_node[None]).ravel()[elsewhere]
        source, destination = source[elsewhere], destination[elsewhere]
        count = np.bincount(ways.pair, minlength=len(rep_source))
        begin = np.cumsum(count) - count
        rows = count[pair]
        index = np.arange(rows.sum()) - np.repeat(np.cumsum(rows) - rows - begin[pair], rows)
        source, destination = source.repeat(rows), destination.repeat(rows)
        ranks = (
            ways.source_link - starts[ways.plane, rep_source[ways.pair]],
            ways.destination_link - starts[ways.plane, rep_destination[ways.pair]],
        )
        plane = ways.plane[index]
        links = starts[plane, source] + ranks[0][index], starts[plane, destination] + ranks[1][index]
        yield ways, index, (source, destination), links


def _groups(network: Network) -> tuple[Ints, Ints, Ints, Ints]:
    """Return a node of each group of sources, the group of each node, and the same for destinations.

    If some node has several links in a plane, every node is a separate group: links of equivalent nodes may be in
    different orders.
    """
    if any(np.diff(plane.starts).max() > 1 for plane in network.planes):
        nodes = np.arange(network.nodes)
        return nodes, nodes, nodes, nodes
    groups = node_groups(network)
    return groups.sender, groups.of_node, groups.receiver, groups.end_of_node


def at_links(values: Sequence[Ints], plane: Ints, link: Ints) -> Ints:
    """Return the values at some node links, such as their ports, given those of all node links of each plane."""
    first = np.cumsum([0, *map(len, values)])
    return np.concatenate(values)[first[plane] + link]


def number_rows(columns: Sequence[tuple[str, Ints]]) -> bytes:
    r"""Return one line for each row of some columns of integers, each after its separator.

    Negative numbers stand for no value: neither the number nor its separator is written.

    Parameters
    ----------
    columns
        Separator, a single character or none, and numbers of each column.

    Examples
    --------
    >>> number_rows([("", np.array([7, 12])), (",", np.array([105, 3])), (" ", np.array([-1, 0]))])
    b'7,105\n12,3 0\n'
    """
    rows = len(columns[0][1])
    digits = [len(str(max(0, int(values.max(initial=0))))) for _, values in columns]
    width = sum(digits) + sum(len(separator) for separator, _ in columns) + 1
    text = np.full((width, rows), ord("\n"), dtype=np.uint8)  # by character, then by row: contiguous writes
    kept = np.ones((width, rows), dtype=np.bool_)
    at = 0
    for (separator, values), places in zip(columns, digits, strict=True):
        present = values >= 0
        for character in separator:
            text[at], kept[at] = ord(character), present
            at += 1
        left: NDArray[np.signedinteger] = np.maximum(values, 0).astype(np.int32 if places < 10 else np.int64)
        for place in range(places):
            text[at + places - 1 - place] = ord("0") + left % 10
            kept[at + places - 1 - place] = present & (left > 0) if place else present
            left = left // 10
        at += places
    return text.T[kept.T].tobytes()
