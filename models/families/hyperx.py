"""HyperX networks with dimension-order routing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import ClassVar, Self

from ..cabling import Metres
from ..grid import check_shape
from ..minimal_sizes import minimal_grids
from ..routed_family import RoutedFamily
from ..routing import Routes, hyperx_order
from ..topologies import hyperx
from ..topology import Topology
from ..uniform_family import format_shape


@dataclass(frozen=True, kw_only=True)
class HyperX(RoutedFamily):
    """A grid whose lines are fully connected; further parameters as in `UniformFamily`.

    One dimension is a full mesh, and dimensions of size 2 are those of a hypercube.

    Parameters
    ----------
    shape
        Number of switches along each dimension.
    routing
        ``dimension_order``: x first, then y, z, ..., which needs no virtual channels; or a routing for any topology,
        as in `Graph`.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Ahn et al., HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks, 2009.

    Examples
    --------
    >>> hyperx = HyperX(shape=(8, 8), nodes_per_switch=8)
    >>> hyperx.degree, hyperx.cables, hyperx.nodes
    (14, 448, 512)
    """

    name: ClassVar[str] = "hyperx"

    shape: tuple[int, ...] = (8, 8)
    routing: str = "dimension_order"
    cable_m: Metres | None = 5.0
    nodes_per_switch: int = 8
    node_cable_m: Metres | None = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "shape", check_shape(self.shape, "network.shape"))

    @property
    def switches(self) -> int:
        """Number of switches."""
        return prod(self.shape)

    @property
    def degree(self) -> int:
        """One cable to each other switch of every line, Σ (size - 1)."""
        return sum(self.shape) - len(self.shape)

    @property
    def cables(self) -> int:
        """Number of cables: half of the ports."""
        return self.switches * self.degree // 2

    @property
    def size_label(self) -> str:
        """The shape."""
        return format_shape(self.shape)

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput, min k / nodes per switch.

        In a dimension of size k, packets take 1 - 1/k hops on average, on k - 1 links per switch.
        """
        return Fraction(min(self.shape), self.nodes_per_switch)

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return hyperx(self.shape)

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routing of the family."""
        return {"dimension_order": lambda: hyperx_order(self.shape)}

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the shapes, sides in descending order.

        Examples
        --------
        >>> [(each.size_label, each.nodes_per_switch) for each in HyperX.fitting(nodes=8, ports=4)]
        [('2x2', 2), ('2x2x2', 1)]
        """
        grids = minimal_grids(nodes, ports, lambda side: side - 1)
        return (cls(shape=shape, nodes_per_switch=per_switch) for shape, per_switch in grids)
