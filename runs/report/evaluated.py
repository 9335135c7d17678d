"""Designs with their numbers, computed on first use."""

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from isoplane.models import Circuits, Design, HybridFamily, Network, Placement
from isoplane.models.family_kinds.cube import cubes_of, has_kernels
from isoplane.models.family_kinds.optical import optical_of
from isoplane.models.placement import by_switch
from isoplane.models.workloads import Workload
from isoplane.objectives import ExactMetrics, exact_metrics, metrics_of
from isoplane.objectives.fluid import LinkBytes, loads_of, model_of
from isoplane.objectives.general import Distances, LinkLoads, all_distances, all_to_all_loads
from isoplane.objectives.metrics.metric import Metrics
from isoplane.runs.simulations import TIMED
from isoplane.search.circuits.group_placement import cut_bytes

from .busy import busy_times

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
    """

    title: str
    design: Design
    workload: Workload | None = None
    completions: Metrics = field(default_factory=dict)
    incomparable: frozenset[str] = frozenset()

    @property
    def network(self) -> Network:
        """The network."""
        return self.design.network

    @cached_property
    def metrics(self) -> Metrics:
        """The metrics of a record."""
        if self.is_timed:
            return {**self.completions, **metrics_of(self.design, self.workload)}
        if not self.network.family.has_circuits():
            return {**metrics_of(self.design), **self.completions}
        return {**self._untimed_metrics(), **self.completions}

    @cached_property
    def shown(self) -> Metrics:
        """The metrics of a record, and derived ones: throughput of cubes, bytes between groups."""
        more: Metrics = {}
        if self.exact is not None:
            cubes = cubes_of(self.network)
            more["throughput_per_node"] = 2 * cubes.plane_switches / (self.exact.max_load * cubes.nodes_per_switch)
        if self.workload is not None and self.network.family.has_circuits():
            more["crossing_bytes"] = cut_bytes(self.hybrid, self.workload, self.placement)
        return {**self.metrics, **more}

    @property
    def is_timed(self) -> bool:
        """Whether completions, if any, are computed."""
        return self.workload is None or work_of(self.workload) <= MAX_WORK

    @cached_property
    def plane_switches(self) -> tuple[int, ...]:
        """Number of switches in each plane."""
        if self.network.family.is_cubes:  # Port-Aggregate networks are not built
            return (cubes_of(self.network).plane_switches,) * len(cubes_of(self.network).planes)
        return self.network.plane_switches

    @cached_property
    def exact(self) -> ExactMetrics | None:
        """The exact integers of cubes; None if the kernels do not support the network."""
        return exact_metrics(self.network) if has_kernels(self.network) else None

    @cached_property
    def distances(self) -> Distances:
        """Pairs of nodes by distance."""
        return all_distances(self.network)

    @cached_property
    def loads(self) -> LinkLoads:
        """Loads of all links under all-to-all traffic."""
        return all_to_all_loads(self.network)

    @property
    def hybrid(self) -> HybridFamily:
        """Groups of nodes and optical switch of a network with circuits."""
        return optical_of(self.network)

    @property
    def circuits(self) -> Circuits:
        """The circuits of a network with circuits."""
        return self.design.assignment[0]

    @property
    def placement(self) -> Placement:
        """The placement of processes in a network with circuits."""
        return self.design.assignment[1]

    @property
    def is_by_switch(self) -> bool:
        """Whether process i runs on node i."""
        return self.placement == by_switch(self.network.nodes)

    @property
    def messages(self) -> Workload:
        """The workload of a design that has one."""
        assert self.workload is not None
        return self.workload

    @cached_property
    def link_bytes(self) -> LinkBytes:
        """The bytes of the workload over every link of a network with circuits."""
        return loads_of(self.design, self.messages)

    def _untimed_metrics(self) -> Metrics:
        """Return the metrics of a workload that follow from its routes alone."""
        busy_ms = np.concatenate(busy_times(self.network, self.link_bytes).all())
        model = model_of(self.network, self.messages, "messages")
        all_routes = model.routes(self.circuits, self.placement)
        routes = [route for route in all_routes if len(route) > 1]  # local messages have none
        return {
            "circuits": len(self.circuits),
            **dict.fromkeys(TIMED),
            "synchronised_ns": model.synchronised_ns(self.circuits, self.placement),
            "bottleneck_ns": round(1e6 * float(busy_ms.max())),
            "total_ns": round(1e6 * float(busy_ms.sum())),
            "heaviest_load_bytes": max(max(loads, default=0) for loads in self.link_bytes.all()),
            "mean_hops": sum(len(route) - 1 for route in routes) / len(routes),
        }


def work_of(workload: Workload) -> int:
    """Return the work of a completion: number of messages times the number that may be active at once.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> work_of(stencil())  # 464 messages, five times
    1076480
    """
    return workload.messages * workload.iterations * workload.most_active
