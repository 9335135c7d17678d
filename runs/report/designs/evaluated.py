"""Designs with their numbers, computed on first use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar

import numpy as np

from isoplane.models import Design, Family, Network
from isoplane.models.workloads import Workload
from isoplane.objectives import Evaluator, ExactMetrics, metrics_in, metrics_of
from isoplane.objectives.costs.bill import bill_of
from isoplane.objectives.evaluators import evaluator_of, own_values_of
from isoplane.objectives.fluid import plane_busy_ns, plane_score_ns
from isoplane.objectives.general import LinkLoads, all_to_all_loads, pairs_at_distances
from isoplane.objectives.scoring.metric import MetricValues
from isoplane.runs.drawing.link_heat import Heat
from isoplane.runs.drawing.quantities import NS_PER_MS
from isoplane.runs.records.judge import time_evaluator_in

Kind = TypeVar("Kind", bound=Family)

LEAST = ("bottleneck_ns", "total_ns")  # times that follow from loads alone
MAX_WORK = 1 << 23  # of `work_of`: a few seconds per completion with its 9 runs


@dataclass(frozen=True, eq=False)
class EvaluatedDesign:
    """A design and its metrics.

    Parameters
    ----------
    title
        Name in tables and charts.
    design
        The network and, if any, its circuits and the placement.
    workload
        The workload, if metrics depend on it.
    completions
        Completions of a record, used if computing them would take too long.
    incomparable
        Metrics that are not comparable with those of the design of the page.

    Attributes
    ----------
    varies_planes
        Whether alternatives have other switches and cables.
    times
        Names of the metrics of a workload that take a simulation of its messages.
    """

    varies_planes: ClassVar[bool] = True
    times: ClassVar[Sequence[str]] = tuple(metrics_in("times"))

    title: str
    design: Design
    workload: Workload | None = None
    completions: MetricValues = field(default_factory=dict)
    incomparable: frozenset[str] = frozenset()

    @property
    def network(self) -> Network:
        """The network."""
        return self.design.network

    def family(self, kind: type[Kind]) -> Kind:
        """Return the family of the network, which is of the kind that a class, words or a section are for."""
        assert isinstance(self.network.family, kind), self.title
        return self.network.family

    @cached_property
    def metrics(self) -> MetricValues:
        """The metrics of a record, those of installed packages last."""
        if self.is_timed:
            own = own_values_of(self.design, self.workload)
            return {**self.completions, **metrics_of(self.design, self.workload, requested=True), **own}
        return {**self.untimed_metrics(), **self.completions}

    def untimed_metrics(self) -> MetricValues:
        """Return the metrics that take no simulation of a workload."""
        if self.workload is None:
            return metrics_of(self.design, requested=True)
        least = dict(zip(LEAST, plane_score_ns(self.network, self.workload, ("bottleneck", "total")), strict=True))
        return {**metrics_of(self.design, requested=True), **least}

    @property
    def shown(self) -> MetricValues:
        """The metrics of a record, and those derived from them for pages."""
        return self.metrics

    @property
    def is_timed(self) -> bool:
        """Whether completions, if any, are computed."""
        return self.workload is None or work_of(self.workload) <= MAX_WORK

    @property
    def plane_switches(self) -> tuple[int, ...]:
        """Number of switches in each plane."""
        return self.network.plane_switches

    @property
    def exact(self) -> ExactMetrics | None:
        """The exact integers of cubes; None for networks that the kernels do not support."""
        return None

    @cached_property
    def loads(self) -> LinkLoads:
        """Loads of all links under all-to-all traffic."""
        return all_to_all_loads(self.network)

    @cached_property
    def heat(self) -> Heat | None:
        """Values of all links: under a workload how long each is busy, or else its load under all-to-all traffic."""
        planes = self.network.planes
        if self.workload is None or not self.is_timed:
            return Heat([self.loads.packets(number) for number in range(len(planes))], "load", "packets")
        busy_ns = plane_busy_ns(self.network, self.workload)
        found = []
        for plane, links in zip(planes, self.network.plane_links, strict=True):
            cabled = plane.topology.peer >= 0
            found.append(np.zeros(cabled.shape))
            found[-1][cabled] = busy_ns[links.first : links.first + cabled.sum()] / NS_PER_MS
        return Heat(found, "busy time", "ms")

    @cached_property
    def distance_counts(self) -> tuple[Sequence[tuple[int, ...]], tuple[int, ...], str]:
        """Counts by distance 0, 1, ... in each plane alone if known and in the nearest plane, and what is counted."""
        pairs = pairs_at_distances(self.network)
        return ((pairs,) if len(self.network.planes) == 1 else ()), pairs, "ordered pairs of nodes"

    @property
    def generator_loads(self) -> Sequence[Sequence[tuple[str, int]]]:
        """Name and load of every generator by plane; none by default: links differ."""
        return ()

    def cost_cents(self) -> tuple[int, int, int, int]:
        """Return the price of network interfaces, switches, node cables and cables between switches.

        The four add up to the cost exactly. Nodes of a direct network need neither interfaces nor cables.

        References
        ----------
        Hosomi et al. 2021, section 3.3.1 and Table 3.
        """
        bill, prices = bill_of(self.network), self.network.site.prices
        nics, switches = bill.class_cents("nic"), bill.class_cents("switch")
        cables = [item for counts in cable_counts(self.network) for item in counts.items()]
        between = sum(prices.cable_for_mm(mm)[1] * count for mm, count in cables)
        return nics, switches, bill.total_cents - nics - switches - between, between

    @property
    def messages(self) -> Workload:
        """The workload of a design that has one."""
        assert self.workload is not None
        return self.workload

    @property
    def note(self) -> str:
        """A note on this alternative; empty by default."""
        return ""

    @property
    def published(self) -> Mapping[str, Mapping[str, tuple[float, float]]]:
        """Published values with their precisions, by network of this size and metric; none by default."""
        return {}

    @property
    def as_in_the_paper(self) -> bool:
        """Whether racks, catalogue, delays and nodes are those for which a paper states delay and cost."""
        return False

    def evaluator(self, record: Mapping[str, Any]) -> Evaluator | None:
        """Return what scored the design, by its record; None if nothing can have."""
        return evaluator_of(self.design) if self.workload is None else time_evaluator_in(record)

    def alternatives(self) -> "tuple[tuple[EvaluatedDesign, ...], tuple[str, ...]]":
        """Return other designs with the same parts, the simplest first, and notes on those left out."""
        return ((self.simplest,) if self.network.family.baseline_title else ()), ()

    @property
    def simplest(self) -> Self:
        """The baseline of the design."""
        return type(self)(self.design.baseline_title.capitalize(), self.design.baseline, self.workload)


def cable_counts(network: Network) -> list[dict[int, int]]:
    """Return the number of cables by length in millimetres for each plane; each cable is counted once.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> cable_counts(dual_cube(3, (3, 5, 7)))
    [{1000: 8, 3000: 4}, {1000: 4, 3000: 8}]
    """
    counts = []
    for plane in network.planes:
        lengths, number = np.unique(plane.cable_mm[plane.topology.peer >= 0], return_counts=True)
        counts.append({int(length): int(both_ends) // 2 for length, both_ends in zip(lengths, number, strict=True)})
    return counts


def work_of(workload: Workload) -> int:
    """Return the work of a completion: number of messages times the number that may be active at once.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> work_of(stencil())  # 464 messages, five times
    1076480
    """
    return workload.messages * workload.iterations * workload.most_active
