"""Time of a traffic matrix over the routes of a network, over the best routes found, and over any routes."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, MessageList, Network
from isoplane.models.arrays import Ints
from isoplane.models.checks import exact_number
from isoplane.models.paths.transmission_times import transmission_times_of
from isoplane.models.placement import Placement, by_switch
from isoplane.models.planes.links import CABLE, link_kinds

from ..fluid.link_timing import LinkTiming, link_timing
from ..fluid.paths import path_transfers
from .flows.capacity_graph import CapacityGraph, capacity_graph
from .flows.flow_problem import flow_problem
from .flows.max_flow import max_concurrent_flow
from .throughput_bound import MAX_FLOWS, MAX_MOVES, TOLERANCE


@dataclass(frozen=True)
class TrafficTimes:
    """Times in ns for which the busiest link is occupied by a traffic matrix, without delays or waiting.

    Parameters
    ----------
    node_links
        The busiest link of a node, whatever the routes between switches; 0 in a direct network.
    routed
        The busiest link between switches over the routes of the network and under its policy.
    flow
        The same if the traffic is split over the best paths found: what a routing can reach.
    bound
        No routing is faster, whatever its paths and however it splits the traffic.
    """

    node_links: Fraction
    routed: Fraction
    flow: Fraction
    bound: Fraction


def traffic_times(network: Network, messages: MessageList, placement: Placement | None = None) -> TrafficTimes:
    """Return how long links are busy with the bytes of all messages, over three kinds of routes.

    With the highest rate λ at which all pairs of nodes can send their bytes at once (`max_concurrent_flow`), traffic
    takes 1 / λ: `flow` is that of a flow in exact numbers, `bound` that of lengths of links which prove that no flow is
    faster. They are at most 0.01 % apart, except where the iterations of large networks end before.

    Parameters
    ----------
    network
        A network without circuits.
    messages
        The messages; their order does not matter.
    placement
        By default process i on node i.

    Raises
    ------
    InputError
        If only some links state a rate, the network has more than 2^21 flows (groups of nodes times links), or as for
        `path_transfers`.

    Examples
    --------
    Half of the packets halfway round a ring could go the other way:

    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.workloads import all_to_all
    >>> times = traffic_times(Network(Torus(shape=(4,))), all_to_all(4, 1_250_000).message_list())
    >>> float(times.routed), float(times.flow), float(times.bound)  # ns at 100 Gbit/s
    (300000.0, 200000.0, 200000.0)
    """
    placement = by_switch(network.nodes) if placement is None else placement
    graph = capacity_graph(network)
    if graph.visits > MAX_FLOWS:
        raise InputError(
            f"network: {graph.visits} flows, of {len(graph.nodes)} groups of nodes over {len(graph.tail)} links; "
            f"expected at most {MAX_FLOWS} for a flow of any routing"
        )
    timing, kinds = link_timing(network), link_kinds(network.plane_links)
    loads = path_transfers(network, messages, placement).bytes_of_links(len(kinds))
    flow, bound = _best(network, graph, _traffic(network, messages, placement))
    return TrafficTimes(_busiest(timing, loads, kinds != CABLE), _busiest(timing, loads, kinds == CABLE), flow, bound)


def _traffic(network: Network, messages: MessageList, placement: Placement) -> Ints:
    """Return the bytes that each node sends to each other one."""
    nodes = np.array(placement.nodes, dtype=np.int64)
    traffic = np.zeros((network.nodes, network.nodes), dtype=np.int64)
    np.add.at(traffic, (nodes[messages.source], nodes[messages.destination]), messages.length_bytes)
    return traffic


def _busiest(timing: LinkTiming, loads: Ints, chosen: NDArray[np.bool_]) -> Fraction:
    """Return the longest busy time in ns of some links."""
    times = (
        8 * int(loads[chosen & (timing.rate == number)].max(initial=0)) / rate
        for number, rate in enumerate(timing.rates_gbps)
    )
    return max(times, default=Fraction(0))


def _best(network: Network, graph: CapacityGraph, traffic: Ints) -> tuple[Fraction, Fraction]:
    """Return the time of the best flow found, and a lower bound on that of any, in ns."""
    found = max_concurrent_flow(flow_problem(graph, traffic), TOLERANCE, MAX_MOVES // max(1, graph.visits))
    if found is None:
        return Fraction(0), Fraction(0)
    ns = 8 * graph.unit / _reference_gbps(network)
    return ns / found.lower, ns / found.upper


def _reference_gbps(network: Network) -> Fraction:
    """Return the rate of the reference link of `capacity_graph`."""
    stated = transmission_times_of(network).reference_mbps
    return exact_number("switch.link_gbps", network.site.switch.link_gbps) if stated is None else Fraction(stated, 1000)
