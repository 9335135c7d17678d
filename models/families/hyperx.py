"""HyperX networks with dimension-order routing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from math import prod
from typing import ClassVar, Self

from ..checks import Metres, check_cables_per_pair
from ..family_kinds.minimal_sizes import (
    Shape,
    cheapest_first,
    line_ports,
    minimal_grids,
    orders_of,
    sufficient_grids,
)
from ..family_kinds.routed import GridFamily, detours_over_switches
from ..family_kinds.sized import kept
from ..family_kinds.uniform import format_shape
from ..mathematics.grid import check_shape
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..record_fields import ABSENT_IN_OLD_RECORDS
from ..routing import hyperx_order
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies import hyperx

MAX_CABLES_PER_PAIR, MAX_CANDIDATE_GRIDS = 256, 1024


@dataclass(frozen=True, kw_only=True)
class HyperX(GridFamily):
    """A grid whose lines are fully connected; further parameters as in `UniformFamily`.

    One dimension is a full mesh, and dimensions of size 2 are those of a hypercube. The links across the middle of a
    dimension of even size S with K cables per pair have K S / 2P times the rate of the nodes of one half, for P nodes
    per switch.

    Parameters
    ----------
    shape
        Number of switches along each dimension.
    cables_per_pair
        Parallel cables K between two switches of a line: one number, or one for each dimension.
    routing
        ``dimension_order``: x first, then y, z, ..., which needs no virtual channels; the destination node determines
        which of several parallel cables a packet takes (`hyperx_order`). Or a routing for any topology, as in `Graph`,
        of which only ``balanced`` spreads packets over parallel cables.

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
    cables_per_pair: int | tuple[int, ...] = field(default=1, metadata=ABSENT_IN_OLD_RECORDS)
    routing: str = "dimension_order"
    assumed_cable_m: Metres | None = 5.0
    nodes_per_switch: int = 8
    node_cable_m: Metres | None = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "shape", check_shape(self.shape, "network.shape"))
        cables = check_cables_per_pair(self.cables_per_pair, len(self.shape), "dimension", MAX_CABLES_PER_PAIR)
        object.__setattr__(self, "cables_per_pair", cables)

    @property
    def _cables(self) -> tuple[int, ...]:
        """Parallel cables between two switches, for each dimension."""
        cables = self.cables_per_pair
        return cables if isinstance(cables, tuple) else (cables,) * len(self.shape)

    @property
    def degree(self) -> int:
        """The cables to all other switches of every line, Σ K (size - 1)."""
        return sum(parallel * (size - 1) for size, parallel in zip(self.shape, self._cables, strict=True))

    @property
    def size_label(self) -> str:
        """Switches along each side of the grid, and parallel cables along each if there are several."""
        parallel = "" if self.cables_per_pair == 1 else f", {format_shape(self._cables)} cables per pair"
        return f"{format_shape(self.shape)}{parallel}"

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput, min k K / nodes per switch, with K cables per pair.

        In a dimension of size k, packets take 1 - 1/k hops on average, on K (k - 1) links per switch. In dimension
        order, some of K cables carries the packets to ⌈P E / K⌉ of the P E nodes for which they are used
        (`hyperx_order`), so that the throughput is less if K does not divide P E.
        """
        if self.routing != "dimension_order":
            ends = (size * parallel for size, parallel in zip(self.shape, self._cables, strict=True))
            return Fraction(min(ends), self.nodes_per_switch)
        flows = _flows(self.shape, self.nodes_per_switch)
        loads = (
            sources * -(-targets // parallel) for (sources, targets), parallel in zip(flows, self._cables, strict=True)
        )
        return Fraction(self.nodes, max(loads))

    @property
    def reaches_bound(self) -> bool:
        """Whether routes are in dimension order, which loads all pairs of switches of a dimension evenly."""
        return self.routing == "dimension_order"

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return hyperx(self.shape, self._cables)

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routing of the family."""
        return {"dimension_order": lambda: hyperx_order(self.shape, self._cables, self.nodes_per_switch)}

    detours = detours_over_switches

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the shapes with one cable per pair, sides in descending order.

        Examples
        --------
        >>> [(each.size_label, each.nodes_per_switch) for each in HyperX.fitting(nodes=8, ports=4)]
        [('2x2', 2), ('2x2x2', 1)]
        """
        grids = minimal_grids(nodes, ports, line_ports)
        return (cls(shape=shape, nodes_per_switch=per_switch) for shape, per_switch in grids)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield all shapes in each order of their sides, with the fewest parallel cables that suffice, by their costs.

        They suffice if `throughput_bound` does. The order of sides decides which switches share a rack and, if parallel
        cables do not divide the packets evenly, how many suffice.

        Examples
        --------
        >>> members = HyperX.candidates(nodes=60, ports=16, throughput=Fraction(9, 10), links=1)
        >>> [(each.size_label, each.nodes_per_switch) for each in members][:2]
        [('8', 8), ('9', 7)]
        """
        shapes = cls._sufficient(nodes, ports, throughput, links)
        waiting: list[tuple[int, Shape, Shape, int]] = []  # an order can need more cables than the least of its shape
        for shape, per_switch, least_cables in cheapest_first(shapes, costs, MAX_CANDIDATE_GRIDS):
            while waiting and waiting[0][0] <= costs.of(prod(shape), least_cables):
                yield cls._waiting(heappop(waiting))
            for switches, count, (order, cables) in cls._with_cables(shape, per_switch, ports, throughput):
                heappush(waiting, (costs.of(switches, count), order, cables, per_switch))
        yield from map(cls._waiting, sorted(waiting))

    @classmethod
    def _waiting(cls, waiting: tuple[int, Shape, Shape, int]) -> Self:
        _, order, cables, per_switch = waiting
        return cls(shape=order, cables_per_pair=cables, nodes_per_switch=per_switch)

    @classmethod
    @kept
    def _sufficient(
        cls, nodes: int, ports: int, throughput: Fraction, links: int
    ) -> Iterator[tuple[int, int, tuple[Shape, int, int]]]:
        """Yield switches and the least cables of shapes that may suffice; and shape, nodes per switch and cables."""
        above, below = throughput.numerator, throughput.denominator

        def side_ports(places: int) -> Callable[[int], int]:
            # Along a side of K switches a switch sends each of the others 1/K of as much as its nodes send, so k cables
            # between two of them suffice only if k >= throughput * places / K; whole packets may need more.
            load = above * places
            return lambda side: -(-load // (below * side)) * (side - 1)

        for shape, per_switch in sufficient_grids(nodes, ports, links, side_ports):
            switches, of_side = prod(shape), side_ports(per_switch)
            cables = switches * sum(map(of_side, shape)) // 2
            yield switches, cables, (shape, per_switch, cables)

    @staticmethod
    def _with_cables(
        shape: Shape, per_switch: int, ports: int, throughput: Fraction
    ) -> Iterator[tuple[int, int, tuple[Shape, Shape]]]:
        """Yield switches, cables, shape and the fewest cables per pair for all orders of sides that suffice."""
        switches = prod(shape)
        # Packets of all-to-all traffic over a cable: with more, the throughput is too low.
        max_load = switches * per_switch * throughput.denominator // throughput.numerator
        for order in orders_of(shape):
            flows = _flows(order, per_switch)
            if flows[-1][0] > max_load:
                continue
            cables = tuple(-(-targets // (max_load // sources)) for sources, targets in flows)
            degree = sum(parallel * (size - 1) for size, parallel in zip(order, cables, strict=True))
            if per_switch + degree <= ports and max(cables) <= MAX_CABLES_PER_PAIR:
                yield switches, switches * degree // 2, (order, cables)


def _flows(shape: tuple[int, ...], per_switch: int) -> list[tuple[int, int]]:
    """Return the sources and the targets of the packets between two neighbours in each dimension, in dimension order.

    They come from all switches with the coordinates of the first in this dimension and above, and go to all switches
    with those of the second in this dimension and below.
    """
    before = [prod(shape[:i]) for i in range(len(shape))]
    after = [prod(shape[i + 1 :]) for i in range(len(shape))]
    return [(per_switch * low, per_switch * high) for low, high in zip(before, after, strict=True)]
