"""Balanced cuts of few cables: METIS, and moves of single vertices."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

import numpy as np

from .partition_graph import PartitionGraph, Sides

TRIES, TRIES_OF_LARGE, LARGE_VERTICES = 8, 2, 2048  # seeds of METIS
PASSES = 8  # of moves, at most
PATIENCE = 1000  # moves without a better cut that end a pass; 0 ends it with the first balanced cut
MAX_COST = 1 << 20  # METIS has 32-bit costs


def total_cost(graph: PartitionGraph, side: Sides) -> int | None:
    """Return the capacity lost by a cut and by the division of a vertex that balances it; None if none does."""
    division = graph.division(side)
    return None if division is None else graph.cut(side) + division[2]


@dataclass(frozen=True, eq=False)
class BalancedCut:
    """A cut whose sides have equally many nodes once one vertex is divided, if needed.

    Parameters
    ----------
    side : bool[vertices]
        The best cut found.
    metis
        The lowest cost of the cuts of METIS, of which moves of single vertices have evened the sides where necessary;
        None for graphs that METIS does not divide.
    """

    side: Sides
    metis: int | None


def balanced_cut(graph: PartitionGraph, seed: int) -> BalancedCut:
    """Return the best cut found, and the cost of those of METIS alone.

    Starts are the vertices in order and the bisections of METIS, each improved by moves of single vertices.

    References
    ----------
    Karypis and Kumar, A fast and high quality multilevel scheme for partitioning irregular graphs, 1998. Fiduccia and
    Mattheyses, A linear-time heuristic for improving network partitions, 1982.
    """
    before = np.cumsum(graph.weight) - graph.weight
    in_order = 2 * before + graph.weight <= graph.nodes  # can be balanced
    starts = [in_order, *_metis_parts(graph, seed)]
    improved = [improve_cut(graph, start) for start in starts]
    best, metis = _cheapest(graph, improved), _cheapest(graph, [even_cut(graph, start) for start in starts[1:]])
    assert best is not None
    return BalancedCut(improved[best[1]], None if metis is None else metis[0])


def _cheapest(graph: PartitionGraph, cuts: Sequence[Sides]) -> tuple[int, int] | None:
    """Return the lowest cost of some cuts, and the first cut that has it; None if none can be balanced."""
    costs = [total_cost(graph, side) for side in cuts]
    return min(((cost, number) for number, cost in enumerate(costs) if cost is not None), default=None)


def _metis_parts(graph: PartitionGraph, seed: int) -> Iterator[Sides]:
    """Yield the parts that METIS finds; none for fewer than three vertices."""
    if graph.vertices < 3 or not len(graph.cost):
        return
    import pymetis

    rows = [[vertex for vertex, _ in row] for row in graph.adjacency]
    factor = max(1, int(graph.cost.max()) // MAX_COST)
    costs = [max(1, cost // factor) for row in graph.adjacency for _, cost in row]
    adjacency = pymetis.CSRAdjacency(np.cumsum([0, *map(len, rows)]).tolist(), [v for row in rows for v in row])
    for number in range(TRIES if graph.vertices <= LARGE_VERTICES else TRIES_OF_LARGE):
        options = pymetis.Options(seed=(seed + number) & 0x7FFFFFFF)
        parts = pymetis.part_graph(
            2, adjacency, vweights=graph.weight.tolist(), eweights=costs, recursive=True, options=options
        )
        yield np.array(parts[1]) == 0


def even_cut(graph: PartitionGraph, start: Sides) -> Sides:
    """Move single vertices until the division of one vertex balances the sides; a start that can be is returned."""
    return start if graph.division(start) is not None else _Pass(graph, start).run(patience=0)


def improve_cut(graph: PartitionGraph, start: Sides) -> Sides:
    """Move single vertices between the sides while that lowers the cost; the result is no worse than the start."""
    side = start.copy()
    for _ in range(PASSES):
        before = total_cost(graph, side)
        side = _Pass(graph, side).run()
        after = total_cost(graph, side)
        if after is None or (before is not None and after >= before):
            return side
    return side


class _Pass:
    """One pass of moves, each vertex at most once, the one that lowers the cut most first.

    The sides may differ by twice the nodes of the heaviest vertex; the best cut on the way is the result.
    """

    def __init__(self, graph: PartitionGraph, start: Sides) -> None:
        self.graph, self.start = graph, start
        self.side = start.tolist()
        self.gain = [
            sum(cost if self.side[other] != self.side[vertex] else -cost for other, cost in row)
            for vertex, row in enumerate(graph.adjacency)
        ]
        self.moved = [False] * graph.vertices
        self.weight = graph.weight.tolist()
        self.excess = 2 * int(graph.weight[start].sum()) - graph.nodes  # of the true side over the other one
        self.slack = 2 * int(graph.weight.max())
        self.heaps = [[(-self.gain[v], v) for v in range(graph.vertices) if self.side[v] == s] for s in (False, True)]
        for heap in self.heaps:
            heapify(heap)

    def run(self, patience: int = PATIENCE) -> Sides:
        graph, side, cut = self.graph, self.start.copy(), self.graph.cut(self.start)
        best_cost, best, idle = total_cost(graph, side), self.start.copy(), 0
        while idle < patience or best_cost is None:
            vertex = self._next()
            if vertex < 0:
                break
            cut -= self.gain[vertex]
            self._move(vertex)
            side[vertex] = self.side[vertex]
            idle += 1
            if best_cost is not None and cut >= best_cost:
                continue
            division = graph.division(side)
            if division is not None and (best_cost is None or cut + division[2] < best_cost):
                best_cost, best, idle = cut + division[2], side.copy(), 0
        return best

    def _next(self) -> int:
        """Return the vertex whose move lowers the cut most among those that keep the balance; -1 if there is none."""
        found = [(heap[0], s) for s in (False, True) if (heap := self._clean(s))]
        for (_, vertex), s in sorted(found):
            if self._is_allowed(vertex, s):
                heappop(self.heaps[s])
                return int(vertex)
        return -1

    def _clean(self, s: bool) -> list[tuple[int, int]]:
        """Drop outdated entries from the top of a heap; a vertex that would break the balance waits at the end."""
        heap = self.heaps[s]
        while heap and (self.moved[heap[0][1]] or -heap[0][0] != self.gain[heap[0][1]]):
            heappop(heap)
        return heap

    def _is_allowed(self, vertex: int, s: bool) -> bool:
        after = self.excess + (-2 if s else 2) * self.weight[vertex]
        return abs(after) <= max(self.slack, abs(self.excess) - 1) or not self.weight[vertex]

    def _move(self, vertex: int) -> None:
        self.excess += (-2 if self.side[vertex] else 2) * self.weight[vertex]
        self.side[vertex] = not self.side[vertex]
        self.moved[vertex] = True
        for other, cost in self.graph.adjacency[vertex]:
            self.gain[other] += 2 * cost if self.side[other] != self.side[vertex] else -2 * cost
            if not self.moved[other]:
                heappush(self.heaps[self.side[other]], (-self.gain[other], other))
