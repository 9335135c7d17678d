"""PolarFly: networks of diameter 2 on the polarity graphs of Erdős and Rényi."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..checks import Metres
from ..family_kinds.minimal_sizes import minimal_sizes
from ..family_kinds.routed import RoutedFamily, detours_over_switches
from ..mathematics.difference_set import difference_set
from ..mathematics.finite_field import check_prime_power, prime_power
from ..planes.topology import Topology
from ..topologies import graph

MAX_Q = 127  # 16,257 switches: a table of all pairs has at most 16,384 rows


@dataclass(frozen=True, kw_only=True)
class PolarFly(RoutedFamily):
    """The points of the projective plane over the field with q elements; further parameters as in `UniformFamily`.

    Switches are residues modulo v = q² + q + 1. Switches i and j are neighbours if i + j is in Singer's difference set:
    so each is mapped to a line, and to each line that contains it belongs a neighbour (a polarity). The q + 1 switches
    on their own line, the quadrics, have degree q, the others q + 1. The diameter is 2: as i - j is the difference of
    two elements d - d' of the set, k = d - i = d' - j is a neighbour of both.

    Parameters
    ----------
    q
        A prime power from 2 on, at most 127.
    routing
        A routing for any topology, as in `Graph`.

    References
    ----------
    Lakhotia et al., PolarFly: A Cost-Effective and Flexible Low-Diameter Topology, 2022. Erdős and Rényi, On a problem
    in the theory of graphs, 1962; Brown, On graphs that do not contain a Thomsen graph, 1966.

    Examples
    --------
    >>> polar_fly = PolarFly(q=7, nodes_per_switch=4)
    >>> polar_fly.switches, polar_fly.degree, polar_fly.cables
    (57, 8, 224)
    """

    name: ClassVar[str] = "polar_fly"
    few_hops: ClassVar[bool] = True

    q: int = 7
    routing: str = "hop_classes"
    assumed_cable_m: Metres | None = 5.0
    nodes_per_switch: int = 4
    node_cable_m: Metres | None = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_prime_power("network.q", self.q, 2, MAX_Q)

    @property
    def switches(self) -> int:
        """Number of switches, q² + q + 1."""
        return self.q**2 + self.q + 1

    @property
    def degree(self) -> int:
        """Maximum degree, q + 1."""
        return self.q + 1

    @property
    def cables(self) -> int:
        """Number of cables, q (q + 1)² / 2."""
        return self.q * (self.q + 1) ** 2 // 2

    @property
    def size_label(self) -> str:
        """The order q of the field."""
        return f"q={self.q}"

    def edges(self) -> NDArray[np.int64]:
        """Return the pairs of switches whose sum is in the difference set."""
        switch, total = (
            column.ravel() for column in np.meshgrid(np.arange(self.switches), difference_set(self.q), indexing="ij")
        )
        pairs = np.stack([switch, (total - switch) % self.switches], axis=1)
        # Each cable once, and none of the loops that quadrics would have.
        return pairs[pairs[:, 0] < pairs[:, 1]]

    def topology(self) -> Topology:
        """Return the switches and their cables; the ports of a switch are in the order of `edges`."""
        return graph(self.edges(), self.switches)

    detours = detours_over_switches

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the prime powers with the minimum number of nodes per switch.

        Examples
        --------
        >>> [(each.q, each.nodes_per_switch) for each in PolarFly.fitting(nodes=1500, ports=24)]
        [(11, 12), (13, 9), (16, 6), (17, 5), (19, 4)]
        """
        sizes = ((q, q**2 + q + 1) for q in range(2, MAX_Q + 1) if prime_power(q))
        return minimal_sizes(sizes, nodes, ports, lambda q, per_switch: cls(q=q, nodes_per_switch=per_switch))
