"""Random regular graphs and random lifts of complete graphs, determined by a seed.

They are drawn from raw 64-bit numbers of a PCG64 generator, which are the same in all versions of NumPy, because
records state only the seed.
"""

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.random import PCG64
from numpy.typing import NDArray

from ..checks import check_int
from ..errors import InputError

MIN_DEGREE = 3  # random regular graphs of degree 2 are rarely connected
TRIES_PER_EDGE = 1000  # before all ends are paired anew

Edges = NDArray[np.int64]


def random_regular_edges(switches: int, degree: int, seed: int) -> Edges:
    """Return the edges of a connected random regular simple graph, as int64[switches · degree / 2, 2].

    The ends of all edges are paired at random (configuration model). Each loop or repeated edge then exchanges an end
    with an edge drawn at random, such that both edges are new. A graph whose degree is at least half of the number of
    vertices is the complement of such a graph. Graphs that are not connected are drawn anew. On few vertices, the
    distribution is not uniform.

    Parameters
    ----------
    switches
        Number of vertices, at least 4.
    degree
        Number of edges at each vertex, from 3 to `switches` - 1.
    seed
        Seed of the graph.

    References
    ----------
    Bollobás, A Probabilistic Proof of an Asymptotic Formula for the Number of Labelled Regular Graphs, 1980: the
    configuration model. McKay and Wormald, Uniform Generation of Random Regular Graphs of Moderate Degree, 1990:
    exchanges of ends.

    Examples
    --------
    >>> random_regular_edges(6, 3, seed=1).shape
    (9, 2)
    """
    check_int("degree", degree, MIN_DEGREE, check_int("switches", switches, MIN_DEGREE + 1) - 1)
    if switches * degree % 2:
        raise InputError(f"degree={degree}: expected an even number for {switches} switches")
    bits = PCG64(check_int("seed", seed, 0))
    # Exchanges need pairs that are still free; in a dense graph few are, but its complement has many.
    is_sparse = 2 * degree < switches
    while True:
        edges = _simple_edges(switches, degree if is_sparse else switches - 1 - degree, bits)
        if edges is None:
            continue
        if not is_sparse:
            edges = _complement(edges, switches)
        if _is_connected(edges, switches):
            return edges


