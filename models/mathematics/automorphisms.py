"""Symmetries and isomorphisms of graphs, by BLISS (igraph), and the orbits of permutations."""

from collections.abc import Sequence

import numpy as np

from ..arrays import Ints
from .components import components


def automorphisms(edges: Ints, colours: Sequence[int]) -> list[Ints]:
    """Return permutations that generate the group of all automorphisms of an undirected graph.

    Parameters
    ----------
    edges : int64[edges, 2]
        Pairs of vertices, each once.
    colours
        Colour of each vertex; the permutations keep it.

    References
    ----------
    Junttila and Kaski, Engineering an efficient canonical labeling tool for large and sparse graphs, 2007.

    Examples
    --------
    >>> square = np.array([[0, 1], [1, 2], [2, 3], [3, 0]])
    >>> orbits(4, automorphisms(square, [0, 0, 0, 0])).tolist(), orbits(4, automorphisms(square, [0, 0, 0, 1])).tolist()
    ([0, 0, 0, 0], [0, 1, 0, 2])
    """
    import igraph  # slow to import: only for graphs with symmetries to find

    graph = igraph.Graph(len(colours), edges.tolist())
    return [np.array(permutation, dtype=np.int64) for permutation in graph.automorphism_group(color=list(colours))]


def canonical_graph(edges: Ints, colours: Sequence[int]) -> tuple[bytes, tuple[int, ...]]:
    """Return edges and colours of an undirected graph in a canonical order: equal ones for isomorphic graphs alone.

    Parameters
    ----------
    edges : int64[edges, 2]
        Pairs of different vertices, each once.
    colours
        Colour of each vertex, which isomorphisms keep.

    Examples
    --------
    >>> path, star = np.array([[0, 1], [1, 2], [2, 3]]), np.array([[0, 1], [0, 2], [0, 3]])
    >>> canonical_graph(path, [0] * 4) == canonical_graph(np.array([[3, 0], [0, 1], [1, 2]]), [0] * 4)
    True
    >>> canonical_graph(path, [0] * 4) == canonical_graph(star, [0] * 4)
    False
    """
    import igraph  # slow to import: only for graphs that are compared

    graph = igraph.Graph(len(colours), edges.tolist(), vertex_attrs={"colour": list(colours)})
    # Versions of igraph differ in the direction of permutations, but not in what they do to graphs.
    canonical = graph.permute_vertices(graph.canonical_permutation(color=list(colours)))
    ends = np.sort(np.array(canonical.get_edgelist(), dtype=np.int64).reshape(-1, 2), axis=1)
    return ends[np.lexsort(ends.T)].tobytes(), tuple(canonical.vs["colour"])


def orbits(count: int, permutations: Sequence[Ints]) -> Ints:
    """Return the orbit of each of `count` elements under some permutations, numbered by their first elements."""
    # Generators are enough: orbits are the components of the graph that joins each element with its images under them.
    moved = [
        np.stack([np.flatnonzero(permutation != np.arange(count)), permutation[permutation != np.arange(count)]])
        for permutation in permutations
    ]
    pairs = np.concatenate([*moved, np.zeros((2, 0), dtype=np.int64)], axis=1)
    return np.unique(components(count, *pairs), return_inverse=True)[1].astype(np.int64)
