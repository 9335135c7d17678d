"""Slim Fly: networks of diameter 2 on the graphs of McKay, Miller and Širáň."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..checks import Metres
from ..family_kinds.minimal_sizes import minimal_sizes
from ..family_kinds.routed import RoutedFamily, detours_over_switches
from ..mathematics.finite_field import check_prime_power, finite_field, prime_power
from ..planes.topology import Topology
from ..topologies import graph

MAX_Q = 89  # 15,842 switches: a table of all pairs has at most 16,384 rows


@dataclass(frozen=True, kw_only=True)
class SlimFly(RoutedFamily):
    """Two halves of q² switches, each in q groups of q; further parameters as in `UniformFamily`.

    Switch (0, x, y) has id x q + y, switch (1, m, c) id q² + m q + c, with x, y, m, c in the field with q elements. For
    q = 4w + δ with δ in {-1, 0, 1} and sets X, X' of powers of a primitive element, the neighbours are: (0, x, y) and
    (0, x, y') if y - y' is in X; (1, m, c) and (1, m, c') if c - c' is in X'; (0, x, y) and (1, m, c) if y = m x + c.
    There are 2 q² switches of degree (3q - δ) / 2, and the diameter is 2.

    Parameters
    ----------
    q
        A prime power from 3 on, at most 89.
    routing
        A routing for any topology, as in `Graph`.

    References
    ----------
    Besta and Hoefler, Slim Fly: A Cost Effective Low-Diameter Network Topology, 2014. McKay, Miller and Širáň, A Note
    on Large Graphs of Diameter Two and Given Maximum Degree, 1998; Hafner, Geometric realisation of the graphs of
    McKay-Miller-Širáň, 2004, for q = 4w.

    Examples
    --------
    >>> slim_fly = SlimFly(q=5, nodes_per_switch=4)
    >>> slim_fly.switches, slim_fly.degree, slim_fly.nodes
    (50, 7, 200)
    """

    name: ClassVar[str] = "slim_fly"
    few_hops: ClassVar[bool] = True

    q: int = 5
    routing: str = "hop_classes"
    assumed_cable_m: Metres | None = 5.0
    nodes_per_switch: int = 4
    node_cable_m: Metres | None = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_prime_power("network.q", self.q, 3, MAX_Q)

    @property
    def _delta(self) -> int:
        return {0: 0, 1: 1, 3: -1}[self.q % 4]

    @property
    def switches(self) -> int:
        """Number of switches, 2 q²."""
        return 2 * self.q**2

    @property
    def degree(self) -> int:
        """Cables of every switch, (3q - δ) / 2."""
        return (3 * self.q - self._delta) // 2

    @property
    def size_label(self) -> str:
        """The order q of the field."""
        return f"q={self.q}"

    def edges(self) -> NDArray[np.int64]:
        """Return the cables: those within the groups of both halves, then those between the halves."""
        q, (add, multiply, powers) = self.q, finite_field(self.q)
        # 0 is the least element, and occurs once in each row of sums: where x + y = 0.
        difference = add[np.arange(q)[:, None], np.argmin(add, axis=1)]
        within = []
        for half, connections in enumerate(self._connection_sets(powers)):
            # Closed under negation, so that one half of the matrix has every cable once.
            first, second = np.nonzero(np.triu(np.isin(difference, connections), 1))
            group = np.arange(q)[:, None] * q + half * q**2
            within.append(np.stack([(group + first).ravel(), (group + second).ravel()], axis=1))
        x, m, c = (column.ravel() for column in np.meshgrid(*[np.arange(q)] * 3, indexing="ij"))
        between = np.stack([x * q + add[multiply[m, x], c], q**2 + m * q + c], axis=1)
        return np.concatenate([*within, between])

    def _connection_sets(self, powers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return X and X': differences within the groups of the two halves, closed under negation."""
        q, w = self.q, (self.q - self._delta) // 4
        if self._delta >= 0:
            even, odd = np.arange(0, q - 1, 2), np.arange(1, q, 2)
        else:
            # -1 = ξ^(2w - 1) is an odd power here: each set has some powers and, 2w - 1 further on, their negatives.
            even = np.concatenate([np.arange(0, 2 * w - 1, 2), np.arange(2 * w - 1, 4 * w - 2, 2)])
            odd = np.concatenate([np.arange(1, 2 * w, 2), np.arange(2 * w, 4 * w - 1, 2)])
        return powers[even % (q - 1)], powers[odd % (q - 1)]

    def topology(self) -> Topology:
        """Return the switches and their cables; the ports of a switch are in the order of `edges`."""
        return graph(self.edges(), self.switches)

    detours = detours_over_switches

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the prime powers with the minimum number of nodes per switch.

        Examples
        --------
        >>> [(each.q, each.nodes_per_switch) for each in SlimFly.fitting(nodes=1500, ports=24)]
        [(8, 12), (9, 10), (11, 7), (13, 5)]
        """
        sizes = ((q, 2 * q**2) for q in range(3, MAX_Q + 1) if prime_power(q) and q % 4 != 2)
        return minimal_sizes(sizes, nodes, ports, lambda q, per_switch: cls(q=q, nodes_per_switch=per_switch))