def random_lift_edges(degree: int, lift: int, seed: int) -> Edges:
    """Return the edges of a connected random lift of the complete graph with `degree` + 1 vertices.

    Every vertex of the complete graph becomes a group of `lift` vertices, and every edge a random perfect matching
    between two groups. Lifts that are not connected are drawn anew.

    Parameters
    ----------
    degree
        Number of edges at each vertex, at least 3.
    lift
        Vertices of a group.
    seed
        Seed of the matchings.

    Returns
    -------
    int64[(degree + 1) · degree / 2 · lift, 2]
        Vertex i of group j has number j · `lift` + i; edges are in ascending order of the pair of groups.

    References
    ----------
    Bilu and Linial, Lifts, Discrepancy and Nearly Optimal Spectral Gap, 2006.

    Examples
    --------
    >>> random_lift_edges(3, 1, seed=1).tolist()
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    check_int("degree", degree, MIN_DEGREE)
    check_int("lift", lift, 1)
    bits = PCG64(check_int("seed", seed, 0))
    one, other = np.array(list(combinations(range(degree + 1), 2))).T
    first = (one[:, None] * lift + np.arange(lift)).ravel()
    while True:
        matching = np.argsort(bits.random_raw((len(one), lift)), axis=1, kind="stable")
        edges = np.stack([first, (other[:, None] * lift + matching).ravel()], axis=1)
        if _is_connected(edges, (degree + 1) * lift):
            return edges


def random_edges_within(free_ports: Sequence[int], seed: int) -> Edges:
    """Return the edges of a connected random simple graph, in which vertices have at most some numbers of edges.

    A random tree joins all vertices, those with the most free ports first. Then a vertex with the most free ports that
    are left is joined to any other that has some, until none can be.

    Parameters
    ----------
    free_ports
        Most edges of each vertex, at least 1: together at least two for each vertex but one.
    seed
        Seed of the graph.

    Examples
    --------
    >>> random_edges_within([1, 1, 3, 1], seed=1).tolist()
    [[0, 2], [1, 2], [2, 3]]
    """
    bits, free = PCG64(check_int("seed", seed, 0)), np.array(free_ports, dtype=np.int64)
    is_joined = np.eye(len(free), dtype=np.bool_)

    def join(one: int, candidates: NDArray[np.int64]) -> None:
        other = int(candidates[int(bits.random_raw()) % len(candidates)])
        is_joined[one, other] = is_joined[other, one] = True
        free[[one, other]] -= 1

    order = np.argsort(-free, kind="stable")
    for place in range(1, len(order)):
        before = order[:place]
        join(int(order[place]), before[free[before] > 0])
    left = free.copy()  # 0 once a vertex cannot be joined to another
    while left.any():
        most = np.flatnonzero(left == left.max())
        one = int(most[int(bits.random_raw()) % len(most)])
        candidates = np.flatnonzero((free > 0) & ~is_joined[one])
        if len(candidates):
            join(one, candidates)
            left = np.minimum(left, free)
        else:
            left[one] = 0
    return np.argwhere(np.triu(is_joined, 1)).astype(np.int64)


def _is_connected(edges: Edges, switches: int) -> bool:
    """Return whether the edges of a regular graph connect all vertices."""
    both = np.concatenate([edges, edges[:, ::-1]])
    # Every vertex has as many rows as all others, because the graph is regular.
    neighbours = both[np.argsort(both[:, 0], kind="stable"), 1].reshape(switches, -1)
    reached = np.arange(switches) == 0
    previous, count = 0, 1
    while count > previous:
        reached[neighbours[reached]] = True
        previous, count = count, int(np.count_nonzero(reached))
    return count == switches


def _simple_edges(switches: int, degree: int, bits: PCG64) -> Edges | None:
    """Return the edges of a random regular simple graph; None if the exchanges fail."""
    # A permutation by sorting: the shuffles of NumPy may differ between its versions.
    ends = np.argsort(bits.random_raw(switches * degree), kind="stable") // max(1, degree)
    edges = np.sort(ends.reshape(-1, 2), axis=1)
    wrong = np.ones(len(edges), dtype=np.bool_)
    key = edges @ (switches, 1)
    # Of equal edges the first one stays.
    wrong[np.unique(key, return_index=True)[1]] = False
    wrong |= edges[:, 0] == edges[:, 1]
    unresolved = set(np.flatnonzero(wrong).tolist())
    present = set(key[~wrong].tolist())
    # Each exchange draws numbers, so the order decides the graph; that of a set is not guaranteed.
    for index in sorted(unresolved):
        if not _exchange(index, edges, switches, present, unresolved, bits):
            return None
    return edges


def _exchange(index: int, edges: Edges, switches: int, present: set[int], unresolved: set[int], bits: PCG64) -> bool:
    """Exchange an end of a loop or repeated edge with one of an edge of the graph; return whether that succeeded.

    An edge {a, b} is present under the key a · `switches` + b, where a < b.
    """
    a, b = edges[index].tolist()
    for _ in range(TRIES_PER_EDGE):
        draw = int(bits.random_raw())
        # One number draws both: the lowest bit is the direction of the other edge.
        other = (draw >> 1) % len(edges)
        if other in unresolved:
            continue
        old = edges[other].tolist()
        c, d = old[:: 1 if draw & 1 else -1]
        new = [(min(a, c), max(a, c)), (min(b, d), max(b, d))]
        keys = [lower * switches + higher for lower, higher in new]
        if a == c or b == d or keys[0] == keys[1] or not present.isdisjoint(keys):
            continue
        present.remove(old[0] * switches + old[1])
        present.update(keys)
        edges[[index, other]] = new
        unresolved.remove(index)
        return True
    return False


def _complement(edges: Edges, switches: int) -> Edges:
    """Return the pairs of vertices that have no edge."""
    absent = np.triu(np.ones((switches, switches), dtype=np.bool_), 1)
    absent[edges[:, 0], edges[:, 1]] = False
    return np.argwhere(absent).astype(np.int64)
