"""Partitions of graphs with little weight between their parts: METIS, and parts of equal size."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints

Weights = NDArray[np.float64]

SEED = 1  # fixed, so that equal parts do not depend on the seed of a search


def metis(
    parts: int,
    start: Ints,
    head: NDArray[np.integer],
    cost: Ints,
    weight: Ints | None = None,
    *,
    seed: int,
    recursive: bool | None = None,
) -> Ints:
    """Partition vertices into parts of nearly equal weight with a small cut, by the multilevel method of METIS.

    Parameters
    ----------
    parts
        Number of parts.
    start : int[vertices + 1]
        Index of the first edge of each vertex.
    head : int[2 edges]
        The other vertex of each edge; every edge is listed at both of its vertices.
    cost : int[2 edges]
        Positive weights of edges, of at most 31 bits.
    weight : int[vertices]
        Weights of vertices; by default 1.
    seed
        Determines the result; at most 31 bits.
    recursive
        Whether the graph is bisected again and again, with parts numbered in this order; by default for up to 8 parts.

    References
    ----------
    Karypis and Kumar, A fast and high quality multilevel scheme for partitioning irregular graphs, 1998.

    Examples
    --------
    >>> start, head, cost = np.arange(0, 9, 2), np.array([1, 3, 0, 2, 1, 3, 0, 2]), np.array([9, 1, 9, 1, 1, 9, 1, 9])
    >>> part = metis(2, start, head, cost, seed=1)
    >>> bool(part[0] == part[1] != part[2] == part[3])
    True
    """
    import pymetis

    _, part = pymetis.part_graph(
        parts,
        pymetis.CSRAdjacency(start.tolist(), head.tolist()),
        vweights=None if weight is None else weight.tolist(),
        eweights=cost.tolist(),
        recursive=recursive,
        options=pymetis.Options(seed=seed),
    )
    return np.array(part, dtype=np.int64)


def equal_parts(weights: Weights, parts: int) -> Ints:
    """Partition vertices into parts of equal size with a small cut.

    A partition by `metis` is balanced exactly by the moves that increase the cut least, then improved by exchanges of
    two vertices while one reduces the cut.

    Parameters
    ----------
    weights : float64[vertices, vertices]
        Symmetric whole weights of edges, with zeros on the diagonal.
    parts
        Number of parts, which divides the number of vertices.

    References
    ----------
    Kernighan and Lin, An efficient heuristic procedure for partitioning graphs, 1970.

    Examples
    --------
    >>> pairs = np.array([[0.0, 0, 9, 1], [0, 0, 1, 9], [9, 1, 0, 0], [1, 9, 0, 0]])
    >>> part = equal_parts(pairs, 2)
    >>> bool(part[0] == part[2] != part[1] == part[3])
    True
    """
    part = _partition(weights, parts)
    _balance(weights, part, parts, len(weights) // parts)
    _improve(weights, part, parts)
    return part


def _partition(weights: Weights, parts: int) -> Ints:
    """Return the part of every vertex by METIS; weights are scaled to integers of at most 30 bits."""
    if not weights.any():
        # Without edges every cut is 0.
        return np.arange(len(weights)) * parts // len(weights)
    # Rounded up, so that no edge vanishes beside a heavy one.
    scaled = np.ceil(weights * (2**20 / weights.max())).astype(np.int64)
    vertex, head = np.nonzero(scaled)
    start = np.searchsorted(vertex, np.arange(len(weights) + 1))
    return metis(parts, start, head, scaled[vertex, head], seed=SEED)


def _weights_to_parts(weights: Weights, part: Ints, parts: int) -> Weights:
    """Return the weight between every vertex and every part."""
    return weights @ np.eye(parts)[part]


def _balance(weights: Weights, part: Ints, parts: int, size: int) -> None:
    """Move vertices from parts that are too large to parts that are too small, smallest increase of the cut first."""
    while True:
        sizes = np.bincount(part, minlength=parts)
        too_large, too_small = sizes > size, sizes < size
        if not too_large.any():
            return
        to_parts = _weights_to_parts(weights, part, parts)
        gain = to_parts - to_parts[np.arange(len(part)), part][:, None]
        # Only from too large to too small parts: every move lowers the excess, so the loop ends.
        gain[:, ~too_small] = -np.inf
        gain[~too_large[part]] = -np.inf
        vertex, target = np.unravel_index(np.argmax(gain), gain.shape)
        part[vertex] = target


def _improve(weights: Weights, part: Ints, parts: int) -> None:
    """Exchange two vertices of different parts while that reduces the cut, the best exchange first."""
    vertices = np.arange(len(part))
    for _ in range(len(part)):
        to_parts = _weights_to_parts(weights, part, parts)
        move_gain = to_parts[:, part] - to_parts[vertices, part][:, None]  # [vertex, vertex of the target part]
        # Both moves count the edge between the two as no longer cut, but it is cut after the exchange as before.
        gain = move_gain + move_gain.T - 2 * weights
        gain[part[:, None] == part[None, :]] = 0
        vertex, partner = np.unravel_index(np.argmax(gain), gain.shape)
        if gain[vertex, partner] <= 0:
            return
        part[vertex], part[partner] = part[partner], part[vertex]
