"""Distances between all nodes of a network."""

from dataclasses import dataclass
from itertools import pairwise, zip_longest

import numpy as np

from isoplane.models import Network

from .. import _native
from .arrays import NetworkArrays, in_threads

SOURCES = 512  # per native call; each has one bit of a cache line


@dataclass(frozen=True)
class Distances:
    """Distribution of node distances over cables, minimised over links and over the planes that carry packets.

    Attributes
    ----------
    pairs
        Number of ordered pairs of nodes at each distance 0, 1, ..., including a node with itself.
    """

    pairs: tuple[int, ...]

    @property
    def total_hops(self) -> int:
        """Σ over ordered pairs of nodes of the hops between their switches."""
        return sum(hops * count for hops, count in enumerate(self.pairs))

    @property
    def diameter(self) -> int:
        """Largest distance between two nodes, in hops."""
        return len(self.pairs) - 1


def all_distances(network: Network, arrays: NetworkArrays | None = None) -> Distances:
    """Return the distances between all nodes, by breadth-first search from 512 groups at once.

    Raises
    ------
    InputError
        If no plane connects a pair of nodes, or the policy is ``adaptive``.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> all_distances(dual_cube(3, (3, 5, 7), nodes_per_switch=1))  # from each of 8 switches six are 1 hop away
    Distances(pairs=(8, 48, 8))
    """
    arrays = arrays or NetworkArrays(network)
    nodes, sources, planes = arrays.groups.senders.astype(np.int64), arrays.sources, arrays.carrying_planes
    pairs_beyond: list[int] = []
    for part in in_threads(
        lambda chunk: _native.pairs_beyond(planes, nodes, sources[chunk].copy()), len(sources), SOURCES, "distances"
    ):
        pairs_beyond = [a + b for a, b in zip_longest(pairs_beyond, part, fillvalue=0)]
    remaining = [network.nodes**2, *(arrays.groups_per_source * pairs for pairs in pairs_beyond), 0]
    return Distances(tuple(a - b for a, b in pairwise(remaining)))
