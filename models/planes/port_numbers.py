"""Planes whose cables are at other ports of the same switches."""

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints
from .plane import Cabling, Plane
from .routes import NO_ROUTE, Paths, Routes
from .topology import Topology

Cables = TypeVar("Cables", bound=Cabling)


@dataclass(frozen=True, eq=False)
class _Renumbering:
    """New numbers of the ports of switches: `port` as in `at_ports`, for the ports of a topology."""

    topology: Topology
    port: Ints

    def moved(self, values: NDArray[np.integer], free: int = 0) -> Ints:
        """Return values of ports at their new numbers; `free` at those without a cable."""
        switch, old = np.nonzero(self.topology.peer >= 0)
        found = np.full((self.topology.switches, int(self.port.max(initial=-1)) + 1), free, dtype=np.int64)
        found[switch, self.port[switch, old]] = values[switch, old]
        return found

    def moved_topology(self) -> Topology:
        """Return the topology, with both ends of each cable at the new numbers."""
        peer, peer_port = self.topology.peer, self.topology.peer_port
        far = np.where(peer >= 0, self.port[peer, peer_port], -1)
        return Topology(self.moved(peer, -1).astype(np.int32), self.moved(far, -1).astype(np.int32))

    def moved_routes(self, routes: Routes) -> Routes:
        """Return routes over the same cables. Rows of switches are their own where their ports have other numbers."""
        rule = routes.channels
        if rule is not None:
            dimension = np.broadcast_to(rule.dimension, self.topology.peer.shape)
            dateline = self.moved(rule.dateline.astype(np.int64)).astype(np.bool_)
            rule = replace(rule, dimension=self.moved(dimension).astype(np.int32), dateline=dateline)
        if routes.paths is not None:
            own_rows = np.arange(routes.switches, dtype=np.int32)
            return replace(routes, row=own_rows, paths=self._moved_paths(routes, routes.paths), channels=rule)
        assert routes.next_port is not None
        _, first, row = np.unique(
            np.column_stack([routes.row, self.port]), axis=0, return_index=True, return_inverse=True
        )
        table = np.empty((len(first), routes.columns), dtype=np.uint16)
        for number, switch in enumerate(first.tolist()):
            old, new = routes.next_port[routes.row[switch]], np.append(self.port[switch], -1)
            entry = new[np.minimum(old, self.topology.ports)]
            is_port = old < self.topology.ports  # neither `ARRIVED` nor `NO_ROUTE`
            table[number] = np.where(is_port & (entry < 0), NO_ROUTE, np.where(is_port, entry, old))
        return replace(routes, row=row.ravel().astype(np.int32), next_port=table, channels=rule)

    def _moved_paths(self, routes: Routes, paths: Paths) -> Paths:
        """Return the paths from each switch."""
        starts, columns = paths.starts.astype(np.int64), routes.columns
        entry = (routes.row.astype(np.int64)[:, None] * columns + np.arange(columns)).ravel()
        hops, here = np.diff(starts)[entry], np.arange(routes.switches).repeat(columns)
        ends = np.concatenate([[0], np.cumsum(hops)])
        ports = np.empty(ends[-1], dtype=np.uint16)
        for hop in range(int(hops.max(initial=0))):
            going = np.flatnonzero(hops > hop)
            old = paths.ports[starts[entry[going]] + hop]
            ports[ends[going] + hop] = self.port[here[going], old]
            here[going] = self.topology.peer[here[going], old]
        return Paths(ends.astype(np.uint32), ports)


def at_ports(plane: Cables, port: Ints, node_port: Ints | None) -> Cables:
    """Return a plane with the same cables and routes, but other numbers of the ports of its switches.

    Parameters
    ----------
    plane
        The plane.
    port : int64[switches, ports]
        The new number of each port with a cable to a switch, from 0; -1 without a cable.
    node_port : int64[node links]
        The port of the switch at each node link, as in `Cabling`.

    Examples
    --------
    >>> from ..families.torus import Torus
    >>> from ..network import Network
    >>> (ring,) = Network(Torus(shape=(3,), node_cable_m=2.0)).planes
    >>> moved = at_ports(ring, np.array([[1, 2], [2, 1], [1, 2]]), np.zeros(3, dtype=np.int64))
    >>> moved.topology.peer.tolist()
    [[-1, 1, 2], [-1, 0, 2], [-1, 0, 1]]
    """
    numbers = _Renumbering(plane.topology, port)
    timing = {name: getattr(plane.timing, name) for name in ("rate_mbps", "delay_ps")}
    timing = {name: None if values is None else numbers.moved(values) for name, values in timing.items()}
    changed: dict[str, Any] = {
        "topology": numbers.moved_topology(),
        "cable_mm": numbers.moved(plane.cable_mm),
        "timing": replace(plane.timing, **timing),
        "node_port": node_port,
    }
    if isinstance(plane, Plane):
        changed["routes"] = numbers.moved_routes(plane.routes)
    return replace(plane, **changed)
