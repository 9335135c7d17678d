"""Two-level fat-trees."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import check_int
from ..contention_free.aligned_shift import aligned_shift
from ..exchange_order import ExchangeOrder
from ..family import ABSENT_IN_OLD_RECORDS
from ..leaf_spine_family import LeafSpineFamily
from ..minimal_sizes import multiple_from, without_covered
from ..network import MAX_NODES_PER_SWITCH
from ..routing import check_up_routing, require_d_mod_k, up_choices
from ..routing.up_choices import DEFAULT_SEED

MAX_LEAVES, MAX_SPINES = 1024, 512


@dataclass(frozen=True, kw_only=True)
class LeafSpine(LeafSpineFamily):
    """A two-level fat-tree: a cable from each leaf to each spine; further parameters as in `LeafSpineFamily`.

    Its taper is the ratio of uplinks to nodes of a leaf: 1 at full bisection, 0.5 with half as many spines.

    Parameters
    ----------
    leaf_switches, spine_switches
        Number of leaves, at least 2, and of spines.
    routing
        ``d_mod_k``: packets go up by their destination node modulo the number of spines; ``random``: by a hash of it.
    seed
        Seed of the hash.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Leiserson, Fat-Trees: Universal Networks for Hardware-Efficient Supercomputing, 1985. Shimizu and Nakajima, on
    switch-saving topologies, section 2: with 2d-port switches, 2 d² nodes and 3 d switches.

    Examples
    --------
    >>> tree = LeafSpine(leaf_switches=8, spine_switches=4, nodes_per_leaf=4)
    >>> tree.nodes, tree.switches, tree.ports
    (32, 12, 8)
    """

    name: ClassVar[str] = "leaf_spine"

    leaf_switches: int = 8
    spine_switches: int = 4
    routing: str = field(default="d_mod_k", metadata=ABSENT_IN_OLD_RECORDS)
    seed: int = field(default=DEFAULT_SEED, metadata=ABSENT_IN_OLD_RECORDS)

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("network.leaf_switches", self.leaf_switches, 2, MAX_LEAVES)
        check_int("network.spine_switches", self.spine_switches, 1, MAX_SPINES)
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
        """Number of cables from every leaf: one to each spine."""
        return self.spine_switches

    @property
    def size_label(self) -> str:
        """Leaves and spines."""
        return f"{self.leaf_switches}+{self.spine_switches}"

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput, as all packets to a node pass the same spine.

        With L leaves of p nodes and S spines, some uplink of a leaf leads to at least ⌈(L - 1) p / S⌉ nodes, and some
        link down to it to at least ⌈p / S⌉, each with packets from p or (L - 1) p nodes.
        """
        others = self.nodes - self.nodes_per_leaf
        up = self.nodes_per_leaf * -(-others // self.spine_switches)
        return Fraction(self.nodes, max(up, others * -(-self.nodes_per_leaf // self.spine_switches)))

    def spines_of_leaves(self) -> NDArray[np.int64]:
        """Return the spine of each uplink: uplink k leads to spine k."""
        return np.tile(np.arange(self.spine_switches), (self.leaf_switches, 1))

    def up_choices(self) -> NDArray[np.int64]:
        """Return the number of each destination node that selects its spine."""
        return up_choices(self.routing, self.nodes, self.seed)

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return the shift order, of all nodes or a job on some leaves; see `aligned_shift`. Only with D-mod-k."""
        require_d_mod_k(self.routing)
        return aligned_shift((self.nodes_per_leaf, self.leaves), (1, self.spines), nodes)

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the trees of full bisection, with as many spines as nodes at a leaf, of the fewest leaves.

        Examples
        --------
        >>> [(each.leaves, each.spines) for each in LeafSpine.fitting(nodes=500, ports=36)]
        [(28, 18), (30, 17), (32, 16), (34, 15), (36, 14)]
        """
        yield from cls.tapered(nodes, ports, Fraction(1))

    @classmethod
    def tapered(cls, nodes: int, ports: int, taper: Fraction) -> Iterator[Self]:
        """Yield the trees with `taper` as many spines as nodes at a leaf, rounded up, of the fewest leaves.

        Examples
        --------
        >>> [(each.leaves, each.spines) for each in LeafSpine.tapered(800, 36, Fraction(1, 2))]
        [(34, 12), (35, 12)]
        """
        sizes = ((leaves, max(1, -(-nodes // leaves))) for leaves in range(2, min(ports, MAX_LEAVES) + 1))
        trees = (
            cls(leaf_switches=leaves, spine_switches=ceil(per_leaf * taper), nodes_per_leaf=per_leaf)
            for leaves, per_leaf in sizes
            if per_leaf <= min(MAX_SPINES, MAX_NODES_PER_SWITCH)
        )
        yield from without_covered(trees, ports, lambda member: member.nodes_per_leaf)

    @classmethod
    def candidates(cls, nodes: int, ports: int, throughput: Fraction, links: int) -> Iterator[Self]:
        """Yield, for every number of leaves, the fewest nodes and the fewest spines whose `throughput_bound` suffices.

        Examples
        --------
        >>> half = Fraction(1, 2)
        >>> [(each.leaves, each.spines) for each in LeafSpine.candidates(nodes=60, ports=16, throughput=half, links=1)]
        [(6, 5), (7, 5), (8, 4), (9, 4), (10, 3), (11, 3), (12, 3), (13, 3), (14, 3), (15, 2), (16, 2)]
        """
        for leaves in range(2, min(ports, MAX_LEAVES) + 1):
            per_leaf = multiple_from(-(-nodes // leaves), links)
            down = floor(leaves / throughput / (leaves - 1))  # nodes of a leaf that a spine can serve
            up = floor(leaves / throughput)  # nodes of other leaves that an uplink can serve
            spines = max(-(-per_leaf // down) if down else ports, -(-(leaves - 1) * per_leaf // up))
            if per_leaf + spines <= ports and spines <= MAX_SPINES and per_leaf <= MAX_NODES_PER_SWITCH:
                yield cls(leaf_switches=leaves, spine_switches=spines, nodes_per_leaf=per_leaf)
