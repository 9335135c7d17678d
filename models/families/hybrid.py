"""Hybrid networks: an electrical packet network with little bandwidth between groups, and optical circuits."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int, decimal_number, exact_number
from ..errors import InputError
from ..family import Family, Json
from ..plane import Plane
from ..routing import ARRIVED, Routes
from ..site import Site
from ..timing import Timing
from ..topology import Topology
from ..variables import CircuitsVariable, PlacementVariable, Variable

MAX_GROUPS, MAX_NODES = 256, 4096
MAX_PORTS = 64

Number = TypeVar("Number", np.int64, np.float64)


@dataclass(frozen=True)
class Hybrid(Family):
    """Groups of nodes, each at an edge switch, and a non-blocking optical switch that joins pairs of nodes.

    Node i is in group i // nodes_per_group. It has a link to the edge switch of its group and `ports_per_node` links to
    the optical switch. Each edge switch has a link up to one switch that joins all groups. All links carry their rate
    in both directions at once.

    Parameters
    ----------
    groups, nodes_per_group
        At least two groups; at most 4096 nodes in all.
    ports_per_node
        Circuits that a node can own at a time.
    node_gbps, up_gbps, circuit_gbps
        Rates of the link of a node to its edge switch, of a link up, and of a circuit.
    link_ns, switch_ns, circuit_ns
        Delays of an electrical link, of an electrical switch, and of a circuit from node to node.
    packet_bytes
        Longest packet.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Takizawa, Endo and Matsuoka, MPI Communication Algorithm over an Optical Interconnect, Fig. 1 and Table 1.

    Examples
    --------
    >>> hybrid = Hybrid()
    >>> hybrid.nodes, hybrid.most_circuits, hybrid.group_of(33)
    (128, 64, 1)
    """

    name: ClassVar[str] = "hybrid"
    sited: ClassVar[bool] = False
    has_circuits: ClassVar[bool] = True
    baseline_title: ClassVar[str] = "packets only"

    groups: int = 4
    nodes_per_group: int = 32
    ports_per_node: int = 1
    node_gbps: float | Fraction = 10
    up_gbps: float | Fraction = 64
    circuit_gbps: float | Fraction = 32
    link_ns: float | Fraction = 20
    switch_ns: float | Fraction = 420
    circuit_ns: float | Fraction = 80
    packet_bytes: int = 4096

    def __post_init__(self) -> None:
        check_int("network.groups", self.groups, 2, MAX_GROUPS)
        check_int("network.nodes_per_group", self.nodes_per_group, 1, MAX_NODES)
        if self.nodes > MAX_NODES:
            raise InputError(
                f"network.nodes_per_group={self.nodes_per_group}: {self.nodes} nodes in {self.groups} groups; expected "
                f"at most {MAX_NODES} nodes"
            )
        check_int("network.ports_per_node", self.ports_per_node, 1, MAX_PORTS)
        check_int("network.packet_bytes", self.packet_bytes, 1, 1 << 20)
        for name in ("node_gbps", "up_gbps", "circuit_gbps"):
            exact_number(f"network.{name}", getattr(self, name), high=10**6, above=True)
        for name in ("link_ns", "switch_ns", "circuit_ns"):
            exact_number(f"network.{name}", getattr(self, name), high=10**9)

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.groups * self.nodes_per_group

    @property
    def switches(self) -> int:
        """Edge switches and the switch that joins them; the optical one does not count."""
        return self.groups + 1

    @property
    def ports(self) -> int:
        """Ports of an edge switch, or of the switch that joins all groups if it has more."""
        return max(self.nodes_per_group + 1, self.groups)

    @property
    def cables(self) -> int:
        """Links of edge switches up."""
        return self.groups

    def build(self, site: Site) -> tuple[Plane, ...]:
        """Return the packet network: edge switch i for group i, and the switch that joins them after these.

        Port 0 of an edge switch leads up, port i of the joining switch down to group i.

        Raises
        ------
        InputError
            If a rate is no whole number of Mbit/s, or a delay none of picoseconds, as planes state them.
        """
        up, groups = self.groups, np.arange(self.groups)
        peer = np.full((self.groups + 1, self.groups), -1, dtype=np.int32)
        peer_port = peer.copy()
        peer[:up, 0], peer_port[:up, 0] = up, groups
        peer[up], peer_port[up] = groups, 0
        next_port = np.zeros((2, self.groups + 1), dtype=np.uint16)
        next_port[1, :up], next_port[1, up] = groups, ARRIVED
        row = np.append(np.zeros(self.groups, dtype=np.int32), np.int32(1))
        node_switch, cabled = self.group.astype(np.int32), np.where(peer >= 0, 1, 0)
        link_ps = _whole("link_ns", self.link_ns, "ps")
        timing = Timing(
            rate_mbps=cabled * _whole("up_gbps", self.up_gbps, "Mbit/s"),
            node_rate_mbps=np.full(self.nodes, _whole("node_gbps", self.node_gbps, "Mbit/s")),
            delay_ps=cabled * link_ps,
            node_delay_ps=np.full(self.nodes, link_ps),
            switch_delay_ps=np.full(self.switches, _whole("switch_ns", self.switch_ns, "ps")),
        )
        routes = Routes("table", row, next_port=next_port)
        topology, lengths = Topology(peer, peer_port), np.zeros(peer.shape, dtype=np.int64)
        return (Plane(topology, routes, lengths, node_switch, node_cable_mm=0, timing=timing),)

    @property
    def size(self) -> str:
        """Groups and nodes of each."""
        return f"{self.groups}x{self.nodes_per_group}"

    @property
    def description(self) -> str:
        """Its groups."""
        return f"{self.name}, {self.groups} groups of {self.nodes_per_group} nodes"

    @property
    def hybrid(self) -> "Hybrid":
        """Itself."""
        return self

    def write(self) -> Json:
        """Return the fields of a record; the nodes of a group have the place of those of a switch."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}
        shared = own.pop("nodes_per_group")
        numbers = {key: decimal_number(f"network.{key}", value) for key, value in own.items()}
        return {"network": {"family": self.name, **numbers}, "nodes_per_switch": shared}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record, or of a config without circuits and placement."""
        renamed = {"nodes_per_switch": "nodes_per_group"}
        return super().read({renamed.get(key, key): value for key, value in keys.items()})

    @property
    def variables(self) -> Mapping[str, Variable]:
        """The circuits, as many as the ports allow, and the placement of processes."""
        circuits = CircuitsVariable(self.ports_per_node, self.most_circuits)
        return {"circuits": circuits, "placement": PlacementVariable(self.nodes)}

    @classmethod
    def searched(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a config, whose circuits and placement belong to designs."""
        return cls.read({key: value for key, value in keys.items() if key not in ("circuits", "placement")})

    @property
    def rates_gbps(self) -> tuple[Fraction, Fraction, Fraction]:
        """Exact rates of the link of a node, of a link up, and of a circuit."""
        node, up, circuit = (exact_number("", rate) for rate in (self.node_gbps, self.up_gbps, self.circuit_gbps))
        return node, up, circuit

    @property
    def leg_delays_ns(self) -> tuple[Fraction, Fraction, Fraction]:
        """Exact delays of a leg inside a group, of one between groups over the packet network, and of a circuit."""
        link, switch, circuit = (exact_number("", delay) for delay in (self.link_ns, self.switch_ns, self.circuit_ns))
        return 2 * link + switch, 4 * link + 3 * switch, circuit

    @property
    def most_circuits(self) -> int:
        """Circuits that all ports together allow: half of them, for each circuit has two ends."""
        return self.nodes * self.ports_per_node // 2

    def group_of(self, node: int) -> int:
        """Return the group of a node."""
        return node // self.nodes_per_group

    @property
    def group(self) -> NDArray[np.int64]:
        """Group of every node."""
        return np.arange(self.nodes) // self.nodes_per_group

    def between_groups(self, matrix: NDArray[Number]) -> NDArray[Number]:
        """Return what a matrix of nodes has from groups (rows) to groups.

        Examples
        --------
        >>> Hybrid(2, 2).between_groups(np.arange(16).reshape(4, 4)).tolist()
        [[10, 18], [42, 50]]
        """
        size = self.nodes_per_group
        sums: NDArray[Number] = matrix.reshape(self.groups, size, self.groups, size).sum(axis=(1, 3))
        return sums


def _whole(name: str, value: float | Fraction, unit: str) -> int:
    """Return a thousand times a rate or a delay, as planes state it in the smaller unit."""
    number = 1000 * exact_number("", value)
    if number.denominator != 1:
        raise InputError(f"network.{name}={value}: a plane expects a whole number of {unit}")
    return number.numerator
