"""Planes: switches, cables, routes and the attachment of nodes."""

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from .checks import check_int
from .network import MAX_NODES_PER_SWITCH
from .routing import Routes
from .timing import Timing
from .topology import Topology
from .unrouted_plane import PlaneCables


@dataclass(frozen=True, eq=False)
class Plane(PlaneCables):
    """One plane: its cables and their lengths, its routes, and the attachment of nodes.

    Parameters
    ----------
    topology, routes
        The cables between switches, and the routes.
    cable_mm : int64[switches, ports]
        Length of the cable at each port, equal at both ends; 0 without a cable.
    node_switch : int32[node links]
        The switch at the other end of each link of a node, ascending by node; some switches may have no nodes.
    node_cable_mm
        Length of the cable between a node and a switch in its rack; None in a direct network, where switch i is part
        of node i, which injects and consumes packets there without a link.
    node_start : int64[nodes + 1]
        Node i has the links ``node_start[i]`` to ``node_start[i + 1] - 1``: any number, or none if it is not attached
        to this plane. None if every node has one link.
    timing
        Rates and delays of individual links and switches.
    node_port : int64[node links]
        The port of the switch at each node link, from 0, free in the topology. None if nodes follow the ports of the
        topology, in ascending order.
    adapter_ports : int64[node links, 2]
        The adapter of the node and the number of its port at each node link, both from 1. None if the ports of a node
        are numbered in the order of planes and links.
    node_cables_mm : int64[node links]
        Length of the cable of each node link. None if all are `node_cable_mm`.

    Raises
    ------
    InputError
        If the arguments are inconsistent, or some switches are not connected.
    """

    topology: Topology
    routes: Routes
    cable_mm: NDArray[np.int64]
    node_switch: NDArray[np.int32]
    node_cable_mm: int | None = None
    node_start: NDArray[np.int64] | None = None
    timing: Timing = field(default_factory=Timing)
    node_port: NDArray[np.int64] | None = None
    adapter_ports: NDArray[np.int64] | None = None
    node_cables_mm: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        self._check_cables()
        self.routes.require_fit(self.topology, self.node_switch)

    def routed(self, routes: Routes) -> Self:
        """Return the plane with other routes; it keeps its stated rates and delays."""
        return replace(self, routes=routes)


def uniform_attachment(switches: int, nodes_per_switch: int) -> NDArray[np.int32]:
    """Attach the same number of nodes to every switch: return the switch i // nodes_per_switch of each node i.

    Raises
    ------
    InputError
        If a number is out of range.

    Examples
    --------
    >>> uniform_attachment(3, 2).tolist()
    [0, 0, 1, 1, 2, 2]
    """
    check_int("switches", switches, 1)
    check_int("nodes_per_switch", nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
    return np.repeat(np.arange(switches, dtype=np.int32), nodes_per_switch)
