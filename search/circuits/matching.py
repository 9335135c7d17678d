"""Heaviest b-matching: as many edges as a node has ports, at most so many in all, and the greatest sum of weights."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, islice
from random import Random

Pair = tuple[int, int]
Edge = tuple[int, int, int]  # both ends and the weight

# The digits of weights below one are drawn; those of 2^16 edges are less than one together.
DRAWN_BITS, BITS = 32, 48


def heaviest_matching(weights: Mapping[Pair, int], ports: int, most: int) -> list[Pair]:
    """Return at most `most` edges of greatest weight in all, of which no node has more than `ports`.

    Maximise W = Σ w(e) · x(e) over x(e) in {0, 1} with Σ x(e) ≤ ports at every node and Σ x(e) ≤ most: a simple
    b-matching of limited size, in any graph, exactly and in integers. The limit is a price λ that every edge costs: the
    heaviest matching for weights w - λ is heaviest of all with as many edges, for W is a concave function of their
    number. The price goes along secants of that function until the matching has `most` edges. Weights get drawn digits
    below one, so that the heaviest matching with `most` edges is the only one; then it is at a corner of the function,
    where some price finds it.

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
    Edmonds, Maximum Matching and a Polyhedron with 0,1-Vertices, 1965 (matchings of one size are a face, so W is
    concave). Mulmuley, Vazirani and Vazirani, Matching is as easy as matrix inversion, 1987 (drawn digits).

    Examples
    --------
    >>> path = {(0, 1): 3, (1, 2): 5, (2, 3): 3}
    >>> heaviest_matching(path, 1, 2), heaviest_matching(path, 1, 1), heaviest_matching(path, 2, 2)
    ([(0, 1), (2, 3)], [(1, 2)], [(0, 1), (1, 2)])
    """
    pairs = sorted(pair for pair, weight in weights.items() if weight > 0)
    if not pairs or most == 0:
        return []
    random = Random(0)
    while True:
        drawn = {pair: (weights[pair] << BITS) + random.getrandbits(DRAWN_BITS) for pair in pairs}
        found = _of_size(_Priced(drawn, ports), most)
        if found is not None:  # else two matchings weigh the same, in spite of their digits
            return found


def _of_size(priced: "_Priced", most: int) -> list[Pair] | None:
    """Return the heaviest matching with at most so many edges; None if it is not at a corner."""
    fewer, more = list[Pair](), priced.heaviest(Fraction(0))
    while len(more) > most:
        price = Fraction(priced.weight(more) - priced.weight(fewer), len(more) - len(fewer))
        found = priced.heaviest(price)
        if len(found) in (len(fewer), len(more)):
            return None
        if len(found) <= most:
            fewer = found
        else:
            more = found
        if len(fewer) == most:
            return fewer
    return more


@dataclass
class _Priced:
    """Simple b-matchings of a graph for several prices of an edge.

    Attributes
    ----------
    weights
        Of the edges, all positive.
    ports
        Of every node.
    once
        Edges that have to be told that they exist only once.
    """

    weights: Mapping[Pair, int]
    ports: int
    once: set[Pair] = field(default_factory=set)

    def weight(self, matching: list[Pair]) -> int:
        """Return what the edges of a matching weigh."""
        return sum(self.weights[pair] for pair in matching)

    def heaviest(self, price: Fraction) -> list[Pair]:
        """Return the b-matching of greatest weight where every edge costs a price.

        A node becomes as many copies as it has ports, an edge all edges between copies of its ends: a matching of them
        is a b-matching that may have an edge several times. That is a relaxation, so where it has every edge once it is
        what is asked for. Else the edges that it has more often become paths (Tutte), and it is solved again.
        """
        edges = [
            (a, b, weight * price.denominator - price.numerator)
            for (a, b), weight in self.weights.items()
            if weight > price
        ]
        while True:
            found = _relaxed(edges, self.ports, self.once)
            twice = {pair for pair, times in found.items() if times > 1}
            if not twice:
                return sorted(found)
            self.once |= twice


def _relaxed(edges: list[Edge], ports: int, once: set[Pair]) -> Counter[Pair]:
    """Return how often the heaviest b-matching has each edge, which is at most one for those of a set.

    Such an edge u-v of weight w is a path of three edges, each of weight w, from every copy of u over two vertices of
    its own to every copy of v. Both outer edges (2 w) stand for the edge, the middle one (w) for its absence: so the
    optimum is that of the b-matching + Σ w. `rustworkx.max_weight_matching` finds it by blossoms.

    References
    ----------
    Galil, Efficient Algorithms for Finding Maximum Matching in Graphs, 1986. Tutte, A Short Proof of the Factor Theorem
    for Finite Graphs, 1954.
    """
    import rustworkx

    copies = _copies(edges, ports)
    numbers = count(sum(map(len, copies.values())))
    graph, sides = rustworkx.PyGraph(multigraph=False), list[tuple[Pair, list[Edge], list[Edge]]]()
    joined = list[Edge]()
    for a, b, weight in edges:
        if (a, b) in once and min(len(copies[a]), len(copies[b])) > 1:
            near, far = islice(numbers, 2)
            left, right = ([(copy, end, weight) for copy in copies[node]] for node, end in ((a, near), (b, far)))
            sides.append(((a, b), left, right))
            joined += [*left, *right, (near, far, weight)]
        else:
            joined += [(i, j, weight) for i in copies[a] for j in copies[b]]
    graph.add_nodes_from(range(next(numbers)))
    graph.add_edges_from(joined)
    matched = {(min(pair), max(pair)) for pair in rustworkx.max_weight_matching(graph, weight_fn=int)}
    node_of = {copy: node for node, own in copies.items() for copy in own}
    direct = ((node_of[i], node_of[j]) for i, j in matched if i in node_of and j in node_of)
    found = Counter((min(pair), max(pair)) for pair in direct)
    found.update(pair for pair, *outer in sides if all(any(edge[:2] in matched for edge in side) for side in outer))
    return found


def _copies(edges: list[Edge], ports: int) -> dict[int, list[int]]:
    """Return by node the numbers of its copies: no more of them than it has edges."""
    degree = Counter(node for a, b, _ in edges for node in (a, b))
    numbers = count()
    return {node: list(islice(numbers, min(ports, degree[node]))) for node in sorted(degree)}
