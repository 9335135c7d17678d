"""Maximum-weight simple b-matching with a limited number of edges."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import count, islice
from random import Random

Pair = tuple[int, int]
Edge = tuple[int, int, int]  # both ends and the weight

# Random fractional digits of the weights: those of 2^16 edges add up to less than one.
RANDOM_BITS, BITS = 32, 48


def heaviest_matching(weights: Mapping[Pair, int], ports: int, max_edges: int) -> list[Pair]:
    """Return at most `max_edges` edges of maximum total weight, at most `ports` of them at any node.

    Maximise W = Σ w(e) · x(e) over x(e) in {0, 1} with Σ x(e) ≤ ports at every node and Σ x(e) ≤ max_edges: a simple
    b-matching of limited size, in any graph, exactly and in integers. The limit is relaxed by a price λ per edge: a
    maximum-weight matching for weights w - λ is optimal among all matchings with the same number of edges. The optimum
    is a concave function of that number, and the price follows its secants until the matching has `max_edges` edges.
    Random fractional digits make the optimum with `max_edges` edges unique; then it is a vertex of the concave
    function, and some price finds it.

    Parameters
    ----------
    weights
        Weight of the edge of a pair of nodes, each pair once; pairs without a positive weight are ignored.
    ports
        Number of ports per node.
    max_edges
        Maximum number of edges.

    References
    ----------
    Edmonds, Maximum Matching and a Polyhedron with 0,1-Vertices, 1965 (matchings of one size are a face, so W is
    concave). Mulmuley, Vazirani and Vazirani, Matching is as easy as matrix inversion, 1987 (random digits).

    Examples
    --------
    >>> path = {(0, 1): 3, (1, 2): 5, (2, 3): 3}
    >>> heaviest_matching(path, 1, 2), heaviest_matching(path, 1, 1), heaviest_matching(path, 2, 2)
    ([(0, 1), (2, 3)], [(1, 2)], [(0, 1), (1, 2)])
    """
    pairs = sorted(pair for pair, weight in weights.items() if weight > 0)
    if not pairs or max_edges == 0:
        return []
    random = Random(0)
    while True:
        perturbed = {pair: (weights[pair] << BITS) + random.getrandbits(RANDOM_BITS) for pair in pairs}
        matching = _heaviest_of_size(_Priced(perturbed, ports), max_edges)
        if matching is not None:  # else two matchings have equal weights despite the random digits
            return matching


def _heaviest_of_size(priced: "_Priced", max_edges: int) -> list[Pair] | None:
    """Return the heaviest matching with at most `max_edges` edges; None if no price finds it."""
    fewer, more = list[Pair](), priced.heaviest(Fraction(0))
    while len(more) > max_edges:
        price = Fraction(priced.weight(more) - priced.weight(fewer), len(more) - len(fewer))
        matching = priced.heaviest(price)
        # The secant touches the concave function in no third size, so no price leads to one in between.
        if len(matching) in (len(fewer), len(more)):
            return None
        if len(matching) <= max_edges:
            fewer = matching
        else:
            more = matching
        if len(fewer) == max_edges:
            return fewer
    return more


@dataclass
class _Priced:
    """Maximum-weight simple b-matchings of a graph, by price per edge.

    Attributes
    ----------
    weights
        Weights of the edges, all positive.
    ports
        Number of ports per node.
    at_most_once
        Edges explicitly constrained to multiplicity one.
    """

    weights: Mapping[Pair, int]
    ports: int
    at_most_once: set[Pair] = field(default_factory=set)

    def weight(self, matching: list[Pair]) -> int:
        """Return the total weight of a matching."""
        return sum(self.weights[pair] for pair in matching)

    def heaviest(self, price: Fraction) -> list[Pair]:
        """Return the simple b-matching of maximum weight at a price per edge.

        Each node is split into one copy per port, each edge into all edges between copies of its ends: a matching of
        this graph is a b-matching that may contain an edge several times. This is a relaxation, so a solution without
        repeated edges is optimal. Otherwise paths replace the repeated edges (Tutte), and the graph is solved again.
        """
        edges = [
            # Times the denominator of the price, weights are integers, and the blossom algorithm is exact.
            (a, b, weight * price.denominator - price.numerator)
            for (a, b), weight in self.weights.items()
            if weight > price
        ]
        while True:
            multiplicities = _solve_relaxation(edges, self.ports, self.at_most_once)
            repeated = {pair for pair, multiplicity in multiplicities.items() if multiplicity > 1}
            if not repeated:
                return sorted(multiplicities)
            self.at_most_once |= repeated


def _solve_relaxation(edges: list[Edge], ports: int, at_most_once: set[Pair]) -> Counter[Pair]:
    """Return the multiplicity of each edge in the heaviest b-matching; at most one for the edges in `at_most_once`.

    Such an edge u-v of weight w becomes a path of three edges, each of weight w, from every copy of u via two new
    vertices to every copy of v. The two outer edges (2 w) represent the edge, and the middle one (w) represents its
    absence; so the optimum is that of the b-matching plus Σ w. `rustworkx.max_weight_matching` finds it with the
    blossom algorithm.

    References
    ----------
    Galil, Efficient Algorithms for Finding Maximum Matching in Graphs, 1986. Tutte, A Short Proof of the Factor Theorem
    for Finite Graphs, 1954.
    """
    import rustworkx

    copies = _copies(edges, ports)
    numbers = count(sum(map(len, copies.values())))
    graph, sides = rustworkx.PyGraph(multigraph=False), list[tuple[Pair, list[Edge], list[Edge]]]()
    graph_edges = list[Edge]()
    for a, b, weight in edges:
        # A node with a single copy cannot take the edge twice, so it needs no path.
        if (a, b) in at_most_once and min(len(copies[a]), len(copies[b])) > 1:
            near, far = islice(numbers, 2)
            left, right = ([(copy, end, weight) for copy in copies[node]] for node, end in ((a, near), (b, far)))
            sides.append(((a, b), left, right))
            graph_edges += [*left, *right, (near, far, weight)]
        else:
            graph_edges += [(i, j, weight) for i in copies[a] for j in copies[b]]
    graph.add_nodes_from(range(next(numbers)))
    graph.add_edges_from(graph_edges)
    matched = {(min(pair), max(pair)) for pair in rustworkx.max_weight_matching(graph, weight_fn=int)}
    node_of = {copy: node for node, vertices in copies.items() for copy in vertices}
    direct = ((node_of[i], node_of[j]) for i, j in matched if i in node_of and j in node_of)
    multiplicities = Counter((min(pair), max(pair)) for pair in direct)
    multiplicities.update(
        pair for pair, *outer in sides if all(any(edge[:2] in matched for edge in side) for side in outer)
    )
    return multiplicities


def _copies(edges: list[Edge], ports: int) -> dict[int, list[int]]:
    """Return the vertices of the copies of each node; no more copies than the node has edges."""
    degree = Counter(node for a, b, _ in edges for node in (a, b))
    numbers = count()
    return {node: list(islice(numbers, min(ports, degree[node]))) for node in sorted(degree)}
