"""Walks along routes: how long they are, which links they take, and whether they arrive."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..topology import Topology
from .offsets import Ints, Moves, common_moves, destination_at, next_ports_to, offset_between, representatives
from .routes import ARRIVED, ChannelRule, Paths, Routes

Link = tuple[int, int, int]  # switch, port, class of virtual channels

PAIRS = 1 << 20  # pairs of switches that are walked at once, which keeps the arrays within the caches


def hops(topology: Topology, routes: Routes) -> NDArray[np.int32]:
    """Return the length of each route as ``int32[rows, offsets]``, of a table as ``int32[switches, columns]``.

    Every route is followed to its end from every source; where all switches that share a row look alike, one of them
    stands for all. Next ports are followed by pointer doubling: the number of steps grows with the logarithm of the
    longest route.

    Raises
    ------
    InputError
        If a route loops, takes a port without a cable or ends at the wrong switch, naming its source and destination;
        or if routes of one row and offset differ in length.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from .torus_order import torus_order
    >>> hops(torus((5,)), torus_order((5,))).tolist()
    [[0, 1, 2, 2, 1]]
    """
    routes.require_fit(topology)
    moves = common_moves(topology, routes)
    first = representatives(routes)
    if routes.next_port is not None and moves is not None:
        length = _lengths_of_offsets(routes, routes.next_port, moves)
        here = first[:, None]
        _refuse(topology, routes, here, destination_at(routes, here, np.arange(routes.columns)), length)
        return length
    return _of_all_sources(topology, routes, first if moves is not None else np.arange(topology.switches))


def place_of(routes: Routes, source: NDArray[np.integer], target: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Return where `hops` has the lengths of routes between switches and targets; the arrays are broadcast.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from .torus_order import torus_order
    >>> int(hops(torus((5,)), torus_order((5,)))[place_of(torus_order((5,)), np.array(4), np.array(1))])
    2
    """
    row = source if routes.group == "table" else routes.row[source]
    column = offset_between(routes, source, target)
    return np.broadcast_to(row, column.shape).astype(np.int64), column


def _of_all_sources(topology: Topology, routes: Routes, sources: Ints) -> NDArray[np.int32]:
    """Walk from some switches to all targets, and check that routes of one row and offset have one length."""
    first = representatives(routes)
    rows = topology.switches if routes.group == "table" else len(first)
    found = np.full((rows, routes.columns), -1, dtype=np.int32)
    for here, there, length in _slices(topology, routes, sources):
        _refuse(topology, routes, here, there, length)
        place = place_of(routes, here, there)
        found[place] = np.where(found[place] < 0, length, found[place])
        if not np.array_equal(found[place], length):
            row, column = np.argwhere(found[place] != length)[0]
            pair = _pair(here, there, length, row, column)
            raise InputError(
                f"routes: the route from {pair[0]} to {pair[1]} has {length[row, column]} hops and another of its "
                f"row and offset {found[place][row, column]}; expected one length"
            )
    return found


