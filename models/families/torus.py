"""Tori of any dimension with dimension-order routing."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import ClassVar, Self

from ..checks import check_bool
from ..errors import InputError
from ..family_kinds.minimal_sizes import cheapest_first, minimal_grids, orders_of, ring_ports, sufficient_rings
from ..family_kinds.routed import GridFamily
from ..family_kinds.uniform import NODE_CABLE_M
from ..mathematics.grid import check_shape
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..record_fields import ABSENT_IN_OLD_RECORDS
from ..routing import torus_order, torus_parity_order
from ..routing.grids.torus_parity import has_ties, parity_fits
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies import torus

# Dimension-order routings, by the direction of packets that are halfway round a ring from their destination.
TIES: Mapping[str, Callable[[Sequence[int], bool], Routes]] = {"positive": torus_order, "parity": torus_parity_order}


@dataclass(frozen=True, kw_only=True)
class Torus(GridFamily):
    """A torus; further parameters as in `UniformFamily`.

    Parameters
    ----------
    shape
        Number of switches along each dimension.
    datelines
        Whether packets change the class of virtual channels at a dateline of every ring, which prevents deadlock; only
        with dimension order.
    routing
        ``dimension_order``: x first, then y, z, ..., in the shorter direction round each ring; or a routing for any
        topology, as in `Graph`.
    ties
        Direction of a packet halfway round a ring, in dimension order: ``positive``, or ``parity``: positive or
        negative by a parity of source and destination, so that all-to-all loads are even (`torus_parity_order`).

    References
    ----------
    Dally, Performance Analysis of k-ary n-cube Interconnection Networks, 1990.

    Examples
    --------
    >>> Torus(shape=(4, 2)).cables  # 8 along x, 4 along y, where one cable connects to both neighbours
    12
    """

    name: ClassVar[str] = "torus"

    shape: tuple[int, ...] = (8, 8)
    datelines: bool = True
    routing: str = field(default="dimension_order", metadata=ABSENT_IN_OLD_RECORDS)
    ties: str = field(default="positive", metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_bool("network.datelines", self.datelines)
        if self.datelines and self.routing not in self.own_routings():
            raise InputError(
                "network.datelines=true: supported only with dimension order; expected false for "
                f"network.routing={self.routing}"
            )
        if self.ties not in tuple(TIES):
            raise InputError(f"network.ties={self.ties!r}: expected {', '.join(TIES)}")
        if self.ties != "positive" and self.routing not in self.own_routings():
            raise InputError(
                f"network.ties={self.ties}: supported only with dimension order; expected positive for "
                f"network.routing={self.routing}"
            )
        object.__setattr__(self, "shape", check_shape(self.shape, "network.shape"))

    @property
    def degree(self) -> int:
        """Two per dimension, one in dimensions of size 2."""
        return sum(map(ring_ports, self.shape))

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput: links of a dimension over the hops in it, for the worst dimension.

        In a ring of size k, packets take ⌊k²/4⌋ / k hops on average, on two links per switch (one if k = 2). If all
        ties go in the positive direction, its links carry (k + 2) / k times as many packets if k is even; by parity,
        they are as many in both directions, rounded up (`torus_parity_order`).
        """
        if self.routing not in self.own_routings():
            return min(Fraction(*_bound(side)) for side in self.shape) / self.nodes_per_switch
        return Fraction(self.switches, max(map(self._load, self.shape)) * self.nodes_per_switch)

    def _load(self, side: int) -> int:
        """Return the load of the busiest link in a dimension if every switch sends a packet to every switch."""
        hops = side * side // 4 if side == 2 or side % 2 else side * (side + 2 * (self.ties == "positive")) // 4
        return -(-self.switches * hops // (ring_ports(side) * side))

    @property
    def reaches_bound(self) -> bool:
        """Whether routes are in dimension order, whose loads `throughput_bound` counts."""
        return self.routing in self.own_routings()

    @property
    def has_one_way_ties(self) -> bool:
        """Whether packets halfway round rings all go one way, where they could go both.

        Examples
        --------
        >>> Torus(shape=(4, 3)).has_one_way_ties, Torus(shape=(5, 3)).has_one_way_ties
        (True, False)
        """
        return self.ties == "positive" and self.reaches_bound and has_ties(self.shape) and parity_fits(self.shape)

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return torus(self.shape)

    def on_one_lane(self) -> Self:
        """Return the same network with up*/down* routes, without datelines."""
        return replace(self, routing="up_down", datelines=False, ties="positive")

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routing of the family."""
        return {"dimension_order": lambda: TIES[self.ties](self.shape, self.datelines)}

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the shapes, sides in descending order.

        Indirect networks only, since in direct networks nodes use no ports.

        Examples
        --------
        >>> [(torus.size_label, torus.nodes_per_switch) for torus in Torus.fitting(nodes=8, ports=4)]
        [('2x2', 2), ('4', 2), ('8', 1), ('2x2x2', 1), ('4x2', 1)]
        """
        grids = minimal_grids(nodes, ports)
        return (cls(shape=shape, nodes_per_switch=per_switch, node_cable_m=NODE_CABLE_M) for shape, per_switch in grids)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield all shapes in each order of their sides, with even loads, whose `throughput_bound` suffices.

        Ties are by parity where they are possible, unless its routes are too large (`torus_parity_order`).

        Examples
        --------
        >>> members = Torus.candidates(nodes=8, ports=4, throughput=Fraction(3, 2), links=1)
        >>> [(torus.size_label, torus.ties) for torus in members]
        [('2x2x2', 'positive'), ('4x2', 'parity'), ('2x4', 'parity'), ('5x2', 'positive'), ('2x5', 'positive')]
        """
        grids = sufficient_rings(nodes, ports, links, throughput, _bound)
        sizes = (
            (prod(shape), prod(shape) * sum(map(ring_ports, shape)) // 2, (shape, places)) for shape, places in grids
        )
        for shape, places in cheapest_first(sizes, costs):
            ties = "parity" if has_ties(shape) and parity_fits(shape) else "positive"
            for order in orders_of(shape):
                member = cls(shape=order, nodes_per_switch=places, node_cable_m=NODE_CABLE_M, ties=ties)
                if member.throughput_bound >= throughput:
                    yield member


def _bound(k: int) -> tuple[int, int]:
    """Return `Torus.throughput_bound` for one node per switch and one dimension of size k, as a ratio."""
    return ring_ports(k) * k, k * k // 4
