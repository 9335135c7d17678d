"""Multi-layer full meshes."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import floor
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..checks import MAX_NODES_PER_SWITCH, check_int
from ..exchanges.all_to_all import ExchangeOrder
from ..exchanges.contention_free import layered_mesh_order, whole_blocks
from ..family_kinds.leaf_spine import LeafSpineFamily
from ..family_kinds.minimal_sizes import cheapest_first, units_and_places, without_covered
from ..family_kinds.sized import kept
from ..site.part_costs import BY_CABLES, PartCosts

MAX_LAYERS, MAX_UPLINKS = 256, 64


def mesh_bound(layers: int, uplinks: int, per_leaf: int) -> Fraction:
    """Return `FullMesh.throughput_bound` from the parameters."""
    load = layers * per_leaf**2 + _aligned(layers, uplinks, per_leaf)
    return Fraction(layers * (uplinks + 1) * per_leaf, load)


def _aligned(layers: int, uplinks: int, per_leaf: int) -> int:
    """Return the packets between leaves at one position on the link of a leaf that carries most of them, at least."""
    others = (layers - 1) * per_leaf
    return max(per_leaf * -(-others // uplinks), others * -(-per_leaf // uplinks))


@dataclass(frozen=True, kw_only=True)
class FullMesh(LeafSpineFamily):
    """Layers of h + 1 leaves with a spine for each pair of positions; further parameters as in `LeafSpineFamily`.

    Each layer is a full mesh whose cables are cut, with a spine between the ends; all layers share the spines. Leaf i
    of layer l has id l (h + 1) + i, and the spines are those of the pairs of positions (0, 1), (0, 2), ..., (1, 2), ...
    With L layers of leaves with h uplinks there are L (h + 1) leaves and h (h + 1) / 2 spines of 2L ports. With
    L = h = d and d nodes per leaf all switches have 2d ports: d² (d + 1) nodes and 3d (d + 1) / 2 switches.

    Parameters
    ----------
    layers
        Number of layers, L.
    uplinks
        Uplinks of a leaf, h: one to the spine shared with each other position.

    References
    ----------
    Shimizu and Nakajima, on switch-saving topologies, sections 3.1 and 3.3. The testbed of section 4.2 has 4 layers, 3
    uplinks and 2 nodes per leaf.

    Examples
    --------
    >>> testbed = FullMesh(layers=4, uplinks=3, nodes_per_leaf=2)
    >>> testbed.nodes, testbed.leaves, testbed.spines
    (32, 16, 6)
    """

    name: ClassVar[str] = "full_mesh"

    layers: int = 4
    uplinks: int = 3
    nodes_per_leaf: int = 2

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("network.layers", self.layers, 1, MAX_LAYERS)
        check_int("network.uplinks", self.uplinks, 1, MAX_UPLINKS)

    @property
    def leaves(self) -> int:
        """Number of leaves, L (h + 1)."""
        return self.layers * (self.uplinks + 1)

    @property
    def spines(self) -> int:
        """Number of spines, h (h + 1) / 2."""
        return self.uplinks * (self.uplinks + 1) // 2

    @property
    def size_label(self) -> str:
        """Layers, and leaves of each."""
        return f"{self.layers}x{self.uplinks + 1}"

    @property
    def throughput_bound(self) -> Fraction:
        """Upper bound on the all-to-all throughput: packets to a node from leaves at its position pass one spine.

        With L layers of leaves of p nodes and h uplinks, the link up from a leaf at position i to the spine of {i, j},
        and the one down, carry L p² packets from position i to j. The packets of a leaf to the (L - 1) p nodes of other
        leaves at its position share its h uplinks, and those from as many nodes share the links down to it: on some
        link, packets to at least ⌈(L - 1) p / h⌉ nodes from p ones, and to ⌈p / h⌉ nodes from (L - 1) p ones.
        """
        return mesh_bound(self.layers, self.uplinks, self.nodes_per_leaf)

    @property
    def reaches_bound(self) -> bool:
        """Whether links up surely carry no more packets to their own position than `throughput_bound` counts.

        The nodes at a position are p at each of L leaves, whose numbers, modulo h, follow one another from layer to
        layer, as h + 1 leaves are a layer. So packets to ⌊p / h⌋ or ⌈p / h⌉ of the nodes of a leaf take each of its
        links down, as the formula counts, and those from p nodes to at most ⌈L p / h⌉ - ⌊p / h⌋ others each link up.
        """
        up, per_leaf = self.uplinks, self.nodes_per_leaf
        max_load = per_leaf * (-(-self.layers * per_leaf // up) - per_leaf // up)
        return max_load <= _aligned(self.layers, up, per_leaf)

    def spines_of_leaves(self) -> NDArray[np.int64]:
        """Return the spine of each uplink: those of position i lead to the spines of {i, 0}, {i, 1}, ..."""
        number = {pair: spine for spine, pair in enumerate(combinations(range(self.uplinks + 1), 2))}
        positions = range(self.uplinks + 1)
        layer = [[number[min(i, j), max(i, j)] for j in positions if j != i] for i in positions]
        return np.tile(np.array(layer), (self.layers, 1))

    def contention_free_order(self, nodes: ArrayLike | None = None) -> ExchangeOrder:
        """Return `layered_mesh_order` of all nodes, or of a job on some of the layers.

        Messages between leaves at one position go over the spine that their destination selects, a different one for
        each node of a leaf.
        """
        layer = (self.uplinks + 1) * self.nodes_per_leaf
        used = whole_blocks(nodes, self.nodes, layer, "layer")
        destination = layered_mesh_order(len(used), self.uplinks, self.nodes_per_leaf)
        node = (used[:, None] * layer + np.arange(layer)).ravel()
        return ExchangeOrder("contention_free", node.astype(np.int32), destination.astype(np.int32))

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the meshes with as many uplinks as nodes at a leaf, of the fewest layers.

        Examples
        --------
        >>> [(each.layers, each.uplinks) for each in FullMesh.fitting(nodes=1500, ports=24)]
        [(10, 12), (12, 11)]
        """
        yield from cls.tapered(nodes, ports, Fraction(1))

    @classmethod
    def tapered(cls, nodes: int, ports: int, taper: Fraction) -> Iterator[Self]:
        """Yield the meshes with as many nodes at a leaf as its uplinks can carry, of the fewest layers.

        Examples
        --------
        >>> [(each.layers, each.uplinks, each.nodes_per_leaf) for each in FullMesh.tapered(1500, 24, Fraction(1, 2))]
        [(11, 8, 16)]
        """
        sizes = ((uplinks, floor(uplinks / taper)) for uplinks in range(1, min(ports, MAX_UPLINKS) + 1))
        numbers = ((up, down, max(1, -(-nodes // (down * (up + 1))))) for up, down in sizes)
        meshes = (
            cls(layers=layers, uplinks=uplinks, nodes_per_leaf=per_leaf)
            for uplinks, per_leaf, layers in numbers
            if layers <= MAX_LAYERS and per_leaf <= MAX_NODES_PER_SWITCH
        )
        yield from without_covered(meshes, ports, lambda member: member.layers)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield the meshes of the fewest layers whose `throughput_bound` suffices, by their costs.

        Examples
        --------
        >>> members = FullMesh.candidates(nodes=1500, ports=24, throughput=Fraction(1, 2), links=1)
        >>> [(each.layers, each.uplinks, each.nodes_per_leaf) for each in members][:2]
        [(11, 8, 16), (12, 8, 14)]
        """
        for layers, uplinks, per_leaf in cheapest_first(cls._sufficient(nodes, ports, throughput, links), costs):
            yield cls(layers=layers, uplinks=uplinks, nodes_per_leaf=per_leaf)

    @classmethod
    @kept
    def _sufficient(
        cls, nodes: int, ports: int, throughput: Fraction, links: int
    ) -> Iterator[tuple[int, int, tuple[int, int, int]]]:
        """Yield switches, cables, and layers, uplinks and nodes per leaf, of the meshes that may suffice."""
        for uplinks in range(1, min(ports - 1, MAX_UPLINKS) + 1):
            for layers, per_leaf in units_and_places(nodes, uplinks + 1, ports - uplinks, links):
                if layers > min(ports // 2, MAX_LAYERS):  # a spine has two cables to each layer
                    continue
                if mesh_bound(layers, uplinks, per_leaf) >= throughput:
                    leaves = layers * (uplinks + 1)
                    switches = leaves + uplinks * (uplinks + 1) // 2
                    yield switches, leaves * uplinks, (layers, uplinks, per_leaf)
