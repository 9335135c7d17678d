"""Objectives of networks of switches that a simulation judges before all other times."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from isoplane.models import Design, Network
from isoplane.models.workloads import Workload

from .metrics.objective import Evaluation
from .network_objective import NetworkTimeObjective

SIMULATED = "simulated"
Judge = Callable[[Network, Workload, int], int]


@dataclass(frozen=True)
class JudgedObjective(NetworkTimeObjective):
    """Minimise the simulated time of a workload, then other times of it.

    Parameters
    ----------
    name, components, workload
        As for `NetworkTimeObjective`; the simulated time comes before the components.
    judge
        A function that returns the simulated time in whole ns of a workload on a network, with all messages divided by
        a factor.
    shorten
        That factor.

    Raises
    ------
    InputError
        As for `NetworkTimeObjective`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> work = ring_all_reduce(8, 1_000_000)
    >>> judged = JudgedObjective("throughput", ("synchronised",), work, lambda network, work, shorten: 7, 1)
    >>> judged.score_names, judged.point(Design(dual_cube(3, (1, 2, 4), nodes_per_switch=1)))
    (('simulated', 'synchronised'), (7, 70000))
    """

    judge: Judge
    shorten: int

    @property
    def score_names(self) -> tuple[str, ...]:
        """Names of the score's components."""
        return (SIMULATED, *self.components)

    @property
    def unjudged(self) -> NetworkTimeObjective:
        """The same objective without the simulation."""
        return NetworkTimeObjective(self.name, self.components, self.workload)

    def __call__(self, design: Design) -> Evaluation:
        """Evaluate a design; the simulated time is one of its metrics."""
        found, score = self.unjudged(design), self.point(design)
        metrics = {**found.metrics, "simulated_ns": score[0]}
        return replace(found, score=score, score_names=self.score_names, bound=(None,) * len(score), metrics=metrics)

    def point(self, design: Design) -> tuple[int, ...]:
        """Return the score."""
        return (self.judge(design.network, self.workload, self.shorten), *self.unjudged.point(design))
