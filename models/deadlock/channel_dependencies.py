"""Channel dependencies: pairs of channels that a packet may hold and request at the same time."""

from collections.abc import Iterator

import numpy as np

from ..arrays import Ints
from ..errors import InputError
from ..mathematics.occurrences import sorted_unique
from ..mathematics.spans import spans, starts_of
from ..planes.routes import ARRIVED, NO_ROUTE, ChannelRule, Paths, Routes
from ..planes.routing_columns import common_moves, next_ports_to, offset_between, representatives, row_count
from ..planes.topology import Topology

MAX_PAIRS = 1 << 18  # maximum number of pairs of switches whose routes are followed at once

# Two consecutive links of a route: switch, port and class of the first, port and class of the second.
Steps = tuple[Ints, Ints, Ints, Ints, Ints]


def rule_of(topology: Topology, routes: Routes) -> ChannelRule:
    """Return the rule for virtual channels of routes; by default, a single class."""
    return routes.channels or ChannelRule(
        np.zeros(topology.ports, dtype=np.int32), np.zeros(topology.peer.shape, dtype=np.bool_), classes=1
    )


def dependencies(topology: Topology, routes: Routes) -> Ints:
    """Return the pairs of channels that some route uses consecutively, as ``int64[dependencies, 2]``.

    The index of a channel is (switch · ports + port) · classes + class. The routes from all switches where packets
    begin (`Routes.sources`) are followed; if switches that share a row are equivalent and there is no rule for virtual
    channels, those of one representative determine the dependencies of all.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from ..routing.grids.torus_order import torus_order
    >>> dependencies(torus((4,)), torus_order((4,))).tolist()  # the opposite switch is two hops ahead
    [[0, 2], [2, 4], [4, 6], [6, 0]]
    """
    rule = rule_of(topology, routes)
    equivalent = routes.channels is None and common_moves(topology, routes) is not None
    # Next ports are followed by target: one target stands for all others only if all switches share a single row.
    by_symmetry = equivalent and (routes.paths is not None or row_count(routes) == 1)
    first = representatives(routes)
    sizes = (topology.switches, topology.ports, rule.classes, topology.ports, rule.classes)
    steps_found = [np.zeros(0, dtype=np.int64)]
    all_ends = np.arange(topology.switches if routes.paths is not None else routes.columns)
    for steps in _steps_of_routes(topology, routes, rule, first if by_symmetry else all_ends):
        # At the representative of the row, so that equal steps of equivalent switches count once.
        switch = first[routes.row[steps[0]]] if by_symmetry else steps[0]
        steps_found.append(sorted_unique(np.ravel_multi_index((switch, *steps[1:]), sizes)))
    switch, *rest = np.unravel_index(sorted_unique(np.concatenate(steps_found)), sizes)
    if by_symmetry:
        repeated, switch = _repeat_for_rows(routes, switch)
        rest = [column[repeated] for column in rest]
    return channels_of(topology, rule, switch, *rest)


def channels_of(topology: Topology, rule: ChannelRule, *steps: Ints) -> Ints:
    """Return the channels that packets hold and request in steps, as in `dependencies`."""
    switch, port, channel_class, next_port, next_class = steps
    held = (switch * topology.ports + port) * rule.classes + channel_class
    requested = (topology.peer[switch, port] * topology.ports + next_port) * rule.classes + next_class
    return np.stack([held, requested], axis=1)


def _repeat_for_rows(routes: Routes, switch: Ints) -> tuple[Ints, Ints]:
    """Return indices of steps and their switches, so that each step occurs once per switch that shares its row."""
    order, count = np.argsort(routes.row, kind="stable"), np.bincount(routes.row)
    shared = routes.row[switch]
    repeated = np.repeat(np.arange(len(switch)), count[shared])
    return repeated, order[spans(starts_of(count)[shared], count[shared])]


