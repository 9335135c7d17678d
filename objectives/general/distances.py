"""Distances between all nodes of a network."""

from collections.abc import Sequence
from itertools import pairwise, zip_longest

import numpy as np

from isoplane.models import Network

from .. import _native
from .arrays import NetworkArrays, in_threads

SOURCES = 512  # per native call; each has one bit of a cache line


def pairs_at_distances(network: Network, arrays: NetworkArrays | None = None) -> tuple[int, ...]:
    """Return the number of ordered pairs of nodes at each distance 0, 1, ..., including a node with itself.

    Distances are over cables, the least over links and over the planes that carry packets. They are found by
    breadth-first search from 512 groups of nodes at once.

    Raises
    ------
    InputError
        If no plane connects a pair of nodes, or the policy is ``adaptive``.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> pairs_at_distances(dual_cube(3, (3, 5, 7), nodes_per_switch=1))  # from each of 8 switches six are 1 hop away
    (8, 48, 8)
    """
    arrays = arrays or NetworkArrays(network)
    nodes, sources, planes = arrays.groups.senders.astype(np.int64), arrays.sources, arrays.carrying_planes
    pairs_beyond: list[int] = []
    for part in in_threads(
        lambda chunk: _native.pairs_beyond(planes, nodes, sources[chunk].copy(), far=0),
        len(sources), SOURCES, "distances",
    ):  # fmt: skip
        pairs_beyond = [a + b for a, b in zip_longest(pairs_beyond, part, fillvalue=0)]
    remaining = [network.nodes**2, *(arrays.groups_per_source * pairs for pairs in pairs_beyond), 0]
    return tuple(a - b for a, b in pairwise(remaining))


def sum_of_hops(pairs: Sequence[int]) -> int:
    """Return the sum of the distances of all pairs, given the number of pairs at each."""
    return sum(hops * count for hops, count in enumerate(pairs))
