"""Two-level fat-trees."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Self

from ..checks import MAX_NODES_PER_SWITCH, Metres, check_int
from ..family_kinds.minimal_sizes import without_covered
from ..family_kinds.tree import TreeFamily
from ..family_kinds.tree_sizes import (
    MAX_CABLES,
    Size,
    two_level_sizes,
    uplinks_for_taper,
    uplinks_for_throughput,
)
from ..record_fields import ABSENT_IN_OLD_RECORDS
from ..routing.trees.up_choices import DEFAULT_SEED
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies.xgft import Shape


@dataclass(frozen=True, kw_only=True)
class LeafSpine(TreeFamily):
    """A two-level fat-tree: K cables from each leaf to each spine.

    Its taper is the ratio of uplinks to nodes of a leaf: 1 at full bisection, 0.5 with half as many uplinks.

    Parameters
    ----------
    nodes_per_leaf
        Nodes at every leaf.
    assumed_cable_m, node_cable_m
        Lengths of the cables between switches, and between a node and its leaf, in metres. If `assumed_cable_m` is
        None, cables between switches have lengths from the layout.
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

    nodes_per_leaf: int = 4
    assumed_cable_m: Metres | None = 5.0
    node_cable_m: Metres = 2.0
    leaf_switches: int = 8
    spine_switches: int = 4
    routing: str = field(default="d_mod_k", metadata=ABSENT_IN_OLD_RECORDS)
    seed: int = field(default=DEFAULT_SEED, metadata=ABSENT_IN_OLD_RECORDS)
    cables_per_pair: int = field(default=1, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        check_int("network.nodes_per_leaf", self.nodes_per_leaf, 1, MAX_NODES_PER_SWITCH)
        check_int("network.leaf_switches", self.leaf_switches, 2, MAX_CABLES)
        check_int("network.spine_switches", self.spine_switches, 1, MAX_CABLES)
        max_cables = MAX_CABLES // max(self.leaf_switches, self.spine_switches)
        check_int("network.cables_per_pair", self.cables_per_pair, 1, max_cables)
        self.check_fields()

    @property
    def tree(self) -> Shape:
        """Children, parents and parallel cables as in `xgft`."""
        return (self.nodes_per_leaf, self.leaf_switches), (1, self.spine_switches), (1, self.cables_per_pair)

    @property
    def size_label(self) -> str:
        """Leaves and spines, and the number of parallel cables if there are several."""
        parallel = "" if self.cables_per_pair == 1 else f", {self.cables_per_pair} cables per pair"
        return f"{self.leaf_switches}+{self.spine_switches}{parallel}"

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the trees of full bisection with a spine for each node at a leaf, of the fewest leaves.

        Examples
        --------
        >>> [(each.leaf_switches, each.spine_switches) for each in LeafSpine.fitting(nodes=500, ports=36)]
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
        >>> [(each.leaf_switches, each.spine_switches, each.cables_per_pair) for each in members]
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
        >>> [(each.leaf_switches, each.spine_switches, each.cables_per_pair) for each in members][:3]
        [(6, 5, 1), (10, 3, 1), (15, 2, 1)]
        """
        sizes = two_level_sizes(nodes, ports, links, uplinks_for_throughput(throughput))
        yield from map(cls._of, sorted(sizes, key=lambda size: (costs.of(*size[:2]), size)))

    @classmethod
    def of_tree(cls, shape: Shape) -> Self | None:
        """Return the tree of a shape, if it has two levels.

        Examples
        --------
        >>> LeafSpine.of_tree(((6, 8), (1, 4), (1, 1))).title
        'leaf_spine 8+4'
        """
        return cls._of((0, 0, shape)) if len(shape[0]) == 2 else None

    @classmethod
    def _of(cls, size: Size) -> Self:
        """Return the tree of a size."""
        _, _, ((at_leaf, leaves), (_, spines), (_, cables)) = size
        return cls(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=at_leaf, cables_per_pair=cables)
