"""Balanced cuts of few cables: METIS, and moves of single vertices."""

from collections.abc import Iterator, Sequence

import numpy as np

from isoplane.models.mathematics.partition import metis
from isoplane.objectives import _native

from .partition_graph import PartitionGraph, Sides

TRIES, TRIES_OF_LARGE, LARGE_VERTICES = 8, 2, 2048  # seeds of METIS
PASSES = 8  # of moves, at most
PATIENCE = 1000  # moves without a better cut that end a pass; 0 ends it with the first balanced cut
MAX_COST = 1 << 20  # METIS has 32-bit costs


def total_cost(graph: PartitionGraph, side: Sides) -> int | None:
    """Return the capacity lost by a cut and by the division of a vertex that balances it; None if none does."""
    division = graph.division(side)
    return None if division is None else graph.cut(side) + division[2]


def balanced_cut(graph: PartitionGraph, seed: int) -> tuple[Sides, int | None]:
    """Return the best cut found whose sides have equally many nodes once one vertex is divided, if needed.

    Starts are the vertices in order and the bisections of METIS, each improved by moves of single vertices. Return also
    the lowest cost of the cuts of METIS alone, of which moves of single vertices have evened the sides where necessary;
    None for graphs that METIS does not divide.

    References
    ----------
    Fiduccia and Mattheyses, A linear-time heuristic for improving network partitions, 1982.
    """
    before = np.cumsum(graph.weight) - graph.weight
    in_order = 2 * before + graph.weight <= graph.nodes  # can be balanced
    starts = [in_order, *_metis_parts(graph, seed)]
    improved = [improve_cut(graph, start) for start in starts]
    best, metis = _cheapest(graph, improved), _cheapest(graph, [even_cut(graph, start) for start in starts[1:]])
    assert best is not None
    return improved[best[1]], None if metis is None else metis[0]


def _cheapest(graph: PartitionGraph, cuts: Sequence[Sides]) -> tuple[int, int] | None:
    """Return the lowest cost of some cuts, and the first cut that has it; None if none can be balanced."""
    costs = [total_cost(graph, side) for side in cuts]
    return min(((cost, number) for number, cost in enumerate(costs) if cost is not None), default=None)


def _metis_parts(graph: PartitionGraph, seed: int) -> Iterator[Sides]:
    """Yield the parts that METIS finds; none for fewer than three vertices."""
    if graph.vertices < 3 or not len(graph.cost):
        return
    start, head, edge_cost = graph.adjacency
    # Scaled down to 32 bits, but never to 0: METIS wants positive weights of edges.
    cost = np.maximum(1, edge_cost // max(1, int(graph.cost.max()) // MAX_COST))
    for number in range(TRIES if graph.vertices <= LARGE_VERTICES else TRIES_OF_LARGE):
        # METIS takes its seed as a signed integer of 32 bits.
        seed_of_try = (seed + number) & 0x7FFFFFFF
        yield metis(2, start, head, cost, graph.weight, seed=seed_of_try, recursive=True) == 0


def even_cut(graph: PartitionGraph, start: Sides) -> Sides:
    """Move single vertices until the division of one vertex balances the sides; a start that can be is returned."""
    return start if graph.division(start) is not None else _pass(graph, start, patience=0)


def improve_cut(graph: PartitionGraph, start: Sides) -> Sides:
    """Move single vertices between the sides while that lowers the cost; the result is no worse than the start."""
    side = start.copy()
    for _ in range(PASSES):
        before = total_cost(graph, side)
        side = _pass(graph, side, PATIENCE)
        after = total_cost(graph, side)
        if after is None or (before is not None and after >= before):
            return side
    return side


def _pass(graph: PartitionGraph, start: Sides, patience: int) -> Sides:
    """Return the best balanced cut of one pass of moves, each vertex at most once, the best move first."""
    side = start.astype(np.uint8)
    _native.move_vertices(*graph.adjacency, graph.weight, graph.node_cost, patience, side)
    return side.astype(np.bool_)
