"""Objectives of networks of switches: times of a workload."""

from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import Design

from .evaluators import metrics_of
from .fluid.network_times import network_score_ns
from .fluid.time_objective import TimeObjective
from .metrics.metric import Scope
from .metrics.objective import Evaluation


@dataclass(frozen=True)
class NetworkTimeObjective(TimeObjective):
    """Minimise times of a workload on networks of switches, in lexicographic order.

    Parameters
    ----------
    name
        Name in records and reports.
    components
        Distinct names among ``completion``, ``synchronised``, ``bottleneck`` and ``total``, in whole ns; later
        components break ties in earlier ones.
    workload
        The messages and their dependencies, between as many processes as there are nodes.

    Raises
    ------
    InputError
        If a metric is unknown or occurs twice, or the list is empty.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> work = ring_all_reduce(8, 1_000_000)
    >>> objective = NetworkTimeObjective("throughput", ("synchronised", "total"), work)
    >>> [objective.point(Design(dual_cube(3, generators, nodes_per_switch=1))) for generators in ((1, 2, 4), (3, 5, 7))]
    [(70000, 4200000), (140000, 3360000)]
    """

    scope: ClassVar[Scope] = "times"

    def __call__(self, design: Design) -> Evaluation:
        """Evaluate a design; its metrics are those of its network and the times of the workload.

        Raises
        ------
        InputError
            As for `NetworkFluidModel`.
        """
        score = self.point(design)
        return Evaluation(score, self.score_names, (None,) * len(score), metrics_of(design, self.workload))

    def point(self, design: Design) -> tuple[int, ...]:
        """Return the score; errors as when called."""
        return network_score_ns(design.network, self.workload, self.components)
