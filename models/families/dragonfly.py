"""Dragonflies with minimal routing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

from ..cabling import Metres
from ..checks import check_int
from ..minimal_sizes import fewest_cables, units_and_places, without_covered
from ..plane import Plane
from ..routed_family import RoutedFamily
from ..routing import Detours, Routes, detours_by_switch, dragonfly_detours, dragonfly_minimal
from ..topologies import GlobalCables, dragonfly
from ..topologies.dragonfly import MAX_GLOBAL_PORTS, MAX_SWITCHES_PER_GROUP
from ..topology import Topology


def minimal_bound(a: int, h: int, groups: int, per_switch: int) -> Fraction:
    """Return `Dragonfly.throughput_bound` of minimal routes by kinds of cables, from the parameters."""
    per_pair = a * h // (groups - 1)
    between = a * -(-a // per_pair)  # pairs of switches
    arriving = (groups - 1) * a * (a - min(a, per_pair))
    local = Fraction(groups * a * (a - 1) + arriving, a * (a - 1)) if a > 1 else Fraction(0)
    return Fraction(groups * a) / (max(Fraction(between), local) * per_switch)


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

    Raises
    ------
    InputError
        If a value is out of range.

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

    switches_per_group: int = 4
    global_ports: int = 2
    groups: int = 9
    arrangement: str = "relative"
    routing: str = "minimal"
    cable_m: Metres | None = 5.0
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
        """Upper bound on the all-to-all throughput: of any routes, and of minimal ones by each kind of cables.

        With c cables between two groups, the packets to ⌈a / c⌉ switches of a group share one (`dragonfly_minimal`). In
        its group, a packet to another one takes a local hop unless its source is at the one switch of the cable for its
        destination; and in the other group, unless its destination is, which holds for at most min(a, c) switches.
        """
        bound = super().throughput_bound
        if self.routing != "minimal" or bound is None:
            return bound
        least = minimal_bound(self.switches_per_group, self.global_ports, self.groups, self.nodes_per_switch)
        return min(bound, least)

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
        return tuple(detours_by_switch(plane.topology, plane.routes) for plane in planes)

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
    def candidates(cls, nodes: int, ports: int, throughput: Fraction, links: int) -> Iterator[Self]:
        """Yield, of the sizes with a = 2h whose `throughput_bound` may suffice, those with the fewest cables.

        They have any number of nodes per switch, each with the minimum number of groups.

        Examples
        --------
        >>> found = Dragonfly.candidates(nodes=1000, ports=24, throughput=Fraction(9, 10), links=1)
        >>> [(each.global_ports, each.groups, each.nodes_per_switch) for each in found][:2]
        [(4, 32, 4), (6, 17, 5)]
        """
        for half, groups, per_switch in fewest_cables(cls._sufficient(nodes, ports, throughput, links)):
            yield cls(switches_per_group=2 * half, global_ports=half, groups=groups, nodes_per_switch=per_switch)

    @classmethod
    def _sufficient(
        cls, nodes: int, ports: int, throughput: Fraction, links: int
    ) -> Iterator[tuple[int, tuple[int, int, int]]]:
        """Yield cables, and global ports, groups and nodes per switch of all sizes with a = 2h that may suffice."""
        for half in range(1, min((ports + 1) // 3, MAX_GLOBAL_PORTS) + 1):
            a = 2 * half
            for groups, per_switch in units_and_places(nodes, a, ports + 1 - 3 * half, links):
                if 2 <= groups <= a * half + 1 and minimal_bound(a, half, groups, per_switch) >= throughput:
                    between = groups * (groups - 1) // 2 * (a * half // (groups - 1))
                    yield groups * (a * (a - 1) // 2) + between, (half, groups, per_switch)
