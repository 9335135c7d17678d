"""Demands between vertices joined by links with capacities: the data of a concurrent flow."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError
from isoplane.models.arrays import Ints
from isoplane.objectives import _native

from .capacity_graph import CapacityGraph

MAX_DEMAND = 1 << 60  # of all sources together
MAX_LENGTH = 1 << 40  # of a link, so that distances fit 64 bits


@dataclass(frozen=True, eq=False)
class FlowProblem:
    """Links with capacities, and what every source sends to every vertex.

    Parameters
    ----------
    tail, head : int64[links]
        The vertices that each unidirectional link joins.
    capacity : int64[links]
        Capacities; 0 if unlimited.
    source : int64[sources]
        The vertex of each source.
    demand : int64[sources, vertices]
        What each source sends to each vertex, in any unit; nothing to itself.

    Raises
    ------
    InputError
        If the demands add up to more than 2^60.
    """

    tail: Ints
    head: Ints
    capacity: Ints
    source: Ints
    demand: Ints

    def __post_init__(self) -> None:
        total = self.total_demand
        if total > MAX_DEMAND:
            raise InputError(f"traffic: {total} units in total; expected at most {MAX_DEMAND}")

    @property
    def total_demand(self) -> int:
        """Sum of all demands."""
        # Python's integers, so that a sum beyond 64 bits is refused instead of wrapping round to a small one.
        return sum(map(int, self.demand.astype(object).ravel())) if self._is_wide else int(self.demand.sum())

    @property
    def _is_wide(self) -> bool:
        """Whether a sum of 64 bits may overflow."""
        return int(self.demand.max(initial=0)) * self.demand.size > MAX_DEMAND

    @cached_property
    def arrays(self) -> _native.FlowArrays:
        """The same in the form of the native code."""
        return _native.FlowArrays(
            self.tail.astype(np.int32),
            self.head.astype(np.int32),
            np.ascontiguousarray(self.capacity, dtype=np.int64),
            self.source.astype(np.int32),
            np.ascontiguousarray(self.demand, dtype=np.int64),
        )

    def distances(self, length: Ints) -> int:
        """Return Σ demand · distance over links with integer lengths.

        Raises
        ------
        InputError
            If no path leads to a vertex with demand.
        """
        return self.tree_loads(length, np.zeros(len(length), dtype=np.int32), np.zeros(0, dtype=np.int64))

    def tree_loads(self, length: Ints, link_class: NDArray[np.int32], load: Ints) -> int:
        """Return the same, and add the demand on each class of links, along a shortest tree of each source."""
        words = _native.demand_distances(self.arrays, np.ascontiguousarray(length), link_class, load)
        if words is None:
            raise InputError(
                "network.planes: none connects some pair of nodes; expected links of both in a connected plane"
            )
        # Demand times distance may take 2^60 times 2^40 or more, hence two words.
        return words[0] | words[1] << 64

    def bound(self, length: Ints) -> "tuple[int, int]":
        """Return capacity · length and demand · distance in total: their ratio bounds the throughput from above."""
        # In Python's integers: capacities times lengths may exceed 64 bits.
        room = sum(a * b for a, b in zip(self.capacity.tolist(), length.tolist(), strict=True))
        return room, self.distances(np.where(self.capacity == 0, 0, length))


def flow_problem(graph: CapacityGraph, traffic: Ints | None = None) -> FlowProblem:
    """Return the concurrent flow of all-to-all traffic, or of a traffic matrix, over the links of a network.

    A group of nodes at one switch is that switch. One at several switches, of different planes, is a vertex that sends
    over unlimited links to them, and another one that receives: nodes forward nothing.

    Parameters
    ----------
    graph
        The links.
    traffic : int64[nodes, nodes]
        What each node sends to each other one, in any unit; by default the same to all nodes. The packets within a
        group take no link between switches.

    Raises
    ------
    InputError
        If the matrix has another shape or negative entries.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from .capacity_graph import capacity_graph
    >>> problem = flow_problem(capacity_graph(dual_cube(2, (1, 3))))
    >>> problem.source.tolist(), problem.demand.shape, problem.total_demand  # 8 switches, 4 groups of 4 nodes
    ([8, 9, 10, 11], (4, 16), 192)
    """
    demands = np.outer(graph.nodes, graph.nodes) if traffic is None else _group_traffic(graph, traffic)
    return problem_of_groups(graph, np.arange(len(graph.nodes)), demands)


def problem_of_groups(graph: CapacityGraph, senders: Ints, demands: Ints) -> FlowProblem:
    """Return the concurrent flow of what some groups of nodes send to every group.

    Parameters
    ----------
    graph
        The links.
    senders : int64[senders]
        The groups that send.
    demands : int64[senders, groups]
        What they send to each group; what a group sends to itself takes no link.
    """
    vertices, sender, receiver, links = group_vertices(graph)
    source, index = np.unique(sender[senders], return_inverse=True)
    demand = np.zeros((len(source), vertices), dtype=np.int64)
    np.add.at(demand, (index[:, None], receiver[None, :]), demands)
    demand[np.arange(len(source)), source] = 0
    demand[index, receiver[senders]] = 0
    used = demand.any(axis=1)
    capacity = np.concatenate([graph.capacity, np.zeros(len(links), dtype=np.int64)])
    tail, head = (np.concatenate(ends) for ends in ((graph.tail, links[:, 0]), (graph.head, links[:, 1])))
    return FlowProblem(tail, head, capacity, source[used], demand[used])


def group_vertices(graph: CapacityGraph) -> tuple[int, Ints, Ints, Ints]:
    """Return the number of vertices, those at which each group of nodes sends and receives, and their unlimited links.

    See `flow_problem`.
    """
    group = graph.group_links.group
    pairs = np.unique(np.stack([group, graph.group_links.at], axis=1), axis=0)
    sender = np.zeros(len(graph.nodes), dtype=np.int64)
    # Right for groups at one switch; those at several get vertices of their own below.
    sender[pairs[:, 0]] = pairs[:, 1]
    is_spread = np.bincount(pairs[:, 0], minlength=len(graph.nodes)) > 1
    receiver, spread = sender.copy(), int(is_spread.sum())
    sender[is_spread] = graph.switches + np.arange(spread)
    receiver[is_spread] = graph.switches + spread + np.arange(spread)
    group, switch = pairs[is_spread[pairs[:, 0]]].T
    links = np.concatenate([np.stack([sender[group], switch], axis=1), np.stack([switch, receiver[group]], axis=1)])
    return graph.switches + 2 * spread, sender, receiver, links


def _group_traffic(graph: CapacityGraph, traffic: Ints) -> Ints:
    """Return what each group of nodes sends to each."""
    nodes = len(graph.group_of_node)
    if traffic.shape != (nodes, nodes):
        raise InputError(f"traffic: a matrix of shape {traffic.shape}; expected {(nodes, nodes)}, nodes and nodes")
    if (traffic < 0).any():
        raise InputError(f"traffic: {int(traffic.min())}; expected at least 0")
    rows = np.zeros((len(graph.nodes), nodes), dtype=np.int64)
    np.add.at(rows, graph.group_of_node, traffic)
    between_groups = np.zeros((len(graph.nodes), len(graph.nodes)), dtype=np.int64)
    # Columns are added up through transposed views, which `add.at` writes in place.
    np.add.at(between_groups.T, graph.group_of_node, rows.T)
    return between_groups
