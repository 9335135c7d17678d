"""Bisection of a network: the capacity between two halves of its nodes."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from isoplane.models import Network

from ..flows.capacity_graph import CapacityGraph, capacity_graph
from .balanced_cut import balanced_cut, total_cost
from .cut_bounds import cut_unit, spectral_bound, traffic_bound
from .partition_graph import PartitionGraph, Sides, partition_graph
from .permutation_bound import permutation_bound

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
    # Half of all: exchanging the sides leaves the cost as it is, so the last vertex stays on one side.
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


@dataclass(frozen=True, eq=False)
class Bisection:
    """Capacity of the cables between two halves of the nodes, over all planes, in capacities of the reference link.

    If all links have the same rate, capacities are numbers of cables.

    Parameters
    ----------
    nodes
        Number of nodes.
    lower
        Every bisection has at least this capacity.
    cut
        Capacity of the best bisection found.
    spectral
        The lower bound of an eigenvalue alone, at most `lower`; None beyond 4,200 switches.
    metis
        Capacity of the best bisection of METIS alone, at least `cut`; None if the network is a single switch or two.
    switch_side : bool[switches], one per plane
        The side of every switch in that bisection.
    node_side : bool[nodes]
        The side of every node: that of its switches, except for the moved nodes of a divided switch, whose links are
        part of `cut`.
    """

    nodes: int
    lower: Fraction
    cut: Fraction
    spectral: Fraction | None
    metis: Fraction | None
    switch_side: tuple[Sides, ...]
    node_side: Sides

    @property
    def is_exact(self) -> bool:
        """Whether no bisection has a lower capacity."""
        return self.lower == self.cut

    @property
    def share(self) -> Fraction:
        """The capacity of the cut as a share of that of nodes / 2 links."""
        return self.share_of(self.cut)

    def share_of(self, capacity: Fraction) -> Fraction:
        """Return a capacity as a share of that of nodes / 2 links."""
        return 2 * capacity / self.nodes


def bisection(network: Network, seed: int = 0) -> Bisection:
    """Divide the nodes into halves, one node apart if their number is odd, such that few cables join them.

    A switch is on the side of its nodes; switches without nodes are on either side. If the nodes of whole switches
    cannot be halved, at most half of the nodes of one switch are on the other side, and all their links are cut. Where
    planes attach the nodes of a switch to different switches, links of nodes may be cut as well.

    The cut is the best of several bisections by METIS and local search, and minimal for up to 20 switches with their
    nodes. The lower bound is the largest of a spectral bound, of the all-to-all traffic that a known flow carries
    across, and of the traffic of a permutation that evenly split routes carry across.

    Parameters
    ----------
    network
        The network.
    seed
        Seed of METIS.

    Raises
    ------
    InputError
        If no plane connects a pair of nodes, or only some links state a rate.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> halves = bisection(Network(Torus(shape=(8, 4))))  # 2 · 32 / 8 cables
    >>> halves.cut, halves.is_exact, halves.share
    (Fraction(8, 1), True, Fraction(1, 2))
    """
    capacities = capacity_graph(network)
    graph = partition_graph(network, capacities)
    (side, metis), spectral = balanced_cut(graph, seed), spectral_bound(graph)
    lower = _lower_bound(capacities, graph, spectral, _cost(graph, side))
    if lower < _cost(graph, side) and graph.vertices <= MAX_VERTICES:
        side = smallest_cut(graph)
        lower = _cost(graph, side)
    return Bisection(
        network.nodes,
        Fraction(lower, capacities.unit),
        Fraction(_cost(graph, side), capacities.unit),
        None if spectral is None else Fraction(spectral, capacities.unit),
        None if metis is None else Fraction(metis, capacities.unit),
        _by_plane(side[graph.switch_vertex], network.plane_switches),
        _node_sides(graph, capacities, side),
    )


def _lower_bound(capacities: CapacityGraph, graph: PartitionGraph, spectral: int | None, cut: int) -> int:
    """Return the largest of the lower bounds, computed in turn until one reaches the cut."""
    unit = cut_unit(graph)
    # No cut lies between two multiples of the unit, so every bound is rounded up to one.
    lower = max(spectral or 0, -(-traffic_bound(capacities, graph) // unit) * unit)
    if lower < cut:
        lower = max(lower, -(-permutation_bound(capacities, graph, lower) // unit) * unit)
    return lower


def _cost(graph: PartitionGraph, side: Sides) -> int:
    cost = total_cost(graph, side)
    assert cost is not None  # cuts are balanced
    return cost


def _node_sides(graph: PartitionGraph, capacities: CapacityGraph, side: Sides) -> Sides:
    found, division = side[capacities.group_of_node], graph.division(side)
    if division is not None:
        vertex, moved, _ = division
        nodes = np.flatnonzero(capacities.group_of_node == vertex)[:moved]
        found[nodes] = ~found[nodes]
    return found


def _by_plane(values: Sides, switches: tuple[int, ...]) -> tuple[Sides, ...]:
    return tuple(np.split(values, np.cumsum(switches)[:-1]))
