"""What a report is about: circuits and a placement, evaluated, beside others for the same network and workload."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from isoplane.models import Circuits, Design, Hybrid, Network, Placement
from isoplane.models.placement import by_switch
from isoplane.models.workloads import Workload
from isoplane.objectives.fluid import LinkLoads, WorkloadObjective, exact_times, hybrid_metrics, loads_of, model_of
from isoplane.objectives.objective import Metrics
from isoplane.runs.records import design_of_record
from isoplane.runs.records.workloads import workload_from
from isoplane.runs.simulations import TIMED
from isoplane.search.circuits.group_placement import by_communication, cut_bytes
from isoplane.search.circuits.rules import round_robin

from .busy import busy_times

ROUNDING_NS = 1  # compilers add up doubles in their own order
PACKETS_ONLY = "Packets only"
MAX_WORK = 1 << 23  # of `work_of`: a few seconds for each completion with its 9 runs


@dataclass(frozen=True)
class Assignment:
    """Circuits and a placement on a hybrid network, under a workload.

    `completions` are those of a record: they stand where computing them would take too long.
    """

    title: str
    hybrid: Hybrid
    workload: Workload
    circuits: Circuits
    placement: Placement
    completions: Metrics = field(default_factory=dict)

    @property
    def design(self) -> Design:
        """The same as objectives judge it."""
        return Design(Network(self.hybrid), self.circuits, self.placement)

    @cached_property
    def metrics(self) -> Metrics:
        """The metrics of a record, and `crossing_bytes`: what an iteration sends between groups."""
        if work_of(self.workload) > MAX_WORK:
            found: Metrics = {**self._untimed(), **self.completions}
        else:
            found = hybrid_metrics(self.design, exact_times(self.design, self.workload), self.workload)
        return {**found, "crossing_bytes": cut_bytes(self.hybrid, self.workload, self.placement)}

    def _untimed(self) -> Metrics:
        """Return what follows from the routes alone."""
        busy_ms = np.concatenate(busy_times(self.hybrid, self.loads).all())
        routes = model_of(self.hybrid, self.workload, "messages").routes(self.circuits, self.placement)
        return {
            "circuits": len(self.circuits),
            **dict.fromkeys(TIMED),
            "bottleneck_ns": round(1e6 * float(busy_ms.max())),
            "total_ns": round(1e6 * float(busy_ms.sum())),
            "heaviest_load_bytes": max(max(loads, default=0) for loads in self.loads.all()),
            "mean_hops": sum(len(route) - 1 for route in routes) / len(routes),
        }

    @cached_property
    def loads(self) -> LinkLoads:
        """The bytes over every link."""
        return loads_of(self.design, self.workload)

    @property
    def is_by_switch(self) -> bool:
        """Whether process i runs on node i."""
        return self.placement == by_switch(self.hybrid.nodes)

    def is_same(self, other: "Assignment") -> bool:
        """Whether circuits and placement are the same."""
        return (self.circuits, self.placement) == (other.circuits, other.placement)


@dataclass(frozen=True)
class ReportData:
    """A record, its design, and all that it is compared with.

    Attributes
    ----------
    objective
        What was searched for; None for a design that no search found.
    baseline
        The packet network alone, with the same placement; by switch, if the design has no circuits either.
    others
        Further designs of the same network.
    notes
        Which of them are one and the same.
    """

    record: Mapping[str, Any]
    objective: WorkloadObjective | None
    design: Assignment
    baseline: Assignment
    others: tuple[Assignment, ...]
    notes: tuple[str, ...]

    @property
    def hybrid(self) -> Hybrid:
        """The network."""
        return self.design.hybrid

    @property
    def workload(self) -> Workload:
        """What is sent."""
        return self.design.workload

    @property
    def allowed_circuits(self) -> int:
        """How many circuits the search could set up."""
        asked = (self.record["provenance"]["config"].get("network") or {}).get("circuits")
        return asked if isinstance(asked, int) else self.hybrid.most_circuits

    @property
    def is_timed(self) -> bool:
        """Whether completions are computed."""
        return work_of(self.workload) <= MAX_WORK

    def disagreements(self) -> list[str]:
        """Return the names of all metrics for which the record holds another value than is computed here."""
        found = self.record.get("metrics", {})
        return [name for name, value in found.items() if not _agree(name, value, self.design.metrics.get(name))]


def work_of(workload: Workload) -> int:
    """Return how much work a completion is: all messages times those that may share links at a time.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> work_of(stencil())  # 464 messages, five times
    1076480
    """
    _, phase = np.unique(workload.phase, return_inverse=True)
    return workload.messages * workload.iterations * int(np.bincount(phase).max())


def report_data_of(record: Mapping[str, Any]) -> ReportData:
    """Rate the design of a record, and what it is compared with.

    Raises
    ------
    InputError
        If the models refuse a value.
    """
    found, workload = design_of_record(dict(record)), workload_from(record["workload"])
    completions = {name: value for name, value in record.get("metrics", {}).items() if name in TIMED}
    design = Assignment("This design", found.network.hybrid, workload, *found.assigned, completions)
    chosen: list[Assignment] = []
    notes = []
    for other in _others(design):
        same = next((known for known in chosen if known.is_same(other)), None)
        if same is None:
            chosen.append(other)
        else:
            notes.append(f"“{other.title}” is the same as “{same.title}”.")
    objective = None
    if "objective" in record:
        objective = WorkloadObjective(record["objective"], tuple(record["score_names"]), workload)
    return ReportData(record, objective, design, chosen[0], tuple(chosen), tuple(notes))


def _others(design: Assignment) -> Iterator[Assignment]:
    """Yield the packet network alone, and the ways of the paper with as many circuits."""
    hybrid, workload = design.hybrid, design.workload
    count = len(design.circuits)
    if count:
        yield Assignment(f"{PACKETS_ONLY}, same placement", hybrid, workload, Circuits(), design.placement)
    rule = "Round robin" if count else PACKETS_ONLY
    switch, communication = by_switch(hybrid.nodes), by_communication(hybrid, workload)
    yield Assignment(f"{PACKETS_ONLY}, by switch", hybrid, workload, Circuits(), switch)
    for way, placement in (("by switch (SP)", switch), ("by communication (CP)", communication)):
        circuits = round_robin(hybrid, workload, placement, count)
        yield Assignment(f"{rule}, {way}", hybrid, workload, circuits, placement)


def _agree(name: str, recorded: object, value: float | None) -> bool:
    if value is None or not isinstance(recorded, (int, float)):
        return recorded is value
    return abs(recorded - value) <= (ROUNDING_NS if name.endswith("_ns") else 1e-9 * abs(value))
