"""Balanced cuts of few cables: METIS, and moves of single vertices."""

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

import numpy as np

from .partition_graph import PartitionGraph, Sides

TRIES = 8  # seeds of METIS
PASSES = 8  # of moves, at most
PATIENCE = 1000  # moves without a better cut that end a pass
MAX_COST = 1 << 20  # METIS has 32-bit costs


def total_cost(graph: PartitionGraph, side: Sides) -> int | None:
    """Return the capacity lost by a cut and by the division of a vertex that balances it; None if none does."""
    division = graph.division(side)
    return None if division is None else graph.cut(side) + division[2]


def balanced_cut(graph: PartitionGraph, seed: int) -> Sides:
    """Return the best cut found, whose sides have equally many nodes once one vertex is divided, if needed.

    Starts are the vertices in order and the bisections of METIS, each improved by moves of single vertices.

    References
    ----------
    Karypis and Kumar, A fast and high quality multilevel scheme for partitioning irregular graphs, 1998. Fiduccia and
    Mattheyses, A linear-time heuristic for improving network partitions, 1982.
    """
    improved = [improve_cut(graph, start) for start in _starts(graph, seed)]
    costs = [total_cost(graph, side) for side in improved]
    best = min((cost, number) for number, cost in enumerate(costs) if cost is not None)
    return improved[best[1]]


def _starts(graph: PartitionGraph, seed: int) -> Iterator[Sides]:
    """Yield the first half of the nodes, which can be balanced, and the parts that METIS finds."""
    before = np.cumsum(graph.weight) - graph.weight
    yield 2 * before + graph.weight <= graph.nodes
    if graph.vertices < 3 or not len(graph.cost):
        return
    import pymetis

    rows = [[vertex for vertex, _ in row] for row in graph.adjacency]
    factor = max(1, int(graph.cost.max()) // MAX_COST)
    costs = [max(1, cost // factor) for row in graph.adjacency for _, cost in row]
    adjacency = pymetis.CSRAdjacency(np.cumsum([0, *map(len, rows)]).tolist(), [v for row in rows for v in row])
    for number in range(TRIES):
        options = pymetis.Options(seed=(seed + number) & 0x7FFFFFFF)
        parts = pymetis.part_graph(
            2, adjacency, vweights=graph.weight.tolist(), eweights=costs, recursive=True, options=options
        )
        yield np.array(parts[1]) == 0


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

    def run(self) -> Sides:
        graph, side, cut = self.graph, self.start.copy(), self.graph.cut(self.start)
        best_cost, best, idle = total_cost(graph, side), self.start.copy(), 0
        while idle < PATIENCE or best_cost is None:
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
