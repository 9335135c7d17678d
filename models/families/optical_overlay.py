"""An optical switch over a packet network of any family: circuits between nodes, besides its packet switches."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Self

import numpy as np

from ..checks import Json, check_int, decimal_number, exact_number
from ..errors import InputError
from ..family import Family
from ..family_kinds.optical import MAX_PORTS, OpticalFamily, refuse_circuits
from ..network import Network
from ..paths.path_shares import paths_between
from ..planes.plane import Cabling, Plane
from ..site.site import Site
from ._nested import inner_kind, keys_within
from .leaf_spine import LeafSpine
from .multi_plane import nodes_at_switch

HAS_CIRCUITS = "has circuits itself; expected a family without, such as leaf_spine"
MAX_NODES = 1024  # the paths between all pairs of nodes are stored


@dataclass(frozen=True, kw_only=True)
class OpticalOverlay(OpticalFamily):
    """A packet network of any family, and a non-blocking optical switch that connects pairs of nodes by circuits.

    Rates and delays of the packet network are those of its family and site. Circuits join nodes of different groups of
    consecutive nodes, by default the nodes of a switch.

    Parameters
    ----------
    packet
        The packet network, of at most 1024 nodes.
    group_size
        Nodes of each group; None for the nodes of a switch. There are at least two groups.
    ports_per_node
        Maximum number of circuits per node at a time.
    circuit_gbps, circuit_ns
        Rate of a circuit, and its delay from node to node.
    packet_bytes
        Maximum packet length.

    References
    ----------
    Farrington et al., Helios: A Hybrid Electrical/Optical Switch Architecture for Modular Data Centers, 2010, and Wang
    et al., c-Through: Part-time Optics in Data Centers, 2010: packet networks with an optical circuit switch beside
    them. Takizawa, Endo and Matsuoka, section 2: circuits between nodes.

    Examples
    --------
    >>> from .torus import Torus
    >>> overlay = OpticalOverlay(packet=Torus(shape=(4, 4), nodes_per_switch=2, node_cable_m=2.0))
    >>> overlay.nodes, overlay.groups, overlay.nodes_per_group, overlay.max_circuits
    (32, 16, 2, 16)
    """

    name: ClassVar[str] = "optical_overlay"

    packet: Family = field(default_factory=LeafSpine)
    group_size: int | None = None
    ports_per_node: int = 1
    circuit_gbps: float | Fraction = 100
    circuit_ns: float | Fraction = 80
    packet_bytes: int = 4096

    def __post_init__(self) -> None:
        inner = self.packet
        object.__setattr__(self, "assumed_cable_m", inner.assumed_cable_m)
        object.__setattr__(self, "policy", inner.policy)
        refuse_circuits(inner, f"network.packet.family={inner.name}: {HAS_CIRCUITS}")
        if inner.nodes > MAX_NODES:
            raise InputError(f"network.packet: {inner.title} has {inner.nodes} nodes; expected at most {MAX_NODES}")
        self._check_groups()
        check_int("network.ports_per_node", self.ports_per_node, 1, MAX_PORTS)
        check_int("network.packet_bytes", self.packet_bytes, 1, 1 << 20)
        exact_number("network.circuit_gbps", self.circuit_gbps, high=10**6, above=True)
        exact_number("network.circuit_ns", self.circuit_ns, high=10**9)

    def _check_groups(self) -> None:
        nodes, size = self.packet.nodes, self.group_size
        divisors = [divisor for divisor in range(1, nodes // 2 + 1) if nodes % divisor == 0]
        if not divisors:
            raise InputError(f"network.packet: {nodes} node; expected at least 2, for circuits between groups")
        if size is None:
            size = nodes_at_switch(self.packet)
            if size in divisors:
                return
            at_switch = "a different number" if size is None else str(size)
            raise InputError(
                f"network.group_size=null: {self.packet.title} has {at_switch} of its {nodes} nodes at a switch; "
                f"expected a size of groups, such as {divisors[-1]}"
            )
        check_int("network.group_size", size, 1)
        if size not in divisors:
            nearest = min(divisors, key=lambda divisor: (abs(divisor - size), divisor))
            raise InputError(
                f"network.group_size={size}: expected a divisor of {nodes} nodes with at least two groups, such as "
                f"{nearest}"
            )

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.packet.nodes

    @property
    def switches(self) -> int:
        """Number of switches of the packet network."""
        return self.packet.switches

    @property
    def ports(self) -> int:
        """Maximum number of ports that a packet switch uses."""
        return self.packet.ports

    @property
    def cables(self) -> int:
        """Number of cables between packet switches."""
        return self.packet.cables

    @property
    def nodes_per_group(self) -> int:
        """Number of nodes of each group."""
        size = nodes_at_switch(self.packet) if self.group_size is None else self.group_size
        assert size is not None  # checked
        return size

    @property
    def groups(self) -> int:
        """Number of groups."""
        return self.nodes // self.nodes_per_group

    @property
    def size_label(self) -> str:
        """The packet network."""
        return f"over {self.packet.title}"

    @property
    def description(self) -> str:
        """Description for display: the packet network and the groups."""
        groups = f"{self.groups} groups of {self.nodes_per_group} node{'' if self.nodes_per_group == 1 else 's'}"
        return f"{self.title}, {groups}"

    def build(self, site: Site) -> tuple[Cabling, ...]:
        """Return the planes of the packet network."""
        with keys_within("packet", type(self.packet)):
            return self.packet.build(site)

    def routed(self, planes: tuple[Cabling, ...]) -> tuple[Plane, ...]:
        """Return the planes with the routes of the packet network."""
        with keys_within("packet", type(self.packet)):
            return self.packet.routed(planes)

    def write(self) -> Json:
        """Return the fields of a record; those of the packet network are nested, with its nodes per switch."""
        with keys_within("packet", type(self.packet)):
            inner = self.packet.write()
        names = (parameter.name for parameter in fields(self) if parameter.name != "packet")
        values = {name: getattr(self, name) for name in names}
        numbers = {
            key: value if value is None else decimal_number(f"network.{key}", value) for key, value in values.items()
        }
        packet = {**inner["network"], "nodes_per_switch": inner["nodes_per_switch"]}
        return {"network": {"family": self.name, "packet": packet, **numbers}, "nodes_per_switch": None}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record, or of a config without circuits and placement."""
        inner: Any = keys.get("packet")
        kind = inner_kind("packet", inner, "torus")
        refuse_circuits(kind, f"network.packet.family={kind.name}: {HAS_CIRCUITS}")
        with keys_within("packet", kind):
            packet = kind.read(inner)
        return super().read({**keys, "packet": packet})

    def inside_cost(self, site: Site) -> Fraction:
        """Return the greatest cost of a path between nodes of a group; that of a circuit in groups of one node.

        Raises
        ------
        InputError
            If the packet network cannot be built on the site, or nodes of a group are not connected.
        """
        return _inside_cost(self, site)

    def max_node_gbps(self, site: Site) -> Fraction:
        """Return the greatest sum of the rates of a node's links, or of the cables of its switch if it has none."""
        return _max_node_gbps(self, site)


