"""Lower bound on the time of all-gather and reduce-scatter, whatever the schedule: the tightest cut."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.objectives import _native

from ..flows.capacity_graph import CapacityGraph, capacity_graph
from ..flows.graph_symmetry import graph_symmetry
from .gather_graph import GatherGraph, gather_graph

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class GatherBound:
    """A set of switches and nodes that bounds the time of an all-gather, and of a reduce-scatter.

    Parameters
    ----------
    ratio
        Nodes in the set / rate of the links that leave it, in capacities of the reference link: either operation
        takes at least this many times as long as one shard takes on the reference link. No set has a larger ratio.
    nodes : bool[nodes]
        Whether each node is in the set; some are not.
    switches : bool[switches], one per plane
        Whether each switch is.
    """

    ratio: Fraction
    nodes: Flags
    switches: tuple[Flags, ...]


def gather_bound(network: Network) -> GatherBound | None:
    r"""Find the set of switches and nodes that bounds the time of an all-gather or reduce-scatter of all nodes.

    In an all-gather every node needs the shards of all others. If some node is not in a set S, the shards of all nodes
    in S leave it, at least once each:

    .. math:: time ≥ shard · \max_S nodes(S) / rate(S → rest).

    Schedules with this time exist if nodes may relay and shards can be divided at will (Zhao et al.). A reduce-scatter
    is an all-gather backwards, and links have the same rate in both directions: at least one shard enters S for each of
    its nodes, also if switches reduce. The largest ratio is found by minimum cuts (Dinkelbach's method), for one
    excluded node of every kind. Links of nodes count, except in direct networks.

    Parameters
    ----------
    network
        The network.

    Returns
    -------
    GatherBound or None
        None with a single node.

    Raises
    ------
    InputError
        If no plane connects a pair of nodes, or only some links state a rate.

    References
    ----------
    Zhao et al., ForestColl: Throughput-optimal collective communications on heterogeneous network fabrics, 2024.
    Dinkelbach, On nonlinear fractional programming, 1967.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> gather_bound(Network(Torus(shape=(4, 4)))).ratio  # all 15 others over the 4 links of a node
    Fraction(15, 4)
    """
    if network.nodes < 2:
        return None
    capacities = capacity_graph(network)
    graph = gather_graph(network, capacities)
    best = Fraction(0)
    for kind in _kinds(network, capacities, graph):
        # Kinds start from the best ratio of those before: one that cannot beat it takes a single minimum cut.
        while (found := _better(graph, kind, best)) is not None:
            best, side = found
            excluded = int(np.flatnonzero(graph.kind_of_node == kind)[0])
    nodes = side[graph.kind_vertex[graph.kind_of_node]]
    nodes[excluded] = False
    switches = tuple(side[vertex] for vertex in graph.switch_vertex)
    return GatherBound(best * graph.unit, nodes, switches)


def _better(graph: GatherGraph, kind: int, ratio: Fraction) -> tuple[Fraction, Flags] | None:
    """Return the ratio and the side of a set without one node of a kind, if a ratio exceeds the given one.

    Nodes in S, times the denominator, less the rate out of it, times the numerator, is largest for a minimum cut: each
    node hangs on the source by a link of the denominator.
    """
    (source, excluded, tail, head, rate), others = graph.without(kind), graph.count.copy()
    others[kind] -= 1
    side = np.zeros(source + 1, dtype=np.uint8)
    if not ratio:  # all but the excluded node
        side[:] = 1
        side[excluded] = 0
    elif _native.minimum_cut(
        np.append(tail, np.full(len(others), source)).astype(np.int32),
        np.append(head, graph.kind_vertex).astype(np.int32),
        np.append(ratio.numerator * rate, ratio.denominator * others),
        source,
        excluded,
        side,
    ) == ratio.denominator * int(others.sum()):
        return None  # the cut that separates nothing is minimal: no set has a larger ratio (Dinkelbach's test)
    inside = side.astype(bool)
    leaving = int(rate[inside[tail] & ~inside[head]].sum())
    if not leaving:
        raise InputError(
            "network.planes: none connects some pair of nodes; expected links of both in a connected plane"
        )
    return Fraction(int(others[inside[graph.kind_vertex]].sum()), leaving), inside


def _kinds(network: Network, capacities: CapacityGraph, graph: GatherGraph) -> Iterator[int]:
    """Yield the kinds of nodes to exclude: one for each orbit of symmetries, if they surely keep links of nodes."""
    symmetry = graph_symmetry(capacities) if _has_equal_node_links(network, capacities) else None
    if symmetry is None:
        yield from range(len(graph.count))
        return
    _, group = np.unique(symmetry.group_orbit, return_index=True)
    for each in group.tolist():
        yield int(graph.kind_of_node[np.flatnonzero(capacities.group_of_node == each)[0]])


def _has_equal_node_links(network: Network, graph: CapacityGraph) -> bool:
    """Whether all links of nodes have the same rate, and no two of a node lead to the same switch."""
    stated = [plane.timing.node_rate_mbps for plane in network.planes]
    rates = {rate for each in stated if each is not None for rate in each.tolist()}
    group = graph.group_links.group
    pairs = np.stack([group, graph.group_links.at])
    return len(rates) < 2 and np.unique(pairs, axis=1).shape == pairs.shape
