"""Objectives of hybrid networks: times of a workload."""

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from isoplane.models import Design, InputError, Network
from isoplane.models.workloads import Workload

from ..metric import Scope
from ..objective import Evaluation
from .exact import METRICS, exact_times, hybrid_metrics, score_ns

NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class WorkloadObjective:
    """Minimise times of a workload in lexicographic order.

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
    higher_is_better: ClassVar[bool] = False

    name: str
    components: tuple[str, ...]
    workload: Workload

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(self.components))
        for metric in self.components:
            if metric not in METRICS:
                raise InputError(f"metric {metric!r} of objective={self.name}: expected {', '.join(METRICS)}")
        if not self.components or len(set(self.components)) < len(self.components):
            raise InputError(f"objective.components of {self.name}: expected one to four different metrics")

    @property
    def score_names(self) -> tuple[str, ...]:
        """Names of the score's components."""
        return self.components

    @property
    def front(self) -> tuple[str, str] | None:
        """None: times of a workload are compared lexicographically."""
        return None

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

    def bound_when_exhausted(self, score: tuple[int, ...], bound: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return the best score, which an exhaustive search proves optimal."""
        return score

    def exact_printed_value(self, score: tuple[int, ...], network: Network) -> Fraction:
        """Return the first component in ms."""
        return Fraction(score[0], NS_PER_MS)

    def printed(self, score: tuple[int, ...], network: Network) -> float:
        """Return `exact_printed_value` as a floating-point number."""
        return float(self.exact_printed_value(score, network))

    def reaches(self, score: tuple[int, ...], target: Fraction, network: Network) -> bool:
        """Whether the first component is at most a target in ms."""
        return self.exact_printed_value(score, network) <= target
