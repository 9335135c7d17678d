"""Latin-square fat-trees, also called orthogonal fat-trees."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import MAX_NODES_PER_SWITCH, check_int
from ..exchanges.all_to_all import ExchangeOrder
from ..exchanges.contention_free import projective_plane_order, whole_blocks
from ..family_kinds.leaf_spine import LeafSpineFamily
from ..family_kinds.minimal_sizes import cheapest_first, multiple_from
from ..mathematics.difference_set import difference_set
from ..mathematics.finite_field import check_prime_power, prime_power
from ..site.part_costs import BY_CABLES, PartCosts

MAX_Q = 64


@dataclass(frozen=True, kw_only=True)
class OrthogonalFatTree(LeafSpineFamily):
    """Leaves and spines as the points and lines of a projective plane; further parameters as in `LeafSpineFamily`.

    There are v = q² + q + 1 points and lines, k = q + 1 points on each line and k lines through each point. Leaf i has
    cables to the spines i + d modulo v, for d in Singer's difference set in ascending order. So two leaves have one
    spine in common. With two sides, a spine of 2k ports has k leaves on each: leaf v + i has cables like leaf i, and
    these two share all of their spines. With k nodes per leaf there are k v nodes and 2v switches with one side, and
    2k v nodes and 3v switches with two.

    Parameters
    ----------
    q
        A prime power, at most 64.
    sides
        1 or 2.

    References
    ----------
    Valerio, Moser and Melliar-Smith, Recursively Scalable Fat-Trees as Interconnection Networks, 1994. Shimizu and
    Nakajima, on switch-saving topologies, section 3. Singer, A theorem in finite projective geometry, 1938.

    Examples
    --------
    >>> tree = OrthogonalFatTree(q=3, sides=2, nodes_per_leaf=4)
    >>> tree.nodes, tree.switches, tree.ports  # 2k³ - 2k² + 2k and 3k² - 3k + 3 with k = 4
    (104, 39, 8)
    """

    name: ClassVar[str] = "oft"

    q: int = 3
    sides: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        check_prime_power("network.q", self.q, 2, MAX_Q)
        check_int("network.sides", self.sides, 1, 2)

    @property
    def spines(self) -> int:
        """Number of spines, q² + q + 1."""
        return self.q**2 + self.q + 1

    @property
    def leaves(self) -> int:
        """Number of leaves: as many as spines on each side."""
        return self.sides * self.spines

    @property
    def uplinks(self) -> int:
        """Number of uplinks of a leaf, q + 1."""
        return self.q + 1

    @property
    def reaches_bound(self) -> bool:
        """Whether routes load all links evenly: only those to the mirror leaf on the other side have a choice of spine.

        They are even if all q + 1 spines lead to as many of its nodes.
        """
        return self.sides == 1 or self.nodes_per_leaf % self.uplinks == 0

    @property
    def size_label(self) -> str:
        """The order q of the field, and the sides of the spines that have leaves."""
        return f"q={self.q}, {'one side' if self.sides == 1 else 'two sides'}"

    def spines_of_leaves(self) -> NDArray[np.int64]:
        """Return the spine of each uplink."""
        point = np.arange(self.leaves)[:, None] % self.spines
        spines: NDArray[np.int64] = (point + np.array(difference_set(self.q))) % self.spines
        return spines

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return `projective_plane_order` of all nodes, or of a job on all nodes of one side."""
        side = self.spines * self.nodes_per_leaf
        used = whole_blocks(nodes, self.nodes, side, "side")
        destination = projective_plane_order(difference_set(self.q), len(used), self.nodes_per_leaf)
        node = np.arange(len(used) * side) + (used[0] * side if len(used) == 1 else 0)
        return ExchangeOrder("contention_free", node.astype(np.int32), destination.astype(np.int32))

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the smallest tree with two sides and q + 1 nodes per leaf, if its switches have enough ports.

        Examples
        --------
        >>> [(each.q, each.nodes) for each in OrthogonalFatTree.fitting(nodes=1500, ports=40)]
        [(9, 1820)]
        """
        orders = (q for q in range(2, min(MAX_Q, ports // 2 - 1) + 1) if prime_power(q))
        trees = (cls(q=q, nodes_per_leaf=q + 1) for q in orders)
        smallest = next((tree for tree in trees if tree.nodes >= nodes), None)
        if smallest is not None:
            yield smallest

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield, for each order and number of sides, the fewest nodes per leaf, if `throughput_bound` suffices.

        Examples
        --------
        >>> members = OrthogonalFatTree.candidates(nodes=1500, ports=40, throughput=Fraction(1, 2), links=1)
        >>> [(each.q, each.sides, each.nodes_per_leaf) for each in members][:3]
        [(9, 1, 17), (7, 2, 14), (8, 2, 11)]
        """
        trees = cls._sufficient(nodes, ports, throughput, links)
        sizes = ((tree.switches, tree.cables, (tree.q, tree.sides, tree.nodes_per_leaf)) for tree in trees)
        for q, sides, per_leaf in cheapest_first(sizes, costs):
            yield cls(q=q, sides=sides, nodes_per_leaf=per_leaf)

    @classmethod
    def _sufficient(cls, nodes: int, ports: int, throughput: Fraction, links: int) -> Iterator[Self]:
        """Yield the trees with the fewest nodes per leaf that suffice."""
        orders = [q for q in range(2, min(MAX_Q, ports - 2) + 1) if prime_power(q)]
        for sides in (1, 2):
            for q in orders:  # ascending, so that nodes per leaf fall
                per_leaf = multiple_from(-(-nodes // (sides * (q**2 + q + 1))), links)
                if per_leaf + q + 1 <= ports and per_leaf <= MAX_NODES_PER_SWITCH:
                    tree = cls(q=q, sides=sides, nodes_per_leaf=per_leaf)
                    bound = tree.throughput_bound
                    if tree.ports <= ports and bound is not None and bound >= throughput:
                        yield tree
                if per_leaf == links <= q:  # larger ones have more leaves of as few nodes
                    break
