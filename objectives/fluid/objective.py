"""Objectives of hybrid networks: times of a workload."""

from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import Design

from ..metrics.metric import Scope
from ..metrics.objective import Evaluation
from .exact import exact_times, hybrid_metrics, score_ns
from .time_objective import TimeObjective


@dataclass(frozen=True)
class WorkloadObjective(TimeObjective):
    """Minimise times of a workload on networks with circuits, in lexicographic order.

    Parameters
    ----------
    name
        Name in records and reports.
    components
        One to four distinct `METRICS`; later components break ties in earlier ones.
    workload
        The messages and their dependencies.

    Raises
    ------
    InputError
        If a metric is unknown or occurs twice, or the list is empty.

    Examples
    --------
    >>> from isoplane.models import Circuits, Hybrid, Network, Placement
    >>> from isoplane.models.workloads import stencil
    >>> work = stencil((2, 2), 1_250_000, iterations=1)
    >>> bottleneck = WorkloadObjective("bottleneck", ("bottleneck", "total"), work)
    >>> bottleneck(Design(Network(Hybrid(2, 2)), Circuits(), Placement((0, 1, 2, 3)))).score
    (2000000, 17250000)
    """

    scope: ClassVar[Scope] = "circuits"

    def __call__(self, design: Design) -> Evaluation:
        """Evaluate a design.

        Raises
        ------
        InputError
            If the network is not hybrid, or its number of nodes is not the workload's number of processes.
        """
        exact = exact_times(design, self.workload)
        score = tuple(exact.metric(name) for name in self.components)
        metrics = hybrid_metrics(design, exact, self.workload)
        return Evaluation(score, self.score_names, (None,) * len(score), metrics)

    def point(self, design: Design) -> tuple[int, ...]:
        """Return the score."""
        return score_ns(design, self.workload, self.components)
