"""Xpanders: random lifts of complete graphs."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from ..checks import MAX_NODES_PER_SWITCH, Metres, check_int
from ..family_kinds.minimal_sizes import cheapest_first, units_and_places, without_covered
from ..family_kinds.routed import RoutedFamily
from ..family_kinds.sized import kept
from ..family_kinds.uniform import least_hops
from ..mathematics.random_graphs import MIN_DEGREE, random_lift_edges
from ..planes.routes import MAX_TABLE_SWITCHES
from ..planes.topology import Topology
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies import graph

MAX_DEGREE = 512
MAX_FREE_SWITCHES = 1024  # with more, only the smallest lift and the next are tried


@dataclass(frozen=True, kw_only=True)
class Xpander(RoutedFamily):
    r"""d + 1 groups of k switches, with a random perfect matching between every two; parameters as in `UniformFamily`.

    It is a random k-lift of the complete graph with d + 1 vertices; the groups are the meta-nodes of the paper. Switch
    i of group j has id j k + i. It has one cable to each other group; the k cables between two groups can be a bundle::

        group 0   0   1   2   3        k = 4: from every switch one cable
                   \ /     \ /         to each of the d other groups,
                    X       X          in a random order
                   / \     / \
        group 1   4   5   6   7

    The eigenvalues of the graph are those of the complete graph, d and -1, and (d + 1) (k - 1) others, which in random
    lifts of large k are at most slightly above 2 √(d - 1): almost the best possible expansion. They are not computed:
    every seed gives a network, whatever its expansion.

    Parameters
    ----------
    degree
        Cables of every switch, d, from 3 on.
    lift
        Switches of a group, k.
    seed
        Seed of the matchings.
    routing
        A routing for any topology, as in `Graph`.

    References
    ----------
    Valadarsky, Shahaf, Dinitz and Schapira, Xpander: Towards Optimal-Performance Datacenters, 2016. Friedman and
    Kohler, The Relativized Second Eigenvalue Conjecture of Alon, 2014.

    Examples
    --------
    >>> network = Xpander(degree=7, lift=8, nodes_per_switch=3)
    >>> network.switches, network.cables, network.nodes
    (64, 224, 192)
    """

    name: ClassVar[str] = "xpander"

    degree: int = 7
    lift: int = 8
    seed: int = 1
    routing: str = "balanced"
    assumed_cable_m: Metres | None = 5.0
    nodes_per_switch: int = 3
    node_cable_m: Metres | None = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("network.degree", self.degree, MIN_DEGREE, MAX_DEGREE)
        check_int("network.lift", self.lift, 1, MAX_TABLE_SWITCHES // (self.degree + 1))
        check_int("network.seed", self.seed, 0)

    @property
    def switches(self) -> int:
        """Number of switches, (d + 1) k."""
        return (self.degree + 1) * self.lift

    @property
    def size_label(self) -> str:
        """Groups, switches of each, and seed."""
        return f"{self.degree + 1}x{self.lift}, seed {self.seed}"

    def topology(self) -> Topology:
        """Return the switches and their cables; the ports of a switch are in the order of the other groups."""
        return graph(random_lift_edges(self.degree, self.lift, self.seed), self.switches)

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield, of the networks that use all ports, those with the fewest switches for their nodes per switch.

        Examples
        --------
        >>> [(each.lift, each.degree, each.nodes_per_switch) for each in Xpander.fitting(nodes=30, ports=7)]
        [(2, 3, 4), (2, 4, 3), (3, 5, 2), (5, 6, 1)]
        """
        degrees = ((per_switch, ports - per_switch) for per_switch in range(1, ports - MIN_DEGREE + 1))
        sizes = (
            (per_switch, degree, max(1, -(-nodes // (per_switch * (degree + 1)))))
            for per_switch, degree in degrees
            if degree <= MAX_DEGREE and per_switch <= MAX_NODES_PER_SWITCH
        )
        members = (
            cls(degree=degree, lift=lift, nodes_per_switch=per_switch)
            for per_switch, degree, lift in sizes
            if lift <= MAX_TABLE_SWITCHES // (degree + 1)
        )
        yield from without_covered(members, ports, lambda member: member.switches)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield the lifts from the smallest to its double whose `throughput_bound` suffices, by their costs.

        A larger lift is another random graph, with which a degree may suffice that the smallest one lacks.

        Examples
        --------
        >>> members = Xpander.candidates(nodes=60, ports=16, throughput=Fraction(1, 2), links=1)
        >>> [(each.lift, each.degree, each.nodes_per_switch) for each in members][:2]
        [(1, 5, 10), (1, 6, 9)]
        """
        for lift, degree, per_switch in cheapest_first(cls._sufficient(nodes, ports, throughput, links), costs):
            yield cls(degree=degree, lift=lift, nodes_per_switch=per_switch)

    @classmethod
    @kept
    def _sufficient(
        cls, nodes: int, ports: int, throughput: Fraction, links: int
    ) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
        """Yield switches, cables, and lift, degree and nodes per switch of all networks that may suffice."""
        for degree in range(MIN_DEGREE, min(ports - links, MAX_DEGREE) + 1):
            for least, per_switch in units_and_places(nodes, degree + 1, ports - degree, links):
                most = 2 * least if least * (degree + 1) <= MAX_FREE_SWITCHES else least + 1
                for lift in range(least, most + 1):
                    switches = lift * (degree + 1)
                    needed = throughput * per_switch * least_hops(switches, degree)
                    if switches <= MAX_TABLE_SWITCHES and switches * degree >= needed:
                        yield switches, switches * degree // 2, (lift, degree, per_switch)
