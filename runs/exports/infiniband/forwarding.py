"""Forwarding tables of InfiniBand switches: one port for each destination, on one lane, without deadlock."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Plane
from isoplane.models.arrays import Ints
from isoplane.models.deadlock.cycles import channel_cycle, describe_cycle
from isoplane.models.device_names import DeviceNames
from isoplane.models.planes.route_steps import first_ports, route_steps
from isoplane.models.planes.route_walk import hops
from isoplane.models.planes.routes import ARRIVED, NO_ROUTE, Routes
from isoplane.models.planes.routing_columns import next_ports_to
from isoplane.models.planes.topology import Topology
from isoplane.models.routing import forwarding_table

PAIRS_AT_ONCE = 1 << 20
ENTRIES_AT_ONCE = 1 << 22
REFUSED = "not deployable through OpenSM's file engine"

Options = Callable[[], Iterable[str]]


@dataclass(frozen=True, eq=False)
class Forwarding:
    """The next port of every switch to every destination, which are columns of nodes and switches.

    Parameters
    ----------
    port : uint16[switches, columns]
        Port of the topology, `ARRIVED` at the destination switch, `NO_ROUTE` without an entry.
    end : int64[columns]
        The destination switch of each column.
    of_switch, of_link : int64[switches], int64[node links]
        The column of each switch and of each node link.
    is_managed
        Whether there are entries for packets of management too, from every switch to every node and its switch, and
        from switches with nodes to every switch; else only those that packets between nodes pass.
    """

    port: NDArray[np.uint16]
    end: Ints
    of_switch: Ints
    of_link: Ints
    is_managed: bool


def forwarding_of(
    plane: Plane,
    name: str,
    names: DeviceNames | None = None,
    number: int = 0,
    options: Options = tuple,
) -> Forwarding:
    """Return the forwarding tables of a plane, after proving that packets on one lane cannot deadlock.

    The entries that packets between nodes pass are those of the routes. The others serve management: packets from
    switches to nodes, and to switches without nodes. They lead along shortest paths to a switch with an entry, and are
    left out if dependencies of channels would be cyclic with them.

    Parameters
    ----------
    plane
        The plane.
    name
        What messages call it.
    names, number
        Names of its switches, if they have some, and its number.
    options
        Function that returns the options with which its network is deployable, for messages.

    Raises
    ------
    InputError
        If a route does not arrive, tables cannot express the routes, or packets could deadlock on one lane.
    """
    hops(plane.topology, plane.routes)
    routes = _next_ports(plane.topology, plane.routes, name, options)
    passed = _passed(plane, routes)
    if not is_acyclic(plane.topology, passed.port, passed.end):
        raise _refusal(f"{name}: {_deadlock_text(plane, names, number)}: {REFUSED}", options)
    filled = _filled(plane, passed)
    return filled if is_acyclic(plane.topology, filled.port, filled.end) else passed


def _next_ports(topology: Topology, routes: Routes, name: str, options: Options) -> Routes:
    """Return routes as next ports.

    Raises
    ------
    InputError
        If routes to a switch that meet go on by different ports.
    """
    if routes.next_port is not None:
        return routes
    ids = np.arange(topology.switches)
    ports, elsewhere = first_ports(routes, ids.repeat(len(ids)), np.tile(ids, len(ids)))
    table = np.where(elsewhere, ports, ARRIVED).astype(np.uint16).reshape(len(ids), len(ids))
    at_once = max(1, PAIRS_AT_ONCE // len(ids))
    for start in range(0, len(ids), at_once):
        source = ids[start : start + at_once].repeat(len(ids))
        target = np.tile(ids, len(source) // len(ids))
        for route, switch, port in route_steps(topology, routes, source, target):
            # The table has the port of the route that begins at the switch; all that pass it have to agree.
            wrong = np.flatnonzero(table[switch, target[route]] != port)
            if len(wrong):
                raise _refusal(
                    f"{name}: routes to switch {target[route][wrong[0]]} leave switch {switch[wrong[0]]} by different "
                    f"ports: {REFUSED}, whose tables have one port for each destination",
                    options,
                )
    return Routes("table", ids.astype(np.int32), next_port=table)


def _passed(plane: Plane, routes: Routes) -> Forwarding:
    """Return the entries of routes that packets pass, with a column for each switch where they end."""
    port = next_ports_to(routes, np.arange(routes.columns))
    end = routes.switch_of(np.arange(routes.columns)).astype(np.int64)
    if routes.column is not None:
        begins = np.zeros(port.shape, dtype=np.bool_)
        begins[routes.sources] = True
        port = np.where(_reached(plane.topology, begins, port), port, np.uint16(NO_ROUTE))
    of_switch = np.full(plane.topology.switches, -1)
    # Backwards, so that of several columns of a switch the first one is written last.
    of_switch[end[::-1]] = np.arange(len(end))[::-1]
    others = np.flatnonzero(of_switch < 0)
    of_switch[others] = len(end) + np.arange(len(others))
    added = np.full((len(port), len(others)), NO_ROUTE, dtype=np.uint16)
    added[others, np.arange(len(others))] = ARRIVED
    return Forwarding(
        np.concatenate([port, added], axis=1),
        np.concatenate([end, others]),
        of_switch,
        routes.targets(plane.node_switch),
        not len(others) and not (port == NO_ROUTE).any(),
    )


def _reached(topology: Topology, begins: NDArray[np.bool_], port: NDArray[np.uint16]) -> NDArray[np.bool_]:
    """Return whether packets pass a switch on their way to a column, as bool[switches, columns].

    Parameters
    ----------
    topology
        The cables.
    begins : bool[switches, columns]
        Whether packets to a column begin at a switch.
    port : uint16[switches, columns]
        The next ports.
    """
    reached = begins.copy()
    switch, column = np.nonzero(reached)
    while len(switch):
        ahead = port[switch, column] != ARRIVED
        switch, column = switch[ahead], column[ahead]
        number = topology.peer[switch, port[switch, column]].astype(np.int64) * port.shape[1] + column
        new = np.zeros(port.size, dtype=np.bool_)
        new[number] = True
        new &= ~reached.ravel()
        reached |= new.reshape(port.shape)
        switch, column = np.divmod(np.flatnonzero(new), port.shape[1])
    return reached


def _filled(plane: Plane, passed: Forwarding) -> Forwarding:
    """Return the same entries with those of shortest paths for packets of management."""
    if passed.is_managed:
        return passed
    shortest = forwarding_table(plane.topology).next_port
    assert shortest is not None
    port = np.where(passed.port == NO_ROUTE, shortest[:, passed.end], passed.port)
    begins = np.zeros(port.shape, dtype=np.bool_)
    begins[plane.node_switch] = True
    begins[:, passed.of_link] = True
    begins[:, passed.of_switch[plane.node_switch]] = True  # columns of first places, where no node may be
    port = np.where(_reached(plane.topology, begins, port), port, np.uint16(NO_ROUTE))
    return replace(passed, port=port, is_managed=True)


def _refusal(reason: str, options: Options) -> InputError:
    """Return the error that a network is not deployable, with the options with which it is."""
    named = list(options())
    like = f", as with {' '.join(named)}" if named else ""
    error = InputError(
        f"{reason}; expected routes without deadlock on one lane{like}, or OpenSM's torus-2QoS, DFSSSP or Nue"
    )
    error.options = named
    return error


def _deadlock_text(plane: Plane, names: DeviceNames | None, number: int) -> str:
    rule = plane.routes.channels
    if rule is not None and rule.classes > 1:
        return f"its routes use {rule.classes} classes of virtual channels, which tables of ports cannot choose"
    cycle = channel_cycle(plane.topology, replace(plane.routes, channels=None), 1)
    return "packets can deadlock" + ("" if cycle is None else f", since {describe_cycle(cycle, names, number)}")


def is_acyclic(topology: Topology, port: NDArray[np.uint16], end: Ints) -> bool:
    """Return whether the dependencies of links are acyclic, so that packets on one lane cannot deadlock.

    A link depends on the next one if a packet to some column takes one after the other. All entries count, whether
    packets of nodes pass them or not.

    Parameters
    ----------
    topology
        The cables.
    port : uint16[switches, columns]
        The next port to each column; `ARRIVED` and `NO_ROUTE` as in `Routes`.
    end : int64[columns]
        The destination switch of each column.

    References
    ----------
    Dally and Seitz, Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987.

    Examples
    --------
    >>> from isoplane.models.routing import torus_order
    >>> from isoplane.models.topologies import torus
    >>> from isoplane.models.planes.routing_columns import next_ports_to
    >>> is_acyclic(torus((4,)), next_ports_to(torus_order((4,)), np.arange(4)), np.arange(4))
    False
    """
    ports = topology.ports
    # A mark for each turn at a switch: columns repeat the same turns, and would fill lists with them.
    used = np.zeros(topology.switches * ports * ports, dtype=np.bool_)
    at_once = max(1, ENTRIES_AT_ONCE // topology.switches)
    for start in range(0, len(end), at_once):
        some = port[:, start : start + at_once]
        switch, column = np.nonzero(some < NO_ROUTE)
        out = some[switch, column].astype(np.int64)
        then = topology.peer[switch, out]
        out_then = some[then, column]
        ahead = (out_then != ARRIVED) & (out_then != NO_ROUTE)
        used[((switch * ports + out) * ports + out_then)[ahead]] = True
    number = np.flatnonzero(used)
    held, out_then = np.divmod(number, ports)
    requested = topology.peer.ravel()[held].astype(np.int64) * ports + out_then
    return _peels(topology.switches * ports, held, requested)


def _peels(channels: int, held: Ints, requested: Ints) -> bool:
    """Return whether a graph vanishes if vertices without edges to others are removed over and over."""
    while len(held):
        waits = np.zeros(channels, dtype=np.bool_)
        waits[held] = True
        kept = waits[requested]
        # Whatever is requested waits itself: from channel to channel, this must come back to an earlier one.
        if kept.all():
            return False
        held, requested = held[kept], requested[kept]
    return True
