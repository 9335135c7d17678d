"""Forwarding in hybrid networks: distance vectors on theoretical bandwidth."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from ..checks import exact_number
from ..circuits import Circuits
from ..errors import InputError
from ..families.hybrid import Hybrid

Costs = NDArray[np.int64]

FAR = 1 << 60
MAX_COST = 1 << 40  # of a leg: ways over thousands of them stay below FAR


@dataclass(frozen=True, eq=False)
class Forwarding:
    """Where every node sends what is for another one.

    Attributes
    ----------
    next_node : int32[nodes, nodes]
        By node and destination: who gets the message next; the destination itself where it is sent directly.
    cost : int64[nodes, nodes]
        Sum of the costs of the links, in units of 1 / `scale` ns for a bit; `FAR` where circuits do not lead there.
    scale
        How many units are 1 / (1 Gbit/s).
    """

    next_node: NDArray[np.int32]
    cost: Costs
    scale: int

    def route(self, source: int, destination: int) -> list[int]:
        """Return the nodes that a message visits, with both ends."""
        nodes = [source]
        while nodes[-1] != destination:
            nodes.append(int(self.next_node[nodes[-1], destination]))
        return nodes


def leg_costs(hybrid: Hybrid) -> tuple[int, int, int]:
    """Return the costs of a leg inside a group and of a circuit as integers, and how many of their units are 1.

    The cost of a link is 1 / bandwidth, and costs add: 2 / node_gbps inside a group, 1 / circuit_gbps for a circuit.

    Raises
    ------
    InputError
        If the unit would have to be too fine for 64 bits.

    Examples
    --------
    >>> leg_costs(Hybrid())
    (32, 5, 160)
    """
    inside = 2 / exact_number("", hybrid.node_gbps)
    circuit = Fraction(1) / exact_number("", hybrid.circuit_gbps)
    scale = lcm(inside.denominator, circuit.denominator)
    costs = int(inside * scale), int(circuit * scale)
    if max(costs) > MAX_COST:
        raise InputError(
            f"network.node_gbps={hybrid.node_gbps}, network.circuit_gbps={hybrid.circuit_gbps}: their costs need a "
            "unit that is too fine; expected rates with fewer digits"
        )
    return *costs, scale


def distance_vector(hybrid: Hybrid, circuits: Circuits) -> Forwarding:
    """Return the forwarding tables of a hybrid network.

    Inside a group messages go over its edge switch. Between groups they go over circuits only: to a node of the own
    group that owns one, over it, and on, through more groups if needed, so that the costs add up to the least. Groups
    that no circuits connect use the packet network. Of equally near ways a node takes a circuit of its own before a
    neighbour; of k equally near neighbours (or far ends of its circuits) in ascending order, node i of a group takes
    number i mod k, so that a group shares its circuits. Parallel circuits are one way; `Circuits.number` tells which of
    them a message takes.

    Raises
    ------
    InputError
        If the network cannot set up the circuits.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2, step 4. Ties are not settled there.

    Examples
    --------
    >>> tables = distance_vector(Hybrid(2, 4), Circuits(((0, 4),)))
    >>> tables.route(1, 6), int(tables.cost[1, 6])
    ([1, 0, 4, 6], 69)
    """
    circuits.require_fit(hybrid)
    inside, over, scale = leg_costs(hybrid)
    joined = sorted(set(circuits.pairs))
    ends = np.array([*joined, *((b, a) for a, b in joined)], dtype=np.int64).reshape(-1, 2)
    cost = _costs(hybrid, ends, inside, over)
    next_node = np.broadcast_to(np.arange(hybrid.nodes, dtype=np.int32), (hybrid.nodes, hybrid.nodes)).copy()
    size = hybrid.nodes_per_group
    for node in range(hybrid.nodes):
        first = hybrid.group_of(node) * size
        rank = node - first
        far = np.sort(ends[ends[:, 0] == node, 1])
        for destination in np.flatnonzero((cost[node] < FAR) & (hybrid.group != hybrid.group_of(node))):
            here = cost[node, destination]
            ways = far[cost[far, destination] == here - over]
            if not len(ways):
                ways = first + np.flatnonzero(cost[first : first + size, destination] == here - inside)
            next_node[node, destination] = ways[rank % len(ways)]
    return Forwarding(next_node, cost, scale)


def _costs(hybrid: Hybrid, ends: NDArray[np.int64], inside: int, over: int) -> Costs:
    """Return the least cost from every node to every other one, by exchange of distance vectors until none changes."""
    group, size = hybrid.group, hybrid.nodes_per_group
    same = group[:, None] == group[None, :]
    fixed = np.where(np.eye(hybrid.nodes, dtype=bool), 0, inside)
    cost = np.where(same, fixed, FAR)
    while True:
        before = cost.copy()
        for a, b in ends:
            np.minimum(cost[a], cost[b] + over, out=cost[a], where=~same[a])
        nearest = cost.reshape(hybrid.groups, size, hybrid.nodes).min(axis=1)
        over_switch = np.minimum(cost, np.repeat(nearest, size, axis=0) + inside)
        cost = np.where(same, fixed, np.minimum(over_switch, FAR))
        if np.array_equal(cost, before):
            return cost
