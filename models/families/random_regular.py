"""Random regular graphs of switches."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from ..checks import Metres, check_int
from ..errors import InputError
from ..family_kinds.minimal_sizes import cheapest_first, minimal_sizes, units_and_places
from ..family_kinds.routed import RoutedFamily
from ..family_kinds.sized import kept
from ..family_kinds.uniform import sufficient_degrees
from ..mathematics.random_graphs import MIN_DEGREE, random_regular_edges
from ..planes.routes import MAX_TABLE_SWITCHES
from ..planes.topology import Topology
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies import graph

MAX_DEGREE = 512
MAX_FREE_SWITCHES = 1024  # with more, only the fewest switches and one more are tried


@dataclass(frozen=True, kw_only=True)
class RandomRegular(RoutedFamily):
    """A random graph of switches with equally many cables (Jellyfish); further parameters as in `UniformFamily`.

    The graph is connected, and has at most one cable between two switches (`random_regular_edges`). In a graph of S
    switches of degree r, at most r (r - 1)^(i - 1) switches are at distance i from a switch. The mean distance from the
    S - 1 others is least if there are as many at each distance as possible; random graphs come close to that.

    Parameters
    ----------
    switches
        Number of switches, S, from 4 on.
    degree
        Cables of every switch, r, from 3 to S - 1; even if S is odd.
    seed
        Seed of the graph.
    routing
        A routing for any topology, as in `Graph`.

    References
    ----------
    Singla, Hong, Popa and Godfrey, Jellyfish: Networking Data Centers Randomly, 2012. Cerf, Cowan, Mullin and Stanton,
    A Lower Bound on the Average Shortest Path Length in Regular Graphs, 1974.

    Examples
    --------
    >>> network = RandomRegular(switches=64, degree=7, nodes_per_switch=3)
    >>> network.cables, network.nodes, network.ports
    (224, 192, 10)
    """

    name: ClassVar[str] = "random_regular"

    switches: int = 64
    degree: int = 7
    seed: int = 1
    routing: str = "balanced"
    assumed_cable_m: Metres | None = 5.0
    nodes_per_switch: int = 3
    node_cable_m: Metres | None = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("network.switches", self.switches, MIN_DEGREE + 1, MAX_TABLE_SWITCHES)
        check_int("network.degree", self.degree, MIN_DEGREE, min(self.switches - 1, MAX_DEGREE))
        if self.switches * self.degree % 2:
            raise InputError(f"network.degree={self.degree}: expected an even number for {self.switches} switches")
        check_int("network.seed", self.seed, 0)

    @property
    def size_label(self) -> str:
        """Switches, cables of each to others, and seed."""
        return f"{self.switches}x{self.degree}, seed {self.seed}"

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return graph(random_regular_edges(self.switches, self.degree, self.seed), self.switches)

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the fewest switches for each number of nodes per switch, with cables at all other ports if possible.

        Examples
        --------
        >>> [(each.switches, each.degree, each.nodes_per_switch) for each in RandomRegular.fitting(nodes=30, ports=7)]
        [(8, 3, 4), (10, 4, 3), (15, 4, 2), (30, 6, 1)]
        """
        sizes = range(MIN_DEGREE + 1, min(max(nodes, MIN_DEGREE) + 1, MAX_TABLE_SWITCHES) + 1)
        return minimal_sizes(
            ((size, size) for size in sizes), nodes, ports, lambda size, each: cls._of_largest_degree(size, each, ports)
        )

    @classmethod
    def _of_largest_degree(cls, switches: int, per_switch: int, ports: int) -> Self:
        """Return the network with the largest degree within the ports; that of the least degree if there is none."""
        degree = min(ports - per_switch, switches - 1, MAX_DEGREE)
        # An odd number of switches needs an even degree: the ends of cables come in pairs.
        degree = max(degree - switches * degree % 2, MIN_DEGREE + switches % 2)
        return cls(switches=switches, degree=degree, nodes_per_switch=per_switch)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield, for each number of nodes per switch, the fewest switches, and more, of degrees that may suffice.

        A degree may suffice if `throughput_bound` does. A few switches more cost less than a degree more, and are
        another random graph; one more allows odd degrees if the fewest are odd.

        Examples
        --------
        >>> members = RandomRegular.candidates(nodes=60, ports=16, throughput=Fraction(1, 2), links=1)
        >>> [(each.switches, each.degree, each.nodes_per_switch) for each in members][:3]
        [(6, 5, 10), (8, 5, 8), (7, 6, 9)]
        """
        sizes = cls._sufficient(nodes, ports, throughput, links)
        for switches, degree, per_switch in cheapest_first(sizes, costs):
            yield cls(switches=switches, degree=degree, nodes_per_switch=per_switch)

    @classmethod
    @kept
    def _sufficient(
        cls, nodes: int, ports: int, throughput: Fraction, links: int
    ) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
        """Yield switches, cables, and switches, degree and nodes per switch of all networks that may suffice."""
        for least, per_switch in units_and_places(nodes, 1, ports - MIN_DEGREE, links):
            step = 1 + least % 2  # between the degrees of the fewest switches
            for more in range(1 + (step * least // MIN_DEGREE if least <= MAX_FREE_SWITCHES else 1)):
                switches, cheaper = least + more, step * least // more if more > 1 else MAX_DEGREE
                most = min(ports - per_switch, switches - 1, MAX_DEGREE, cheaper)
                degrees = sufficient_degrees(range(MIN_DEGREE, most + 1), switches, per_switch, throughput)
                if switches > MAX_TABLE_SWITCHES or (not degrees and more > 1):
                    break  # more switches have longer paths, and may have fewer cables each
                for degree in degrees:
                    if switches * degree % 2 == 0:
                        yield switches, switches * degree // 2, (switches, degree, per_switch)