def _slices(topology: Topology, routes: Routes, sources: Ints) -> Iterator[tuple[Ints, Ints, NDArray[np.int32]]]:
    """Yield sources, targets and lengths of routes, as many as fit; a length is -1 if the route is bad.

    Paths are followed from some switches to all, next ports from all switches to some targets.
    """
    everyone = np.arange(topology.switches)
    step = max(1, PAIRS // topology.switches)
    ends = sources if routes.paths is not None else np.arange(routes.columns)
    for start in range(0, len(ends), step):
        some = ends[start : start + step]
        if routes.paths is not None:
            yield some[:, None], everyone[None], _lengths_of_paths(topology, routes, routes.paths, some)
        else:
            yield everyone[:, None], some[None], _lengths_to(topology, routes, some)


def _lengths_of_offsets(routes: Routes, next_port: NDArray[np.uint16], moves: Moves) -> NDArray[np.int32]:
    """Lengths for every row and offset, where one switch stands for all that share its row."""
    rows, offsets = next_port.shape
    at, left = np.divmod(np.arange(rows * offsets), offsets)
    port = next_port.ravel()
    arrived = left == 0
    known = port < moves.offset.shape[1]
    port = np.where(known, port, 0)
    step = moves.offset[at, port]
    goes = known & (step >= 0)
    following = moves.row[at, port] * offsets + offset_between(routes, np.maximum(step, 0), left)
    return _doubled(np.where(goes, following, np.arange(len(port))), arrived, offsets).reshape(rows, offsets)


def _lengths_to(topology: Topology, routes: Routes, targets: Ints) -> NDArray[np.int32]:
    """Lengths of next-port routes from every switch to some targets, as [switches, targets]."""
    port = next_ports_to(routes, targets)
    ids = np.arange(topology.switches)[:, None]
    known = port < topology.ports
    peer = topology.peer[ids, np.where(known, port, 0)]
    here = np.arange(port.size).reshape(port.shape)
    following = np.where(known & (peer >= 0), peer * len(targets) + np.arange(len(targets)), here)
    arrived = ids == routes.switch_of(targets)
    return _doubled(following.ravel(), arrived.ravel(), topology.switches).reshape(port.shape)


def _doubled(following: Ints, arrived: NDArray[np.bool_], most: int) -> NDArray[np.int32]:
    """Count the steps from each state to one that has arrived; -1 if that takes more than `most`."""
    following = np.where(arrived, np.arange(len(arrived)), following)
    length = (~arrived).astype(np.int32)
    steps = 1
    while steps < most and not arrived[following].all():
        length += length[following]
        following = following[following]
        steps *= 2
    return np.where(arrived[following], length, -1).astype(np.int32)


def _lengths_of_paths(topology: Topology, routes: Routes, paths: Paths, sources: Ints) -> NDArray[np.int32]:
    """Lengths of the paths from some sources to every switch, as [sources, switches]."""
    everyone = np.arange(topology.switches)
    entry = routes.row[sources, None] * routes.columns + offset_between(routes, sources[:, None], everyone)
    start, end = (paths.starts[entry + i].astype(np.int64) for i in (0, 1))
    length = (end - start).astype(np.int32)
    at = np.broadcast_to(sources[:, None], entry.shape).copy()
    for step in range(int(length.max(initial=0))):
        going = (length > step) & (at >= 0)
        port = paths.ports[start[going] + step]
        known = port < topology.ports
        at[going] = np.where(known, topology.peer[at[going], np.where(known, port, 0)], -1)
    return np.where(at == everyone, length, -1).astype(np.int32)


def _pair(here: Ints, there: Ints, length: NDArray[np.int32], row: int, column: int) -> tuple[int, int]:
    """Source and target of an entry of a slice."""
    source, target = (np.broadcast_to(ends, length.shape)[row, column] for ends in (here, there))
    return int(source), int(target)


def _refuse(topology: Topology, routes: Routes, here: Ints, there: Ints, length: NDArray[np.int32]) -> None:
    """Raise what is wrong with the first bad route of a slice, if there is one."""
    if length.min() < 0:
        row, column = np.argwhere(length < 0)[0]
        links_of_route(topology, routes, *_pair(here, there, length, row, column))


def links_of_route(topology: Topology, routes: Routes, source: int, target: int) -> list[Link]:
    """Return the links of a route as (switch, port, class of virtual channels), in the order in which they are taken.

    Parameters
    ----------
    topology, routes
        The network.
    source
        The switch at which the route begins.
    target
        What `Routes.targets` gives for its destination: a column of nodes, or a switch.

    Raises
    ------
    InputError
        If the route loops, takes a port without a cable, ends at the wrong switch or needs more classes than its rule
        has.

    Examples
    --------
    >>> from ..topologies import torus
    >>> from .torus_order import torus_order
    >>> links_of_route(torus((5,)), torus_order((5,), datelines=True), 4, 1)
    [(4, 0, 1), (0, 0, 1)]
    """
    links: list[Link] = []
    at, rule = source, routes.channels
    destination = int(routes.switch_of(np.array(target)))
    column = f" by column {target}" if routes.goal is not None else ""
    name = f"routes: the route from {source} to {destination}{column}"
    while (port := _port_after(routes, source, target, at, len(links))) != ARRIVED:
        if port >= topology.ports or topology.peer[at, port] < 0:
            raise InputError(f"{name} takes port {port} of switch {at}; expected ports with a cable")
        if routes.paths is None and len(links) >= topology.switches:
            raise InputError(f"{name} comes back to switch {at}; expected routes without loops")
        lift = 0
        if rule is not None:
            lift = _class_before(rule, links, port) + int(rule.dateline[at, port])
            if lift >= rule.classes:
                raise InputError(f"{name} needs class {lift} at switch {at}; expected classes below {rule.classes}")
        links.append((at, port, lift))
        at = int(topology.peer[at, port])
    if at != destination:
        raise InputError(f"{name} ends at switch {at}; expected its destination")
    return links


def _class_before(rule: ChannelRule, links: list[Link], port: int) -> int:
    """Return the class of a packet that has taken some links and takes a port now, without the dateline there."""
    if not links:
        return rule.start
    stays = rule.dimension[links[-1][1]] == rule.dimension[port]
    return links[-1][2] if stays else 0


def _port_after(routes: Routes, source: int, target: int, at: int, hops_done: int) -> int:
    """Return the port that a packet takes at a switch after some hops, `ARRIVED` where its route ends."""
    here = at if routes.paths is None else source
    column = int(offset_between(routes, np.array(here), np.array(target)))
    row = int(routes.row[here])
    if routes.next_port is not None:
        return ARRIVED if at == routes.switch_of(np.array(target)) else int(routes.next_port[row, column])
    assert routes.paths is not None
    start, end = (int(routes.paths.starts[row * routes.columns + column + i]) for i in (0, 1))
    return int(routes.paths.ports[start + hops_done]) if start + hops_done < end else ARRIVED
