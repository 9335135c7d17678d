"""Two-level fat-trees."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import MAX_NODES_PER_SWITCH, check_int
from ..exchanges.all_to_all import ExchangeOrder
from ..exchanges.contention_free.aligned_shift import aligned_shift
from ..family_kinds.leaf_spine import LeafSpineFamily
from ..family_kinds.minimal_sizes import without_covered
from ..family_kinds.tree_sizes import MAX_CABLES, Size, two_level_sizes, uplinks_for_taper, uplinks_for_throughput
from ..planes.routes import Routes
from ..record_fields import ABSENT_IN_OLD_RECORDS
from ..routing import check_up_routing, require_d_mod_k, up_choices, xgft_heaviest_load, xgft_routes
from ..routing.trees.up_choices import DEFAULT_SEED
from ..site.part_costs import BY_CABLES, PartCosts


@dataclass(frozen=True, kw_only=True)
class LeafSpine(LeafSpineFamily):
    """A two-level fat-tree: K cables from each leaf to each spine; further parameters as in `LeafSpineFamily`.

    Its taper is the ratio of uplinks to nodes of a leaf: 1 at full bisection, 0.5 with half as many uplinks.

    Parameters
    ----------
    leaf_switches, spine_switches
        Number of leaves, at least 2, and of spines.
    routing
        ``d_mod_k``: packets to node d go up to spine d mod S of S, and use cable ⌊d / S⌋ mod K up and down
        (`xgft_routes`); ``random``: the same for a hash of d.
    seed
        Seed of the hash.
    cables_per_pair
        Parallel cables K between a leaf and a spine.

    References
    ----------
    Leiserson, Fat-Trees: Universal Networks for Hardware-Efficient Supercomputing, 1985. Shimizu and Nakajima, on
    switch-saving topologies, section 2: with 2d-port switches, 2 d² nodes and 3 d switches.

    Examples
    --------
    >>> tree = LeafSpine(leaf_switches=8, spine_switches=4, nodes_per_leaf=4)
    >>> tree.nodes, tree.switches, tree.ports
    (32, 12, 8)
    >>> trunks = LeafSpine(leaf_switches=4, spine_switches=2, nodes_per_leaf=4, cables_per_pair=2)
    >>> trunks.nodes, trunks.switches, trunks.ports
    (16, 6, 8)
    """

    name: ClassVar[str] = "leaf_spine"

    leaf_switches: int = 8
    spine_switches: int = 4
    routing: str = field(default="d_mod_k", metadata=ABSENT_IN_OLD_RECORDS)
    seed: int = field(default=DEFAULT_SEED, metadata=ABSENT_IN_OLD_RECORDS)
    cables_per_pair: int = field(default=1, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("network.leaf_switches", self.leaf_switches, 2, MAX_CABLES)
        check_int("network.spine_switches", self.spine_switches, 1, MAX_CABLES)
        max_cables = MAX_CABLES // max(self.leaf_switches, self.spine_switches)
        check_int("network.cables_per_pair", self.cables_per_pair, 1, max_cables)
        check_up_routing(self.routing, self.seed)

    @property
    def leaves(self) -> int:
        """Number of leaves."""
        return self.leaf_switches

    @property
    def spines(self) -> int:
        """Number of spines."""
        return self.spine_switches

    @property
    def uplinks(self) -> int:
        """Number of cables from every leaf: `cables_per_pair` to each spine."""
        return self.spine_switches * self.cables_per_pair

    @property
    def size_label(self) -> str:
        """Leaves and spines, and the number of parallel cables if there are several."""
        parallel = "" if self.cables_per_pair == 1 else f", {self.cables_per_pair} cables per pair"
        return f"{self.leaf_switches}+{self.spine_switches}{parallel}"

    @property
    def _tree(self) -> tuple[tuple[int, int], tuple[int, int], tuple[int, int]]:
        """Children, parents and parallel cables as in `xgft`."""
        return (self.nodes_per_leaf, self.leaves), (1, self.spines), (1, self.cables_per_pair)

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput, from `xgft_heaviest_load`.

        With L leaves of p nodes and u uplinks, some link down to a leaf leads to at least ⌈p / u⌉ of its nodes, each
        with packets from (L - 1) p nodes.
        """
        return Fraction(self.nodes, xgft_heaviest_load(*self._tree))

    @property
    def reaches_bound(self) -> bool:
        """Whether routing is D-mod-k, whose busiest link has the load that the bound counts."""
        return self.routing == "d_mod_k"

    def spines_of_leaves(self) -> NDArray[np.int64]:
        """Return the spine of each uplink: uplinks K s to K s + K - 1 lead to spine s."""
        return np.tile(np.arange(self.spine_switches).repeat(self.cables_per_pair), (self.leaf_switches, 1))

    def routes(self) -> Routes:
        """Return the routes."""
        children, parents, cables = self._tree
        return xgft_routes(children, parents, up_choices(self.routing, self.nodes, self.seed), cables)

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return the shift order, of all nodes or a job on some leaves; see `aligned_shift`. Only with D-mod-k."""
        require_d_mod_k(self.routing)
        children, parents, cables = self._tree
        return aligned_shift(children, parents, nodes, cables)

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the trees of full bisection with a spine for each node at a leaf, of the fewest leaves.

        Examples
        --------
        >>> [(each.leaves, each.spines) for each in LeafSpine.fitting(nodes=500, ports=36)]
        [(28, 18), (30, 17), (32, 16), (34, 15), (36, 14)]
        """
        sizes = ((leaves, max(1, -(-nodes // leaves))) for leaves in range(2, min(ports, MAX_CABLES) + 1))
        trees = (
            cls(leaf_switches=leaves, spine_switches=per_leaf, nodes_per_leaf=per_leaf)
            for leaves, per_leaf in sizes
            if per_leaf <= min(MAX_CABLES, MAX_NODES_PER_SWITCH)
        )
        yield from without_covered(trees, ports, lambda member: member.nodes_per_leaf)

    @classmethod
    def tapered(cls, nodes: int, ports: int, taper: Fraction) -> Iterator[Self]:
        """Yield the trees with `taper` as many uplinks as nodes at a leaf, rounded up, of all numbers of spines.

        For each number of leaves they have the fewest nodes, and for each number of spines the fewest parallel cables.

        Examples
        --------
        >>> members = LeafSpine.tapered(800, 36, Fraction(1, 2))
        >>> [(each.leaves, each.spines, each.cables_per_pair) for each in members]
        [(34, 12, 1), (35, 12, 1), (36, 12, 1)]
        """
        sizes = two_level_sizes(nodes, ports, 1, uplinks_for_taper(taper))
        yield from map(cls._of, sorted(sizes))

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield the trees of all numbers of leaves and of spines with the fewest nodes and cables that suffice.

        They suffice if `throughput_bound` does.

        Examples
        --------
        >>> members = LeafSpine.candidates(nodes=60, ports=16, throughput=Fraction(1, 2), links=1)
        >>> [(each.leaves, each.spines, each.cables_per_pair) for each in members][:3]
        [(6, 5, 1), (10, 3, 1), (15, 2, 1)]
        """
        sizes = two_level_sizes(nodes, ports, links, uplinks_for_throughput(throughput))
        yield from map(cls._of, sorted(sizes, key=lambda size: (costs.of(*size[:2]), size)))

    @classmethod
    def _of(cls, size: Size) -> Self:
        """Return the tree of a size."""
        _, _, ((at_leaf, leaves), (_, spines), (_, cables)) = size
        return cls(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=at_leaf, cables_per_pair=cables)
