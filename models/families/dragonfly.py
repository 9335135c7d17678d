"""Dragonflies with minimal routing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from ..checks import Metres, check_int
from ..family_kinds.dragonfly_sizes import sufficient_dragonflies
from ..family_kinds.minimal_sizes import without_covered
from ..family_kinds.routed import RoutedFamily, detours_over_switches
from ..planes.detours import Detours
from ..planes.plane import Plane
from ..planes.routes import Routes
from ..planes.topology import Topology
from ..routing import dragonfly_detours, dragonfly_heaviest_loads, dragonfly_minimal
from ..site.part_costs import BY_CABLES, PartCosts
from ..topologies import GlobalCables, dragonfly
from ..topologies.dragonfly import ARRANGEMENTS, MAX_GLOBAL_PORTS, MAX_SWITCHES_PER_GROUP


@dataclass(frozen=True, kw_only=True)
class Dragonfly(RoutedFamily):
    """Groups of fully connected switches, connected pairwise by global cables; parameters as in `UniformFamily`.

    With p nodes per switch, a dragonfly is balanced if a = 2h = 2p.

    Parameters
    ----------
    switches_per_group
        Switches of a group, a.
    global_ports
        Global ports of a switch, h.
    groups
        Number of groups g, from 2 to a h + 1. Two groups have ⌊a h / (g - 1)⌋ cables; other global ports are unused.
    arrangement
        ``absolute``, ``relative`` or ``circulant``, as in `GlobalCables`.
    routing
        ``minimal``: a local hop, a global one and a local one, with two classes of virtual channels; or a routing for
        any topology, as in `Graph`.

    References
    ----------
    Kim, Dally, Scott and Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, 2008. Hastings et al., Comparing
    Global Link Arrangements for Dragonfly Networks, 2015.

    Examples
    --------
    >>> network = Dragonfly(switches_per_group=8, global_ports=4, groups=33, nodes_per_switch=4)
    >>> network.nodes, network.ports
    (1056, 15)
    """

    name: ClassVar[str] = "dragonfly"
    few_hops: ClassVar[bool] = True

    switches_per_group: int = 4
    global_ports: int = 2
    groups: int = 9
    arrangement: str = "relative"
    routing: str = "minimal"
    assumed_cable_m: Metres | None = 5.0
    nodes_per_switch: int = 2
    node_cable_m: Metres | None = 2.0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_int("network.switches_per_group", self.switches_per_group, 1, MAX_SWITCHES_PER_GROUP)
        _ = self._global_cables  # checks its numbers

    @property
    def _global_cables(self) -> GlobalCables:
        return GlobalCables(self.switches_per_group, self.global_ports, self.groups, self.arrangement)

    @property
    def switches(self) -> int:
        """Number of switches, a g."""
        return self.switches_per_group * self.groups

    @property
    def degree(self) -> int:
        """Maximum number of cables of a switch, a - 1 + h."""
        return self.switches_per_group - 1 + self.global_ports

    @property
    def cables(self) -> int:
        """Number of cables, g a (a - 1) / 2 in the groups and g (g - 1) / 2 · ⌊a h / (g - 1)⌋ between them."""
        a, pairs = self.switches_per_group, self.groups * (self.groups - 1) // 2
        return self.groups * (a * (a - 1) // 2) + pairs * self._global_cables.per_pair

    @property
    def size_label(self) -> str:
        """Groups, and switches of each."""
        return f"{self.groups}x{self.switches_per_group}"

    @property
    def throughput_bound(self) -> Fraction | None:
        """The all-to-all throughput of minimal routes (`dragonfly_heaviest_loads`); of others, an upper bound."""
        if self.routing != "minimal":
            return super().throughput_bound
        (load,) = dragonfly_heaviest_loads([self.switches_per_group], [self.global_ports], [self.groups]).tolist()
        return Fraction(self.switches, load * self.nodes_per_switch)

    @property
    def reaches_bound(self) -> bool:
        """Whether `throughput_bound` is exact: for minimal routes."""
        return self.routing == "minimal"

    def topology(self) -> Topology:
        """Return the switches and their cables."""
        return dragonfly(self._global_cables)

    def own_routings(self) -> Mapping[str, Callable[[], Routes]]:
        """Return the routing of the family."""
        return {"minimal": lambda: dragonfly_minimal(self._global_cables)}

    def detours(self, planes: tuple[Plane, ...]) -> tuple[Detours, ...]:
        """Return the detours over any other group, or with a routing for any topology over any other switch."""
        if self.routing == "minimal":
            return (dragonfly_detours(self._global_cables),)
        return detours_over_switches(self, planes)

    @classmethod
    def fitting(cls, nodes: int, ports: int) -> Iterator[Self]:
        """Yield the balanced sizes, a = 2h = 2p, each with the minimum number of groups.

        Examples
        --------
        >>> [(each.global_ports, each.groups, each.nodes) for each in Dragonfly.fitting(nodes=1000, ports=24)]
        [(6, 14, 1008), (5, 20, 1000), (4, 32, 1024)]
        """
        halves = range(1, min((ports + 1) // 4, MAX_GLOBAL_PORTS) + 1)
        sizes = ((half, max(2, -(-nodes // (2 * half * half)))) for half in halves)
        balanced = (
            cls(switches_per_group=2 * half, global_ports=half, groups=groups, nodes_per_switch=half)
            for half, groups in sizes
            if groups <= 2 * half * half + 1
        )
        yield from without_covered(balanced, ports, lambda member: member.groups)

    @classmethod
    def candidates(
        cls, nodes: int, ports: int, throughput: Fraction, links: int, costs: PartCosts = BY_CABLES
    ) -> Iterator[Self]:
        """Yield all sizes whose `throughput_bound` suffices, in each arrangement, by their costs.

        They have any numbers of switches per group, global ports and groups, and the fewest nodes per switch. The
        arrangement decides how long cables are, not how many packets they carry.

        Examples
        --------
        >>> members = Dragonfly.candidates(nodes=1000, ports=24, throughput=Fraction(9, 10), links=1)
        >>> [(each.size_label, each.global_ports, each.arrangement) for _, each in zip(range(4), members)]
        [('32x8', 4, 'relative'), ('32x8', 4, 'absolute'), ('32x8', 4, 'circulant'), ('33x8', 4, 'relative')]
        """
        for size in sufficient_dragonflies(nodes, ports, throughput, links, costs):
            for arrangement in (cls.arrangement, *(other for other in ARRANGEMENTS if other != cls.arrangement)):
                yield cls(arrangement=arrangement, **size)
