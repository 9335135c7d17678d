"""Any switches and cables for some nodes and ports, which a search chooses: the order/radix problem."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import Any, ClassVar, Self

import numpy as np

from ..arrays import Ints
from ..cabling.cable_lengths import check_assumed_cable, given_cables_mm
from ..checks import MAX_NODES_PER_SWITCH, Metres, check_int, millimetres, shown
from ..errors import InputError
from ..family import Family
from ..family_kinds.host_sizes import MAX_SWITCHES, default_switches, evenly, least_switches
from ..files.exact_text import counted
from ..mathematics.automorphisms import canonical_graph
from ..mathematics.random_graphs import random_edges_within
from ..network import NO_SITE, Network
from ..planes.plane import Cabling, Plane
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..policy import Policy, check_policy
from ..search_variables import HostVariable, Variable
from ..site.layout import IN_ORDER
from ..site.site import Site
from ..topologies import graph
from ._plane_routes import lightest_routes

MAX_NODES, MAX_PORTS, MAX_PLANES = 1 << 17, 1024, 8
MAX_COMPARED = 2048  # switches of a graph that is told from others

Pairs = tuple[tuple[int, int], ...]


@dataclass(frozen=True, kw_only=True)
class HostGraph(Family):
    """Any graph of switches for some nodes, of switches with some ports, which a search finds.

    Switches have any number of nodes, and cables to any others at the ports that are left. All planes have the same
    switches with the same nodes, and each has cables of its own, so that nodes that are far apart in one plane can be
    near in another. Routes are shortest paths that may differ for every node (`lightest_routes`).

    Parameters
    ----------
    nodes, ports
        Number of nodes, and ports of a switch: a plane of m switches carries at most m (P - 2) + 2 nodes, with the
        cables of a tree.
    planes
        Number of planes.
    hosts
        Nodes at each switch of a plane, the first ones at switch 0; None for a number that may be near the best, spread
        evenly.
    edges
        Pairs of switches for each plane, in either order; None for random ones, with which searches compare.
    policy
        Plane policy.
    assumed_cable_m, node_cable_m
        Length of all cables between switches, None if lengths follow from the layout; and between a node and a switch.

    References
    ----------
    Yasudo, Koibuchi, Nakano, Matsutani and Amano, Designing High-Performance Interconnection Networks with Host-Switch
    Graphs, IEEE Transactions on Parallel and Distributed Systems 30 (2), 2019.

    Examples
    --------
    >>> plane = HostGraph(nodes=8, ports=6, hosts=(4, 4), edges=(((0, 1),),))
    >>> plane.switches, plane.cables, plane.size_label
    (2, 1, '8/6, 2 switches')
    """

    name: ClassVar[str] = "host_graph"
    design_keys: ClassVar[tuple[str, ...]] = ("hosts", "edges")
    baseline_title = "random graph"

    nodes: int = 64
    ports: int = 12
    planes: int = 1
    hosts: tuple[int, ...] | None = None
    edges: tuple[Pairs, ...] | None = None
    policy: Policy = "nearest"
    assumed_cable_m: Metres | None = 5.0
    node_cable_m: Metres = 2.0

    def __post_init__(self) -> None:
        check_int("network.nodes", self.nodes, 3, MAX_NODES)
        check_int("network.ports", self.ports, 3, MAX_PORTS)
        check_int("network.planes", self.planes, 1, MAX_PLANES)
        object.__setattr__(self, "policy", check_policy("network.policy", self.policy, self.planes))
        check_assumed_cable(self.assumed_cable_m)
        millimetres("network.node_cable_m", self.node_cable_m)
        least_switches(self.nodes, self.ports)
        if self.hosts is None:
            if self.edges is not None:
                raise InputError("network.hosts=null: expected the nodes at each switch, as network.edges are given")
            count = default_switches(self.nodes, self.ports, self.planes)
            object.__setattr__(self, "hosts", evenly(self.nodes, count))
        self._check_hosts()
        if self.edges is None:
            free = (self.ports - self.host_counts).tolist()
            drawn = (random_edges_within(free, seed=plane + 1) for plane in range(self.planes))
            object.__setattr__(self, "edges", tuple(_sorted_pairs(edges) for edges in drawn))
        self._check_edges()

    def _check_hosts(self) -> None:
        hosts = self.host_counts
        most = min(self.ports - 1, MAX_NODES_PER_SWITCH)
        low, high = least_switches(self.nodes, self.ports), MAX_SWITCHES
        if not low <= len(hosts) <= high:
            raise InputError(
                f"network.hosts: {counted(len(hosts), 'switch')}; expected {low} to {high}, "
                f"with {self.ports} ports for {self.nodes} nodes"
            )
        if hosts.min() < 0 or hosts.max() > most or hosts.sum() != self.nodes:
            raise InputError(f"network.hosts: expected numbers from 0 to {most} whose sum is nodes={self.nodes}")

    def _check_edges(self) -> None:
        assert self.edges is not None
        if len(self.edges) != self.planes:
            raise InputError(f"network.edges: of {len(self.edges)} planes; expected {self.planes}")
        # Each graph has one form in records.
        object.__setattr__(self, "edges", tuple(map(_sorted_pairs, self.edges)))
        for number, pairs in enumerate(self.pairs):
            place, switches = f"network.edges[{number}]", len(self.host_counts)
            if pairs.ndim != 2 or not len(pairs) or pairs.min() < 0 or pairs.max() >= switches:
                raise InputError(f"{place}: expected pairs of switches from 0 to {switches - 1}")
            values, times = np.unique(pairs, axis=0, return_counts=True)
            refused = [*pairs[pairs[:, 0] == pairs[:, 1]].tolist(), *values[times > 1].tolist()]
            if refused:
                raise InputError(f"{place}: {refused[0]}; expected different pairs of two switches")
            used = np.bincount(pairs.ravel(), minlength=switches) + self.host_counts
            if used.max() > self.ports:
                raise InputError(
                    f"{place}: switch {used.argmax()} uses {used.max()} ports; expected at most {self.ports}"
                )
            graph(pairs, switches).require_connected()

    @cached_property
    def host_counts(self) -> Ints:
        """Nodes at each switch of a plane, as ``int64[switches]``."""
        return np.array(self.hosts, dtype=np.int64)

    @property
    def pairs(self) -> tuple[Ints, ...]:
        """The edges of each plane, as ``int64[cables, 2]``."""
        return tuple(np.array(pairs, dtype=np.int64) for pairs in self.edges or ())

    @property
    def switches(self) -> int:
        """Number of switches in all planes."""
        return self.planes * len(self.host_counts)

    @property
    def cables(self) -> int:
        """Number of cables between switches in all planes."""
        return sum(map(len, self.edges or ()))

    @property
    def size_label(self) -> str:
        """Nodes and ports, and the switches."""
        planes = "" if self.planes == 1 else f"{self.planes} x "
        return f"{self.nodes}/{self.ports}, {planes}{len(self.host_counts)} switches"

    @property
    def baseline(self) -> Self:
        """The random graph of as many switches, nodes spread evenly."""
        return replace(self, hosts=evenly(self.nodes, len(self.host_counts)), edges=None)

    @property
    def variables(self) -> Mapping[str, Variable]:
        """The switches with their nodes and cables, whose number can be given."""
        return {"switches": HostVariable(least_switches(self.nodes, self.ports), MAX_SWITCHES)}

    def class_key(self) -> Any:
        """Return the canonical form of the graph; None for a large one, and for several planes."""
        if self.planes > 1 or len(self.host_counts) > MAX_COMPARED:
            return None
        edges, hosts = canonical_graph(self.pairs[0], self.host_counts.tolist())
        return [self.name, list(hosts), sha256(edges).hexdigest()]

    def build(self, site: Site) -> tuple[Cabling, ...]:
        """Return the planes without their routes.

        Raises
        ------
        InputError
            If several planes have lengths from a layout whose racks are not filled by the ids of switches: each rack
            holds the same switches of all planes.
        """
        layout = site.layout
        if self.planes > 1 and self.assumed_cable_m is None and layout is not None and layout.assignment != IN_ORDER:
            raise InputError(f"layout.assignment={layout.assignment}: several planes of {self.name} expect {IN_ORDER}")
        node_switch = np.repeat(np.arange(len(self.host_counts), dtype=np.int32), self.host_counts)
        node_cable_mm = millimetres("network.node_cable_m", self.node_cable_m)
        return tuple(
            Cabling(topology, given_cables_mm(topology, self.assumed_cable_m), node_switch, node_cable_mm)
            for topology in _topologies(self)
        )

    def routed(self, planes: tuple[Cabling, ...]) -> tuple[Plane, ...]:
        """Return the planes with their routes."""
        return tuple(plane.routed(routes) for plane, routes in zip(planes, _routes(self), strict=True))

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record, or of a config, whose ``switches`` is the number without ``hosts``."""
        values = dict(keys)
        switches = values.pop("switches", None)
        hosts, edges = values.get("hosts"), values.get("edges")
        if hosts is not None and not _is_integers(hosts):
            raise InputError(f"network.hosts={shown(hosts)}: expected the nodes at each switch")
        if edges is not None:
            if not isinstance(edges, (list, tuple)) or not all(isinstance(plane, (list, tuple)) for plane in edges):
                raise InputError(f"network.edges={shown(edges)}: expected a list of pairs of switches for each plane")
            pairs = [pair for plane in edges for pair in plane]
            if not all(_is_integers(pair) and len(pair) == 2 for pair in pairs):
                raise InputError("network.edges: expected a list of pairs of switches for each plane")
            values["edges"] = tuple(tuple(map(tuple, plane)) for plane in edges)
        if switches is not None and hosts is not None:
            if switches != len(hosts):
                raise InputError(f"network.switches={shown(switches)}: expected {len(hosts)}, the number of hosts")
        elif switches is not None:
            nodes, ports = (
                check_int(f"network.{name}", values.get(name, getattr(cls, name)), 3, most)
                for name, most in (("nodes", MAX_NODES), ("ports", MAX_PORTS))
            )
            least = least_switches(nodes, ports)
            values["hosts"] = evenly(nodes, check_int("network.switches", switches, least, MAX_SWITCHES))
        return super().read(values)


def host_graph_of(network: Network, source: str = "") -> HostGraph:
    """Return the family of a network that is a graph for nodes and ports; errors begin with its source."""
    if not isinstance(network.family, HostGraph):
        raise InputError(f"{source}network={network.name}: expected {HostGraph.name}")
    return network.family


def _sorted_pairs(edges: Any) -> Pairs:
    """Return edges in ascending order, the lower switch of each first."""
    return tuple(sorted((min(int(a), int(b)), max(int(a), int(b))) for a, b in edges))


def _is_integers(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(type(number) is int for number in value)


@lru_cache(maxsize=8)
def _topologies(family: HostGraph) -> tuple[Topology, ...]:
    """Return the switches and cables of each plane; ports are in the order of the edges."""
    return tuple(graph(pairs, len(family.host_counts)) for pairs in family.pairs)


@lru_cache(maxsize=8)
def _routes(family: HostGraph) -> tuple[Routes, ...]:
    return lightest_routes(family.build(NO_SITE), family.policy == "nearest")
