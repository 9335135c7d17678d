"""Switches and kinds of nodes as a graph of rates, for cuts that separate single nodes."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints

from ..flows.capacity_graph import CapacityGraph


@dataclass(frozen=True, eq=False)
class GatherGraph:
    """All planes of a network, with a vertex for all nodes of a kind: those whose links have the same ends and rates.

    In a direct network a node and its switches are one vertex.

    Parameters
    ----------
    unit
        Rate of the reference link.
    vertices
        Number of vertices: of switches first, then of kinds of nodes, in a direct network those of switches only.
    tail, head, rate : int64[links]
        Links between switches.
    kind_of_node : int64[nodes]
        The kind of every node.
    count : int64[kinds]
        Number of nodes of every kind.
    kind_vertex : int64[kinds]
        The vertex of every kind.
    node_kind, node_switch, node_rate : int64[links]
        For every link of one node of each kind, the kind, the vertex of the switch, and the rate.
    switch_vertex : int64[switches], one per plane
        The vertex of every switch.
    """

    unit: int
    vertices: int
    tail: Ints
    head: Ints
    rate: Ints
    kind_of_node: Ints
    count: Ints
    kind_vertex: Ints
    node_kind: Ints
    node_switch: Ints
    node_rate: Ints
    switch_vertex: tuple[Ints, ...]

    def without(self, kind: int) -> tuple[int, int, Ints, Ints, Ints]:
        """Return the links if one node of a kind is a separate vertex.

        They are the number of vertices, the vertex of that node, and tail, head and rate of each unidirectional link,
        in 1 / unit of the reference link.
        """
        if self.count[kind] == 1:
            excluded, vertices, others = int(self.kind_vertex[kind]), self.vertices, self.count
            alone = np.zeros(0, dtype=np.int64)
        else:
            excluded, vertices, others = self.vertices, self.vertices + 1, self.count.copy()
            others[kind] -= 1
            alone = np.flatnonzero(self.node_kind == kind)
        up = np.concatenate([self.kind_vertex[self.node_kind], np.full(len(alone), excluded)])
        switch = np.concatenate([self.node_switch, self.node_switch[alone]])
        # One vertex stands for all nodes of its kind, so its links have the rates of all of them.
        rate = np.concatenate([self.node_rate * others[self.node_kind], self.node_rate[alone]])
        tail, head = np.concatenate([self.tail, up, switch]), np.concatenate([self.head, switch, up])
        return vertices, excluded, tail, head, np.concatenate([self.rate, rate, rate])


def gather_graph(network: Network, capacities: CapacityGraph) -> GatherGraph:
    """Return the graph of a network, given its links between switches.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from ..flows.capacity_graph import capacity_graph
    >>> network = dual_cube(2, (1, 3))
    >>> graph = gather_graph(network, capacity_graph(network))
    >>> graph.vertices, graph.count.tolist(), graph.without(0)[1]  # 8 switches, 4 kinds
    (12, [4, 4, 4, 4], 12)
    """
    planes = network.planes
    first = np.concatenate([[0], np.cumsum(network.plane_switches)]).astype(np.int64)
    node = np.concatenate([plane.node for plane in planes])
    switch = np.concatenate([begin + plane.node_switch for begin, plane in zip(first, planes, strict=False)])
    stated = [plane.timing.node_rate_mbps for plane in planes]
    rate = np.concatenate(
        [np.ones(len(plane.node), dtype=np.int64) if r is None else r for plane, r in zip(planes, stated, strict=True)]
    )
    vertex = np.arange(first[-1])
    if network.node_cable_mm is None:  # a node is one vertex with its switches
        vertex[switch] = first[-1] + node
        vertex = np.unique(vertex, return_inverse=True)[1]
        kind_of_node, kept = np.arange(network.nodes), np.zeros(0, dtype=np.int64)
        kind_vertex = np.zeros(network.nodes, dtype=np.int64)
        kind_vertex[node] = vertex[switch]
        vertices = int(vertex.max()) + 1
    else:
        kind_of_node, kept = _kinds(node, switch, rate, network.nodes)
        kind_vertex = first[-1] + np.arange(int(kind_of_node.max()) + 1)
        vertices = int(kind_vertex[-1]) + 1
    return GatherGraph(
        capacities.unit,
        vertices,
        vertex[capacities.tail],
        vertex[capacities.head],
        capacities.capacity,
        kind_of_node,
        np.bincount(kind_of_node),
        kind_vertex,
        kind_of_node[node[kept]],
        switch[kept],
        rate[kept],
        tuple(vertex[a:b] for a, b in pairwise(first.tolist())),
    )


def _kinds(node: Ints, switch: Ints, rate: Ints, nodes: int) -> tuple[Ints, Ints]:
    """Return the kind of each node, and the node links of the first node of each kind."""
    order = np.lexsort((rate, switch, node))
    starts = np.searchsorted(node[order], np.arange(nodes + 1))
    ends = np.stack([switch, rate], axis=1)[order]
    numbers: dict[bytes, int] = {}
    # Sorted by switch and rate, equal ends give equal bytes, whatever order the planes list them in.
    kind = [numbers.setdefault(ends[a:b].tobytes(), len(numbers)) for a, b in pairwise(starts.tolist())]
    first = np.unique(kind, return_index=True)[1]
    kept = np.concatenate([order[starts[each] : starts[each + 1]] for each in first])
    return np.array(kind, dtype=np.int64), kept.astype(np.int64)
