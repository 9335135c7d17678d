"""Hybrid networks: an electrical packet network, oversubscribed between groups, and optical circuits."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, Self

import numpy as np

from ..checks import Json, check_int, decimal_number, exact_number, fraction_of
from ..errors import InputError
from ..family import Family
from ..family_kinds.optical import MAX_PORTS, OpticalFamily
from ..planes.link_rates import Timing
from ..planes.plane import Plane
from ..planes.routes import ARRIVED, Routes
from ..planes.topology import Topology
from ..site.site import Site

MAX_GROUPS, MAX_NODES = 256, 4096


@dataclass(frozen=True)
class Hybrid(OpticalFamily):
    """Groups of nodes, each at an edge switch, and a non-blocking optical switch that connects pairs of nodes.

    Node i is in group i // nodes_per_group. It has a link to the edge switch of its group and `ports_per_node` links to
    the optical switch. Each edge switch has an uplink to one root switch that connects all groups. All links are
    full duplex.

    Parameters
    ----------
    groups, nodes_per_group
        At least two groups; at most 4096 nodes in total.
    ports_per_node
        Maximum number of circuits per node at a time.
    node_gbps, up_gbps, circuit_gbps
        Rates of a link between a node and its edge switch, of an uplink, and of a circuit.
    link_ns, switch_ns, circuit_ns
        Delays of an electrical link, of an electrical switch, and of a circuit from node to node.
    packet_bytes
        Maximum packet length.

    References
    ----------
    Takizawa, Endo and Matsuoka, MPI Communication Algorithm over an Optical Interconnect, Fig. 1 and Table 1.

    Examples
    --------
    >>> hybrid = Hybrid()
    >>> hybrid.nodes, hybrid.max_circuits, hybrid.group_of(33)
    (128, 64, 1)
    """

    name: ClassVar[str] = "hybrid"
    uses_site: ClassVar[bool] = False

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
        """Number of electrical switches: the edge switches and the root switch."""
        return self.groups + 1

    @property
    def ports(self) -> int:
        """Ports of an edge switch, or of the root switch if it has more."""
        return max(self.nodes_per_group + 1, self.groups)

    @property
    def cables(self) -> int:
        """Number of uplinks."""
        return self.groups

    def build(self, site: Site) -> tuple[Plane, ...]:
        """Return the packet network: edge switch i for group i, and the root switch last.

        Port 0 of an edge switch is the uplink; port i of the root switch leads down to group i.

        Raises
        ------
        InputError
            If a rate is not an integer in Mbit/s, or a delay in picoseconds, the units of planes.
        """
        root, groups = self.groups, np.arange(self.groups)
        peer = np.full((self.groups + 1, self.groups), -1, dtype=np.int32)
        peer_port = peer.copy()
        peer[:root, 0], peer_port[:root, 0] = root, groups
        peer[root], peer_port[root] = groups, 0
        next_port = np.zeros((2, self.groups + 1), dtype=np.uint16)
        next_port[1, :root], next_port[1, root] = groups, ARRIVED
        row = np.append(np.zeros(self.groups, dtype=np.int32), np.int32(1))
        node_switch, cabled = self.group.astype(np.int32), np.where(peer >= 0, 1, 0)
        link_ps = _to_plane_unit("link_ns", self.link_ns, "ps")
        timing = Timing(
            rate_mbps=cabled * _to_plane_unit("up_gbps", self.up_gbps, "Mbit/s"),
            node_rate_mbps=np.full(self.nodes, _to_plane_unit("node_gbps", self.node_gbps, "Mbit/s")),
            delay_ps=cabled * link_ps,
            node_delay_ps=np.full(self.nodes, link_ps),
            switch_delay_ps=np.full(self.switches, _to_plane_unit("switch_ns", self.switch_ns, "ps")),
        )
        routes = Routes("table", row, next_port=next_port)
        topology, lengths = Topology(peer, peer_port), np.zeros(peer.shape, dtype=np.int64)
        return (Plane(topology, lengths, node_switch, node_cable_mm=0, timing=timing, routes=routes),)

    @property
    def size_label(self) -> str:
        """Number of groups and of nodes per group."""
        return f"{self.groups}x{self.nodes_per_group}"

    @property
    def description(self) -> str:
        """Description for display: the groups."""
        return f"{self.name}, {self.groups} groups of {self.nodes_per_group} nodes"

    def write(self) -> Json:
        """Return the fields of a record; ``nodes_per_switch`` holds the nodes per group."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        nodes_per_group = values.pop("nodes_per_group")
        numbers = {key: decimal_number(f"network.{key}", value) for key, value in values.items()}
        return {"network": {"family": self.name, **numbers}, "nodes_per_switch": nodes_per_group}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record, or of a config without circuits and placement."""
        renamed = {"nodes_per_switch": "nodes_per_group"}
        return super().read({renamed.get(key, key): value for key, value in keys.items()})

    @property
    def rates_gbps(self) -> tuple[Fraction, Fraction, Fraction]:
        """Exact rates of a node link, an uplink and a circuit."""
        node, up, circuit = (fraction_of(rate) for rate in (self.node_gbps, self.up_gbps, self.circuit_gbps))
        return node, up, circuit

    @property
    def segment_delays_ns(self) -> tuple[Fraction, Fraction, Fraction]:
        """Exact delays of a segment inside a group, a segment between groups via the root switch, and a circuit."""
        link, switch, circuit = (fraction_of(delay) for delay in (self.link_ns, self.switch_ns, self.circuit_ns))
        return 2 * link + switch, 4 * link + 3 * switch, circuit

    @property
    def rates_text(self) -> str:
        """The rates of node links and circuits."""
        return f"network.node_gbps={self.node_gbps}, network.circuit_gbps={self.circuit_gbps}"

    def inside_cost(self, site: Site) -> Fraction:
        """Return 2 / node_gbps, the cost of the links of both nodes."""
        return 2 / fraction_of(self.node_gbps)

    def max_node_gbps(self, site: Site) -> Fraction:
        """Return the rate of the link of a node."""
        return fraction_of(self.node_gbps)


def tree_in(family: Family) -> Hybrid | None:
    """Return a family whose packet network is the two-level tree; None if it is another network."""
    return family if isinstance(family, Hybrid) else None


def tree_of(family: OpticalFamily) -> Hybrid:
    """Return a family whose packet network is the two-level tree, for which there are formulas and programs."""
    tree = tree_in(family)
    if tree is None:
        raise InputError(f"network.family={family.name}: expected hybrid, whose packet network is a two-level tree")
    return tree


def _to_plane_unit(name: str, value: float | Fraction, unit: str) -> int:
    """Convert Gbit/s to Mbit/s or ns to ps, the integer units of planes."""
    number = 1000 * fraction_of(value)
    if number.denominator != 1:
        raise InputError(f"network.{name}={value}: expected an integer number of {unit}")
    return number.numerator
