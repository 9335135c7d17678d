"""The space of switches and cables for some nodes and ports."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import lcm
from typing import ClassVar, Self

from isoplane.models import Design, InputError, Network, Variable
from isoplane.models.families.host_graph import HostGraph, host_graph_of
from isoplane.models.family_kinds.host_sizes import MAX_SWITCHES, default_switches, evenly, least_switches
from isoplane.models.network import NO_SITE
from isoplane.models.search_variables import HostVariable
from isoplane.models.site.site import Site
from isoplane.models.workloads import Workload
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds.distance_bound import least_host_hops

from ..core.space import Candidate, Space, variable_of


@dataclass(frozen=True)
class HostGraphs(Space):
    """All graphs of switches with some ports for some nodes.

    A candidate has the number of switches, the nodes at each, and of each plane the number of cables and both ends of
    each.

    Parameters
    ----------
    family
        Any of the networks: all but its switches, nodes at them, and cables.
    switches
        The number of switches of a plane; None for any.
    site
        The site.

    Examples
    --------
    >>> space = HostGraphs(HostGraph(nodes=4, ports=4, hosts=(2, 2), edges=(((0, 1),),)))
    >>> space.candidate(Design(Network(space.family)))
    (2, 2, 2, 1, 0, 1)
    """

    over: ClassVar[frozenset[type[Variable]]] = frozenset({HostVariable})
    varies: ClassVar[str] = "graphs of nodes and ports"

    family: HostGraph
    switches: int | None = None
    site: Site = NO_SITE

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Self:
        """Return the space of the graphs for the nodes and ports of a network.

        Raises
        ------
        InputError
            If there is a workload.
        """
        if workload is not None:
            raise InputError("workload: has no effect on a search of graphs; expected null")
        return cls(host_graph_of(network), variable_of(variables, HostVariable).switches, network.site)

    @property
    def baseline(self) -> Design:
        """The random graph of `likely_switches`."""
        hosts = evenly(self.family.nodes, self.likely_switches)
        return Design(Network(replace(self.family, hosts=hosts, edges=None), self.site))

    @property
    def likely_switches(self) -> int:
        """The number of switches that is given, or one that may be near the best."""
        return self.switches or default_switches(self.family.nodes, self.family.ports, self.family.planes)

    @property
    def switch_range(self) -> tuple[int, int]:
        """The fewest and the most switches."""
        given, family = self.switches, self.family
        return (given, given) if given else (least_switches(family.nodes, family.ports), MAX_SWITCHES)

    @property
    def parts(self) -> int:
        """Parts of a packet, of which planes that are equally near take equal numbers."""
        return lcm(*range(1, self.family.planes + 1))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of switches that walks try: those given, or all up to twice that of the baseline."""
        least, most = self.switch_range
        return tuple(range(least, min(most, 2 * self.likely_switches) + 1))

    def design(self, candidate: Candidate) -> Design:
        """Return the network with these switches, nodes at them, and cables."""
        return Design(Network(self.family_of(candidate), self.site))

    def family_of(self, candidate: Candidate) -> HostGraph:
        """Return the family with these switches, nodes at them, and cables."""
        words = iter(candidate)
        hosts = tuple(next(words) for _ in range(next(words)))
        edges = tuple(tuple(_pairs(words)) for _ in range(self.family.planes))
        return replace(self.family, hosts=hosts, edges=edges)

    def candidate(self, design: Design) -> Candidate:
        """Return the candidate of a design.

        Raises
        ------
        InputError
            If it is another network, or has other numbers of nodes, ports, planes or, where they are given, switches.
        """
        family = host_graph_of(design.network, "warm_start: a record of ")
        own = self.family
        same = (family.nodes, family.ports, family.planes) == (own.nodes, own.ports, own.planes)
        if not same or self.switches not in (None, len(family.host_counts)):
            expected = f"nodes={own.nodes}, ports={own.ports}, planes={own.planes}"
            also = "" if self.switches is None else f", {self.switches} switches"
            raise InputError(f"warm_start: {family.title}; expected {expected}{also}")
        words = [len(family.host_counts), *family.host_counts.tolist()]
        for pairs in family.pairs:
            words += [len(pairs), *pairs.ravel().tolist()]
        return tuple(words)

    def canonical(self, candidate: Candidate) -> Candidate:
        """Return the edges of each plane in ascending order, each with the lower switch first."""
        return self.candidate(self.design(candidate))

    def bounds(self, objective: Lexicographic) -> tuple[int | None, ...]:
        """Return the bound of the sum of distances by counting walks."""
        family = self.family
        hops = least_host_hops(family.nodes, family.ports, family.planes)
        return self.fitted(objective).bounds({"total_hops": hops}.get)

    @property
    def bounded_by(self) -> str:
        """How pairs of nodes are counted."""
        return "counts of walks"

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective.

        Raises
        ------
        InputError
            If it is a front, or packets do not take the nearest plane.
        """
        if objective.front is not None:
            raise InputError(f"objective={objective.name}: {self.varies} expect any objective but a front")
        if self.family.policy != "nearest":
            raise InputError(f"network.policy={self.family.policy}: {self.varies} expect nearest")
        is_measured = not (by_distances(objective) or by_price(objective))
        return objective.without_layout() if is_measured and self.site.layout is None else objective


def by_distances(objective: Lexicographic) -> bool:
    """Whether an objective is the sum of distances alone."""
    return objective.components == (("total_hops",),) and objective.is_plain


def by_price(objective: Lexicographic) -> bool:
    """Whether an objective is the price, perhaps with limits, other than functions."""
    return objective.components[0] == ("cost",) and not objective.functions


def _pairs(words: Iterator[int]) -> Iterator[tuple[int, int]]:
    """Yield as many pairs of words as the first one says."""
    for _ in range(next(words)):
        yield next(words), next(words)
