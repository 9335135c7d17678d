"""Meshes of any dimension with dimension-order routing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import ClassVar, Self

from ..family_kinds.minimal_sizes import Shape, cheapest_first, minimal_grids, orders_of, ring_ports, sufficient_rings
from ..family_kinds.routed import GridFamily
from ..family_kinds.uniform import NODE_CABLE_M
from ..mathematics.grid import check_shape
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..record_fields import ABSENT_IN_OLD_RECORDS
from ..routing import mesh_order
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies import mesh


@dataclass(frozen=True, kw_only=True)
class Mesh(GridFamily):
    """A mesh: a torus without wraparound cables; further parameters as in `UniformFamily`.

    Parameters
    ----------
    shape
        Number of switches along each dimension.
    routing
        ``dimension_order``: x first, then y, z, ..., which needs no virtual channels; or a routing for any topology,
        as in `Graph`.

    Examples
    --------
    >>> Mesh(shape=(4, 3)).cables  # 3 in each of 3 rows, 2 in each of 4 columns
    17
    """

    name: ClassVar[str] = "mesh"

    shape: tuple[int, ...] = (8, 8)
    routing: str = field(default="dimension_order", metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "shape", check_shape(self.shape, "network.shape"))

    @property
    def degree(self) -> int:
        """Two per dimension for inner switches, one in dimensions of size 2."""
        return sum(map(ring_ports, self.shape))

    @property
    def cables(self) -> int:
        """Number of cables: size - 1 in every row of every dimension."""
        return _cables(self.shape)

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput: the links across the middle of the longest dimension.

        In a dimension of size k, ⌊k/2⌋ ⌈k/2⌉ / k² of all packets cross it in each direction, on one link per line.
        """
        return min(Fraction(*_bound(side)) for side in self.shape) / self.nodes_per_switch

    @property
    def reaches_bound(self) -> bool:
        """Whether routes are in dimension order, which loads all links of a dimension as the formula counts."""
        return self.routing == "dimension_order"

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return mesh(self.shape)

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routing of the family."""
        return {"dimension_order": lambda: mesh_order(self.shape)}

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the shapes, sides in descending order, as indirect networks: nodes of direct ones use no ports.

        Examples
        --------
        >>> [(mesh.size_label, mesh.nodes_per_switch) for mesh in Mesh.fitting(nodes=8, ports=4)]
        [('2x2', 2), ('4', 2), ('8', 1), ('2x2x2', 1), ('4x2', 1)]
        """
        grids = minimal_grids(nodes, ports)
        return (cls(shape=shape, nodes_per_switch=per_switch, node_cable_m=NODE_CABLE_M) for shape, per_switch in grids)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield all shapes in each order of their sides whose `throughput_bound` suffices, by their costs.

        Examples
        --------
        >>> members = Mesh.candidates(nodes=8, ports=4, throughput=Fraction(1), links=1)
        >>> [(mesh.size_label, mesh.nodes_per_switch) for mesh in members][:4]
        [('2x2', 2), ('4x2', 1), ('2x4', 1), ('2x2x2', 1)]
        """
        grids = sufficient_rings(nodes, ports, links, throughput, _bound)
        sizes = ((prod(shape), _cables(shape), (shape, places)) for shape, places in grids)
        for shape, places in cheapest_first(sizes, costs):
            for order in orders_of(shape):
                yield cls(shape=order, nodes_per_switch=places, node_cable_m=NODE_CABLE_M)


def _cables(shape: Shape) -> int:
    """Return the number of cables of a mesh: size - 1 in every row of every dimension."""
    return sum(prod(shape) // size * (size - 1) for size in shape)


def _bound(k: int) -> tuple[int, int]:
    """Return `Mesh.throughput_bound` for one node per switch and one dimension of size k, as a ratio."""
    return k, (k // 2) * (k - k // 2)
