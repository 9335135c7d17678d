"""Traversal of routes: their lengths, their links, and the check that they arrive."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..errors import InputError
from .routes import ARRIVED, NO_ROUTE, ChannelRule, Paths, Routes
from .routing_columns import common_moves, destination_at, next_ports_to, offset_between, representatives
from .topology import Topology

Link = tuple[int, int, int]  # switch, port, class of virtual channels

MAX_PAIRS = 1 << 20  # maximum number of pairs of switches followed at once, so that arrays fit in the caches


def hops(topology: Topology, routes: Routes) -> NDArray[np.int32]:
    """Return the length of each route as ``int32[rows, offsets]``; for a table, as ``int32[switches, columns]``.

    Every switch where packets begin (`Routes.sources`) must have a route to every destination. The length from another
    switch is -1 if its entries do not lead there. Every route is followed to its end from every switch, or from one
    representative per row if switches that share a row are equivalent. Next ports are followed by pointer doubling: the
    number of steps is logarithmic in the length of the longest route.

    Raises
    ------
    InputError
        If a route loops, takes a port without a cable, has no next port or ends at the wrong switch (the message names
        its source and destination), or if routes with the same row and offset differ in length.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from ..routing.grids.torus_order import torus_order
    >>> hops(torus((5,)), torus_order((5,))).tolist()
    [[0, 1, 2, 2, 1]]
    """
    routes.require_fit(topology)
    moves = common_moves(topology, routes)
    first = representatives(routes)
    if routes.next_port is not None and moves is not None:
        length = _lengths_of_offsets(routes, routes.next_port, *moves)
        sources = first[:, None]
        _require_arrival(topology, routes, sources, destination_at(routes, sources, np.arange(routes.columns)), length)
        return length
    return _lengths_from(topology, routes, first if moves is not None else np.arange(topology.switches))


def hops_index(routes: Routes, source: NDArray[np.integer], target: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Return the indices into `hops` of the routes between switches and targets; the arrays are broadcast.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from ..routing.grids.torus_order import torus_order
    >>> int(hops(torus((5,)), torus_order((5,)))[hops_index(torus_order((5,)), np.array(4), np.array(1))])
    2
    """
    row = source if routes.group == "table" else routes.row[source]
    column = offset_between(routes, source, target)
    return np.broadcast_to(row, column.shape).astype(np.int64), column


def _lengths_from(topology: Topology, routes: Routes, sources: Ints) -> NDArray[np.int32]:
    """Follow the routes from some switches to all targets, and check that equal rows and offsets have equal lengths."""
    first = representatives(routes)
    rows = topology.switches if routes.group == "table" else len(first)
    lengths = np.full((rows, routes.columns), -1, dtype=np.int32)
    for source, target, length in _slices(topology, routes, sources):
        _require_arrival(topology, routes, source, target, length)
        index = hops_index(routes, source, target)
        # Of several routes with one entry any may write it: the comparison below finds all that differ.
        lengths[index] = np.where(lengths[index] < 0, length, lengths[index])
        if not np.array_equal(lengths[index], length):
            row, column = np.argwhere(lengths[index] != length)[0]
            pair = _pair(source, target, length, row, column)
            raise InputError(
                f"routes: the route from {pair[0]} to {pair[1]} has {length[row, column]} hops, but another with the "
                f"same row and offset has {lengths[index][row, column]}; expected equal lengths"
            )
    return lengths


