"""From a network and hardware to the plan that the native engine takes."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network, Plane
from isoplane.models.routing import Routes, hops

from ._native import FlowControl, Plan
from .hardware import Hardware

FLOWS = {
    "store_and_forward": FlowControl.STORE_AND_FORWARD,
    "virtual_cut_through": FlowControl.VIRTUAL_CUT_THROUGH,
    "wormhole": FlowControl.WORMHOLE,
}


def plan_of(network: Network, hardware: Hardware, watch_deadlock: bool = True) -> Plan:
    """Return the plan of a simulation, in ticks.

    Parameters
    ----------
    network, hardware
        What is simulated.
    watch_deadlock
        False where the routing is proven free of deadlock, so that nobody needs to look.

    Raises
    ------
    InputError
        If the routing needs more virtual channels than there are, or a cable takes too many ticks.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> plan_of(dual_cube(3, (3, 5, 7)), Hardware()).switch_delay
    70
    """
    plan = Plan()
    plan.direct = network.node_cable_mm is None
    plan.node_cable = hardware.cable_ticks((network.node_cable_mm or 0) / 1000)
    plan.switch_delay = hardware.switch_ticks
    plan.routing_delay = hardware.routing_ticks
    plan.interval = hardware.speedup
    plan.channels = hardware.virtual_channels
    plan.buffer = hardware.buffer
    plan.output = hardware.output
    plan.flow = FLOWS[hardware.flow_control]
    plan.flit_bits = hardware.flit_bits
    plan.header_bits = hardware.header_bits
    plan.payload_bits = hardware.payload_bits
    plan.padded = hardware.padded
    plan.shorter_queue = hardware.tie == "shorter_queue"
    plan.drop_deadlocked = hardware.deadlock == "drop"
    plan.deadlock_interval = hardware.deadlock_check_flits * hardware.speedup if watch_deadlock else 0
    for plane in network.planes:
        nodes = plane.node_switch.astype(np.uint32)
        plan.add_plane(plane.topology.peer, plane.topology.peer_port, _cable_ticks(plane, hardware), nodes)
        _add_routes(plan, plane, hardware, alone=len(network.planes) == 1)
    return plan


def _cable_ticks(plane: Plane, hardware: Hardware) -> NDArray[np.int32]:
    lengths, index = np.unique(plane.cable_mm, return_inverse=True)
    ticks = np.array([hardware.cable_ticks(int(length) / 1000) for length in lengths], dtype=np.int32)
    return np.ascontiguousarray(ticks[index].reshape(plane.cable_mm.shape))


def _add_routes(plan: Plan, plane: Plane, hardware: Hardware, alone: bool) -> None:
    routes: Routes = plane.routes
    length = hops(plane.topology, routes)  # says which route does not arrive
    if alone:
        length = length[:0]  # they decide which plane is nearer
    column = np.zeros(0, dtype=np.uint32) if routes.column is None else routes.column
    ports = np.zeros(0, dtype=np.uint16) if routes.next_port is None else routes.next_port
    starts = np.zeros(0, dtype=np.uint32) if routes.paths is None else routes.paths.starts
    path_ports = np.zeros(0, dtype=np.uint16) if routes.paths is None else routes.paths.ports
    plan.set_routes(
        group=routes.group,
        shape=list(routes.shape),
        row=np.ascontiguousarray(routes.row, dtype=np.int32),
        column=np.ascontiguousarray(column, dtype=np.uint32),
        hops=np.ascontiguousarray(length, dtype=np.int32),
        next_port=np.ascontiguousarray(ports, dtype=np.uint16),
        path_starts=np.ascontiguousarray(starts, dtype=np.uint32),
        path_ports=np.ascontiguousarray(path_ports, dtype=np.uint16),
    )
    rule = routes.channels
    if rule is None:
        return
    if rule.classes > hardware.virtual_channels:
        raise InputError(
            f"hardware.virtual_channels={hardware.virtual_channels}: too few for the classes of the routing; allowed "
            f"are at least {rule.classes}"
        )
    plan.set_channel_rule(
        dimension=np.ascontiguousarray(rule.dimension, dtype=np.int32),
        dateline=np.ascontiguousarray(rule.dateline, dtype=np.uint8),
        classes=rule.classes,
        start=rule.start,
    )
