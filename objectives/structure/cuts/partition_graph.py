"""The graph whose balanced cuts are the bisections of a network."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Network
from isoplane.models.arrays import Ints

from ..flows.capacity_graph import CapacityGraph

Sides = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class PartitionGraph:
    """Vertices with a number of nodes, and undirected edges with the capacity that is lost if they are cut.

    A switch and its nodes are one vertex, together with the switches of the same nodes in other planes. Where planes
    attach the nodes of a switch to different switches, these switches and their groups of nodes are vertices of their
    own, joined by the links of the nodes.

    Parameters
    ----------
    weight : int64[vertices]
        Number of nodes of each vertex.
    tail, head, cost : int64[edges]
        Edges, each once, with their capacities.
    node_cost : int64[vertices]
        Capacity of all links of a node of the vertex, the largest if they differ; 0 for a vertex without nodes.
    switch_vertex : int64[switches]
        The vertex of every switch; a group of nodes is the vertex with its own number.
    keeps_nodes_together
        Whether every switch is one vertex with all its nodes.
    """

    weight: Ints
    tail: Ints
    head: Ints
    cost: Ints
    node_cost: Ints
    switch_vertex: Ints
    keeps_nodes_together: bool

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.weight)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return int(self.weight.sum())

    @cached_property
    def adjacency(self) -> tuple[Ints, NDArray[np.int32], Ints]:
        """The edges of every vertex, in the order of all edges: first edges, other vertices, and capacities.

        Edges are listed at both of their vertices: those of vertex i are ``start[i]`` to ``start[i + 1] - 1``.
        """
        vertex = np.concatenate([self.tail, self.head])
        order = np.lexsort((np.tile(np.arange(len(self.cost)), 2), vertex))
        start = np.searchsorted(vertex[order], np.arange(self.vertices + 1)).astype(np.int64)
        other = np.concatenate([self.head, self.tail])[order].astype(np.int32)
        return start, other, np.tile(self.cost, 2)[order]

    def cut(self, side: Sides) -> int:
        """Return the capacity of the edges between the sides."""
        return int(self.cost[side[self.tail] != side[self.head]].sum())

    def division(self, side: Sides) -> tuple[int, int, int] | None:
        """Return how the nodes of one vertex are divided to balance the sides: vertex, nodes moved, and their cost.

        The moved nodes join the other side and lose all their links. They are at most half of the nodes of the vertex.
        The vertex is -1 if the sides are balanced; None if no vertex has enough nodes.
        """
        on_side = int(self.weight[side].sum())
        moved = max(on_side, self.nodes - on_side) - (self.nodes + 1) // 2
        if moved <= 0:
            return -1, 0, 0
        # Nodes leave the heavier side; dividing a vertex of the other one would unbalance it further.
        heavy = side if 2 * on_side > self.nodes else ~side
        able = np.flatnonzero(heavy & (self.weight >= 2 * moved))
        if not len(able):
            return None
        vertex = int(able[np.argmin(self.node_cost[able])])
        return vertex, moved, moved * int(self.node_cost[vertex])


def partition_graph(network: Network, graph: CapacityGraph) -> PartitionGraph:
    """Return the graph of the bisections of a network.

    Parameters
    ----------
    network
        The network.
    graph
        Its `capacity_graph`.
    """
    group_count, links = len(graph.nodes), graph.group_links
    group_of_link = np.repeat(np.arange(group_count), np.diff(links.start))
    pairs = np.unique(np.stack([links.at, group_of_link]), axis=1)
    groups_at = np.bincount(pairs[0], minlength=graph.switches)
    is_loose = np.zeros(group_count, dtype=np.bool_)
    # A switch shared by two groups cannot be one vertex with either of them.
    is_loose[pairs[1][groups_at[pairs[0]] > 1]] = True
    switch_vertex = np.full(graph.switches, -1, dtype=np.int64)
    kept = ~is_loose[pairs[1]]
    switch_vertex[pairs[0][kept]] = pairs[1][kept]
    separate = np.flatnonzero(switch_vertex < 0)
    switch_vertex[separate] = group_count + np.arange(len(separate))
    weight = np.concatenate([graph.nodes, np.zeros(len(separate), dtype=np.int64)])
    node_rate, group_cost = _node_rates(network, graph), np.zeros(len(weight), dtype=np.int64)
    np.maximum.at(group_cost, graph.group_of_node, node_rate)
    each_link = (group_cost[:group_count] // np.maximum(np.diff(links.start), 1))[group_of_link]
    loose = is_loose[group_of_link]
    tail = np.concatenate([switch_vertex[graph.tail], group_of_link[loose], switch_vertex[links.at[loose]]])
    head = np.concatenate([switch_vertex[graph.head], switch_vertex[links.at[loose]], group_of_link[loose]])
    # Links of nodes in both directions, like those between switches; the next lines keep one of each two.
    cost = np.concatenate([graph.capacity, *[(each_link * graph.nodes[group_of_link])[loose]] * 2])
    once = tail < head
    edge, index = np.unique(tail[once] * len(weight) + head[once], return_inverse=True)
    total = np.zeros(len(edge), dtype=np.int64)
    np.add.at(total, index, cost[once])
    return PartitionGraph(
        weight, edge // len(weight), edge % len(weight), total, group_cost, switch_vertex, not is_loose.any()
    )


def _node_rates(network: Network, graph: CapacityGraph) -> Ints:
    """Return the sum of the capacities of the links of each node, in the unit of the capacities of the graph."""
    total = np.zeros(network.nodes, dtype=np.int64)
    for plane in network.planes:
        rate = plane.timing.node_rate_mbps
        np.add.at(total, plane.node, graph.unit if rate is None else rate)
    return total
