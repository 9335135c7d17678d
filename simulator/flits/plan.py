"""Conversion of a network and its hardware to the plan of the native engine."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Family, InputError, Network, Plane, family_named, family_names
from isoplane.models.planes.detours import Detours
from isoplane.models.planes.route_walk import hops
from isoplane.models.planes.routes import ChannelRule, Routes

from .._native import CacheStart, FlowControl, PathSelection, Plan, Replacement
from .._native import Policy as PlanPolicy
from ..hardware import MAX_CHANNELS, Hardware
from .plane_ticks import plane_ticks

FLOWS = {
    "store_and_forward": FlowControl.STORE_AND_FORWARD,
    "virtual_cut_through": FlowControl.VIRTUAL_CUT_THROUGH,
    "wormhole": FlowControl.WORMHOLE,
}
POLICIES = {
    "nearest": PlanPolicy.NEAREST,
    "spray": PlanPolicy.SPRAY,
    "adaptive": PlanPolicy.ADAPTIVE,
    "spill": PlanPolicy.SPILL,
}
PATH_SELECTIONS = {"minimal": PathSelection.MINIMAL, "valiant": PathSelection.VALIANT, "ugal": PathSelection.UGAL}
REPLACEMENTS = {"lru": Replacement.LRU, "fifo": Replacement.FIFO, "random": Replacement.RANDOM}
STARTS = {"cold": CacheStart.COLD, "warm": CacheStart.WARM, "exchange": CacheStart.EXCHANGE}
MAX_NODE_LINKS = 255
FAR = 1 << 20  # hops by a plane that carries no packets of a pair: more than those of any route
Number = TypeVar("Number", bound=np.integer)


def plan_of(network: Network, hardware: Hardware, check_deadlock: bool = True) -> Plan:
    """Return the plan of a simulation, in ticks.

    Parameters
    ----------
    network, hardware
        The simulated network and its hardware.
    check_deadlock
        False if the routing is proven deadlock-free, so that no checks are needed.

    Raises
    ------
    InputError
        If the routing needs more virtual channels than the hardware has, two nodes have no plane in common, a flit time
        is not a whole number of ticks, or a delay is too long.

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
    plan.flit_ticks = hardware.speedup
    _set_packets(plan, hardware)
    _set_look_ups(plan, network, hardware)
    plan.deadlock_interval = hardware.deadlock_check_flits * hardware.speedup if check_deadlock else 0
    policy = network.policy
    plan.policy = POLICIES[policy] if isinstance(policy, str) else PlanPolicy.SHARES
    plan.shares = [] if isinstance(policy, str) else list(policy)
    plan.spill_flits = hardware.spill_flits
    _check_spilling(network, hardware)
    _require_common_planes(network)
    detours = detours_of(network, hardware)
    plan.path_selection = PATH_SELECTIONS[hardware.path_selection]
    plan.ugal_bias = hardware.ugal_bias
    for number, plane in enumerate(network.planes):
        _add_plane(plan, plane, hardware)
        # Lengths of routes matter only where a packet may choose between paths.
        choice = int(np.diff(plane.starts).max()) > 1 or (policy in ("nearest", "spill") and len(network.planes) > 1)
        _add_routes(plan, plane, by_length=choice or hardware.path_selection == "ugal")
        _add_rule(plan, plane.routes.channels if detours is None else detours[number].channels, hardware)
        if detours is not None:
            _add_detours(plan, plane, detours[number])
    return plan


def detours_of(network: Network, hardware: Hardware) -> tuple[Detours, ...] | None:
    """Return the detours that the path selection uses, by plane; None if all paths are minimal.

    Raises
    ------
    InputError
        If the network has none.
    """
    if hardware.path_selection == "minimal":
        return None
    detours = network.detours
    if detours is None:
        families = ", ".join(name for name in family_names() if family_named(name).detours is not Family.detours)
        raise InputError(
            f"hardware.path_selection={hardware.path_selection}: network={network.name} has no detours; allowed with "
            f"network={families}"
        )
    return detours


def _check_spilling(network: Network, hardware: Hardware) -> None:
    """Raise if the hardware states a threshold of the policy ``spill`` and the network has another policy."""
    policy = network.policy
    if hardware.spill_flits != Hardware.spill_flits and policy != "spill":
        shown = policy if isinstance(policy, str) else list(policy)
        raise InputError(
            f"hardware.spill_flits={hardware.spill_flits}: has no effect with network.policy={shown}; allowed with "
            "network.policy=spill"
        )


def _set_packets(plan: Plan, hardware: Hardware) -> None:
    """Set the parameters of packets, buffers and channels."""
    plan.channels = hardware.virtual_channels
    plan.buffer_flits = hardware.buffer
    plan.output_flits = hardware.output
    plan.flow_control = FLOWS[hardware.flow_control]
    plan.flit_bits = hardware.flit_bits
    plan.header_bits = hardware.header_bits
    plan.payload_bits = hardware.payload_bits
    plan.padded = hardware.padded
    plan.shorter_queue = hardware.tie == "shorter_queue"
    plan.drop_deadlocked = hardware.deadlock == "drop"


def _set_look_ups(plan: Plan, network: Network, hardware: Hardware) -> None:
    """Set the caches of input ports, and the rate of look-ups in the tables of switches."""
    plan.set_look_ups(hardware.miss_ticks, hardware.table_ticks)
    cache = hardware.switch.cache
    if cache is None:
        return
    plan.set_caches(
        sets=cache.sets,
        ways=cache.ways,
        replacement=REPLACEMENTS[cache.replacement],
        seed=cache.seed,
        set_of=cache.sets_of(np.arange(network.nodes)),
        start=STARTS[cache.start],
    )


