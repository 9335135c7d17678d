"""Cube planes: the base class of hypercubes and folded hypercubes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

import numpy as np

from ..checks import MAX_NODES_PER_SWITCH, Json, check_int
from ..cubes.canonical import canonical_form, joint_canonical_form
from ..cubes.connection_set import ConnectionSet
from ..cubes.cube import Cube
from ..errors import InputError
from ..family import Family
from ..network import Network
from ..planes.plane import Plane, uniform_attachment
from ..policy import Policy, check_policy
from ..routing import dimension_order
from ..search_variables import BasisVariable, Variable
from ..site.site import Site
from ..topologies import cube_topology
from .cube_configs import IDENTICAL, MAX_CONFIGURED_N, MAX_PLANES, MIN_CONFIGURED_N, cubes_of_config
from .minimal_sizes import minimal_sizes
from .sized import Sized

MAX_KERNEL_PLANES = 2
MAX_PORTS_PER_NODE = 2  # in each plane
NEAREST: Policy = "nearest"


@dataclass(frozen=True)
class Cubes(Sized):
    """One or more hypercube planes of the same size that connect the same nodes.

    Parameters
    ----------
    planes
        The planes, all of the same dimension. With two or more of them, plane 0 has the unit basis.
    nodes_per_switch
        Nodes at each switch id; a node is attached to the switch with the same id in every plane.
    ports_per_node
        Ports of a node in each plane: 1, or 2 in the Port-Aggregate baseline.
    policy
        Plane policy.

    References
    ----------
    Hosomi et al. 2021, sections 1 and 2.1.
    """

    folded: ClassVar[bool]
    kind: ClassVar[str] = "cubes"
    search_start: ClassVar[Mapping[str, Any]] = {"generators": IDENTICAL}
    most_node_links: ClassVar[int | None] = MAX_PORTS_PER_NODE
    assumed_cable_m = None

    planes: tuple[Cube, ...]
    nodes_per_switch: int = 4
    ports_per_node: int = 1
    policy: Policy = NEAREST

    def __post_init__(self) -> None:
        check_int("network.nodes_per_switch", self.nodes_per_switch, 1, MAX_NODES_PER_SWITCH)
        check_int("network.ports_per_node", self.ports_per_node, 1, MAX_PORTS_PER_NODE)
        check_int("network.planes", len(self.planes), 1, MAX_PLANES)
        object.__setattr__(self, "policy", check_policy("network.policy", self.policy, len(self.planes)))
        if {(plane.n, plane.folded) for plane in self.planes} != {(self.n, self.folded)}:
            raise InputError("network.planes: expected planes of the same dimension, all plain or all folded")
        if len(self.planes) > 1 and self.planes[0].connections != ConnectionSet.unit(self.n):
            raise InputError(
                f"network.planes: plane 0 is {list(self.planes[0].connections.generators)}; expected the unit basis"
            )

    @property
    def n(self) -> int:
        """Dimension of every plane."""
        return self.planes[0].n

    @property
    def plane_switches(self) -> int:
        """Number of switches per plane, 2^n."""
        return 1 << self.n

    @property
    def switches(self) -> int:
        """Number of switches in all planes."""
        return len(self.planes) * self.plane_switches

    @property
    def nodes(self) -> int:
        """Number of nodes."""
        return self.plane_switches * self.nodes_per_switch

    @property
    def ports(self) -> int:
        """Number of ports that a switch uses, for links and for nodes."""
        return self.n + self.folded + self.nodes_per_switch * self.ports_per_node

    @property
    def nodes_at_switch(self) -> int:
        """Number of nodes at every switch."""
        return self.nodes_per_switch

    @property
    def node_ports(self) -> int:
        """Number of ports of a node over all planes."""
        return len(self.planes) * self.ports_per_node

    @property
    def cables(self) -> int:
        """Number of cables between switches: 2^n (n + folded) / 2 per plane."""
        return self.switches * (self.n + self.folded) // 2

    def build(self, site: Site) -> tuple[Plane, ...]:
        """Return the planes with dimension-order routing.

        Cables of nodes have the next length of the catalogue to that of the layout, or 0 without one; those between
        switches get their lengths on the floor (`Network`).

        Raises
        ------
        InputError
            If the catalogue has no node cable, or racks are not filled by switch id.

        References
        ----------
        Hosomi et al. 2021, sections 2 and 3.1.
        """
        node_cable_mm, planes = site.node_cable_mm, []
        if site.layout is not None:
            site.layout.require_filled_by_id()
        for cube in self.planes:
            topology = cube_topology(cube)
            lengths = np.zeros(topology.peer.shape, dtype=np.int64)
            node_switch = uniform_attachment(topology.switches, self.nodes_per_switch).repeat(self.ports_per_node)
            starts = None if self.ports_per_node == 1 else np.arange(self.nodes + 1) * self.ports_per_node
            planes.append(Plane(topology, lengths, node_switch, node_cable_mm, starts, routes=dimension_order(cube)))
        return tuple(planes)

    @property
    def size_label(self) -> str:
        """The dimension n: 2^n switches."""
        return f"n={self.n}"

    @property
    def description(self) -> str:
        """Description for display, with the generators of every plane after plane 0."""
        planes = f"each of {len(self.planes)} planes" if len(self.planes) > 1 else "1 plane"
        summary = f"{self.title}, {self.plane_switches} switches in {planes}, {self.nodes} nodes"
        sets = enumerate(self.planes[1:] or self.planes, len(self.planes) > 1)
        lines = (f"plane {number}: {' '.join(map(str, plane.connections.generators))}" for number, plane in sets)
        return "\n".join([summary, *lines])

    @property
    def baseline(self) -> Self:
        """The paper's baseline, D-HC or D-FHC: planes like plane 0; two with one port per node for a single one."""
        if len(self.planes) == 1:
            return replace(self, planes=self.planes * 2, ports_per_node=1)
        return replace(self, planes=(self.planes[0],) * len(self.planes))

    @property
    def baseline_title(self) -> str:
        """Display name of the baseline; with its number of planes beside a single one."""
        return "2 identical planes" if len(self.planes) == 1 else "identical planes"

    @property
    def variables(self) -> Mapping[str, Variable]:
        """The generators of plane 1."""
        return {"generators": BasisVariable(self.n)}

    @property
    def has_kernels(self) -> bool:
        """Whether the cube kernels and their reference apply: to at most two planes, under `NEAREST`."""
        return len(self.planes) <= MAX_KERNEL_PLANES and self.policy == NEAREST

    def require_kernels(self) -> Self:
        """Return itself if it `has_kernels`.

        Raises
        ------
        InputError
            If there are more planes, or another policy.
        """
        check_int("network.planes", len(self.planes), 1, MAX_KERNEL_PLANES)
        if self.policy != NEAREST:
            shown = self.policy if isinstance(self.policy, str) else list(self.policy)
            raise InputError(f"network.policy={shown}: expected {NEAREST}")
        return self

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield two-plane cubes of the dimensions that the kernels support, with as few nodes per switch as possible.

        Examples
        --------
        >>> from isoplane.models.families.hypercube import Hypercube
        >>> [(cubes.n, cubes.nodes_per_switch) for cubes in Hypercube.fitting(nodes=1500, ports=20)]
        [(7, 12), (8, 6), (9, 3), (10, 2), (11, 1)]
        """
        sizes = ((n, 1 << n) for n in range(MIN_CONFIGURED_N, MAX_CONFIGURED_N + 1))
        return minimal_sizes(
            sizes, nodes, ports, lambda n, per_switch: cls((Cube(ConnectionSet.unit(n), cls.folded),) * 2, per_switch)
        )

    def class_key(self) -> Any:
        """Return the family, n, the canonical form of the planes after plane 0, and non-default policy and ports.

        None if planes have shares, because isomorphisms may exchange planes.
        """
        if isinstance(self.policy, tuple):
            return None
        sets = [plane.connections for plane in self.planes]
        others: list[Any] = [] if self.policy == NEAREST else [self.policy]
        others += [] if self.ports_per_node == 1 else [self.ports_per_node]
        if len(sets) > 2:
            return [self.name, self.n, joint_canonical_form(sets, self.folded), *others]
        return [self.name, self.n, [canonical_form(connections, self.folded) for connections in sets[1:]], *others]

    def write(self) -> Json:
        """Return the fields of a record; the ports of a node in a plane only if there are several."""
        planes = [{"generators": list(plane.connections.generators)} for plane in self.planes]
        network = {"family": self.name, "n": self.n, "folded": self.folded, "planes": planes}
        if self.policy != NEAREST:
            network["policy"] = self.policy if isinstance(self.policy, str) else list(self.policy)
        if self.ports_per_node != 1:
            network["ports_per_node"] = self.ports_per_node
        return {"network": network, "nodes_per_switch": self.nodes_per_switch}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record, whose generators are ascending, or of a config.

        A record has a list of planes, each with its generators. A config has the number of planes and, as
        ``generators``, those of plane 1: a list, or ``identical``; with more than two planes, a list of such lists.
        """
        is_recorded = isinstance(keys["planes"], list)
        planes = cubes_of_record(keys) if is_recorded else cubes_of_config(keys, cls.folded)
        return cls(planes, keys["nodes_per_switch"], keys.get("ports_per_node", 1), policy=keys.get("policy", NEAREST))


