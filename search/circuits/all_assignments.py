"""All assignments of a small hybrid network, and their number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from math import factorial

from isoplane.models import Circuits, OpticalFamily, Placement
from isoplane.objectives.bounds import BoundSource
from isoplane.objectives.fluid.circuits.evaluation import circuit_score_ns

from ..core.methods import Candidates
from ..core.space import Candidate
from .space import CircuitSpace, candidate_of

# Time of an evaluation: of any design, and of a message whose links are found, or whose transfers run. The last is half
# of what runs take, because the bottleneck time excludes many designs.
_DESIGN_US, _ROUTED_US, _RUN_US = 60, 0.3, 3

Pairs = tuple[tuple[int, int], ...]


class AllAssignments(Candidates[CircuitSpace]):
    """All assignments of a space: every set of circuits with every placement of the space."""

    @property
    def source(self) -> BoundSource:
        """The enumeration, for the circuits and placements of the space."""
        return BoundSource("enumeration", self.space.max_circuits, "free" if self._is_free else "given")

    @property
    def evaluation_us(self) -> int:
        """Estimated time of an evaluation: each completion runs the messages."""
        work = self.space.workload
        completions = sum(name.startswith("completion") for name in self.objective.metrics)
        return int(_DESIGN_US + work.messages * work.iterations * (_RUN_US * completions or _ROUTED_US))

    @property
    def _is_free(self) -> bool:
        return self.space.placement == "free"

    def count(self, limit: int) -> int:
        """Return the number of assignments: see `count_assignments`."""
        return count_assignments(self.space, limit)

    def __iter__(self) -> Iterator[Candidate]:
        """Yield every candidate once."""
        nodes = range(self.space.optical.nodes)
        placements = map(Placement, permutations(nodes)) if self._is_free else iter(self.space.placements)
        for placement in placements:
            for pairs in all_circuits(self.space.optical, self.space.max_circuits):
                yield candidate_of(Circuits(pairs), placement)

    def least(self, candidates: Sequence[Candidate]) -> Iterator[tuple[tuple[int, ...], bool]]:
        """Yield bottleneck times, which are lower bounds of all times, but not of sums and limits."""
        if not self.objective.is_plain:
            yield from (((), False) for _ in candidates)
            return
        for candidate in candidates:
            yield circuit_score_ns(self.space.design(candidate), self.space.workload, ("bottleneck",)), False


def all_circuits(optical: OpticalFamily, max_circuits: int) -> Iterator[Pairs]:
    """Yield every set of at most `max_circuits` circuits that the ports allow, parallel circuits included, once each.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> list(all_circuits(Hybrid(2, 2), 2))
    [(), ((0, 2),), ((0, 2), (1, 3)), ((0, 3),), ((0, 3), (1, 2)), ((1, 2),), ((1, 3),)]
    >>> list(all_circuits(Hybrid(2, 1, 2), 2))
    [(), ((0, 1),), ((0, 1), (0, 1))]
    """
    return (tuple(chosen) for chosen in _grow(optical, max_circuits))


def _grow(optical: OpticalFamily, max_circuits: int) -> Iterator[list[tuple[int, int]]]:
    """Yield every set of circuits in turn, depth first, always in the same list.

    The stack is explicit: the depth, up to the number of circuits, exceeds Python's recursion limit for 1,000 nodes.
    """
    node_pairs = combinations(range(optical.nodes), 2)
    pairs = [(a, b) for a, b in node_pairs if optical.group_of(a) != optical.group_of(b)]
    free = [optical.ports_per_node] * optical.nodes
    chosen: list[tuple[int, int]] = []
    indices: list[int] = []  # of the chosen pairs
    index = 0
    yield chosen
    while True:
        while index < len(pairs) and not all(free[end] for end in pairs[index]):
            index += 1
        if index < len(pairs) and len(chosen) < max_circuits:
            # The index stays, so that parallel circuits of the pair follow while its ports last.
            chosen.append(pairs[index])
            indices.append(index)
            _take_ports(free, pairs[index], 1)
            yield chosen
        elif chosen:
            _take_ports(free, chosen.pop(), -1)
            index = indices.pop() + 1
        else:
            return


def _take_ports(free: list[int], pair: tuple[int, int], ports: int) -> None:
    for end in pair:
        free[end] -= ports


def count_assignments(space: CircuitSpace, limit: int) -> int:
    """Return the number of designs of a space, at most `limit` + 1: sets of circuits times placements.

    For n nodes with one port each, in g groups of s, the sets of j circuits are the matchings with j edges in the
    complete multipartite graph. By inclusion and exclusion over the edges inside groups, their number is

        Σ_i (-1)^i · a(i) · m(n - 2 i, j - i),   with m(n, j) = n! / (2^j j! (n - 2 j)!)

    matchings with j edges in the complete graph of n nodes, and a(i) the coefficient of x^i in (Σ_j m(s, j) x^j)^g.
    With several ports this is only a lower bound: unless it exceeds the limit, all sets are counted one by one. A free
    placement has n! values.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> from isoplane.search import CircuitSpace
    >>> [count_assignments(CircuitSpace(Hybrid(2, 2), stencil((2, 2)), 2, to), 1000) for to in ("by_switch", "free")]
    [7, 168]
    """
    optical = space.optical
    placements = factorial(optical.nodes) if space.placement == "free" else 1
    max_sets = limit // placements
    sets = _sum_up_to((_matchings_between(optical, edges) for edges in range(space.max_circuits + 1)), max_sets)
    if sets <= max_sets and optical.ports_per_node > 1:
        sets = _sum_up_to((1 for _ in _grow(optical, space.max_circuits)), max_sets)
    return min(placements * sets, limit + 1)


def _sum_up_to(numbers: Iterator[int], limit: int) -> int:
    """Return the sum of numbers, or the first partial sum above `limit`."""
    total = 0
    for number in numbers:
        total += number
        if total > limit:
            break
    return total


def _matchings_between(optical: OpticalFamily, edges: int) -> int:
    """Return the number of matchings with `edges` edges, all between groups."""
    inside_counts = _matchings_inside(optical, edges)
    nodes = optical.nodes
    return sum((-1) ** i * count * _matchings(nodes - 2 * i, edges - i) for i, count in enumerate(inside_counts))


def _matchings_inside(optical: OpticalFamily, max_edges: int) -> list[int]:
    """Return the number of matchings with 0, 1, ..., `max_edges` edges, all inside groups."""
    group_counts = [_matchings(optical.nodes_per_group, edges) for edges in range(optical.nodes_per_group // 2 + 1)]
    counts = [1]
    for _ in range(optical.groups):
        product = [0] * min(len(counts) + len(group_counts) - 1, max_edges + 1)
        for i, left in enumerate(counts):
            for j, right in enumerate(group_counts[: len(product) - i]):
                product[i + j] += left * right
        counts = product
    return counts


def _matchings(nodes: int, edges: int) -> int:
    """Return the number of matchings with `edges` edges in a complete graph."""
    if 2 * edges > nodes:
        return 0
    return factorial(nodes) // ((factorial(edges) << edges) * factorial(nodes - 2 * edges))
