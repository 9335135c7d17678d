"""Upper bounds on the all-to-all throughput that any routing can reach."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np

from isoplane.models import InputError, Network
from isoplane.models.arrays import Ints
from isoplane.models.paths.nearest_plane import switch_hops

from .. import _native
from ..general.distances import pairs_at_distances, sum_of_hops
from .flows.capacity_graph import CapacityGraph, capacity_graph
from .flows.flow_problem import MAX_LENGTH, flow_problem
from .flows.link_lengths import bound_of, evaluate_equal, length_bound, ones_of, search_lengths
from .flows.max_flow import max_concurrent_flow
from .flows.symmetric_flow import symmetric_flow
from .permutations.permutation_flow import node_link_limit

Bounds = tuple[Fraction | None, Fraction | None, Ints]  # rates of a flow and of a bound, and the lengths that prove it

MAX_FLOWS = 1 << 21  # of all groups of nodes over all links: beyond, an iteration takes too long
MAX_MOVES = 1 << 30  # of flows: seconds
MAX_VISITS = 1 << 28  # of links from all nodes in one evaluation of lengths: seconds
TOLERANCE = 1e-4  # relative difference of bounds that are as good as equal
ROUNDING = 1e-9  # relative error of a flow in floating point, at most


@dataclass(frozen=True, eq=False)
class ThroughputBound:
    """Upper and lower bounds on the best all-to-all throughput per node over all routings, however they split traffic.

    Parameters
    ----------
    value
        The bound, in capacities of the reference link; None without traffic between switches. It follows from `lengths`
        in exact arithmetic. Like the metric ``throughput_per_node``, it counts the links between switches only, and the
        traffic of a node with itself as 1 / nodes of what the node sends.
    proof
        ``flow`` if a flow that reaches the bound within 0.01 % is known, so that no better bound exists; ``lengths`` if
        better lengths may exist.
    flow
        Throughput of the best flow found: a lower bound on what the best routing reaches; None if none is known. It is
        equal to `value` in networks with symmetries.
    node_links
        Sum of the capacities of the links of a node, at the node where it is lowest; None in a direct network. It
        limits what a node sends, and is not part of `value`.
    lengths : int64[switches, ports], one per plane
        Length of the link at each port, 0 without a cable; see `bound_by_lengths`.
    """

    value: Fraction | None
    proof: Literal["flow", "lengths"]
    flow: Fraction | None
    node_links: Fraction | None
    lengths: tuple[Ints, ...] = field(repr=False)


def concurrent_flow(network: Network, seed: int = 0) -> ThroughputBound:
    r"""Bound the rate θ at which every node can send to all N nodes evenly, whatever the routes.

    For any lengths l ≥ 0 of links, with the distance d_l in the plane where it is shortest,

    .. math:: θ ≤ N Σ_e c_e l_e / Σ_{a,b} d_l(a, b),

    and the best lengths reach the largest concurrent flow, by linear programming duality. In networks with symmetries
    the optimum is exact (`symmetric_flow`). In others with up to 2^21 flows, one of every group of nodes over every
    link, both bounds come from `max_concurrent_flow`. Lengths for larger ones are found by a subgradient method, or all
    equal if the policy is ``nearest`` and more than 2^28 links would be visited from all nodes.
    The lengths are integers, and the bound that they prove is exact. Traffic may use any plane, whatever the policy,
    but changes planes only at its two nodes.

    Parameters
    ----------
    network
        The network.
    seed
        Seed of the choice of nodes by which lengths are searched in large networks.

    Raises
    ------
    InputError
        If no plane connects a pair of nodes, or only some links state a rate.

    References
    ----------
    Leighton and Rao, Multicommodity max-flow min-cut theorems and their use in designing approximation algorithms,
    1999, section 2. Singla, Godfrey and Kolla, High throughput data center topology design, 2014.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> concurrent_flow(Network(Torus(shape=(4, 4)))).value  # 64 links, 256 pairs at a mean distance of 2
    Fraction(2, 1)
    """
    graph = capacity_graph(network)
    rate = Fraction(network.nodes, graph.unit)
    flow, value, length = _symmetric(graph) or _general(graph) or _large(network, graph, seed)
    lower, upper = (None if each is None else each * rate for each in (flow, value))
    is_reached = lower is not None and upper is not None and lower >= upper * (1 - Fraction(TOLERANCE))
    return ThroughputBound(
        upper,
        "flow" if is_reached else "lengths",
        lower,
        node_link_limit(network),
        tuple(np.where(link < 0, 0, length[link]) for link in graph.port_link),
    )


def _symmetric(graph: CapacityGraph) -> Bounds | None:
    """Return the optimum of a network with symmetries."""
    found = symmetric_flow(graph)
    return None if found is None else (found.rate, found.rate, found.length)


def _general(graph: CapacityGraph) -> Bounds | None:
    """Return bounds from a concurrent flow; None if the network is too large."""
    if graph.visits > MAX_FLOWS:
        return None
    found = max_concurrent_flow(flow_problem(graph), TOLERANCE, MAX_MOVES // max(1, graph.visits))
    if found is None:
        return None, None, ones_of(graph)
    return found.lower, found.upper, found.length


def _large(network: Network, graph: CapacityGraph, seed: int) -> Bounds:
    """Return the bound of lengths, and the flow over all shortest paths if it is known."""
    if graph.visits > MAX_VISITS and network.policy == "nearest":
        hops = sum_of_hops(pairs_at_distances(network))
        bound = Fraction(int(graph.capacity.sum()), hops) if hops else None
        return None, bound, ones_of(graph)
    ones = ones_of(graph)
    distances, load = evaluate_equal(graph)
    length, throughput = search_lengths(graph, seed, (distances, load))
    rate = Fraction(graph.unit, network.nodes)
    # The flow is summed in floating point: less its rounding error it is surely feasible.
    flow = None if throughput is None else Fraction(throughput * (1 - ROUNDING)) * rate
    bounds = [(bound_of(graph, ones, distances), ones)]
    if (length != ones).any():
        bounds.append((length_bound(graph, length), length))
    known = [(bound * rate, each) for bound, each in bounds if bound is not None]
    return (flow, *min(known, key=lambda each: each[0])) if known else (flow, None, ones)


def bound_by_lengths(network: Network, lengths: tuple[Ints, ...]) -> Fraction | None:
    """Return the upper bound on throughput that integer lengths of links prove; None without traffic between switches.

    Parameters
    ----------
    network
        The network.
    lengths : int64[switches, ports], one per plane
        Length of the link at each port, from 0 to 2^40. Parallel links are as long as the shortest of them.

    Raises
    ------
    InputError
        If a length is missing or out of range, no plane connects a pair of nodes, or only some links state a rate.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(Torus(shape=(3,)))
    >>> bound_by_lengths(ring, (np.ones((3, 2), dtype=np.int64),))
    Fraction(3, 1)
    """
    graph = capacity_graph(network)
    _check_lengths(graph, lengths)
    shortest = np.full(len(graph.tail), np.iinfo(np.int64).max)
    for link, length in zip(graph.port_link, lengths, strict=True):
        # Any lengths prove a bound, so parallel links, one link of the graph, may take the least of theirs.
        np.minimum.at(shortest, link[link >= 0], length[link >= 0])
    # Dial's algorithm has a bucket for every length; longer ones take the search for general demands.
    if shortest.max(initial=0) <= _native.MAX_LENGTH:
        return length_bound(graph, shortest)
    problem = flow_problem(graph)
    room, distances = problem.bound(np.append(shortest, np.zeros(len(problem.tail) - len(shortest), dtype=np.int64)))
    return Fraction(network.nodes * room, graph.unit * distances)


def _check_lengths(graph: CapacityGraph, lengths: tuple[Ints, ...]) -> None:
    shapes, expected = [length.shape for length in lengths], [link.shape for link in graph.port_link]
    if shapes != expected:
        raise InputError(f"lengths: arrays of shapes {shapes}; expected {expected}, switches and ports of each plane")
    for length, link in zip(lengths, graph.port_link, strict=True):
        wrong = length[(link >= 0) & ((length < 0) | (length > MAX_LENGTH))]
        if len(wrong):
            raise InputError(f"lengths: {wrong[0]}; expected integers from 0 to {MAX_LENGTH}")


def bound_by_distances(network: Network) -> Fraction:
    """Return an upper bound on the all-to-all throughput per node, in link capacities, whatever the routes.

    If every node sends a packet to every node, the links carry at least one packet for each hop of each shortest path:
    with N nodes, C links in either direction and H hops in total, the busiest link carries at least H / C packets, so
    that the throughput is at most N C / H. It does not need the routes.

    Parameters
    ----------
    network
        A network of one plane, in which all links of a node are at one switch.

    Raises
    ------
    InputError
        If it has several planes, or a node whose links are at several switches.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> bound_by_distances(Network(Torus(shape=(5,))))  # 5 nodes, 10 links, and 2 (1 + 2) hops from each node
    Fraction(5, 3)
    """
    if len(network.cabling) != 1:
        raise InputError(f"network.planes: {len(network.cabling)} planes; expected one")
    (plane,) = network.cabling
    first = plane.node_switch[plane.starts[:-1]]
    if (np.diff(plane.starts) == 0).any() or (plane.node_switch != first[plane.node]).any():
        raise InputError("network.planes: a node with links at several switches, or none; expected all at one switch")
    nodes = np.bincount(first, minlength=plane.topology.switches)
    hops = int(nodes @ (switch_hops(plane.topology) @ nodes))
    links = int((plane.topology.peer >= 0).sum())
    if not hops:
        raise InputError("network.nodes: all at one switch; expected nodes at two switches at least")
    return Fraction(network.nodes * links, hops)
