"""The space of regular graphs of switches."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from isoplane.models import Design, InputError, Network, Variable
from isoplane.models.families.free_graph import FreeGraph, free_graph_of
from isoplane.models.family_kinds.uniform import least_hops, moore_diameter
from isoplane.models.network import NO_SITE
from isoplane.models.paths.transmission_times import transmission_times_of
from isoplane.models.search_variables import GraphVariable
from isoplane.models.site.layout import IN_ORDER
from isoplane.models.site.site import Site
from isoplane.models.workloads import Workload
from isoplane.models.workloads.mapped_workload import require_all_nodes
from isoplane.objectives import Lexicographic
from isoplane.objectives.bounds.graph_times import graph_time_bounds
from isoplane.objectives.evaluators import SimulatedTimes
from isoplane.objectives.scoring.metric_scopes import time_names

from ..core.space import Candidate, Space, variable_of
from .placed import least_cables, least_without_rack, racks_of

METRICS = ("total_hops", "diameter")  # that walks over graphs with symmetries minimise
RACKS = ("rack_fault_diameter", "rack_fault_aspl")
# Distances after the loss of a part.
LOSSES = ("cable_fault_diameter", "switch_fault_diameter", "cable_fault_hops", *RACKS)
CABLES = ("cable_length", "longest_cable", "delay", "cost")  # that depend on the places of switches, too


@dataclass(frozen=True)
class RegularGraphs(Space):
    """All connected regular graphs of a number of switches; a candidate has both ends of each edge.

    Parameters
    ----------
    family
        Any of the networks: all but its edges.
    symmetry
        As in `GraphVariable`; it limits what is tried, not the space.
    site
        The site.
    workload
        The messages by which designs are evaluated, between as many processes as nodes; process i is on node i.

    Examples
    --------
    >>> space = RegularGraphs(FreeGraph(switches=4, degree=3))
    >>> space.candidate(space.baseline)
    (0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3)
    """

    over: ClassVar[frozenset[type[Variable]]] = frozenset({GraphVariable})
    varies: ClassVar[str] = "regular graphs"

    family: FreeGraph
    symmetry: str = "auto"
    site: Site = NO_SITE
    workload: Workload | None = None

    def __post_init__(self) -> None:
        if self.workload is not None:
            require_all_nodes(self.workload, self.family.nodes)

    @classmethod
    def of(cls, network: Network, variables: Mapping[str, Variable], workload: Workload | None) -> Self:
        """Return the space of the graphs of a network, under a workload if there is one."""
        return cls(free_graph_of(network), variable_of(variables, GraphVariable).symmetry, network.site, workload)

    @property
    def subject(self) -> str:
        """What varies, in words."""
        return self.varies if self.workload is None else f"{self.varies} under a workload"

    @property
    def default_objective(self) -> str:
        """ASPL, or the completion of the workload."""
        return "aspl" if self.workload is None else "completion"

    @property
    def baseline(self) -> Design:
        """The random graph of seed 1."""
        return Design(Network(self.family.baseline, self.site))

    def design(self, candidate: Candidate) -> Design:
        """Return the network with these edges."""
        edges = tuple(zip(candidate[::2], candidate[1::2], strict=True))
        return Design(Network(replace(self.family, edges=edges), self.site))

    def candidate(self, design: Design) -> Candidate:
        """Return the ends of the edges of a design.

        Raises
        ------
        InputError
            If it is another network, or has other numbers of switches and cables.
        """
        family = free_graph_of(design.network, "warm_start: a record of ")
        if family.size_label != self.family.size_label:
            raise InputError(f"warm_start: {family.title}; expected {self.family.title}")
        return tuple(family.pairs.ravel().tolist())

    def canonical(self, candidate: Candidate) -> Candidate:
        """Return the edges in ascending order, each with the lower switch first."""
        pairs = zip(candidate[::2], candidate[1::2], strict=True)
        return tuple(end for pair in sorted((min(pair), max(pair)) for pair in pairs) for end in pair)

    def bounds(self, objective: Lexicographic) -> tuple[int | None, ...]:
        """Return the Moore bounds of distances and times, and what the racks demand of cables.

        After the loss of a cable two switches have a cable less, and after that of a switch its neighbours; no loss
        makes a distance shorter. What a rack leaves is a graph of fewer switches.

        Raises
        ------
        InputError
            If the objective has other metrics.
        """
        fitted = self.fitted(objective)
        switches, degree, nodes = self.family.switches, self.family.degree, self.family.nodes_per_switch
        least, fewer = least_hops(switches, degree), degree - 1
        longest = moore_diameter(switches, degree)
        lows = {
            "total_hops": self.least_total_hops,
            "diameter": longest,
            "cable_fault_diameter": moore_diameter(switches, degree, fewer),
            "switch_fault_diameter": max(longest, moore_diameter(switches - 1, degree, fewer)),
            "cable_fault_hops": nodes**2 * ((switches - 2) * least + 2 * least_hops(switches, degree, fewer)),
        }
        if "peak_load" in fitted.metrics:
            lows["peak_load"] = self.least_load
        if self.workload is not None:
            times = tuple(name for name in fitted.metrics if name in time_names(fitted.scope))
            lows |= zip(times, graph_time_bounds(self.baseline.network, self.workload, times), strict=True)
        if is_measured(fitted):
            return fitted.bounds(lows.get)
        if set(fitted.metrics) & set(CABLES):
            lows |= least_cables(self.baseline.network, degree)
        if set(fitted.metrics) & set(RACKS):
            lows |= least_without_rack(self.baseline.network, degree)
        return fitted.bounds(lows.get)

    @property
    def least_total_hops(self) -> int:
        """The Moore bound of the sum of distances over all pairs of nodes."""
        family = self.family
        return family.nodes_per_switch**2 * family.switches * least_hops(family.switches, family.degree)

    @property
    def least_load(self) -> int:
        """A lower bound of the load of the busiest link: the mean of all, each as slow as the others."""
        time = int(transmission_times_of(self.baseline.network).link[0].max())
        return -(-self.least_total_hops * time // (self.family.switches * self.family.degree))

    @property
    def bounded_by(self) -> str:
        """The theorem, and where cables have lengths the racks; of times what nodes and cables carry."""
        if self.workload is not None:
            return "the Moore bound, and bytes over nodes and cables"
        has_lengths = self.site.layout is not None and self.family.assumed_cable_m is None
        return "the Moore bound and the shortest cables of each rack" if has_lengths else "the Moore bound"

    def fitted(self, objective: Lexicographic) -> Lexicographic:
        """Return the objective, without the components that need a layout if there is none.

        Raises
        ------
        InputError
            If it is a front, or cables have no lengths of their own; under a workload, if it has no time of it.
        """
        name = f"objective={objective.name}"
        if objective.workload != self.workload:
            raise InputError(f"{name}: for another workload; expected that of the space")
        if isinstance(objective.evaluator, SimulatedTimes):
            raise InputError(f"judge=simulator: {self.subject} expect null")
        if self.workload is not None and not (objective.functions or set(objective.metrics) & {*time_names("times")}):
            raise InputError(f"{name}: has no time of the workload; expected one, or workload=null")
        if objective.front:
            raise InputError(f"{name}: {self.varies} expect any objective but a front")
        if self.symmetry == "cyclic" and not self.depends_on_distances(objective):
            raise InputError(f"network.symmetry=cyclic: has no effect with {name}; expected auto, none")
        if self.site.layout is None:
            return objective.without_layout()
        if is_measured(objective):
            return objective
        if set(objective.metrics) & set(CABLES) and self.family.assumed_cable_m is not None:
            raise InputError(
                f"network.assumed_cable_m={self.family.assumed_cable_m}: all cables are as long; expected null for "
                f"{name}"
            )
        if set(objective.metrics) & {*CABLES, *RACKS} and self.site.layout.assignment != IN_ORDER:
            raise InputError(
                f"layout.assignment={self.site.layout.assignment}: the search chooses the places of switches; "
                f"expected {IN_ORDER} for {name}"
            )
        if set(objective.metrics) & set(RACKS) and not racks_of(self.baseline.network).any():
            raise InputError(
                f"layout.switches_per_rack={self.site.layout.switches_per_rack}: one rack has all "
                f"{self.family.switches} switches; expected fewer for {name}"
            )
        return objective

    def has_symmetries(self, objective: Lexicographic) -> bool:
        """Whether graphs with symmetries are searched: for distances alone, without limits."""
        return objective.is_plain and set(objective.metrics) <= set(METRICS)

    def depends_on_distances(self, objective: Lexicographic) -> bool:
        """Whether graphs with short distances are of use."""
        return is_measured(objective) or bool(set(objective.metrics) & {*METRICS, *LOSSES, "delay"})

    def is_guided(self, objective: Lexicographic) -> bool:
        """Whether walks over graphs with symmetries help those by cables or within limits."""
        return not self.has_symmetries(objective) and self.depends_on_distances(objective)


def is_measured(objective: Lexicographic) -> bool:
    """Whether walks evaluate whole networks: for functions, and for metrics that native walks do not know."""
    return bool(objective.functions or not set(objective.metrics) <= {*METRICS, *LOSSES, *CABLES})