def _require_common_planes(network: Network) -> None:
    """Raise unless nodes have few enough links and every pair of nodes has a plane in common that takes packets."""
    linked = np.stack([np.diff(plane.starts) for plane in network.planes])
    number, node = np.unravel_index(int(linked.argmax()), linked.shape)
    if linked[number, node] > MAX_NODE_LINKS:
        raise InputError(
            f"plane.node_start: node {node} has {linked[number, node]} links in plane {number}; expected at most "
            f"{MAX_NODE_LINKS}"
        )
    policy = network.policy
    used = linked > 0 if isinstance(policy, str) else (linked > 0) & (np.array(policy)[:, None] > 0)
    kinds, first = np.unique(used, axis=1, return_index=True)
    disjoint = ~(kinds[:, :, None] & kinds[:, None, :]).any(axis=0)
    disjoint_pairs = np.argwhere(disjoint)
    if len(disjoint_pairs) and network.nodes > 1:
        one, other = sorted(first[disjoint_pairs[0]].tolist())
        if one == other:  # without any plane
            other = 1 if one == 0 else 0
        raise InputError(
            f"plane.node_start: nodes {one} and {other} share no usable plane; expected one for every pair"
        )


def _add_plane(plan: Plan, plane: Plane, hardware: Hardware) -> None:
    times = plane_ticks(plane, hardware)
    plan.add_plane(plane.topology.peer, plane.topology.peer_port, times.cable, plane.node_switch.astype(np.uint32))
    plan.set_nodes(
        start=_array(plane.node_start, np.uint32),
        cable=_array(times.node_cable, np.int32),
        flit_ticks=_array(times.node_flit_ticks, np.int32),
    )
    plan.set_timing(flit_ticks=_array(times.flit_ticks, np.int32), switch_delay=_array(times.switch_delay, np.int32))


def _add_routes(plan: Plan, plane: Plane, by_length: bool) -> None:
    routes: Routes = plane.routes
    length = hops(plane.topology, routes)  # raises if a route does not arrive
    if routes.carried is not None:
        length = np.where(routes.carried, length, FAR)
    plan.set_routes(
        group=routes.group,
        shape=list(routes.shape),
        row=_array(routes.row, np.int32),
        column=_array(routes.column, np.uint32),
        hops=_array(length if by_length else length[:0], np.int32),
        next_port=_array(routes.next_port, np.uint16),
        path_starts=_array(None if routes.paths is None else routes.paths.starts, np.uint32),
        path_ports=_array(None if routes.paths is None else routes.paths.ports, np.uint16),
    )


def _array(values: NDArray[np.integer] | None, kind: type[Number]) -> NDArray[Number]:
    """Return values as the engine takes them: contiguous, and empty for none."""
    return np.zeros(0, dtype=kind) if values is None else np.ascontiguousarray(values, dtype=kind)


def _add_rule(plan: Plan, rule: ChannelRule | None, hardware: Hardware) -> None:
    if rule is None:
        return
    require_channels(rule, hardware)
    plan.set_channel_rule(
        dimension=np.array(np.broadcast_to(rule.dimension, rule.dateline.shape), dtype=np.int32),
        dateline=np.ascontiguousarray(rule.dateline, dtype=np.uint8),
        classes=rule.classes,
        start=rule.start,
        ordered=rule.ordered,
    )


def require_channels(rule: ChannelRule, hardware: Hardware) -> None:
    """Require as many virtual channels as the rule of the routes has classes.

    Examples
    --------
    >>> from isoplane.models.topologies import torus
    >>> from isoplane.models.planes.routes import hop_class_rule
    >>> require_channels(hop_class_rule(torus((6,)), 3), Hardware())
    """
    if rule.classes <= hardware.virtual_channels:
        return
    if rule.start == -1 and rule.dateline.all():
        reason = f"routes of up to {rule.classes} hops, which are free from deadlock because each hop has its own class"
        minimal = hardware.path_selection == "minimal"
        example = ", such as those of the routing up_down with 1" if minimal else ", as with path_selection=minimal"
    else:
        turns = "turns" if rule.ordered else "crossings of datelines"
        reason = f"routes whose {turns} need {rule.classes} classes"
        example = ""
    enough = f"hardware.virtual_channels={rule.classes} or more, or " if rule.classes <= MAX_CHANNELS else ""
    raise InputError(
        f"hardware.virtual_channels={hardware.virtual_channels}: too few for {reason} of virtual channels; expected "
        f"{enough}routes with fewer classes{example}"
    )


def _add_detours(plan: Plan, plane: Plane, detours: Detours) -> None:
    entry, length = detours.ends(plane.topology)
    plan.set_detours(
        region=detours.region.astype(np.uint16),
        next_port=_array(detours.next_port, np.uint16),
        entry=_array(entry, np.uint32),
        hops=_array(length, np.uint16),
    )


def region_nodes(network: Network) -> int:
    """Return the number of nodes of each region of a network, such as a group of a dragonfly.

    Raises
    ------
    InputError
        If the network has no regions, or they are not ranges of equally many consecutive nodes.

    Examples
    --------
    >>> from isoplane.models.families.dragonfly import Dragonfly
    >>> region_nodes(Network(Dragonfly(switches_per_group=4, nodes_per_switch=2)))
    8
    """
    detours = network.detours
    if detours is None:
        raise InputError(
            f"traffic.group_nodes=null: network={network.name} has no regions; expected the number of nodes of a group"
        )
    plane = network.planes[0]
    region = detours[0].region[plane.node_switch]
    size = len(region) // detours[0].regions
    if plane.node_start is not None or not np.array_equal(region, np.arange(len(region)) // max(size, 1)):
        raise InputError(
            "traffic.group_nodes=null: regions of other than equally many consecutive nodes; expected the number of "
            "nodes of a group"
        )
    return size
