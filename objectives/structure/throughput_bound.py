"""Upper bound on the all-to-all throughput that any routing can reach."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.relative_rates import relative_rates

from .._native import MAX_LENGTH
from ..general.distances import all_distances
from .capacity_graph import CapacityGraph, capacity_graph
from .flow_program import ANY_DETOUR, solve_flow_program
from .link_lengths import LengthEvaluation, bound_of, evaluate_equal, length_bound, search_lengths

Ints = NDArray[np.int64]

MAX_PROGRAM_SWITCHES = 128
MAX_VISITS = 1 << 28  # of links from all nodes in one evaluation of lengths: seconds
TOLERANCE = 1e-4  # relative, of solutions in floating point
SCALES = (1, 2, 3, 4, 6, 12, 60, 4000, 65535)  # longest length, for rounding


@dataclass(frozen=True, eq=False)
class ThroughputBound:
    """Upper bound on the all-to-all throughput per node, over all routings and all ways to split traffic.

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
        Throughput of the best flow found, in floating point, with an error of up to 0.01 %; None if none is known.
    node_links
        Sum of the capacities of the links of a node, at the node where it is lowest; None in a direct network. It
        limits what a node sends, and is not part of `value`.
    lengths : int64[switches, ports], one per plane
        Length of the link at each port, 0 without a cable; see `bound_by_lengths`.
    """

    value: Fraction | None
    proof: Literal["flow", "lengths"]
    flow: float | None
    node_links: Fraction | None
    lengths: tuple[Ints, ...]


def concurrent_flow(network: Network, seed: int = 0) -> ThroughputBound:
    r"""Bound the rate θ at which every node can send to all N nodes evenly, whatever the routes.

    For any lengths l ≥ 0 of links, with the distance d_l in the plane where it is shortest,

    .. math:: θ ≤ N Σ_e c_e l_e / Σ_{a,b} d_l(a, b),

    and the best lengths reach the largest concurrent flow, by linear programming duality. Networks of up to 128
    switches in all planes are solved as a linear program; lengths for larger ones are found by a subgradient method, or
    all equal if the policy is ``nearest`` and more than 2^28 links would be visited from all nodes.
    In either case the lengths are rounded to integers, and the bound that they prove is exact. Traffic may use any
    plane, whatever the policy, but changes planes only at its two nodes.

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
    best = np.ones(len(graph.tail), dtype=np.int64)
    is_large = graph.visits > MAX_VISITS and network.policy == "nearest"
    equal, flow = None if is_large else evaluate_equal(graph), None
    value = _equal_bound(network, graph) if equal is None else bound_of(graph, equal)
    if value is not None and equal is not None:
        for length, found in _candidates(graph, seed, equal):
            bound = length_bound(graph, length)
            if bound is not None and bound < value:
                best, value = length, bound
            flow = found if flow is None or (found is not None and found > flow) else flow
            if _is_reached(value, flow):
                break
    return ThroughputBound(
        value,
        "flow" if value is not None and _is_reached(value, flow) else "lengths",
        flow if flow is None or value is None else min(flow, float(value)),
        _node_link_limit(network),
        tuple(np.where(link < 0, 0, best[link]) for link in graph.port_link),
    )


def _equal_bound(network: Network, graph: CapacityGraph) -> Fraction | None:
    """Return the bound of equal lengths, which the distances in hops prove: faster than any other lengths."""
    hops = all_distances(network).total_hops
    return Fraction(network.nodes * int(graph.capacity.sum()), graph.unit * hops) if hops else None


def bound_by_lengths(network: Network, lengths: tuple[Ints, ...]) -> Fraction | None:
    """Return the upper bound on throughput that integer lengths of links prove; None without traffic between switches.

    Parameters
    ----------
    network
        The network.
    lengths : int64[switches, ports], one per plane
        Length of the link at each port, from 0 to 65535. Parallel links are as long as the shortest of them.

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
        np.minimum.at(shortest, link[link >= 0], length[link >= 0])
    return length_bound(graph, shortest)


def _check_lengths(graph: CapacityGraph, lengths: tuple[Ints, ...]) -> None:
    shapes, expected = [length.shape for length in lengths], [link.shape for link in graph.port_link]
    if shapes != expected:
        raise InputError(f"lengths: arrays of shapes {shapes}; expected {expected}, switches and ports of each plane")
    for length, link in zip(lengths, graph.port_link, strict=True):
        wrong = length[(link >= 0) & ((length < 0) | (length > MAX_LENGTH))]
        if len(wrong):
            raise InputError(f"lengths: {wrong[0]}; expected integers from 0 to {MAX_LENGTH}")


def _candidates(graph: CapacityGraph, seed: int, equal: LengthEvaluation) -> Iterator[tuple[Ints, float | None]]:
    """Yield lengths, and the throughput of a flow found with them."""
    yield search_lengths(graph, seed, equal)
    if graph.switches > MAX_PROGRAM_SWITCHES:
        return
    for detour in (0, 1, ANY_DETOUR):
        solution = solve_flow_program(graph, detour)
        if solution is None:
            continue
        flow = float(graph.nodes.sum()) / graph.unit / solution.peak
        for scale in SCALES:
            length = np.rint(solution.length * (scale / solution.length.max())).astype(np.int64)
            if length.any():
                yield length, flow


def _is_reached(value: Fraction, flow: float | None) -> bool:
    return flow is not None and flow >= float(value) * (1 - TOLERANCE)


def _node_link_limit(network: Network) -> Fraction | None:
    """Return the least sum of the capacities of the links of a node."""
    if network.node_cable_mm is None:
        return None
    reference = relative_rates(network).reference_mbps
    total = np.zeros(network.nodes, dtype=np.int64)
    for plane in network.planes:
        rate = plane.timing.node_rate_mbps
        np.add.at(total, plane.node, 1 if rate is None or reference is None else rate)
    return Fraction(int(total.min()), reference or 1)
