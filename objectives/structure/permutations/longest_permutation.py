"""The permutation traffic whose packets have to take the most hops: a matching of the largest distances."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.nearest_plane import switch_hops

from ..flows.capacity_graph import CapacityGraph, capacity_graph
from .group_matching import completed, match_groups, matching_limit, paired_nodes

MAX_GROUPS = 512  # of nodes for a matching of all pairs: a second
FARTHEST = 32  # other groups that are considered for each group beyond, and first
FAR = 1 << 20  # hops where no plane joins two groups


@dataclass(frozen=True, eq=False)
class LongestPermutation:
    """A permutation of the nodes with a large sum of distances, and the throughput that no routing of it exceeds.

    Parameters
    ----------
    hops
        Sum of the distances between the switches of all nodes and of their destinations.
    is_exact
        Whether no permutation has a larger sum.
    bound
        Total capacity of the links between switches over `hops`: the rate of every node, in capacities of the reference
        link, that no routing exceeds; None if `hops` is 0.
    destination : int64[nodes]
        The node to which each node sends.
    """

    hops: int
    is_exact: bool
    bound: Fraction | None
    destination: Ints


def longest_permutation(network: Network) -> LongestPermutation:
    r"""Match every node with a destination so that the sum of distances is largest.

    A packet of a pair at distance d takes d links at least. If every node sends at rate θ, the links with capacities
    c_e carry at least θ Σ d, whatever the routes, so that

    .. math:: θ ≤ Σ_e c_e / Σ_{a} d(a, π(a))

    for every permutation π, and this one gives the lowest of these bounds. First each group of nodes at the same
    switches is matched with the 32 farthest ones at most; if that reaches the sum of the largest distances of all
    nodes, no matching is longer. Otherwise all pairs are considered in networks of up to 512 groups; in larger ones the
    matching may not be the longest, but its bound holds.

    Raises
    ------
    InputError
        If only some links state a rate.

    References
    ----------
    Jyothi, Singla, Godfrey and Kolla, Measuring and Understanding Throughput of Network Topologies, 2016: longest
    matching traffic. Namyar, Supittayapornpong, Zhang, Yu and Govindan, A Throughput-Centric View of the Performance of
    Datacenter Topologies, 2021: the bound.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> longest = longest_permutation(Network(Torus(shape=(6,))))  # all to the opposite node: 18 hops on 12 links
    >>> longest.hops, longest.is_exact, longest.bound
    (18, True, Fraction(2, 3))
    """
    graph = capacity_graph(network)
    hops = group_hops(network, graph)
    limit = _limit(hops, graph.nodes)
    total, matched = _matched(hops, graph.nodes, min(FARTHEST, len(hops)))
    if total < limit and len(hops) <= MAX_GROUPS:
        total, matched = _matched(hops, graph.nodes, len(hops))
        # A matching of all pairs is optimal, so its sum is the limit that no other one exceeds.
        limit = total
    group = graph.group_of_node
    destination = completed(network.nodes, paired_nodes(group, group, matched))
    total = int(hops[group, group[destination]].sum())  # with the nodes that `completed` pairs
    bound = Fraction(int(graph.capacity.sum()), graph.unit * total) if total else None
    return LongestPermutation(total, total == limit, bound, destination)


def group_hops(network: Network, graph: CapacityGraph) -> Ints:
    """Return the hops between groups of nodes, in the plane with the fewest, as ``int64[groups, groups]``."""
    links, first = graph.group_links, 0
    hops = np.full((len(graph.nodes), len(graph.nodes)), FAR, dtype=np.int64)
    for plane in network.planes:
        last = first + plane.topology.switches
        here = np.flatnonzero((links.at >= first) & (links.at < last))
        group, at = links.group[here], links.at[here] - first
        found = switch_hops(plane.topology)[at][:, at].astype(np.int64)
        for link in range(len(here)) if len(np.unique(group)) < len(group) else ():
            np.minimum.at(hops[group[link]], group, found[link])
        if len(np.unique(group)) == len(group):
            hops[np.ix_(group, group)] = np.minimum(hops[np.ix_(group, group)], found)
        first = last
    return hops


def _limit(hops: Ints, nodes: Ints) -> int:
    """Return a sum of distances that no permutation exceeds."""
    sender, end = np.divmod(np.arange(hops.size), len(hops))
    return matching_limit(sender, end, hops.ravel(), nodes, nodes)


def _matched(hops: Ints, nodes: Ints, count: int) -> tuple[int, list[tuple[int, int, int]]]:
    """Match the nodes of groups with those of some of the farthest groups of each, ties in circular order."""
    groups = len(hops)
    # All groups would otherwise choose the first of many equally far ones, and few of them could be matched.
    ahead = (np.arange(groups) - np.arange(groups)[:, None]) % groups
    # Distance decides, as its weight exceeds all circular steps.
    ends = np.argsort(ahead - hops * groups, axis=1, kind="stable")[:, :count]
    sender = np.repeat(np.arange(groups), count)
    return match_groups(sender, ends.ravel(), hops[sender, ends.ravel()], nodes, nodes)
