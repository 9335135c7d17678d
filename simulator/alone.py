"""A packet that meets no other one: when its last bit arrives."""

from itertools import pairwise

from isoplane.models import Plane
from isoplane.models.routing import links_of_route

from .hardware import Hardware
from .plane_ticks import PlaneTicks

Hop = tuple[int, int, int]  # ticks of a flit on a link, its delay, and the delay of the switch behind it


def alone_ticks(plane: Plane, hardware: Hardware, times: PlaneTicks, first: int, last: int) -> int:
    """Return the latency in the network of a longest packet that meets no other one, in ticks.

    Flit j behind the head leaves for a link at the maximum of lines a + j · b: one for each link so far, with the ticks
    b that a flit takes there. The head alone waits for routing.

    Parameters
    ----------
    plane, hardware, times
        The plane, and its rates and delays in ticks.
    first, last
        The node links at both ends, by their indices.
    """
    hops, behind = _hops(plane, hardware, times, first, last), hardware.packet_flits - 1
    head = 0  # the head enters a node link at once; the switch of a direct network passes it on first
    if plane.node_cable_mm is None:
        head = _switch_ticks(hardware, times, int(plane.node_switch[first])) - hardware.speedup
    lines = [(head, hops[0][0])]
    for (interval, cable, switch), (next_interval, _, _) in pairwise(hops):
        if hardware.flow_control == "store_and_forward":
            head = _leaves(lines, behind) + cable + switch + interval - hardware.speedup
            lines = [(head, next_interval)]
            continue
        routing = min(hardware.routing_ticks, switch - hardware.speedup)
        seen = cable + max(switch - routing, interval)
        head += seen + routing
        lines = [*((start + seen, step) for start, step in lines), (head, next_interval)]
    interval, cable, _ = hops[-1]
    return _leaves(lines, behind) + interval + cable


def _leaves(lines: list[tuple[int, int]], flit: int) -> int:
    """Return when a flit leaves for a link."""
    return max(start + flit * step for start, step in lines)


def _hops(plane: Plane, hardware: Hardware, times: PlaneTicks, first: int, last: int) -> list[Hop]:
    """Return the links from one node to the other."""
    target = int(plane.routes.targets(plane.node_switch)[last])
    found = [
        (
            hardware.speedup if times.interval is None else int(times.interval[switch, port]),
            int(times.cable[switch, port]),
            _switch_ticks(hardware, times, int(plane.topology.peer[switch, port])),
        )
        for switch, port, _ in links_of_route(plane.topology, plane.routes, int(plane.node_switch[first]), target)
    ]
    if plane.node_cable_mm is None:
        return found
    entered = _switch_ticks(hardware, times, int(plane.node_switch[first]))
    return [(*_node_hop(plane, hardware, times, first), entered), *found, (*_node_hop(plane, hardware, times, last), 0)]


def _node_hop(plane: Plane, hardware: Hardware, times: PlaneTicks, link: int) -> tuple[int, int]:
    """Return the ticks of a flit on a link of a node, and its delay."""
    interval = hardware.speedup if times.node_interval is None else int(times.node_interval[link])
    if times.node_cable is not None:
        return interval, int(times.node_cable[link])
    return interval, hardware.cable_ticks((plane.node_cable_mm or 0) / 1000)


def _switch_ticks(hardware: Hardware, times: PlaneTicks, switch: int) -> int:
    return hardware.switch_ticks if times.switch_delay is None else int(times.switch_delay[switch])
