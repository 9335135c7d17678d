"""Balanced cuts of small networks, by evaluating all of them."""

import numpy as np

from .partition_graph import PartitionGraph, Sides

MAX_VERTICES = 20  # half a million cuts, in a fraction of a second
NEVER = np.iinfo(np.int64).max


def smallest_cut(graph: PartitionGraph) -> Sides:
    """Return the first of the balanced cuts with the lowest cost; the last vertex is on the false side.

    Cut i has vertex v on the side of bit v of i. For costs see `PartitionGraph.division`.

    Parameters
    ----------
    graph
        At most 20 vertices.
    """
    cuts = np.arange(1 << max(0, graph.vertices - 1))
    side = [(cuts >> vertex & 1).astype(np.bool_) for vertex in range(graph.vertices)]
    cost, on_side = np.zeros(len(cuts), dtype=np.int64), np.zeros(len(cuts), dtype=np.int64)
    for tail, head, edge_cost in zip(graph.tail.tolist(), graph.head.tolist(), graph.cost.tolist(), strict=True):
        cost[side[tail] != side[head]] += edge_cost
    for vertex, weight in enumerate(graph.weight.tolist()):
        on_side[side[vertex]] += weight
    moved = np.maximum(np.maximum(on_side, graph.nodes - on_side) - (graph.nodes + 1) // 2, 0)
    is_heavy = 2 * on_side > graph.nodes
    node_cost = np.where(moved > 0, NEVER, 0)
    for vertex, (weight, each) in enumerate(zip(graph.weight.tolist(), graph.node_cost.tolist(), strict=True)):
        able = (side[vertex] == is_heavy) & (weight >= 2 * moved)
        node_cost[able] = np.minimum(node_cost[able], each)
    cost = np.where(node_cost == NEVER, NEVER, cost + moved * np.where(node_cost == NEVER, 0, node_cost))
    best = int(np.argmin(cost))
    return np.array([bool(best >> vertex & 1) for vertex in range(graph.vertices)])
