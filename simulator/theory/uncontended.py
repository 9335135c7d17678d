"""Latency of an uncontended packet."""

from itertools import pairwise

from isoplane.models import Plane
from isoplane.models.planes.route_walk import links_of_route

from ..flits.plane_ticks import PlaneTicks
from ..hardware import Hardware

Hop = tuple[int, int, int]  # flit time on a link, its delay, and the delay of the switch at its end, all in ticks


def uncontended_ticks(
    plane: Plane, hardware: Hardware, times: PlaneTicks, source_link: int, destination_link: int
) -> int:
    """Return the latency in the network of an uncontended packet of full length, in ticks.

    Flit j behind the head departs on a link at the maximum of lines a + j · b, one per link so far, where b is the flit
    time of that link. Only the head waits for routing.

    Parameters
    ----------
    plane, hardware, times
        The plane, and its rates and delays in ticks.
    source_link, destination_link
        Indices of the node links at both ends.
    """
    hops, body_flits = _hops(plane, hardware, times, source_link, destination_link), hardware.packet_flits - 1
    head = 0  # the head enters a node link at once; in a direct network it first crosses the switch
    if plane.node_cable_mm is None:
        head = _switch_ticks(hardware, times, int(plane.node_switch[source_link])) - hardware.speedup
    lines = [(head, hops[0][0])]
    for (flit_ticks, cable, switch), (next_flit_ticks, _, _) in pairwise(hops):
        if hardware.flow_control == "store_and_forward":
            head = _departure_tick(lines, body_flits) + cable + switch + flit_ticks - hardware.speedup
            lines = [(head, next_flit_ticks)]
            continue
        routing = min(hardware.routing_ticks, switch - hardware.speedup)
        advance = cable + max(switch - routing, flit_ticks)
        head += advance + routing
        lines = [*((start + advance, step) for start, step in lines), (head, next_flit_ticks)]
    flit_ticks, cable, _ = hops[-1]
    return _departure_tick(lines, body_flits) + flit_ticks + cable


def _departure_tick(lines: list[tuple[int, int]], flit: int) -> int:
    """Return the tick in which a flit departs on a link."""
    return max(start + flit * step for start, step in lines)


def _hops(plane: Plane, hardware: Hardware, times: PlaneTicks, source_link: int, destination_link: int) -> list[Hop]:
    """Return the hops from one node to the other."""
    target = int(plane.routes.targets(plane.node_switch)[destination_link])
    found = [
        (
            hardware.speedup if times.flit_ticks is None else int(times.flit_ticks[switch, port]),
            int(times.cable[switch, port]),
            _switch_ticks(hardware, times, int(plane.topology.peer[switch, port])),
        )
        for switch, port, _ in links_of_route(plane.topology, plane.routes, int(plane.node_switch[source_link]), target)
    ]
    if plane.node_cable_mm is None:
        return found
    first_switch_ticks = _switch_ticks(hardware, times, int(plane.node_switch[source_link]))
    return [
        (*_node_hop(plane, hardware, times, source_link), first_switch_ticks),
        *found,
        (*_node_hop(plane, hardware, times, destination_link), 0),
    ]


def _node_hop(plane: Plane, hardware: Hardware, times: PlaneTicks, link: int) -> tuple[int, int]:
    """Return the flit time and the delay of a node link, in ticks."""
    flit_ticks = hardware.speedup if times.node_flit_ticks is None else int(times.node_flit_ticks[link])
    if times.node_cable is not None:
        return flit_ticks, int(times.node_cable[link])
    return flit_ticks, hardware.cable_ticks((plane.node_cable_mm or 0) / 1000)


def _switch_ticks(hardware: Hardware, times: PlaneTicks, switch: int) -> int:
    return hardware.switch_ticks if times.switch_delay is None else int(times.switch_delay[switch])
