"""Lower bound on the capacity of balanced cuts from the permutations of nodes that evenly split traffic carries."""

from math import ceil

import numpy as np

from ..flows.capacity_graph import FAR, CapacityGraph
from .partition_graph import PartitionGraph

MAX_STEPS = 1 << 28  # pairs of groups, times switches: about a second
ROUNDING = 1e-9  # relative error of a load in floating point, at most


def permutation_bound(capacities: CapacityGraph, graph: PartitionGraph, least: int = 0) -> int:
    r"""Return a lower bound on the capacity of a balanced cut: what a permutation of the nodes sends across it.

    Let all shortest paths of a pair of nodes share its traffic evenly, w_e(s, t) of it on link e. If every node sends
    one unit to a separate node, the load of the link is at most

    .. math:: l_e = \min(Σ_s \max_t w_e(s, t), Σ_t \max_s w_e(s, t)),

    whatever the permutation. Hence all permutations are carried at rate :math:`θ = \min_e c_e / l_e` per node. One of
    them sends from every node of the smaller side of a cut to the other side, so that A nodes on that side make a
    cut of at least θ · A. In full fat-trees that is one cable for every node of a half, twice of what all-to-all
    traffic sends across, half of which stays on its side. If m nodes of a divided switch change sides, their own links
    are cut instead, and A is smaller by m.

    It is 0 if planes attach the nodes of a switch to different switches: links of nodes, which no flow counts, are cut.
    It is also 0 in networks with more than 2²⁸ steps, groups of nodes · groups · switches.

    Parameters
    ----------
    capacities, graph
        The links, and the `partition_graph` of the network.
    least
        The search for the busiest link ends with 0 once the bound cannot exceed this one.

    References
    ----------
    Towles and Dally, Worst-case traffic for oblivious routing functions, 2002, section 3. Duffield et al., A flexible
    model for resource management in virtual private networks, 1999: the hose model.
    """
    steps = len(capacities.nodes) ** 2 * capacities.switches
    if not graph.keeps_nodes_together or steps > MAX_STEPS or not len(capacities.tail):
        return 0
    half, node_cost = graph.nodes // 2, int(graph.node_cost[graph.weight > 0].min())
    peak = _peak(capacities, half / least if least else np.inf)
    if peak is None:
        return 0
    rate, movable = (1 - ROUNDING) / peak, min(half, int(graph.weight.max()) // 2)
    return min(ceil(rate * (half - moved)) + moved * node_cost for moved in range(movable + 1))


def _peak(graph: CapacityGraph, enough: float) -> float | None:
    """Return the largest l_e / c_e; None if it is at least `enough`, or too many paths join two groups."""
    distance, paths = graph.shortest_paths
    group_of_link = graph.group_links.group
    at = graph.group_links.at
    opposite = np.searchsorted(graph.tail * graph.switches + graph.head, graph.head * graph.switches + graph.tail)
    load, peak = np.zeros(len(graph.tail)), 0.0
    for group, (from_group, count) in enumerate(zip(distance, paths, strict=True)):
        apart = np.full(len(graph.nodes), FAR, dtype=np.int32)
        np.minimum.at(apart, group_of_link, from_group[at])
        joining = np.zeros(len(graph.nodes))  # shortest paths to each group
        np.add.at(joining, group_of_link, np.where(from_group[at] == apart[group_of_link], count[at], 0.0))
        # Shares of paths whose number overflows, or is zero, mean nothing.
        if not np.isfinite(joining).all() or not joining.all():
            return None
        is_between = from_group + distance == apart[:, None]
        # Packets of a group to itself take no link.
        is_between[group] = False
        beyond = np.max(paths / joining[:, None], axis=0, where=is_between, initial=0.0)
        used = np.flatnonzero(from_group[graph.tail] + 1 == from_group[graph.head])
        load[used] += graph.nodes[group] * count[graph.tail[used]] * beyond[graph.head[used]]
        # The sum over destinations of a link is the sum over sources of the opposite one: routes reverse.
        peak = float((np.minimum(load, load[opposite]) / graph.capacity).max())
        # Loads only grow with further groups, so the bound can no longer exceed `least`.
        if peak >= enough:
            return None
    return peak or None
