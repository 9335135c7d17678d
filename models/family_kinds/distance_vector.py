"""Forwarding in hybrid networks: distance-vector routing on nominal bandwidth."""

from math import lcm

import numpy as np
from numpy.typing import NDArray

from ..circuits import Circuits
from ..errors import InputError
from ..network import NO_SITE
from ..site.site import Site
from .optical import OpticalFamily

Costs = NDArray[np.int64]
Tables = NDArray[np.int32]

UNREACHED = 1 << 60
MAX_COST = 1 << 40  # per segment: the costs of routes with thousands of segments stay below UNREACHED


def segment_costs(hybrid: OpticalFamily, site: Site = NO_SITE) -> tuple[int, int, int]:
    """Return the costs of a segment inside a group and of a circuit as integers, and the scale.

    The cost of a link is 1 / bandwidth, and costs add: `OpticalFamily.inside_cost` inside a group, in the two-level
    tree 2 / node_gbps, and 1 / circuit_gbps for a circuit. The integers are these costs times the scale.

    Parameters
    ----------
    hybrid, site
        The network; the site matters only if the family uses it.

    Raises
    ------
    InputError
        If the costs do not fit in 64 bits.

    Examples
    --------
    >>> from ..families.hybrid import Hybrid
    >>> segment_costs(Hybrid())
    (32, 5, 160)
    """
    inside, circuit = hybrid.inside_cost(site), hybrid.circuit_cost
    scale = lcm(inside.denominator, circuit.denominator)
    costs = int(inside * scale), int(circuit * scale)
    if max(costs) > MAX_COST:
        raise InputError(f"{hybrid.rates_text}: their costs exceed 64-bit integers; expected rates with fewer digits")
    return *costs, scale


def distance_vector(hybrid: OpticalFamily, circuits: Circuits, site: Site = NO_SITE) -> Tables:
    """Return the forwarding tables of all nodes of a hybrid network.

    Inside a group messages are forwarded by the edge switch. Between groups they use circuits only, along a route of
    minimum cost: to a node of the same group that owns a circuit, over that circuit, and on through further groups
    if needed. Groups that no circuits connect use the packet network. Ties: a node prefers its own circuit to a
    neighbour's; of k equally near neighbours (or far ends of its circuits) in ascending order, node i of a group takes
    number i mod k, which distributes a group over its circuits. Parallel circuits count as one edge in routing;
    `Circuits.circuit_index` selects the one that a message takes.

    Returns
    -------
    int32[nodes, nodes]
        Next hop by node and destination; the destination itself if the packet network is used.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2, step 4, which does not specify how ties are broken.

    Examples
    --------
    >>> from ..families.hybrid import Hybrid
    >>> route_over(distance_vector(Hybrid(2, 4), Circuits(((0, 4),))), 1, 6)
    [1, 0, 4, 6]
    """
    circuits.require_fit(hybrid.optical)
    inside, circuit_cost, _ = segment_costs(hybrid, site)
    cost, ends = least_costs(hybrid, circuits, site), _directions(circuits)
    next_node = np.broadcast_to(np.arange(hybrid.nodes, dtype=np.int32), (hybrid.nodes, hybrid.nodes)).copy()
    size = hybrid.nodes_per_group
    for node in range(hybrid.nodes):
        first = hybrid.group_of(node) * size
        rank = node - first
        neighbours, far_ends = first + np.arange(size), np.sort(ends[ends[:, 0] == node, 1])
        reached = np.flatnonzero((cost[node] < UNREACHED) & (hybrid.group != hybrid.group_of(node)))
        costs = cost[:, reached]
        over_switch = _choice(neighbours, costs[neighbours] == costs[node] - inside, rank)
        over_circuit = _choice(far_ends, costs[far_ends] == costs[node] - circuit_cost, rank)
        next_node[node, reached] = np.where(over_circuit < 0, over_switch, over_circuit)
    return next_node


def route_over(tables: Tables, source: int, destination: int) -> list[int]:
    """Return the nodes on the route of a message over the tables of `distance_vector`, both ends included."""
    nodes = [source]
    while nodes[-1] != destination:
        nodes.append(int(tables[nodes[-1], destination]))
    return nodes


def _directions(circuits: Circuits) -> NDArray[np.int64]:
    """Return the ends of the circuits in both directions, each once, as int64[directions, 2]."""
    connected = sorted(set(circuits.pairs))
    return np.array([*connected, *((b, a) for a, b in connected)], dtype=np.int64).reshape(-1, 2)


def _choice(nodes: NDArray[np.int64], suitable: NDArray[np.bool_], rank: int) -> NDArray[np.int64]:
    """Return number `rank` modulo k of the k suitable nodes for each destination, -1 where none is suitable.

    Parameters
    ----------
    nodes : int64[N]
        Candidates in ascending order.
    suitable : bool[N, destinations]
        Whether a route over the node has minimum cost.
    """
    if not len(nodes):
        return np.full(suitable.shape[1], -1)
    counts = suitable.sum(axis=0)
    # argmax finds the first True: where the count of suitable nodes comes to exceed the wanted number.
    position = (suitable.cumsum(axis=0) > rank % np.maximum(counts, 1)).argmax(axis=0)
    return np.where(counts > 0, nodes[position], -1)


def least_costs(hybrid: OpticalFamily, circuits: Circuits, site: Site = NO_SITE) -> Costs:
    """Return the minimum cost between all pairs of nodes, by exchanging distance vectors until convergence.

    Returns
    -------
    int64[nodes, nodes]
        Sums of `segment_costs`; `UNREACHED` if no circuits lead there.
    """
    inside, circuit_cost, _ = segment_costs(hybrid, site)
    group, size, ends = hybrid.group, hybrid.nodes_per_group, _directions(circuits)
    same_group = group[:, None] == group[None, :]
    own_group_cost = np.where(np.eye(hybrid.nodes, dtype=bool), 0, inside)
    cost = np.where(same_group, own_group_cost, UNREACHED)
    while True:  # costs only fall, and no route passes a node twice, so that this ends
        previous = cost.copy()
        for a, b in ends:
            np.minimum(cost[a], cost[b] + circuit_cost, out=cost[a], where=~same_group[a])
        nearest = cost.reshape(hybrid.groups, size, hybrid.nodes).min(axis=1)
        via_switch = np.minimum(cost, np.repeat(nearest, size, axis=0) + inside)
        cost = np.where(same_group, own_group_cost, np.minimum(via_switch, UNREACHED))
        if np.array_equal(cost, previous):
            return cost
