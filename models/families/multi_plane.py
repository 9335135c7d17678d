"""Several identical planes of any single-plane family."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, ClassVar, Self, TypeVar

from numpy.typing import ArrayLike

from ..checks import Json, check_int, check_rates
from ..errors import InputError
from ..exchanges.all_to_all import ExchangeOrder
from ..exchanges.contention_free_order import contention_free_order
from ..family import Family
from ..family_kinds.routed import GridFamily
from ..family_kinds.sized import Sized
from ..network import Network
from ..planes.plane import Cabling, Plane
from ..policy import Policy, check_policy
from ..site.site import Site
from ._nested import inner_kind, keys_within
from .hyperx import HyperX

MAX_PLANES, MAX_LINKS = 8, 8

Member = TypeVar("Member", bound=Family)


@dataclass(frozen=True, kw_only=True)
class MultiPlane(Family):
    """Identical planes over the same nodes, each with one or more links to every node.

    The nodes are attached to each plane as in the given one. With k links per node, node i takes the places of nodes
    k i to k i + k - 1 of the given plane, so that there are 1 / k as many nodes. One plane with two links
    per node is the Port-Aggregate arrangement of its family.

    Parameters
    ----------
    plane
        The network of every plane; it must have one plane, and nodes with a cable to their switch.
    planes
        Number of planes.
    links_per_node
        Links of a node in each plane; divides the number of nodes of the given plane.
    policy
        Plane policy. Identical planes are equally near, so ``nearest`` and ``spray`` have the same loads.
    rates_gbps
        Rate of the links of each plane in Gbit/s, those of nodes included; None if all have the rate of the site.

    References
    ----------
    Hosomi et al. 2021, section 1: identical planes and Port-Aggregate.

    Examples
    --------
    >>> two = MultiPlane(plane=HyperX(shape=(4, 4), nodes_per_switch=4))
    >>> two.nodes, two.switches, two.cables
    (64, 32, 96)
    """

    name: ClassVar[str] = "multi_plane"

    plane: Family = field(default_factory=HyperX)
    planes: int = 2
    links_per_node: int = 1
    policy: Policy = "nearest"
    rates_gbps: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        check_int("network.planes", self.planes, 1, MAX_PLANES)
        check_int("network.links_per_node", self.links_per_node, 1, MAX_LINKS)
        object.__setattr__(self, "policy", check_policy("network.policy", self.policy, self.planes))
        if self.rates_gbps is not None:
            object.__setattr__(self, "rates_gbps", check_rates("network.rates_gbps", self.rates_gbps, self.planes))
        inner = self.plane
        object.__setattr__(self, "assumed_cable_m", inner.assumed_cable_m)
        self._require_one_plane(inner)
        if getattr(inner, "node_cable_m", ...) is None:
            key = "network.plane.node_cable_m"
            raise InputError(f"{key}=null: expected a length, such as {key}=2; nodes of several links need cables")
        if inner.nodes % self.links_per_node:
            raise InputError(
                f"network.links_per_node={self.links_per_node}: expected a divisor of {inner.nodes}, the nodes of "
                f"{inner.title}"
            )

    def _require_one_plane(self, inner: Family) -> None:
        if inner.kind != "switches" or not inner.uses_site:
            raise InputError(f"network.plane.family={inner.name}: expected a family of one plane, such as hyperx")

    @property
    def are_identical(self) -> bool:
        """Whether the nodes have the same places in all planes, and these the same rate."""
        return self.are_equally_fast

    @property
    def are_equally_fast(self) -> bool:
        """Whether the links of all planes have the same rate."""
        return len(set(self.rates_gbps or ())) < 2

    @property
    def nodes(self) -> int:
        """Number of nodes: those of the plane, divided by the links per node."""
        return self.plane.nodes // self.links_per_node

    @property
    def switches(self) -> int:
        """Number of switches in all planes."""
        return self.planes * self.plane.switches

    @property
    def ports(self) -> int:
        """Maximum number of ports that a switch uses: as in the plane."""
        return self.plane.ports

    @property
    def cables(self) -> int:
        """Number of cables between switches in all planes."""
        return self.planes * self.plane.cables

    @property
    def size_label(self) -> str:
        """The number of planes, their links per node, and the plane."""
        planes = f"{self.planes} plane{'s' if self.planes > 1 else ''}"
        links = f" with {self.links_per_node} links per node" if self.links_per_node > 1 else ""
        return f"{planes}{links} of {self.plane.title}{self._rates_label}"

    @property
    def _rates_label(self) -> str:
        return "" if self.rates_gbps is None else f", {', '.join(f'{rate:g}' for rate in self.rates_gbps)} Gbit/s"

    @property
    def title(self) -> str:
        """Display name: the size, which names the family of the planes."""
        return self.size_label

    @property
    def _keys_of_plane(self) -> AbstractContextManager[None]:
        """A context whose errors name the keys of the plane with their place."""
        return keys_within("plane", type(self.plane))

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return the order of one plane, whichever planes messages take; only with one link per node in each."""
        if self.links_per_node > 1:
            raise InputError(f"network.links_per_node={self.links_per_node}: no contention-free order; expected 1")
        with self._keys_of_plane:
            return contention_free_order(Network(self.plane), nodes)

    def build(self, site: Site) -> tuple[Cabling, ...]:
        """Return the planes without their routes."""
        # One object for all planes, so that whatever follows from a plane is computed once.
        return self._rated((self._one_cabling(site),) * self.planes)

    def _one_cabling(self, site: Site) -> Cabling:
        """Return a plane at the rate of the site."""
        with self._keys_of_plane:
            built = self.plane.build(site)
        if len(built) != 1:
            raise InputError(f"network.plane: {self.plane.title} has {len(built)} planes; expected a family of one")
        plane, starts = built[0], built[0].node_start
        if self.links_per_node > 1:
            # The starts between belong to further links of the same node.
            starts = plane.starts[:: self.links_per_node]
        # Several planes cannot share the ports of adapters. A plane that stays as it is needs no further checks.
        if starts is not plane.node_start or plane.adapter_ports is not None:
            plane = replace(plane, adapter_ports=None, node_start=starts)
        return plane

    def _rated(self, planes: tuple[Cabling, ...]) -> tuple[Cabling, ...]:
        """Return planes at their rates."""
        if self.rates_gbps is None:
            return planes
        rated: dict[tuple[int, float], Cabling] = {}  # equal planes stay one object
        pairs = zip(planes, self.rates_gbps, strict=True)
        return tuple(rated.setdefault((id(plane), rate), plane.at_rate(rate)) for plane, rate in pairs)

    def routed(self, planes: tuple[Cabling, ...]) -> tuple[Plane, ...]:
        """Return the planes with their routes."""
        with self._keys_of_plane:
            (first,) = self.plane.routed(planes[:1])
        return tuple(first if plane is planes[0] else plane.routed(first.routes) for plane in planes)

    def write(self) -> Json:
        """Return the fields of a record; those of the plane are nested, with its nodes per switch."""
        with self._keys_of_plane:
            inner = self.plane.write()
        keys = {**inner["network"], "nodes_per_switch": inner["nodes_per_switch"]}
        policy = list(self.policy) if isinstance(self.policy, tuple) else self.policy
        network = {
            "family": self.name, "plane": keys, "planes": self.planes, "links_per_node": self.links_per_node,
            "policy": policy,
        }  # fmt: skip
        if self.rates_gbps is not None:
            network["rates_gbps"] = list(self.rates_gbps)
        return {"network": network, "nodes_per_switch": None}

    @classmethod
    def read(cls, keys: Mapping[str, Any]) -> Self:
        """Return the network of a record or config, whose ``plane`` has the keys of a family."""
        inner: Any = keys.get("plane")
        kind = inner_kind("plane", inner, "hyperx")
        with keys_within("plane", kind):
            plane = kind.read(inner)
        return super().read({**keys, "plane": plane})


