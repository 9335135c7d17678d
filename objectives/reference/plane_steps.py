"""Steps of packets through a plane: the next port on a route, and the delays of links and switches."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models import DelayUnits, Plane
from isoplane.models.arrays import Ints

NO_PORT = 0xFFFF


def next_port(plane: Plane, start: Ints, switch: Ints, target: int, target_switch: int, step: int) -> Ints:
    """Return the next port of packets after some steps, `NO_PORT` where their routes end."""
    routes = plane.routes
    if routes.paths is None:
        assert routes.next_port is not None
        port = routes.next_port[routes.row[switch], _columns(plane, switch, target)].astype(np.int64)
        return np.where(switch == target_switch, NO_PORT, port)
    entry = routes.row[start] * routes.columns + _columns(plane, start, target)
    first, end = routes.paths.starts[entry].astype(np.int64), routes.paths.starts[entry + 1]
    on_route = first + step < end
    if (switch[~on_route] != target_switch).any():
        raise RuntimeError(f"a route to switch {target_switch} ends elsewhere")
    return np.where(on_route, routes.paths.ports[np.where(on_route, first + step, 0)], NO_PORT)


def is_carried(plane: Plane, switch: Ints, target: int) -> NDArray[np.bool_]:
    """Return whether packets from switches to a target may take this plane."""
    carried = plane.routes.carried
    return np.ones(np.shape(switch), dtype=np.bool_) if carried is None else carried[switch, target]


def _columns(plane: Plane, switch: Ints, target: int) -> Ints:
    """Return the column of a route: its target, or the offset of the target from the switch that looks it up."""
    if plane.routes.group == "table":
        return np.full(len(switch), target)
    if plane.routes.group == "xor":
        return switch ^ target
    # Coordinates with the first one fastest correspond to Fortran order.
    shape = plane.routes.shape
    position, target_position = np.unravel_index(switch, shape, order="F"), np.unravel_index(target, shape, order="F")
    offset = tuple((end - start) % size for start, end, size in zip(position, target_position, shape, strict=True))
    return np.ravel_multi_index(offset, shape, order="F").astype(np.int64)


def node_delay(plane: Plane, link: int, units: DelayUnits) -> int:
    """Return the delay of the link of a node; 0 in a direct network."""
    if plane.node_cable_mm is None:
        return 0
    if plane.timing.node_delay_ps is None:
        length_mm = plane.node_cable_mm if plane.node_cables_mm is None else int(plane.node_cables_mm[link])
        return length_mm * units.cable_mm
    return int(plane.timing.node_delay_ps[link]) * units.per_ns // 1000


def link_delay(plane: Plane, switch: Ints, port: Ints, units: DelayUnits) -> Ints:
    """Return the delays of links between switches."""
    if plane.timing.delay_ps is None:
        return plane.cable_mm[switch, port] * units.cable_mm
    return plane.timing.delay_ps[switch, port] * units.per_ns // 1000


def switch_delay(plane: Plane, switch: Ints, units: DelayUnits) -> Ints:
    """Return the delays of switches, without the look-ups of packets that miss a cache."""
    if plane.timing.switch_delay_ps is None:
        return np.full(len(switch), units.hop)
    return plane.timing.switch_delay_ps[switch] * units.per_ns // 1000
