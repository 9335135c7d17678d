"""Routes of planes whose cables differ, between the same switches with the same nodes."""

from collections.abc import Sequence
from math import lcm

import numpy as np
from numpy.typing import NDArray

from ..failures.rerouted import heaviest_load, rerouted
from ..paths.nearest_plane import switch_hops
from ..planes.plane import Cabling, Plane
from ..planes.routes import NO_ROUTE, Routes
from ..routing.planned import planned_planes
from ..routing.table import LoadedTable, node_columns


def lightest_routes(planes: Sequence[Cabling], is_nearest: bool) -> tuple[Routes, ...]:
    """Return routes of each plane that spread all-to-all traffic over the links.

    Of several planes the nearest share each packet, by routes to each node that avoid heavy links (`rerouted`); or each
    pair takes one plane, planned together with its routes (`planned_planes`). The first divides traffic more finely,
    the second sends it where there is room: the one with the lighter heaviest link is taken.

    Parameters
    ----------
    planes
        The planes.
    is_nearest
        Whether packets take the nearest plane; else every plane carries all of them.
    """
    hops = np.stack([switch_hops(plane.topology) for plane in planes])
    is_used = hops == hops.min(axis=0) if is_nearest else np.ones_like(hops, dtype=np.bool_)
    unit = lcm(*range(1, len(planes) + 1))
    shares = np.where(is_used, unit // is_used.sum(axis=0), 0).astype(np.uint16)
    shared = [plane.routed(_shared(plane, share)) for plane, share in zip(planes, shares, strict=True)]
    if len(planes) > 1 and is_nearest:
        planned = planned_planes(planes)
        loads = [_heaviest(plane, share) for plane, share in zip(shared, shares, strict=True)]
        if max(unit * _heaviest(plane) for plane in planned) < max(loads):
            return tuple(plane.routes for plane in planned)
    return tuple(plane.routes for plane in shared)


def _shared(plane: Cabling, share: NDArray[np.uint16]) -> Routes:
    """Return shortest paths to each node for the parts of packets between switches that take a plane."""
    target, receivers, column = node_columns(plane.topology, plane.node_switch)
    senders = np.bincount(plane.node_switch, minlength=plane.topology.switches)
    unknown = np.full((len(senders), len(target)), NO_ROUTE, dtype=np.uint16)
    table = LoadedTable(plane.topology, unknown, target, senders, receivers, np.ascontiguousarray(share[target]))
    return rerouted(table, column=column)


def _heaviest(plane: Plane, share: NDArray[np.integer] | None = None) -> int:
    """Return the load of the heaviest link, of packets that take the plane or of parts of all packets by `share`."""
    routes, senders = plane.routes, np.bincount(plane.node_switch, minlength=plane.topology.switches)
    next_port, target = routes.next_port, routes.target_switch
    assert next_port is not None
    assert target is not None
    taken = routes.carried if share is None else share[:, target]
    assert taken is not None
    parts = np.ascontiguousarray(taken.T, dtype=np.uint16)
    receivers = np.bincount(np.asarray(routes.column))
    return heaviest_load(LoadedTable(plane.topology, next_port, target, senders, receivers, parts))
