"""Recursive diagonal tori with vector routing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Self

import numpy as np

from ..family_kinds.minimal_sizes import minimal_sizes
from ..family_kinds.routed import GridFamily
from ..family_kinds.uniform import NODE_CABLE_M, last_topology
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..record_fields import absent_as
from ..routing import turn_classes, vector_routing
from ..topologies import rdt
from ..topologies.rdt import ALPHA, MAX_SIDE, check_side, rank_ports, ranks_of_tile


@dataclass(frozen=True, kw_only=True)
class RecursiveDiagonalTorus(GridFamily):
    """RDT(2, R, 1): a square torus with links of one upper rank at each switch.

    Further parameters as in `UniformFamily`.

    Parameters
    ----------
    side
        Side of the base torus, a multiple of 4.
    tile
        Upper rank of the switches at (x mod 4, y mod 4), one word per x, as in `topologies.rdt`.
    routing
        ``vector``: decomposes the offset into link vectors, rank by rank; ``turn_classes``: the same routes, on which
        packets change the class of virtual channels at turns, so that no deadlock is possible; or a routing for any
        topology, as in `Graph`. Records without it have ``vector``.

    References
    ----------
    Yang, Amano, Shibamura and Sueyoshi, Recursive Diagonal Torus, 1993.

    Examples
    --------
    >>> RecursiveDiagonalTorus(side=128).cables
    61440
    """

    name: ClassVar[str] = "rdt"

    side: int = 8
    tile: str = ALPHA
    routing: str = field(default="turn_classes", metadata=absent_as("vector"))

    def __post_init__(self) -> None:
        super().__post_init__()
        check_side(self.side, "network.side")
        ranks_of_tile(self.tile, "network.tile")

    @property
    def _upper_links(self) -> dict[int, int]:
        """Number of upper links per switch, by upper rank."""
        ranks = map(int, np.unique(ranks_of_tile(self.tile)))
        return {rank: len(set(rank_ports(self.side, rank)) - {-1}) for rank in ranks}

    @property
    def degree(self) -> int:
        """Maximum degree: the four links of the base torus, and the most upper links of any rank."""
        return 4 + max(self._upper_links.values())

    @property
    def cables(self) -> int:
        """Number of cables: half of the used ports of all switches; the tile determines their ranks."""
        tiles, ranks = (self.side // 4) ** 2, ranks_of_tile(self.tile)
        upper = sum(int((ranks == rank).sum()) * links for rank, links in self._upper_links.items())
        return tiles * (16 * 4 + upper) // 2

    @property
    def grid(self) -> tuple[int, ...]:
        """Shape of the base torus."""
        return (self.side, self.side)

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return rdt(self.side, self.tile)

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routings of the family."""
        return {
            "turn_classes": lambda: turn_classes(last_topology(self), vector_routing(self.side, self.tile)),
            "vector": lambda: vector_routing(self.side, self.tile),
        }

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield an indirect network per side; direct ones are left out, because their nodes use no ports of a switch.

        Examples
        --------
        >>> [(rdt.side, rdt.nodes_per_switch) for rdt in RecursiveDiagonalTorus.fitting(nodes=200, ports=10)]
        [(12, 2), (16, 1)]
        """
        sides = ((side, side**2) for side in range(4, MAX_SIDE + 1, 4))
        return minimal_sizes(
            sides, nodes, ports, lambda side, n: cls(side=side, nodes_per_switch=n, node_cable_m=NODE_CABLE_M)
        )