def throughput_bound(family: Family) -> tuple[Fraction | None, bool]:
    """Return an upper bound on the throughput per node by formula, in link capacities, and whether routes reach it.

    That of identical planes is the one of a plane times their number and the links of a node in each, unless the links
    of some node end at several switches, which shortens its paths.
    """
    if isinstance(family, MultiPlane) and family.are_identical:
        bound, is_reached = throughput_bound(family.plane)
        if bound is None or nodes_at_switch(family) is None:
            return None, False
        return bound * family.planes * family.links_per_node, is_reached
    return (family.throughput_bound, family.reaches_bound) if isinstance(family, Sized) else (None, False)


def nodes_at_switch(family: Family) -> int | None:
    """Return the nodes at every switch of a plane that has any; None if unknown, or some are at several switches."""
    if isinstance(family, MultiPlane):
        places, links = nodes_at_switch(family.plane), family.links_per_node
        return None if places is None or places % links else places // links
    return family.nodes_at_switch if isinstance(family, Sized) else None


def grid_of(family: Family) -> tuple[int, ...] | None:
    """Return the sizes of the coordinates of the switches of a plane, the first one fastest; None without any."""
    plane = family.plane if isinstance(family, MultiPlane) and family.are_identical else family
    return plane.grid if isinstance(plane, GridFamily) else None


def one_plane(family: Family) -> tuple[Family, int]:
    """Return one of several identical planes as a network, and their number; other families as they are, and 1."""
    if isinstance(family, MultiPlane) and family.are_identical:
        return replace(family, planes=1, policy="nearest"), family.planes
    return family, 1
