"""The permutation of nodes that loads one link most: a transportation problem between groups of nodes."""

import numpy as np

from isoplane.models.arrays import Ints

Match = list[tuple[int, int, int]]  # groups of sources and of destinations, and the number of their nodes


def matching_limit(sender: Ints, end: Ints, units: Ints, senders: Ints, receivers: Ints) -> int:
    """Return a number that the load of a link under any permutation cannot exceed.

    It is the smaller of two sums, over sources and over destinations, of the most units that one of their packets has.
    For the parameters see `match_groups`.
    """
    sums = []
    for group, nodes in ((sender, senders), (end, receivers)):
        largest = np.zeros(len(nodes), dtype=np.int64)
        # At best every packet of a group is the one with most units, which ignores that a place is taken once.
        np.maximum.at(largest, group, units)
        sums.append(int((largest * nodes).sum()))
    return min(sums)


def match_groups(sender: Ints, end: Ints, units: Ints, senders: Ints, receivers: Ints) -> tuple[int, Match]:
    """Match source nodes with destination nodes, one to one, such that the sum of the units is largest.

    Parameters
    ----------
    sender, end, units : int64[uses]
        Units of traffic over the link for a source of group `sender` and a destination of group `end`; pairs that are
        not listed have none.
    senders, receivers : int64[groups]
        Number of nodes of every group of sources, and of destinations.

    Returns
    -------
    int, list of (int, int, int)
        The largest sum, and how many nodes of which group send to which group.

    References
    ----------
    Towles and Dally, Worst-case traffic for oblivious routing functions, 2002.

    Examples
    --------
    >>> import numpy as np
    >>> sender, end, units = np.array([0, 0, 1]), np.array([0, 1, 0]), np.array([2, 1, 2])
    >>> match_groups(sender, end, units, np.array([2, 1]), np.array([1, 2]))
    (4, [(0, 1, 2), (1, 0, 1)])
    """
    from ortools.graph.python import min_cost_flow  # lazy import: it takes a while

    groups, row = np.unique(sender, return_inverse=True)
    goals, column = np.unique(end, return_inverse=True)
    source, sink = len(groups) + len(goals), len(groups) + len(goals) + 1
    nodes, places = senders[groups], receivers[goals]
    total = int(min(nodes.sum(), places.sum()))
    flow = min_cost_flow.SimpleMinCostFlow()
    arcs = flow.add_arcs_with_capacity_and_unit_cost(
        row, len(groups) + column, np.minimum(nodes[row], places[column]), -units
    )
    flow.add_arcs_with_capacity_and_unit_cost(np.full(len(groups), source), np.arange(len(groups)), nodes, 0 * nodes)
    flow.add_arcs_with_capacity_and_unit_cost(
        len(groups) + np.arange(len(goals)), np.full(len(goals), sink), places, 0 * places
    )
    # Pairs without units are no arcs: this one keeps the flow feasible where only some nodes have a partner.
    flow.add_arc_with_capacity_and_unit_cost(source, sink, total, 0)  # nodes that stay unmatched
    flow.set_nodes_supplies(np.array([source, sink]), np.array([total, -total]))
    if flow.solve() != flow.OPTIMAL:
        raise RuntimeError("no optimal matching, although the problem is feasible")
    sent = np.asarray(flow.flows(arcs))
    used = np.flatnonzero(sent)
    matched = [(int(sender[i]), int(end[i]), int(sent[i])) for i in used]
    return int((sent * units).sum()), matched


def paired_nodes(of_node: Ints, end_of_node: Ints, matched: Match) -> list[tuple[int, int]]:
    """Return nodes of the matched groups that send to each other, as many as are matched.

    Parameters
    ----------
    of_node, end_of_node : int64[nodes]
        The group of each node as a source, and as a destination.
    matched
        As from `match_groups`.
    """
    sources = _members(of_node, {sender for sender, _, _ in matched})
    ends = _members(end_of_node, {end for _, end, _ in matched})
    return [(sources[sender].pop(), ends[end].pop()) for sender, end, count in matched for _ in range(count)]


def _members(group_of_node: Ints, groups: set[int]) -> dict[int, list[int]]:
    """Return the nodes of some groups, ascending."""
    order = np.argsort(group_of_node, kind="stable")
    chosen = np.array(sorted(groups), dtype=np.int64)
    first, last = (np.searchsorted(group_of_node[order], chosen, side).tolist() for side in ("left", "right"))
    return {group: order[a:b].tolist() for group, a, b in zip(chosen.tolist(), first, last, strict=True)}


def completed(nodes: int, pairs: list[tuple[int, int]]) -> Ints:
    """Return a permutation with the given pairs; the other nodes send to the other ones in ascending order."""
    destination = np.full(nodes, -1, dtype=np.int64)
    source, end = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    destination[source] = end
    destination[destination < 0] = np.setdiff1d(np.arange(nodes), end)
    return destination
