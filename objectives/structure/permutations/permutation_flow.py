"""The throughput of a permutation of the nodes under the best routing of it."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.transmission_times import transmission_times_of

from ..flows.capacity_graph import CapacityGraph, capacity_graph
from ..flows.flow_problem import FlowProblem, problem_of_groups
from ..flows.max_flow import max_concurrent_flow

MAX_FLOWS = 1 << 21  # of all groups of nodes over all links: beyond, only shortest paths are examined
MAX_MOVES = 1 << 28  # of flows: a second
MAX_STEPS = 1 << 28  # pairs of groups that send, times links: seconds; beyond, no flow is sought
MAX_PATHS = 1 << 50  # shortest paths of a pair, whose numbers are exact in floating point
MAX_PARTS = 1 << 40  # common denominator of shares of paths
TOLERANCE = 1e-4  # relative difference of bounds that are as good as equal


@dataclass(frozen=True, eq=False)
class PermutationFlow:
    """The rate at which every node can send to one other node, whatever the routes, between two bounds.

    Both are in capacities of the reference link, exact for the flow and the lengths of links that prove them.

    Parameters
    ----------
    flow
        A flow carries all packets at this rate; None in networks that are too large, and without traffic that needs a
        link of limited capacity.
    bound
        No routing carries more; None without traffic that needs a link of limited capacity. It is the lower one of the
        bound that lengths of links prove, and of the least sum of the capacities of the links of a node.
    """

    flow: Fraction | None
    bound: Fraction | None


def permutation_flow(network: Network, destination: Ints, graph: CapacityGraph | None = None) -> PermutationFlow:
    r"""Bound the highest rate of a permutation over all routings: its maximum concurrent flow.

    For any lengths l ≥ 0 of links with capacities c_e, with the distance d_l in the plane where it is shortest,

    .. math:: θ ≤ Σ_e c_e l_e / Σ_a d_l(a, π(a)),

    and the best lengths reach the optimum, by linear programming duality. Packets that are split evenly over all
    shortest paths are one flow; in trees of full bisection it is already the best. Where it does not reach the bound of
    equal lengths, `max_concurrent_flow` improves both bounds in networks of up to 2^21 flows, one of every group of
    nodes over every link, in a limited number of iterations. The result does not depend on the machine.

    Parameters
    ----------
    network
        The network.
    destination : int64[nodes]
        The node to which each node sends; nodes that send to themselves send nothing.
    graph
        The `capacity_graph` of the network, which permutations can share with its shortest paths; by default a new one.

    Raises
    ------
    InputError
        If it is no permutation, no plane connects a pair of nodes, or only some links state a rate.

    References
    ----------
    Shahrokhi and Matula, The maximum concurrent flow problem, 1990.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(Torus(shape=(4,)))
    >>> found = permutation_flow(ring, np.array([2, 3, 0, 1]))  # half of the packets in each direction
    >>> found.flow, found.bound
    (Fraction(1, 1), Fraction(1, 1))
    """
    nodes = np.arange(network.nodes)
    if not np.array_equal(np.sort(destination), nodes):
        raise InputError(f"destination: expected a permutation of the {network.nodes} nodes")
    graph = capacity_graph(network) if graph is None else graph
    demands = np.zeros((len(graph.nodes), len(graph.nodes)), dtype=np.int64)
    np.add.at(demands, (graph.group_of_node, graph.group_of_node[destination]), 1)
    np.fill_diagonal(demands, 0)
    sends = destination != nodes
    limit = node_link_limit(network, sends) if sends.any() else None
    senders = np.flatnonzero(demands.any(axis=1))
    if not len(senders):  # only over the links of nodes
        return PermutationFlow(limit, limit)
    problem = problem_of_groups(graph, senders, demands[senders])
    flow, bound = _best(graph, demands, problem)
    scaled = [None if rate is None else rate / graph.unit for rate in (flow, bound)]
    return PermutationFlow(*(_least(rate, limit) for rate in scaled))


def _least(rate: Fraction | None, limit: Fraction | None) -> Fraction | None:
    return rate if rate is None or limit is None else min(rate, limit)


def _best(graph: CapacityGraph, demands: Ints, problem: FlowProblem) -> tuple[Fraction | None, Fraction]:
    """Return the rates of the best flow, None if none is sought, and of the lowest bound."""
    room, distances = problem.bound((problem.capacity > 0).astype(np.int64))
    bound = Fraction(room, distances)
    flow = _even_flow(graph, demands) if np.count_nonzero(demands) * len(graph.tail) <= MAX_STEPS else None
    is_best = flow is not None and flow >= bound * (1 - Fraction(TOLERANCE))
    if not is_best and graph.visits <= MAX_FLOWS:
        found = max_concurrent_flow(problem, TOLERANCE, max(1, MAX_MOVES // graph.visits))
        if found is not None:
            flow, bound = max(found.lower, flow or Fraction(0)), min(found.upper, bound)
    return flow, bound


def _even_flow(graph: CapacityGraph, demands: Ints) -> Fraction | None:
    """Return the rate at which packets that are split evenly over all shortest paths saturate a link.

    It is exact; None if a pair has too many shortest paths to count.
    """
    distance, paths = graph.shortest_paths
    load: dict[int, Ints] = {}  # by number of shortest paths of a pair: packets times paths over each link
    links = graph.group_links
    for sender, end in np.argwhere(demands).tolist():
        at = links.at[links.start[end] : links.start[end + 1]]
        hops = distance[sender, at].min()
        nearest = at[distance[sender, at] == hops]
        count = float(paths[sender, nearest].sum())
        # Beyond that, numbers of paths would be rounded and the flow no longer exact.
        if not 0 < count <= MAX_PATHS:
            return None
        # Distances are the same in both directions: those from the other end tell which links a shortest path takes.
        used = distance[sender, graph.tail] + 1 + distance[end, graph.head] == hops
        through = paths[sender, graph.tail[used]] * paths[end, graph.head[used]]
        of_count = load.setdefault(int(count), np.zeros(len(graph.tail), dtype=np.int64))
        of_count[used] += int(demands[sender, end]) * through.astype(np.int64)
    parts = lcm(*load)
    if parts > MAX_PARTS:
        return None
    total = np.zeros(len(graph.tail), dtype=object)
    for count, packets in load.items():
        # Python's integers: a common denominator of up to 2^40 would overflow 64 bits.
        total += packets.astype(object) * (parts // count)
    used_links = np.flatnonzero(total).tolist()
    return min(Fraction(parts * int(graph.capacity[link]), total[link]) for link in used_links)


def node_link_limit(network: Network, sends: NDArray[np.bool_] | None = None) -> Fraction | None:
    """Return the least sum of the capacities of the links of a node that sends; None in a direct network.

    Parameters
    ----------
    network
        The network.
    sends : bool[nodes]
        Whether each node sends, and so receives, anything; None if all do.
    """
    if network.node_cable_mm is None:
        return None
    reference = transmission_times_of(network).reference_mbps
    total = np.zeros(network.nodes, dtype=np.int64)
    for plane in network.planes:
        rate = plane.timing.node_rate_mbps
        np.add.at(total, plane.node, 1 if rate is None or reference is None else rate)
    return Fraction(int(total.min() if sends is None else total[sends].min()), reference or 1)
