"""Distances between all nodes of a network."""

from dataclasses import dataclass

import numpy as np

from isoplane.models import Network

from .. import _native
from .arrays import NetworkArrays, in_threads

SOURCES = 512  # of a native call: a bit of a cache line each


@dataclass(frozen=True)
class Distances:
    """Distances by cables, in the nearest plane.

    Attributes
    ----------
    total_hops
        Σ over ordered pairs of nodes, a node with itself included, of the hops between their switches.
    diameter
        The largest distance of two nodes, in hops.
    """

    total_hops: int
    diameter: int


def all_distances(network: Network, arrays: NetworkArrays | None = None) -> Distances:
    """Return the distances between all nodes, by breadth-first search from 512 groups of them at once.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> all_distances(dual_cube(3, (3, 5, 7), nodes_per_switch=1))  # 8 switches, each with a sum of 8
    Distances(total_hops=64, diameter=2)
    """
    arrays = arrays or NetworkArrays(network)
    nodes, sources, planes = arrays.groups.senders.astype(np.int64), arrays.sources, arrays.planes
    found = list(in_threads(lambda some: _native.distances(planes, nodes, sources[some].copy()), len(sources), SOURCES))
    return Distances(arrays.each_stands_for * sum(total for total, _ in found), max(diameter for _, diameter in found))
