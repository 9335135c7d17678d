"""Megafly (Dragonfly+): groups of leaves and spines, connected pairwise by global cables of the spines."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..family_kinds.leaf_spine import LeafSpineFamily
from ..family_kinds.minimal_sizes import cheapest_first, units_and_places, without_covered
from ..family_kinds.sized import kept
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..routing import megafly_heaviest_load, megafly_minimal
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies import GlobalCables, megafly
from ..topologies.dragonfly import ARRANGEMENTS, MAX_GLOBAL_PORTS, MAX_SWITCHES_PER_GROUP

MAX_SIZES = 4096
MORE = 3  # spines, and global ports, beyond the least that a count of packets allows


@dataclass(frozen=True, kw_only=True)
class Megafly(LeafSpineFamily):
    r"""Groups of leaves and spines, whose spines have global cables; further parameters as in `LeafSpineFamily`.

    A group has a cable from each leaf to each spine. Packets go up, over a global cable to the group of their
    destination, and down: three hops, or two within a group (`megafly_minimal`)::

        other groups   other groups
            | |            | |         h global cables of each spine
          spine 0        spine 1       s spines
             |   \      /   |
             |     \  /     |          a cable from each leaf to each spine
             |     /  \     |
             |   /      \   |
          leaf 0         leaf 1        l leaves, with p nodes each

    With switches of 2h ports, a Megafly is balanced if l = s = p = h; it then has up to h⁴ + h² nodes.

    Parameters
    ----------
    leaves_per_group, spines_per_group
        Leaves l and spines s of a group.
    global_ports
        Global ports of a spine, h.
    groups
        Number of groups g, from 2 to s h + 1. Two groups have ⌊s h / (g - 1)⌋ cables; other global ports are unused.
    arrangement
        ``absolute``, ``relative`` or ``circulant``, as in `GlobalCables`.

    References
    ----------
    Flajslik, Borch and Parker, Megafly: A Topology for Exascale Systems, 2018. Shpiner et al., Dragonfly+: Low Cost
    Topology for Scaling Datacenters, 2017.

    Examples
    --------
    >>> network = Megafly(leaves_per_group=8, spines_per_group=8, global_ports=8, groups=65, nodes_per_leaf=8)
    >>> network.nodes, network.switches, network.ports
    (4160, 1040, 16)
    """

    name: ClassVar[str] = "megafly"

    leaves_per_group: int = 4
    spines_per_group: int = 4
    global_ports: int = 4
    groups: int = 9
    arrangement: str = "relative"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("network.leaves_per_group", self.leaves_per_group, 1, MAX_SWITCHES_PER_GROUP)
        check_int("network.spines_per_group", self.spines_per_group, 1, MAX_SWITCHES_PER_GROUP)
        _ = self._global_cables  # checks its numbers

    @property
    def _global_cables(self) -> GlobalCables:
        return GlobalCables(self.spines_per_group, self.global_ports, self.groups, self.arrangement)

    @property
    def leaves(self) -> int:
        """Number of leaves, g l."""
        return self.groups * self.leaves_per_group

    @property
    def spines(self) -> int:
        """Number of spines, g s."""
        return self.groups * self.spines_per_group

    @property
    def uplinks(self) -> int:
        """Number of cables from every leaf: one to each spine of its group."""
        return self.spines_per_group

    @property
    def cables(self) -> int:
        """Number of cables, g l s in the groups and g (g - 1) / 2 · ⌊s h / (g - 1)⌋ between them."""
        pairs = self.groups * (self.groups - 1) // 2
        return self.leaves * self.uplinks + pairs * self._global_cables.per_pair

    @property
    def ports(self) -> int:
        """Ports of a leaf, p + s, or those that a spine uses if there are more, l + h unless groups are few."""
        used = min(self.global_ports, self._global_cables.per_pair * (self.groups - 1))
        return max(self.nodes_per_leaf + self.uplinks, self.leaves_per_group + used)

    @property
    def size_label(self) -> str:
        """Groups, and leaves and spines of each."""
        return f"{self.groups}x({self.leaves_per_group}+{self.spines_per_group})"

    @property
    def throughput_bound(self) -> Fraction:
        """The all-to-all throughput of the routes (`megafly_heaviest_load`)."""
        return Fraction(self.nodes, self._heaviest_load)

    @property
    def reaches_bound(self) -> bool:
        """Whether `throughput_bound` is exact: always."""
        return True

    @cached_property
    def _heaviest_load(self) -> int:
        return megafly_heaviest_load(self.leaves_per_group, self._global_cables, self.nodes_per_leaf)

    def spines_of_leaves(self) -> NDArray[np.int64]:
        """Return the spine of each uplink: uplink k leads to spine k of the group."""
        group = np.arange(self.leaves)[:, None] // self.leaves_per_group
        return group * self.spines_per_group + np.arange(self.spines_per_group)

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return megafly(self.leaves_per_group, self._global_cables)

    def routes(self) -> Routes:
        """Return the routes."""
        return megafly_minimal(self.leaves_per_group, self._global_cables, self.nodes_per_leaf)

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the balanced sizes, l = s = p = h, each with the minimum number of groups.

        Examples
        --------
        >>> [(each.global_ports, each.groups, each.nodes) for each in Megafly.fitting(nodes=1000, ports=24)]
        [(12, 7, 1008), (11, 9, 1089), (10, 10, 1000), (9, 13, 1053), (8, 16, 1024), (7, 21, 1029), (6, 28, 1008)]
        """
        halves = range(1, min(ports // 2, MAX_GLOBAL_PORTS) + 1)
        sizes = ((half, max(2, -(-nodes // half**2))) for half in halves)
        balanced = (
            cls(leaves_per_group=half, spines_per_group=half, global_ports=half, groups=groups, nodes_per_leaf=half)
            for half, groups in sizes
            if groups <= half**2 + 1
        )
        yield from without_covered(balanced, ports, lambda member: member.groups)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield sizes whose `throughput_bound` may suffice, in each arrangement, by their costs.

        They have any leaves per group and groups, each with the fewest nodes per leaf, and for these the few least
        numbers of spines and of global ports that a count of packets allows, and all that spread cables evenly.

        Examples
        --------
        >>> members = Megafly.candidates(nodes=1000, ports=24, throughput=Fraction(1, 2), links=1)
        >>> [(tree.leaves_per_group, tree.spines_per_group, tree.groups) for _, tree in zip(range(2), members)]
        [(12, 7, 6), (12, 7, 6)]
        """
        sizes = cheapest_first(cls._sufficient(nodes, ports, throughput, links), costs, MAX_SIZES)
        for leaves, spines, global_ports, groups, per_leaf in sizes:
            for arrangement in (cls.arrangement, *(other for other in ARRANGEMENTS if other != cls.arrangement)):
                yield cls(
                    leaves_per_group=leaves,
                    spines_per_group=spines,
                    global_ports=global_ports,
                    groups=groups,
                    nodes_per_leaf=per_leaf,
                    arrangement=arrangement,
                )

    @classmethod
    @kept
    def _sufficient(
        cls, nodes: int, ports: int, throughput: Fraction, links: int
    ) -> Iterator[tuple[int, int, tuple[int, int, int, int, int]]]:
        """Yield switches, cables, and leaves, spines, global ports, groups and nodes per leaf that may suffice.

        With c cables between two groups of l leaves with p nodes, one carries l p ⌈l p / c⌉ packets, and one of s links
        up from a leaf those from p nodes to ⌈(g l - 1) p / s⌉ or more.
        """
        for leaves in range(1, min(ports - 1, MAX_SWITCHES_PER_GROUP) + 1):
            for groups, per_leaf in units_and_places(nodes, leaves, ports - 1, links):
                inside, served = leaves * per_leaf, floor(groups / throughput)
                uplinks = floor(leaves * groups / throughput)  # nodes that a link from a leaf can serve
                if groups < 2 or not served:
                    continue
                per_pair, least = -(-inside // served), -(-(groups * inside - per_leaf) // uplinks)
                most_spines = min(ports - per_leaf, MAX_SWITCHES_PER_GROUP)
                for spines, global_ports in _connections(groups, per_pair, least, most_spines, ports - leaves):
                    pairs = groups * (groups - 1) // 2
                    cables = groups * leaves * spines + pairs * (spines * global_ports // (groups - 1))
                    yield groups * (leaves + spines), cables, (leaves, spines, global_ports, groups, per_leaf)


def _connections(
    groups: int, per_pair: int, least: int, most_spines: int, most_ports: int
) -> Iterator[tuple[int, int]]:
    """Yield numbers of spines and of their global ports that give two groups at least some cables.

    These are the few least ones, and all for which every spine has as many cables to each other group: then no spine is
    the busiest, so that a few more cables may carry much more.

    Parameters
    ----------
    groups, per_pair, least
        Number of groups, least cables between two of them, and least spines.
    most_spines, most_ports
        Most spines of a group, and most global ports of a spine.
    """
    step, highest = groups - 1, min(most_ports, MAX_GLOBAL_PORTS)
    if highest < 1:
        return
    least = max(least, -(-per_pair * step // highest))  # fewer have no ports for these cables
    for spines in range(least, (most_spines if step <= highest else min(most_spines, least + MORE)) + 1):
        fewest = -(-per_pair * step // spines)
        few = range(fewest, min(highest, fewest + MORE) + 1) if spines <= least + MORE else ()
        yield from ((spines, used) for used in few)
        even = range(-(-fewest // step) * step, highest + 1, step)
        yield from ((spines, used) for used in even if used not in few)
