"""Planes: what is cabled, and its routes."""

from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from ..checks import MAX_NODES_PER_SWITCH, check_int, fraction_of
from ..errors import InputError
from .link_rates import Timing
from .routes import Routes
from .topology import Topology


@dataclass(frozen=True, eq=False)
class Cabling:
    """What is bought and cabled of a plane: switches, cables with their lengths, and the attachment of nodes.

    Parameters
    ----------
    topology
        The cables between switches.
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
    """

    topology: Topology
    cable_mm: NDArray[np.int64]
    node_switch: NDArray[np.int32]
    node_cable_mm: int | None = None
    node_start: NDArray[np.int64] | None = None
    timing: Timing = field(default_factory=Timing)
    node_port: NDArray[np.int64] | None = None
    adapter_ports: NDArray[np.int64] | None = None
    node_cables_mm: NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        for name in ("cable_mm", "node_switch", "node_start", "node_port", "adapter_ports", "node_cables_mm"):
            value = getattr(self, name)
            if value is not None:
                kind = np.int32 if name == "node_switch" else np.int64
                object.__setattr__(self, name, np.ascontiguousarray(value, dtype=kind))
        self._check_nodes()
        self._check_lengths()
        self.topology.require_connected()
        self.timing.require_fit(self.topology, len(self.node_switch))

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
    def node_lengths_mm(self) -> NDArray[np.int64]:
        """Length of the cable of each node link; 0 in a direct network, which has none."""
        if self.node_cables_mm is not None:
            return self.node_cables_mm
        return np.full(len(self.node_switch), self.node_cable_mm or 0, dtype=np.int64)

    @property
    def ports_used(self) -> NDArray[np.int64]:
        """Number of ports of each switch that have a cable, including those to nodes."""
        used: NDArray[np.int64] = (self.topology.peer >= 0).sum(axis=1)
        if self.node_cable_mm is None:
            return used
        return used + np.bincount(self.node_switch, minlength=self.topology.switches)

    def routed(self, routes: Routes) -> "Plane":
        """Return the cabling as a plane with these routes; of a plane, with these instead of its own."""
        values = {part.name: getattr(self, part.name) for part in fields(Cabling)}
        return Plane(**values, routes=routes)

    def at_rate(self, gbps: float) -> Self:
        """Return the plane with a rate of all links in Gbit/s, whole in Mbit/s, those of nodes included.

        Raises
        ------
        InputError
            If it states rates.
        """
        if self.timing.rate_mbps is not None or self.timing.node_rate_mbps is not None:
            raise InputError("network.rates_gbps: a plane states rates of its own; expected null")
        mbps = int(1000 * fraction_of(gbps))
        rates = np.where(self.topology.peer < 0, 0, mbps)
        timing = replace(self.timing, rate_mbps=rates, node_rate_mbps=np.full(len(self.node_switch), mbps))
        return replace(self, timing=timing)

    def _check_lengths(self) -> None:
        peer = self.topology.peer
        if self.cable_mm.shape != peer.shape:
            raise InputError(
                f"plane.cable_mm: an array of shape {self.cable_mm.shape}; expected {peer.shape}, switches and ports "
                "of the topology"
            )
        end = np.where(peer >= 0, peer.astype(np.int64) * self.topology.ports + self.topology.peer_port, 0)
        other_end = np.where(peer >= 0, self.cable_mm.ravel()[end], 0)
        wrong = (self.cable_mm < 0) | (self.cable_mm != other_end)
        if wrong.any():
            switch, port = np.argwhere(wrong)[0]
            raise InputError(
                f"plane.cable_mm={self.cable_mm[switch, port]} at switch {switch} port {port}: expected a length of "
                "at least 0, equal at both ends, and 0 without a cable"
            )

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
        if self.node_cables_mm is not None and self.node_cable_mm is None:
            raise InputError("plane.node_cables_mm: given in a direct network, without cables of nodes; expected none")
        self._check_values("node_cables_mm", shape, 0, "a length")
        self._check_starts()
        self._check_values("node_port", shape, 0, "a port")
        self._check_ports()
        self._check_values("adapter_ports", (*shape, 2), 1, "an adapter and a port")
        node_counts = np.bincount(self.node_switch)
        if node_counts.max() > MAX_NODES_PER_SWITCH:
            raise InputError(
                f"plane.node_switch: switch {node_counts.argmax()} has {node_counts.max()} nodes; expected at most "
                f"{MAX_NODES_PER_SWITCH} per switch"
            )

    def _check_values(self, name: str, shape: tuple[int, ...], low: int, title: str) -> None:
        """Check that there are values of at least `low` for each node link, if any."""
        values = getattr(self, name)
        if values is not None and (values.shape != shape or (values < low).any()):
            raise InputError(f"plane.{name}: expected {title} of at least {low} for each node link")

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

    def _check_ports(self) -> None:
        """Check that the ports of nodes are free, each for one node."""
        if self.node_port is None:
            return
        inside = self.node_port < self.topology.ports
        cabled = np.zeros(len(inside), dtype=np.bool_)
        cabled[inside] = self.topology.peer[self.node_switch[inside], self.node_port[inside]] >= 0
        # Nodes at the same port of the same switch are neighbours in this order.
        order = np.lexsort((self.node_port, self.node_switch))
        ends = self.node_switch[order], self.node_port[order]
        repeated = order[1:][(np.diff(ends[0]) == 0) & (np.diff(ends[1]) == 0)]
        wrong = np.union1d(np.flatnonzero(cabled), repeated)
        if len(wrong):
            link = wrong[0]
            raise InputError(
                f"plane.node_port={self.node_port[link]} at switch {self.node_switch[link]}: in use already; expected "
                "a free port for each node link"
            )


@dataclass(frozen=True, eq=False)
class Plane(Cabling):
    """One plane: its cabling and its routes.

    Parameters
    ----------
    routes
        The port that a packet takes at each switch towards each node.
    """

    routes: Routes = field(kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.routes.require_fit(self.topology, self.node_switch)


def uniform_attachment(switches: int, nodes_per_switch: int) -> NDArray[np.int32]:
    """Attach the same number of nodes to every switch: return the switch i // nodes_per_switch of each node i.

    Examples
    --------
    >>> uniform_attachment(3, 2).tolist()
    [0, 0, 1, 1, 2, 2]
    """
    check_int("switches", switches, 1)
    check_int("nodes_per_switch", nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
    return np.repeat(np.arange(switches, dtype=np.int32), nodes_per_switch)
