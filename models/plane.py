"""Planes: switches, cables, routes and the attachment of nodes."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from .checks import check_int
from .errors import InputError
from .network import MAX_NODES_PER_SWITCH
from .routing import Routes
from .timing import Timing
from .topology import Topology


@dataclass(frozen=True, eq=False)
class Plane:
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
        Length of the cable between a node and its switch; None in a direct network, where switch i is part of node i,
        which injects and consumes packets there without a link.
    node_start : int64[nodes + 1]
        Node i has the links ``node_start[i]`` to ``node_start[i + 1] - 1``: any number, or none if it is not attached
        to this plane. None if every node has one link.
    timing
        Rates and delays of individual links and switches.

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

    def __post_init__(self) -> None:
        object.__setattr__(self, "cable_mm", np.ascontiguousarray(self.cable_mm, dtype=np.int64))
        object.__setattr__(self, "node_switch", np.ascontiguousarray(self.node_switch, dtype=np.int32))
        if self.node_start is not None:
            object.__setattr__(self, "node_start", np.ascontiguousarray(self.node_start, dtype=np.int64))
        self._check_nodes()
        self.timing.require_fit(self.topology, len(self.node_switch))
        self.routes.require_fit(self.topology, self.node_switch)
        if self.cable_mm.shape != self.topology.peer.shape:
            raise InputError(
                f"plane.cable_mm: an array of shape {self.cable_mm.shape}; expected {self.topology.peer.shape}, "
                "switches and ports of the topology"
            )
        cabled = self.topology.peer >= 0
        other_end = np.where(cabled, self.cable_mm[self.topology.peer, self.topology.peer_port], 0)
        wrong = np.argwhere((self.cable_mm < 0) | (self.cable_mm != other_end))
        if len(wrong):
            switch, port = wrong[0]
            raise InputError(
                f"plane.cable_mm={self.cable_mm[switch, port]} at switch {switch} port {port}: expected a length of "
                "at least 0, equal at both ends, and 0 without a cable"
            )
        self.topology.require_connected()

    @property
    def nodes(self) -> int:
        """Number of nodes, including those without a link in this plane."""
        return len(self.node_switch) if self.node_start is None else len(self.node_start) - 1

    @property
    def starts(self) -> NDArray[np.int64]:
        """Index of the first link of each node, as int64[nodes + 1]; defined even if `node_start` is None."""
        return np.arange(len(self.node_switch) + 1) if self.node_start is None else self.node_start

    @cached_property
    def node(self) -> NDArray[np.int64]:
        """The node of each node link, ascending."""
        return np.repeat(np.arange(self.nodes), np.diff(self.starts))

    @property
    def ports_used(self) -> NDArray[np.int64]:
        """Number of ports of each switch that have a cable, including those to nodes."""
        used: NDArray[np.int64] = (self.topology.peer >= 0).sum(axis=1)
        if self.node_cable_mm is None:
            return used
        return used + np.bincount(self.node_switch, minlength=self.topology.switches)

    def _check_nodes(self) -> None:
        switches, shape = self.topology.switches, self.node_switch.shape
        if len(shape) != 1 or not shape[0]:
            raise InputError(f"plane.node_switch: an array of shape {shape}; expected one switch per node link")
        wrong = np.flatnonzero((self.node_switch < 0) | (self.node_switch >= switches))
        if len(wrong):
            check_int(f"plane.node_switch[{wrong[0]}]", int(self.node_switch[wrong[0]]), 0, switches - 1)
        if self.node_cable_mm is not None:
            check_int("plane.node_cable_mm", self.node_cable_mm, 0)
        elif not np.array_equal(self.node_switch, np.arange(switches)):
            raise InputError(
                f"plane.node_switch: {len(self.node_switch)} nodes at {switches} switches; expected node i at switch "
                "i in a direct network, whose nodes have no cables"
            )
        self._check_starts()
        node_counts = np.bincount(self.node_switch)
        if node_counts.max() > MAX_NODES_PER_SWITCH:
            raise InputError(
                f"plane.node_switch: switch {node_counts.argmax()} has {node_counts.max()} nodes; expected at most "
                f"{MAX_NODES_PER_SWITCH} per switch"
            )

    def _check_starts(self) -> None:
        starts, links = self.node_start, len(self.node_switch)
        if starts is None:
            return
        if starts.ndim != 1 or len(starts) < 2 or starts[0] != 0 or starts[-1] != links or (np.diff(starts) < 0).any():
            raise InputError(
                f"plane.node_start: expected ascending integers from 0 to {links}, the number of node links"
            )
        if self.node_cable_mm is None and not np.array_equal(starts, np.arange(links + 1)):
            raise InputError("plane.node_start: expected one link per node in a direct network")


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