def _slices(topology: Topology, routes: Routes, sources: Ints) -> Iterator[tuple[Ints, Ints, NDArray[np.int32]]]:
    """Yield sources, targets and lengths of routes in slices of bounded size; the length of an invalid route is -1.

    Paths are followed from some switches to all, next ports from all switches to some targets.
    """
    all_switches = np.arange(topology.switches)
    step = max(1, MAX_PAIRS // topology.switches)
    ends = sources if routes.paths is not None else np.arange(routes.columns)
    for start in range(0, len(ends), step):
        chunk = ends[start : start + step]
        if routes.paths is not None:
            yield chunk[:, None], all_switches[None], _lengths_of_paths(topology, routes, routes.paths, chunk)
        else:
            yield all_switches[:, None], chunk[None], _lengths_to(topology, routes, chunk)


def _lengths_of_offsets(
    routes: Routes, next_port: NDArray[np.uint16], offset_at: Ints, row_at: Ints
) -> NDArray[np.int32]:
    """Return lengths by row and offset, if switches that share a row are equivalent, with their `common_moves`."""
    rows, offsets = next_port.shape
    row, offset = np.divmod(np.arange(rows * offsets), offsets)
    port = next_port.ravel()
    arrived = offset == 0
    valid = port < offset_at.shape[1]
    port = np.where(valid, port, 0)
    step = offset_at[row, port]
    advances = valid & (step >= 0)
    next_state = row_at[row, port] * offsets + offset_between(routes, np.maximum(step, 0), offset)
    return _count_steps(np.where(advances, next_state, np.arange(len(port))), arrived, offsets).reshape(rows, offsets)


def _lengths_to(topology: Topology, routes: Routes, targets: Ints) -> NDArray[np.int32]:
    """Return lengths of next-port routes from every switch to some targets, as [switches, targets]."""
    port = next_ports_to(routes, targets)
    ids = np.arange(topology.switches)[:, None]
    valid = port < topology.ports
    peer = topology.peer[ids, np.where(valid, port, 0)]
    state = np.arange(port.size).reshape(port.shape)
    next_state = np.where(valid & (peer >= 0), peer * len(targets) + np.arange(len(targets)), state)
    arrived = ids == routes.switch_of(targets)
    return _count_steps(next_state.ravel(), arrived.ravel(), topology.switches).reshape(port.shape)


def _count_steps(next_state: Ints, arrived: NDArray[np.bool_], max_steps: int) -> NDArray[np.int32]:
    """Count the steps from each state to an arrived one by pointer doubling; -1 if there are more than `max_steps`."""
    # Arrived states point to themselves, so that doubling beyond the end of a route adds nothing to its length.
    next_state = np.where(arrived, np.arange(len(arrived)), next_state)
    length = (~arrived).astype(np.int32)
    steps = 1
    while steps < max_steps and not arrived[next_state].all():
        length += length[next_state]
        next_state = next_state[next_state]
        steps *= 2
    return np.where(arrived[next_state], length, -1).astype(np.int32)


def _lengths_of_paths(topology: Topology, routes: Routes, paths: Paths, sources: Ints) -> NDArray[np.int32]:
    """Return lengths of the paths from some sources to every switch, as [sources, switches]."""
    all_switches = np.arange(topology.switches)
    entry = routes.row[sources, None] * routes.columns + offset_between(routes, sources[:, None], all_switches)
    start, end = (paths.starts[entry + i].astype(np.int64) for i in (0, 1))
    length = (end - start).astype(np.int32)
    switch = np.broadcast_to(sources[:, None], entry.shape).copy()
    for step in range(int(length.max(initial=0))):
        unfinished = (length > step) & (switch >= 0)
        port = paths.ports[start[unfinished] + step]
        valid = port < topology.ports
        switch[unfinished] = np.where(valid, topology.peer[switch[unfinished], np.where(valid, port, 0)], -1)
    return np.where(switch == all_switches, length, -1).astype(np.int32)


def _pair(sources: Ints, targets: Ints, length: NDArray[np.int32], row: int, column: int) -> tuple[int, int]:
    """Return the source and the target of an entry of a slice."""
    source, target = (np.broadcast_to(ends, length.shape)[row, column] for ends in (sources, targets))
    return int(source), int(target)


def _require_arrival(
    topology: Topology, routes: Routes, sources: Ints, targets: Ints, length: NDArray[np.int32]
) -> None:
    """Raise the error of the first invalid route of a slice that packets may take, if any."""
    if length.min() >= 0:
        return
    begins = np.zeros(topology.switches, dtype=np.bool_)
    begins[routes.sources] = True
    wrong = np.argwhere((length < 0) & begins[sources])
    if len(wrong):
        links_of_route(topology, routes, *_pair(sources, targets, length, *wrong[0]))


def links_of_route(topology: Topology, routes: Routes, source: int, target: int) -> list[Link]:
    """Return the links of a route as (switch, port, class of virtual channels), in route order.

    Parameters
    ----------
    topology, routes
        The network.
    source
        The first switch of the route.
    target
        The target in the sense of `Routes.targets`: a column of nodes, or a switch.

    Raises
    ------
    InputError
        If the route loops, takes a port without a cable, has no next port, ends at the wrong switch or exceeds the
        classes of its rule.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from ..routing.grids.torus_order import torus_order
    >>> links_of_route(torus((5,)), torus_order((5,), datelines=True), 4, 1)
    [(4, 0, 1), (0, 0, 1)]
    """
    links: list[Link] = []
    switch, rule = source, routes.channels
    destination = int(routes.switch_of(np.array(target)))
    column = f" via column {target}" if routes.target_switch is not None else ""
    name = f"routes: the route from {source} to {destination}{column}"
    port = _port_after(routes, source, target, switch, 0)
    while port != ARRIVED:
        if port == NO_ROUTE:
            raise InputError(f"{name} has no next port at switch {switch}; expected one at each switch on the way")
        if port >= topology.ports or topology.peer[switch, port] < 0:
            raise InputError(f"{name} takes port {port} of switch {switch}; expected ports with a cable")
        # A path is finite and may pass a switch twice; next ports that return to a switch never end.
        if routes.paths is None and len(links) >= topology.switches:
            raise InputError(f"{name} returns to switch {switch}; expected routes without loops")
        channel_class = 0
        if rule is not None:
            channel_class = _class_before(rule, links, switch, port) + int(rule.dateline[switch, port])
            if channel_class >= rule.classes:
                raise InputError(
                    f"{name} needs class {channel_class} at switch {switch}; expected classes below {rule.classes}"
                )
        links.append((switch, port, channel_class))
        switch = int(topology.peer[switch, port])
        port = _port_after(routes, source, target, switch, len(links))
    if switch != destination:
        raise InputError(f"{name} ends at switch {switch}; expected its destination")
    return links


def _class_before(rule: ChannelRule, links: list[Link], switch: int, port: int) -> int:
    """Return the class of a packet before the dateline of its next port at a switch, given the links so far."""
    if not links:
        return rule.start
    dimension, next_dimension = rule.dimension_of(*np.array([links[-1][:2], (switch, port)]).T)
    if rule.ordered:
        return links[-1][2] + int(next_dimension < dimension)
    return links[-1][2] if dimension == next_dimension else 0


def _port_after(routes: Routes, source: int, target: int, switch: int, hops_done: int) -> int:
    """Return the next port of a packet at a switch after some hops; `ARRIVED` at the end of its route."""
    lookup_switch = switch if routes.paths is None else source
    column = int(offset_between(routes, np.array(lookup_switch), np.array(target)))
    row = int(routes.row[lookup_switch])
    if routes.next_port is not None:
        return ARRIVED if switch == routes.switch_of(np.array(target)) else int(routes.next_port[row, column])
    assert routes.paths is not None
    start, end = (int(routes.paths.starts[row * routes.columns + column + i]) for i in (0, 1))
    return int(routes.paths.ports[start + hops_done]) if start + hops_done < end else ARRIVED
