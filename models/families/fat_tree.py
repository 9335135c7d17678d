"""Three-level fat-trees of identical switches."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..cabling import Metres, check_cable_m, family_cables_mm
from ..checks import check_int, millimetres
from ..contention_free import aligned_shift
from ..errors import InputError
from ..exchange_order import ExchangeOrder
from ..family import ABSENT_IN_OLD_RECORDS, Family
from ..plane import Plane
from ..routing import Routes, check_up_routing, require_d_mod_k, up_choices
from ..routing.up_choices import DEFAULT_SEED
from ..site import Site
from ..topology import Topology
from ..unrouted_plane import PlaneCables, UnroutedPlane

MAX_PORTS = 72  # 93,312 nodes


@dataclass(frozen=True)
class FatTree(Family):
    """A k-ary fat-tree: k pods of k/2 edge and k/2 aggregation switches below (k/2)² core switches.

    Each edge switch has k/2 nodes. Packets to node d go up through uplink d mod k/2 of an edge switch and uplink
    ⌊d / (k/2)⌋ mod k/2 of an aggregation switch (D-mod-k), and down the unique path; such routes are deadlock-free.
    Switches are numbered level by level, pods in order: edge, aggregation, core.

    Parameters
    ----------
    switch_ports
        Ports of every switch, k; even.
    cable_m
        Length of all cables between switches, in metres; None if lengths follow from the layout.
    node_cable_m
        Length of the cable between a node and its switch.
    routing
        ``d_mod_k``, as above; ``random``: the same for a hash of the node, modulo (k/2)², in place of d.
    seed
        Seed of the hash.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Al-Fares, Loukissas and Vahdat, A Scalable, Commodity Data Center Network Architecture, 2008, section 2.2.

    Examples
    --------
    >>> FatTree(switch_ports=16).nodes, FatTree(switch_ports=16).switches
    (1024, 320)
    """

    name: ClassVar[str] = "fat_tree"

    switch_ports: int = 8
    cable_m: Metres | None = 5.0
    node_cable_m: Metres = 2.0
    routing: str = field(default="d_mod_k", metadata=ABSENT_IN_OLD_RECORDS)
    seed: int = field(default=DEFAULT_SEED, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        check_int("network.switch_ports", self.switch_ports, 2, MAX_PORTS)
        if self.switch_ports % 2:
            raise InputError(f"network.switch_ports={self.switch_ports}: expected an even number")
        check_cable_m(self.cable_m)
        millimetres("network.node_cable_m", self.node_cable_m)
        check_up_routing(self.routing, self.seed)

    @property
    def _half(self) -> int:
        return self.switch_ports // 2

    @property
    def nodes(self) -> int:
        """Number of nodes, k³/4."""
        return self.switch_ports * self._half**2

    @property
    def nodes_at_switch(self) -> int:
        """Number of nodes at every edge switch, k/2."""
        return self._half

    @property
    def switches(self) -> int:
        """Number of switches, 5k²/4."""
        return 2 * self.switch_ports * self._half + self._half**2

    @property
    def ports(self) -> int:
        """Number of ports that every switch uses, k."""
        return self.switch_ports

    @property
    def cables(self) -> int:
        """Number of cables between switches, k³/2: k³/4 on each of two levels."""
        return 2 * self.nodes

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput: N / (N - k/2).

        All packets from the k/2 nodes of an edge switch to others share its k/2 uplinks.
        """
        return Fraction(self.nodes, self.nodes - self._half)

    @property
    def reaches_bound(self) -> bool:
        """Whether routing is D-mod-k, which sends packets to consecutive nodes over all uplinks in turn."""
        return self.routing == "d_mod_k"

    @property
    def size_label(self) -> str:
        """Ports of a switch."""
        return f"of {self.switch_ports}-port switches"

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return the shift order, of all nodes or an aligned job; see `aligned_shift`. Only with D-mod-k."""
        require_d_mod_k(self.routing)
        return aligned_shift((self._half, self._half, self.switch_ports), (1, self._half, self._half), nodes)

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the smallest tree with at least `nodes` nodes, if its switches have at most `ports` ports.

        Examples
        --------
        >>> [tree.switch_ports for tree in FatTree.fitting(nodes=1500, ports=40)]  # 18³ / 4 = 1458
        [20]
        """
        trees = (cls(switch_ports=k) for k in range(2, min(ports, MAX_PORTS) + 1, 2))
        return (tree for tree in [next((tree for tree in trees if tree.nodes >= nodes), None)] if tree is not None)

    def unrouted(self, site: Site) -> tuple[UnroutedPlane, ...]:
        """Return the plane without its routes."""
        topology = self._topology()
        node_switch = np.arange(self.nodes, dtype=np.int32) // self._half
        node_cable_mm = millimetres("network.node_cable_m", self.node_cable_m)
        lengths = family_cables_mm(topology, self.cable_m, site, node_switch)
        return (UnroutedPlane(topology, lengths, node_switch, node_cable_mm),)

    def routed(self, planes: tuple[PlaneCables, ...]) -> tuple[Plane, ...]:
        """Return the plane with its routes."""
        return tuple(plane.routed(self._routes(plane.node_switch)) for plane in planes)

    def build(self, site: Site) -> tuple[Plane, ...]:
        """Return the plane."""
        return self.routed(self.unrouted(site))

    def _topology(self) -> Topology:
        """Return the cables: ports 0 to k/2 - 1 are uplinks of edge switches and downlinks of aggregation switches."""
        k, half = self.switch_ports, self._half
        edges = k * half
        peer = np.full((self.switches, k), -1, dtype=np.int32)
        peer_port = peer.copy()
        pod, first, second = (each.ravel() for each in np.meshgrid(np.arange(k), *[np.arange(half)] * 2, indexing="ij"))
        edge, middle = pod * half + first, edges + pod * half + second
        peer[edge, second], peer_port[edge, second] = middle, first
        peer[middle, first], peer_port[middle, first] = edge, second
        # Aggregation switch i of every pod has cables to the cores i·k/2 to (i + 1)·k/2 - 1, in port order.
        middle, core = edges + pod * half + first, 2 * edges + first * half + second
        peer[middle, half + second], peer_port[middle, half + second] = core, pod
        peer[core, pod], peer_port[core, pod] = middle, half + second
        return Topology(peer, peer_port)

    def _routes(self, node_switch: NDArray[np.int32]) -> Routes:
        """Return the table: one row for the edge switches, one per pod for aggregation switches, one for the cores."""
        k, half = self.switch_ports, self._half
        node = np.arange(self.nodes)
        pod, edge = node // half**2, node // half % half
        choice = up_choices(self.routing, self.nodes, self.seed)
        up_port = half + choice // half % half
        rows = [choice % half, *(np.where(pod == own_pod, edge, up_port) for own_pod in range(k)), pod]
        row = np.concatenate(
            [np.zeros(k * half), np.repeat(np.arange(1, k + 1), half), np.full(half**2, k + 1)]
        ).astype(np.int32)
        table = np.array(rows, dtype=np.uint16)
        return Routes("table", row, next_port=table, column=node.astype(np.int32), target_switch=node_switch)
