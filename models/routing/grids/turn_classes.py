"""Classes of virtual channels by turns, which make any routing deadlock-free in few classes."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from isoplane.models.arrays import Ints
from isoplane.models.planes.routes import ChannelRule, Routes
from isoplane.models.planes.routing_columns import representatives
from isoplane.models.planes.topology import Topology

RISING, FALLING = 0, 1  # dimensions of links to a switch with a higher or a lower number
PERIOD = 4  # rows of routes repeat after as many steps along either coordinate
MAX_STARTS = 1 << 20  # number of routes that are followed at once


def turn_classes(topology: Topology, routes: Routes) -> Routes:
    """Return the same routes with a channel class that increases wherever a route rises after it has fallen.

    A link rises if it leads to a switch with a higher number, and falls otherwise. Rising links contain no cycle, and
    neither do falling ones, so they are the two ordered dimensions of a `ChannelRule`: within a class, a packet first
    rises and then falls. In the order of classes, then of dimensions, then of the numbers of switches (ascending on
    rising links, descending on falling ones), the channels of any route ascend. Dependencies are therefore acyclic,
    whatever the routes and the ways that they wrap around the torus.

    The number of classes is one more than the most turns of any route, computed over all routes. A turn takes two hops,
    so that there are at most half as many classes as with `hop_classes`, and one.

    Parameters
    ----------
    topology, routes
        A square torus whose switches are numbered with x fastest, and source routes, whose rows have a period of 4
        along x and y; an existing rule for virtual channels is replaced.

    References
    ----------
    Skeie, Lysne, Flich, López, Robles and Duato, LASH-TOR: A Generic Transition-Oriented Routing Algorithm, 2004, which
    changes channels at the same turns.

    Examples
    --------
    >>> from isoplane.models.topologies import rdt
    >>> from .vector import vector_routing
    >>> [turn_classes(rdt(side), vector_routing(side)).channels.classes for side in (4, 8, 12, 16, 32)]
    [2, 3, 3, 4, 4]
    """
    rises = topology.peer > np.arange(topology.switches)[:, None]
    return _with_classes(routes, rises, _most_turns(topology, routes))


def table_turn_classes(topology: Topology, routes: Routes, rank: Ints) -> Routes:
    """Return the routes of a table with classes as in `turn_classes`, where links to a switch of higher rank rise.

    Parameters
    ----------
    topology, routes
        Any graph with routes that arrive; an existing rule for virtual channels is replaced.
    rank : int[switches]
        A different number for each switch. Every order is free from deadlock; one by the distance from a root, highest
        at the root, needs a single class for up*/down* routes.

    Examples
    --------
    >>> from isoplane.models.topologies import torus
    >>> from ..table import forwarding_table
    >>> ring = torus((8,))
    >>> table_turn_classes(ring, forwarding_table(ring), np.arange(8)).channels.classes  # those of hops: 4
    2
    """
    rises = rank[topology.peer] > rank[:, None]
    return _with_classes(routes, rises, _most_turns_in_table(topology, routes, rises))


def _with_classes(routes: Routes, rises: NDArray[np.bool_], turns: int) -> Routes:
    rule = ChannelRule(
        np.where(rises, RISING, FALLING).astype(np.int32),
        np.zeros(rises.shape, dtype=np.bool_),
        classes=1 + turns,
        ordered=True,
    )
    return replace(routes, channels=rule)


def _most_turns_in_table(topology: Topology, routes: Routes, rises: NDArray[np.bool_]) -> int:
    """Return the most turns of any route of a table, all followed at once to some targets at a time."""
    assert routes.next_port is not None
    target, most = routes.switch_of(np.arange(routes.columns)), 0
    step = max(1, MAX_STARTS // len(routes.sources))
    for first in range(0, routes.columns, step):
        chosen = np.arange(first, min(first + step, routes.columns))
        switch, column = (values.ravel() for values in np.meshgrid(routes.sources, chosen, indexing="ij"))
        turns, falls = np.zeros(len(switch), dtype=np.int64), np.zeros(len(switch), dtype=np.bool_)
        while True:
            on_way = switch != target[column]
            switch, column, turns, falls = (values[on_way] for values in (switch, column, turns, falls))
            if not len(switch):
                break
            port = routes.next_port[routes.row[switch], column]
            is_rising = rises[switch, port]
            # Rising and then falling is no turn: it stays within a class.
            turns += falls & is_rising
            most, falls, switch = max(most, int(turns.max())), ~is_rising, topology.peer[switch, port]
    return most


def _most_turns(topology: Topology, routes: Routes) -> int:
    """Return the most turns of any route: the longest routes first, until the others are too short for more."""
    assert routes.paths is not None
    starts = routes.paths.starts.astype(np.int64)
    lengths = np.diff(starts)
    most = 0
    for length in range(int(lengths.max()), 1, -1):
        if most >= length // 2:  # a turn takes a falling and a rising hop
            break
        paths = np.flatnonzero(lengths == length)
        at_once = max(1, MAX_STARTS // (PERIOD * (length + 1)) ** 2)
        for first in range(0, len(paths), at_once):
            chunk = paths[first : first + at_once]
            ports = routes.paths.ports[starts[chunk, None] + np.arange(length)].astype(np.int64)
            most = max(most, _turns(topology, routes, chunk // routes.columns, ports))
    return most


def _turns(topology: Topology, routes: Routes, row: Ints, ports: Ints) -> int:
    """Return the most turns of the routes with some rows and ``ports[routes, hops]``, from any switch of their row."""
    side = routes.shape[0]
    x, y = _positions(topology, representatives(routes)[row], ports, side)
    path, start_x, start_y = _decisive_starts(routes, row, x, y)
    turns = np.zeros(len(path), dtype=np.int64)
    before, falls = start_x + side * start_y, np.zeros(len(path), dtype=np.bool_)
    for hop in range(1, x.shape[1]):
        after = (start_x + x[path, hop]) % side + side * ((start_y + y[path, hop]) % side)
        rises = after > before
        turns += falls & rises
        before, falls = after, ~rises
    return int(turns.max(initial=0))


def _positions(topology: Topology, switch: Ints, ports: Ints, side: int) -> tuple[Ints, Ints]:
    """Return x[routes, hops + 1] and y of the switches of routes, relative to the first one, modulo the side."""
    visited = [switch]
    for port in ports.T:
        visited.append(topology.peer[visited[-1], port].astype(np.int64))
    y, x = np.divmod(np.stack(visited, axis=1), side)
    return (x - x[:, :1]) % side, (y - y[:, :1]) % side


def _decisive_starts(routes: Routes, row: Ints, x: Ints, y: Ints) -> tuple[Ints, Ints, Ints]:
    """Return routes and starts, of which one rises and falls like each route from any other switch of its row.

    If the start moves along x or y, a route rises and falls as before until one of its switches moves around the torus,
    to coordinate 0. The first `PERIOD` starts from there on include all rows.
    """
    side = routes.shape[0]
    shift = np.arange(PERIOD)
    start_x, start_y = ((shift - axis[:, :, None]).reshape(len(axis), -1) % side for axis in (x, y))
    is_start: NDArray[np.bool_] = routes.row[start_x[:, :, None] + side * start_y[:, None, :]] == row[:, None, None]
    path, i, j = np.nonzero(is_start)
    return path, start_x[path, i], start_y[path, j]
