"""Extended generalised fat-trees."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar, Self

from ..checks import MAX_NODES_PER_SWITCH, Metres, check_cables_per_pair, check_int
from ..errors import InputError
from ..family_kinds.minimal_sizes import without_covered
from ..family_kinds.tree import TreeFamily
from ..family_kinds.tree_sizes import (
    MAX_CABLES,
    MAX_LEVELS,
    MAX_TREE_NODES,
    MAX_TREE_SWITCHES,
    cheapest_by_leaf,
    cheapest_trees,
    uplinks_for_taper,
    uplinks_for_throughput,
)
from ..record_fields import ABSENT_IN_OLD_RECORDS
from ..routing.trees.up_choices import DEFAULT_SEED
from ..routing.trees.xgft_routes import table_entries
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies.xgft import Shape

MAX_TABLE_ENTRIES = 1 << 28


@dataclass(frozen=True)
class ExtendedFatTree(TreeFamily):
    """XGFT(h; m₁, ..., m_h; w₁, ..., w_h): trees of any number of levels and any taper, with w_l parents per vertex.

    Vertices of level l, from 0 (nodes) to h (roots), have m_l children and w_{l+1} parents. There are m₁ ... m_h nodes,
    and w₁ ... w_l m_{l+1} ... m_h switches at level l. A switch of level l has p_{l+1} parallel cables to each parent;
    trees with more than one are parallel-port trees, PGFT(h; m; w; p). Each level has full bisection if
    w_{l+1} p_{l+1} = m_l p_l, and is tapered if it has fewer uplinks. `FatTree` is XGFT(3; k/2, k/2, k; 1, k/2, k/2),
    and `LeafSpine` is XGFT(2; n, L; 1, S). Packets go up to a common ancestor and down; such routes are free of
    deadlock.

    Parameters
    ----------
    children
        m: the nodes of a switch of level 1, and the children of a switch of each level above; at least 2 of a root.
    parents
        w: 1, since a node has one link, and the parents of a switch of every level but the last.
    routing
        Uplinks by the destination node d: ``d_mod_k``, ⌊d / w₁ ... w_l⌋ mod w_{l+1} at level l; or ``random``, the same
        for a hash of d, so that routes to each node meet at a random root. Parallel cables are taken by the quotient,
        modulo their number (`xgft_routes`).
    seed
        Seed of the hash.
    assumed_cable_m
        Length of all cables between switches, in metres; None if lengths follow from the layout.
    node_cable_m
        Length of the cable between a node and its switch.
    cables_per_pair
        Parallel cables p between a switch and each of its parents: one number, or one for each level of switches but
        the last.

    References
    ----------
    Öhring, Ibel, Das and Kumar, On Generalized Fat Trees, 1995. Zahavi, D-Mod-K Routing Providing Non-Blocking Traffic
    for Shift Permutations on Real Life Fat Trees, 2010. Rodriguez et al., Oblivious Routing Schemes in Extended
    Generalized Fat Tree Networks, 2009.

    Examples
    --------
    >>> tree = ExtendedFatTree(children=(16, 8, 8), parents=(1, 8, 4))  # half of the uplinks at levels 1 and 2
    >>> tree.nodes, tree.switches_by_level, tree.ports, tree.cables
    (1024, (64, 64, 32), 24, 768)
    >>> trunks = ExtendedFatTree(children=(16, 16, 4), parents=(1, 16, 2), cables_per_pair=(1, 8))
    >>> trunks.nodes, trunks.switches_by_level, trunks.ports
    (1024, (64, 64, 32), 32)
    """

    name: ClassVar[str] = "xgft"

    children: tuple[int, ...] = (4, 4, 8)
    parents: tuple[int, ...] = (1, 4, 4)
    routing: str = "d_mod_k"
    seed: int = DEFAULT_SEED
    assumed_cable_m: Metres | None = 5.0
    node_cable_m: Metres = 2.0
    cables_per_pair: int | tuple[int, ...] = field(default=1, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        self._check_lists()
        self._check_cables()
        for name, value, limit in (
            ("nodes", self.nodes, MAX_TREE_NODES),
            ("switches", self.switches, MAX_TREE_SWITCHES),
            ("entries of the routing table", table_entries(self.children), MAX_TABLE_ENTRIES),
        ):
            if value > limit:
                raise InputError(f"network={self.title}: {value} {name}; expected at most {limit}")
        self.check_fields()

    def _check_lists(self) -> None:
        for name, values in (("children", self.children), ("parents", self.parents)):
            if not isinstance(values, tuple) or not 2 <= len(values) <= MAX_LEVELS:
                raise InputError(f"network.{name}={values!r}: expected a list of 2 to {MAX_LEVELS} levels")
        if len(self.children) != len(self.parents):
            raise InputError(
                f"network.parents={list(self.parents)}: {len(self.parents)} levels; expected {len(self.children)}, as "
                "in network.children"
            )
        for i, (below, above) in enumerate(zip(self.children, self.parents, strict=True)):
            lowest, highest = 1 + (i == self.levels - 1), MAX_CABLES if i else MAX_NODES_PER_SWITCH
            check_int(f"network.children[{i}]", below, lowest, highest)
            check_int(f"network.parents[{i}]", above, 1, MAX_CABLES)
        if self.parents[0] != 1:
            raise InputError(f"network.parents[0]={self.parents[0]}: expected 1, as every node has one link")

    def _check_cables(self) -> None:
        cables = check_cables_per_pair(self.cables_per_pair, self.levels - 1, "level but the last", MAX_CABLES)
        object.__setattr__(self, "cables_per_pair", cables)
        for level, (below, above, parallel) in enumerate(
            zip(self.children[1:], self.parents[1:], self.parallel_cables[1:], strict=True), 1
        ):
            if max(below, above) * parallel > MAX_CABLES:
                raise InputError(
                    f"network.cables_per_pair={cables}: {max(below, above) * parallel} cables of a switch between "
                    f"levels {level} and {level + 1}; expected at most {MAX_CABLES}"
                )

    @property
    def parallel_cables(self) -> tuple[int, ...]:
        """Parallel cables to each parent of a node, 1, and of a switch of every level but the last, p."""
        cables = self.cables_per_pair
        return (1, *(cables if isinstance(cables, tuple) else (cables,) * (self.levels - 1)))

    @property
    def tree(self) -> Shape:
        """Children, parents and parallel cables of all levels."""
        return self.children, self.parents, self.parallel_cables

    @property
    def levels(self) -> int:
        """Number of levels of switches, h."""
        return len(self.children)

    @property
    def size_label(self) -> str:
        """Levels; from the lowest up children of a switch; parents of those; parallel cables if there are any."""
        lists = [self.children, self.parents]
        if self.cables_per_pair != 1:
            lists.append(self.parallel_cables)
        return f"({self.levels}; {'; '.join(','.join(map(str, numbers)) for numbers in lists)})"

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the three-level trees of full bisection whose lower two levels are alike, of the fewest pods.

        With n nodes at each switch of level 1 and p pods of n + n switches, these are XGFT(3; n, n, p; 1, n, n).

        Examples
        --------
        >>> [tree.size_label for tree in ExtendedFatTree.fitting(nodes=1000, ports=20)]
        ['(3; 10,10,10; 1,10,10)', '(3; 9,9,13; 1,9,9)', '(3; 8,8,16; 1,8,8)']
        """
        sizes = ((down, max(2, -(-nodes // down**2))) for down in range(1, min(ports // 2, MAX_CABLES) + 1))
        trees = (
            cls(children=(down, down, pods), parents=(1, down, down))
            for down, pods in sizes
            if pods <= min(ports, MAX_CABLES) and down**2 * pods <= MAX_TREE_NODES
        )
        yield from without_covered(trees, ports, lambda tree: tree.children[2])

    @classmethod
    def tapered(cls, nodes: int, ports: int, taper: Fraction) -> Iterator[Self]:
        """Yield three-level trees with `taper` as many uplinks as nodes at level 1, rounded up, of the fewest pods.

        The level above has full bisection. For each number of nodes at a switch, they are those with the fewest
        switches and those with the fewest cables.

        Examples
        --------
        >>> [tree.size_label for tree in ExtendedFatTree.tapered(1000, 20, Fraction(1, 2))][:2]
        ['(3; 12,5,17; 1,3,10; 1,2,1)', '(3; 13,10,8; 1,7,5; 1,1,2)']
        """
        for children, parents, cables in cheapest_by_leaf(nodes, ports, uplinks_for_taper(taper)):
            yield cls(children=children, parents=parents, cables_per_pair=cables[1:])

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield the trees of two and of three levels whose `throughput_bound` suffices, by their costs.

        They have any numbers of nodes, switches and parallel cables (`cheapest_trees`).

        Examples
        --------
        >>> members = ExtendedFatTree.candidates(nodes=1000, ports=20, throughput=Fraction(1, 2), links=1)
        >>> [(tree.size_label, tree.cables) for tree in members][:2]
        [('(3; 10,10,10; 1,5,5; 1,1,2)', 1000), ('(3; 10,10,10; 1,5,10)', 1000)]
        """
        rule = uplinks_for_throughput(throughput)
        for children, parents, cables in cheapest_trees(nodes, ports, links, rule, costs):
            yield cls(children=children, parents=parents, cables_per_pair=cables[1:])

    @classmethod
    def of_tree(cls, shape: Shape) -> Self:
        """Return the tree of a shape."""
        children, parents, cables = shape
        return cls(children=children, parents=parents, cables_per_pair=cables[1:])
