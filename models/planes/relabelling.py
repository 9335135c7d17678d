"""Planes in which the switches, with their nodes, have other places of a topology."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from ..errors import InputError
from .plane import Cabling
from .routes import Paths, Routes


def relabelled_cabling(plane: Cabling, places: Ints) -> Cabling:
    """Return a plane that joins switches x and y where the given one joins ``places[x]`` and ``places[y]``.

    Nodes stay at the switches of the same ids, and take their ports there as the nodes at the places do.

    Parameters
    ----------
    plane
        The plane, without rates and delays of individual links.
    places : int[switches]
        A permutation; a switch without nodes keeps its place.

    Raises
    ------
    InputError
        If a switch would have the place of one with another number of nodes.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import NO_SITE
    >>> (ring,) = Torus(shape=(5,), node_cable_m=2.0).build(NO_SITE)
    >>> relabelled_cabling(ring, np.array([0, 2, 4, 1, 3])).topology.peer[0].tolist()  # where places 1 and 4 are
    [3, 2]
    """
    if any(value is not None for value in vars(plane.timing).values()) or plane.node_start is not None:
        raise InputError("network.plane: states rates, delays or several links of a node; expected one without them")
    peer, counts = plane.topology.peer, np.bincount(plane.node_switch, minlength=plane.topology.switches)
    moved = np.flatnonzero((counts == 0) & (places != np.arange(len(places))))
    if len(moved):
        raise InputError(
            f"network.places: switch {moved[0]}, which has no nodes, has the place of switch {places[moved[0]]}; "
            "expected its own"
        )
    if not np.array_equal(counts[places], counts):
        switch = int(np.flatnonzero(counts[places] != counts)[0])
        raise InputError(
            f"network.places: switch {switch} with {counts[switch]} nodes has the place of switch {places[switch]}, "
            f"with {counts[places[switch]]}; expected as many"
        )
    switch_at = np.argsort(places)
    topology = replace(
        plane.topology,
        peer=np.where(peer[places] < 0, -1, switch_at[peer[places]]),
        peer_port=plane.topology.peer_port[places],
    )
    at_place = _links_at(plane.node_switch, places)
    return replace(
        plane,
        topology=topology,
        cable_mm=plane.cable_mm[places],
        node_port=None if plane.node_port is None else plane.node_port[at_place],
        node_cables_mm=None if plane.node_cables_mm is None else plane.node_cables_mm[at_place],
    )


def _links_at(node_switch: NDArray[np.int32], places: Ints) -> Ints:
    """Return, for every node link, the one at the place of its switch that comes there in the same turn."""
    order = np.argsort(node_switch, kind="stable")
    firsts = np.searchsorted(node_switch[order], np.arange(len(places)))
    turn = np.empty_like(order)
    turn[order] = np.arange(len(order)) - firsts[node_switch[order]]
    found: Ints = order[firsts[places[node_switch]] + turn]
    return found


def relabelled_routes(routes: Routes, places: Ints, node_switch: NDArray[np.int32]) -> Routes:
    """Return the routes of a plane whose switches have other places, between which they are as given.

    Parameters
    ----------
    routes
        The routes between places.
    places : int[switches]
        As in `relabelled_cabling`.
    node_switch : int[node links]
        The switch of every node link.
    """
    rule = routes.channels
    if rule is not None:
        dimension = rule.dimension if rule.dimension.ndim == 1 else rule.dimension[places]
        rule = replace(rule, dimension=dimension, dateline=rule.dateline[places])
    if routes.column is not None and routes.target_switch is not None:
        switch_at = np.argsort(places).astype(np.int32)
        return replace(
            routes,
            row=routes.row[places],
            channels=rule,
            column=routes.column[_links_at(node_switch, places)],
            target_switch=switch_at[routes.target_switch],
        )
    switches, next_port, paths = len(places), None, None
    entry = routes.row[places].astype(np.int64)[:, None] * routes.columns + _columns(routes, places)
    if routes.next_port is not None:
        next_port = routes.next_port.ravel()[entry]
    elif routes.paths is not None:
        starts = routes.paths.starts.astype(np.int64)
        hops = (starts[1:] - starts[:-1])[entry.ravel()]
        ends = np.concatenate([[0], np.cumsum(hops)])
        steps = np.arange(ends[-1]) - np.repeat(ends[:-1] - starts[entry.ravel()], hops)
        paths = Paths(ends.astype(np.uint32), routes.paths.ports[steps])
    return Routes("table", np.arange(switches, dtype=np.int32), next_port, paths, channels=rule)


def _columns(routes: Routes, places: Ints) -> Ints:
    """Return the column of the routes from every place to every other, the same from all in a table."""
    if routes.group == "table":
        return places
    if routes.group == "xor":
        return places[:, None] ^ places
    columns, scale, left = np.zeros((len(places), len(places)), dtype=np.int64), 1, places
    for size in routes.shape:
        here = left % size
        columns += scale * ((here - here[:, None]) % size)
        scale, left = scale * size, left // size
    return columns
