"""Designs of packet networks with optical circuits, with their numbers."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

import numpy as np

from isoplane.models import Circuits, Design, OpticalFamily, Placement
from isoplane.models.arrays import Floats
from isoplane.models.placement import by_switch
from isoplane.objectives import CIRCUITS, Evaluator
from isoplane.objectives.fluid import LinkBytes, PerLink, circuit_loads, model_of, rates_gbps
from isoplane.objectives.scoring.metric import MetricValues
from isoplane.runs.drawing.link_heat import Heat
from isoplane.runs.simulations.hybrid import TIMED
from isoplane.search.circuits.group_placement import by_communication, cut_bytes
from isoplane.search.circuits.rules import round_robin

from .evaluated import EvaluatedDesign

BY_COMMUNICATION = "by communication (CP)"


class EvaluatedCircuits(EvaluatedDesign):
    """Circuits and a placement, and their metrics under a workload."""

    varies_planes = False
    times = TIMED

    @property
    def hybrid(self) -> OpticalFamily:
        """Groups of nodes and optical switch of the family, by whose kind the class was chosen."""
        return self.family(OpticalFamily)  # type: ignore[type-abstract]  # asked for, not made

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
    def placement_text(self) -> str:
        """How many processes are placed differently than by a scheduler that fills one switch after another."""
        if self.is_by_switch:
            return "by switch: process i on node i"
        own, group = np.array(self.placement.nodes), self.hybrid.group
        plain = np.arange(len(own))
        moved, away = int((plain != own).sum()), int((group[plain] != group[own]).sum())
        return f"{moved:,} processes moved from their by-switch nodes, {away:,} of them to other groups"

    @property
    def note(self) -> str:
        """What the rule of communication does to the placement."""
        return f"{self.title}: {self.placement_text}." if self.title.endswith(BY_COMMUNICATION) else ""

    @cached_property
    def link_bytes(self) -> LinkBytes:
        """The bytes of the workload over every link of a network with circuits."""
        return circuit_loads(self.design, self.messages)

    @cached_property
    def busy_ms(self) -> PerLink[Floats]:
        """The busy times of all links, 8 · bytes / rate, in ms."""
        pairs = zip(self.link_bytes.all(), rates_gbps(self.network).all(), strict=True)
        # Eight bits to a byte, and 10^6 bits in a ms at 1 Gbit/s.
        return PerLink(*(8e-6 * np.array(sent, dtype=np.float64) / rate for sent, rate in pairs))

    @cached_property
    def heat(self) -> Heat | None:
        """How long the cables between switches and the circuits are busy under a workload; None without one."""
        if self.workload is None:
            return None
        busy, links = self.busy_ms, []
        cables = np.concatenate([busy.cables, busy.up, busy.down])  # the latter two only in the two-level tree
        for plane in self.network.cabling:
            cabled = plane.topology.peer >= 0
            links.append(np.zeros(cabled.shape))
            links[-1][cabled], cables = np.split(cables, [int(cabled.sum())])
        return Heat(links, "busy time", "ms", np.stack([busy.ahead, busy.back], axis=1))

    @cached_property
    def shown(self) -> MetricValues:
        """The metrics of a record, and the bytes between groups."""
        if self.workload is None:
            return self.metrics
        return {**self.metrics, "crossing_bytes": cut_bytes(self.hybrid, self.workload, self.placement)}

    def untimed_metrics(self) -> MetricValues:
        """Return the metrics of a workload that follow from its routes alone."""
        busy_ms = np.concatenate(self.busy_ms.all())
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

    def evaluator(self, record: Mapping[str, Any]) -> Evaluator | None:
        """Return that of circuits."""
        return None if self.workload is None else CIRCUITS

    def alternatives(self) -> tuple[tuple[EvaluatedDesign, ...], tuple[str, ...]]:
        """Return the packet network alone and the paper's rules, each design once, and notes on equal ones."""
        chosen: list[EvaluatedDesign] = []
        notes = []
        for other in self._assignments():
            same = next((known for known in chosen if known.design == other.design), None)
            if same is None:
                chosen.append(other)
            else:
                notes.append(f"“{other.title}” is the same as “{same.title}”.")
        return tuple(chosen), tuple(notes)

    def _assignments(self) -> Iterator[EvaluatedDesign]:
        """Yield the packet network alone, and the paper's rules with the same number of circuits."""

        def with_circuits(title: str, circuits: Circuits, placement: Placement) -> EvaluatedDesign:
            return EvaluatedCircuits(title, Design(self.network, circuits, placement), self.messages)

        count, hybrid = len(self.circuits), self.hybrid
        packets_only = hybrid.baseline_title.capitalize()
        rule = "Round robin" if count else packets_only
        switch, communication = by_switch(hybrid.nodes), by_communication(hybrid, self.messages)
        yield self.simplest
        if count:
            yield with_circuits(f"{packets_only}, by switch", Circuits(), switch)
        for name, placement in (("by switch (SP)", switch), (BY_COMMUNICATION, communication)):
            circuits = round_robin(hybrid, self.messages, placement, count)
            yield with_circuits(f"{rule}, {name}", circuits, placement)


def with_circuits(design: EvaluatedDesign) -> EvaluatedCircuits:
    """Return a design that is known to have circuits, as in sections of pages that only these have."""
    assert isinstance(design, EvaluatedCircuits), design.title
    return design
