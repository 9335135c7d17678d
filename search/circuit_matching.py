"""Heaviest b-matching: as many edges as a node has ports, at most so many in all, and the greatest sum of weights."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import count, islice
from typing import NamedTuple

Pair = tuple[int, int]
Edge = tuple[int, int, int]  # both ends and the weight


class _Path(NamedTuple):
    """What becomes of an edge: both outer edges, one for each copy of an end, stand for it, the middle one for none."""

    near: list[Edge]
    far: list[Edge]
    middle: list[Edge]


def heaviest_matching(weights: Mapping[Pair, int], ports: int, most: int) -> list[Pair]:
    """Return at most `most` edges of greatest weight in all, of which no node has more than `ports`.

    Maximise Σ w(e) · x(e) over x(e) in {0, 1} with Σ x(e) ≤ ports at every node and Σ x(e) ≤ most: a simple b-matching
    of limited size, in any graph. Two reductions make it a matching, which `rustworkx.max_weight_matching` solves
    exactly, by blossoms and in integers:

    - Several ports (Tutte): a node becomes as many copies as it has ports, an edge u-v of weight w the path of three
      edges, each of weight w, from every copy of u over two vertices of its own to every copy of v. Both outer edges
      (2 w) stand for the edge, the middle one (w) for its absence: so the optimum is that of the b-matching + Σ w.
    - A limit: P - 2 · most more vertices are joined to each of the P copies by edges heavier than all others together.
      So all of them are matched, which leaves 2 · most copies: ends of `most` edges. Any b-matching within the limit
      leaves them that many.

    Parameters
    ----------
    weights
        By two nodes, each pair once: what the edge between them weighs; only positive weights count.
    ports
        Of every node.
    most
        How many edges there may be.

    References
    ----------
    Edmonds, Maximum Matching and a Polyhedron with 0,1-Vertices, 1965. Galil, Efficient Algorithms for Finding Maximum
    Matching in Graphs, 1986. Tutte, A Short Proof of the Factor Theorem for Finite Graphs, 1954.

    Examples
    --------
    >>> path = {(0, 1): 3, (1, 2): 5, (2, 3): 3}
    >>> heaviest_matching(path, 1, 2), heaviest_matching(path, 1, 1), heaviest_matching(path, 2, 2)
    ([(0, 1), (2, 3)], [(1, 2)], [(0, 1), (1, 2)])
    """
    import rustworkx

    edges = [(a, b, weight) for (a, b), weight in sorted(weights.items()) if weight > 0]
    if not edges or most == 0:
        return []
    copies = _copies(edges, min(ports, most))
    ends = [copy for own in copies.values() for copy in own]
    paths = list(_paths(edges, copies, first=len(ends)))
    joined = list(dict.fromkeys(edge for path in paths for side in path for edge in side))
    graph = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(range(1 + max(b for _, b, _ in joined)))
    graph.add_edges_from(joined)
    heavier = 1 + sum(weight for *_, weight in joined)
    for spare in graph.add_nodes_from(range(max(len(ends) - 2 * most, 0))):
        graph.add_edges_from([(spare, end, heavier) for end in ends])
    matched = {(min(pair), max(pair)) for pair in rustworkx.max_weight_matching(graph, weight_fn=int)}
    there = [all(any(edge[:2] in matched for edge in side) for side in (path.near, path.far)) for path in paths]
    return [(a, b) for (a, b, _), chosen in zip(edges, there, strict=True) if chosen]


def _copies(edges: list[Edge], ports: int) -> dict[int, list[int]]:
    """Return by node the numbers of its copies: no more of them than it has edges."""
    degree = Counter(node for a, b, _ in edges for node in (a, b))
    numbers = count()
    return {node: list(islice(numbers, min(ports, degree[node]))) for node in sorted(degree)}


def _paths(edges: list[Edge], copies: dict[int, list[int]], first: int) -> Iterator[_Path]:
    """Yield what becomes of every edge: with one copy of both ends it stays as it is."""
    numbers = count(first)
    for a, b, weight in edges:
        if len(copies[a]) == len(copies[b]) == 1:
            whole = [(copies[a][0], copies[b][0], weight)]
            yield _Path(whole, whole, [])
        else:
            near, far = islice(numbers, 2)
            outer = [[(copy, end, weight) for copy in copies[node]] for node, end in ((a, near), (b, far))]
            yield _Path(outer[0], outer[1], [(near, far, weight)])