@lru_cache(maxsize=16)
def _inside_cost(overlay: OpticalOverlay, site: Site) -> Fraction:
    size, network = overlay.nodes_per_group, Network(overlay, site)
    if size == 1:
        return overlay.circuit_cost
    first, second = (ends.ravel() for ends in np.indices((overlay.nodes, size)))
    other = first - first % size + second
    source, destination = first[first != other], other[first != other]
    paths = paths_between(network, source, destination, overlay.policy)
    rates, rate_of_link = _rates(network)
    costs = []
    for number in range(len(network.planes)):
        of_plane = paths.plane == number
        start, link = network.route_links(paths.source_link[of_plane], paths.destination_link[of_plane], number)
        counts = np.zeros((len(start) - 1, len(rates)), dtype=np.int64)
        np.add.at(counts, (np.repeat(np.arange(len(start) - 1), np.diff(start)), rate_of_link[link]), 1)
        costs += [
            sum((count / rate for count, rate in zip(row, rates, strict=True)), Fraction(0))
            for row in np.unique(counts, axis=0).tolist()
        ]
    return max(costs)


@lru_cache(maxsize=16)
def _max_node_gbps(overlay: OpticalOverlay, site: Site) -> Fraction:
    network = Network(overlay, site)
    default = 1000 * exact_number("switch.link_gbps", site.switch.link_gbps)
    mbps = np.zeros(overlay.nodes, dtype=object)
    for plane in network.planes:
        timing = plane.timing
        if plane.node_cable_mm is None:
            cabled = plane.topology.peer >= 0
            stated = timing.rate_mbps
            of_ports = np.full(cabled.shape, default, dtype=object) if stated is None else stated.astype(object)
            rates = np.where(cabled, of_ports, 0)
            np.add.at(mbps, plane.node, rates.sum(axis=1)[plane.node_switch])
        else:
            stated = timing.node_rate_mbps
            of_links = np.full(len(plane.node), default, dtype=object) if stated is None else stated.astype(object)
            np.add.at(mbps, plane.node, of_links)
    return Fraction(max(mbps.tolist())) / 1000


def _rates(network: Network) -> tuple[list[Fraction], np.ndarray[Any, np.dtype[np.int64]]]:
    """Return all distinct rates in Gbit/s, and the index of each link's rate."""
    default = exact_number("switch.link_gbps", network.site.switch.link_gbps)
    found, index = np.unique(np.concatenate([links.rates_mbps for links in network.plane_links]), return_inverse=True)
    return [Fraction(rate, 1000) if rate else default for rate in found.tolist()], index.astype(np.int64)