def _steps_of_routes(topology: Topology, routes: Routes, rule: ChannelRule, ends: Ints) -> Iterator[Steps]:
    """Yield the steps of the routes from some switches, or to some targets if the routes are next ports."""
    at_once = max(1, MAX_PAIRS // topology.switches)
    for start in range(0, len(ends), at_once):
        chunk = ends[start : start + at_once]
        if routes.paths is not None:
            yield from _steps_of_paths(topology, routes, routes.paths, rule, chunk)
        else:
            yield from _steps_of_ports(topology, routes, rule, chunk)


def _steps_of_ports(topology: Topology, routes: Routes, rule: ChannelRule, targets: Ints) -> Iterator[Steps]:
    """Yield the steps of all packets to some targets."""
    port_table = next_ports_to(routes, targets).astype(np.int64)
    begins = np.zeros((topology.switches, 1), dtype=np.bool_)
    begins[routes.sources] = True
    switch, target = np.nonzero(begins & (port_table != ARRIVED))
    ends = routes.switch_of(targets)
    _require_next_ports(port_table[switch, target], switch, ends[target])
    channel_class = first_class(rule, switch, port_table[switch, target])
    yield from steps_from(topology, rule, port_table, ends, switch, target, channel_class)


def steps_from(
    topology: Topology, rule: ChannelRule, port_table: Ints, ends: Ints, switch: Ints, target: Ints, channel_class: Ints
) -> Iterator[Steps]:
    """Yield the steps of all packets from some states: switch, target, and class of the channel of the next hop.

    The next step depends on the state only: each is followed once. ``port_table[switch, target]`` is the next port to
    switch ``ends[target]``.
    """
    seen = np.zeros((*port_table.shape, rule.classes), dtype=np.bool_)
    seen[switch, target, channel_class] = True
    while len(switch):
        port = port_table[switch, target]
        peer = topology.peer[switch, port].astype(np.int64)
        next_port = port_table[peer, target]
        continues = next_port != ARRIVED
        switch, target, channel_class, port, peer, next_port = (
            array[continues] for array in (switch, target, channel_class, port, peer, next_port)
        )
        _require_next_ports(next_port, peer, ends[target])
        next_class = class_after(rule, switch, port, channel_class, peer, next_port)
        yield switch, port, channel_class, next_port, next_class
        states = np.ravel_multi_index((peer, target, next_class), seen.shape)
        # Many packets merge in one state, where they continue alike.
        new = sorted_unique(states[~seen.ravel()[states]])
        switch, target, channel_class = np.unravel_index(new, seen.shape)
        seen[switch, target, channel_class] = True


def _require_next_ports(port: Ints, switch: Ints, end: Ints) -> None:
    """Raise an `InputError` if packets have no next port at a switch."""
    is_missing = port == NO_ROUTE
    if is_missing.any():
        wrong = int(np.argmax(is_missing))
        raise InputError(
            f"routes: no next port at switch {switch[wrong]} to switch {end[wrong]}; expected one at each switch on "
            "the way"
        )


def _steps_of_paths(
    topology: Topology, routes: Routes, paths: Paths, rule: ChannelRule, sources: Ints
) -> Iterator[Steps]:
    """Yield the steps of all paths from some sources."""
    all_ends = np.arange(topology.switches)
    entry = routes.row[sources, None] * routes.columns + offset_between(routes, sources[:, None], all_ends)
    index, end = (paths.starts[entry.ravel() + i].astype(np.int64) for i in (0, 1))
    continues = index < end
    switch, index, end = np.repeat(sources, topology.switches)[continues], index[continues], end[continues]
    port = paths.ports[index].astype(np.int64)
    channel_class = first_class(rule, switch, port)
    while len(switch):
        index = index + 1
        continues = index < end
        switch, index, end, port, channel_class = (
            array[continues] for array in (switch, index, end, port, channel_class)
        )
        peer, next_port = topology.peer[switch, port].astype(np.int64), paths.ports[index].astype(np.int64)
        next_class = class_after(rule, switch, port, channel_class, peer, next_port)
        yield switch, port, channel_class, next_port, next_class
        switch, port, channel_class = peer, next_port, next_class


def first_class(rule: ChannelRule, switch: Ints, port: Ints) -> Ints:
    """Return the classes of first hops."""
    return _check_classes(rule, rule.start + rule.dateline[switch, port].astype(np.int64))


def class_after(rule: ChannelRule, switch: Ints, port: Ints, channel_class: Ints, peer: Ints, next_port: Ints) -> Ints:
    """Return the classes of the next hops, from the peers of ports of switches, according to the `ChannelRule`."""
    dimension, next_dimension = rule.dimension_of(switch, port), rule.dimension_of(peer, next_port)
    if rule.ordered:
        kept = channel_class + (next_dimension < dimension)
    else:
        kept = np.where(dimension == next_dimension, channel_class, 0)
    return _check_classes(rule, kept + rule.dateline[peer, next_port])


def _check_classes(rule: ChannelRule, channel_class: Ints) -> Ints:
    if channel_class.max(initial=0) >= rule.classes:
        needed = channel_class.max() + 1
        raise InputError(f"routes.channels.classes={rule.classes}: a route needs {needed}; expected at least {needed}")
    return channel_class