def cubes_of_record(keys: Mapping[str, Any]) -> tuple[Cube, ...]:
    """Return the planes that the ``network`` of a record states.

    Raises
    ------
    InputError
        If generators are not ascending, or no basis.
    """
    for index, plane in enumerate(keys["planes"]):
        ascending = sorted(plane["generators"])
        if plane["generators"] != ascending:
            raise InputError(
                f"network.planes[{index}].generators={plane['generators']}: expected the ascending list {ascending}"
            )
    connections = (ConnectionSet(keys["n"], tuple(plane["generators"])) for plane in keys["planes"])
    return tuple(Cube(connection_set, keys["folded"]) for connection_set in connections)


def cubes_of(network: Network) -> Cubes:
    """Return the planes of a network as cubes; raise an `InputError` if they are others."""
    if not isinstance(network.family, Cubes):
        raise InputError(f"network.family={network.name}: expected planes of cubes")
    return network.family


def has_kernels(network: Network) -> bool:
    """Whether the cube kernels and their reference apply: at most two planes of cubes, under `NEAREST`."""
    return isinstance(network.family, Cubes) and network.family.has_kernels


def first_plane(family: Family) -> Family:
    """Return planes of cubes without all but the first one; other families as they are."""
    return replace(family, planes=family.planes[:1]) if isinstance(family, Cubes) else family
