"""Protocol of objectives, and their evaluations."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from isoplane.models import Design, Network
from isoplane.models.workloads import Workload

from .metric import Scope

Metrics = dict[str, int | float | None]


@dataclass(frozen=True)
class Evaluation:
    """Evaluation of a design by an objective.

    Attributes
    ----------
    score
        Exact integers, compared lexicographically; smaller is better.
    score_names
        Names of the components.
    bound
        Proven lower bounds on the components; None where unknown.
    metrics
        Named metrics, as in a record.
    """

    score: tuple[int, ...]
    score_names: tuple[str, ...]
    bound: tuple[int | None, ...]
    metrics: Metrics = field(hash=False)


class Objective(Protocol):
    """Maps designs to exact scores, and scores to display values."""

    @property
    def name(self) -> str:
        """Name in records and reports."""

    @property
    def scope(self) -> Scope:
        """Scope of the metrics that its score is made of."""

    @property
    def higher_is_better(self) -> bool:
        """Whether the printed value increases as the score decreases."""

    @property
    def score_names(self) -> tuple[str, ...]:
        """Names of the score's components."""

    @property
    def front(self) -> tuple[str, str] | None:
        """The two metrics of a Pareto front; None for a single score."""

    @property
    def workload(self) -> Workload | None:
        """The workload, if the score depends on one."""

    def __call__(self, design: Design) -> Evaluation:
        """Evaluate a design."""

    def point(self, design: Design) -> tuple[int, ...]:
        """Return the tuple used for comparison: the score, or the point of a front."""

    def bound_when_exhausted(self, score: tuple[int, ...], bound: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return the bound after an exhaustive search with this best score."""

    def exact_printed_value(self, score: tuple[int, ...], network: Network) -> Fraction:
        """Return the first component in its display unit, which is also that of `stop.target`."""

    def printed(self, score: tuple[int, ...], network: Network) -> float:
        """Return `exact_printed_value` as a floating-point number."""

    def reaches(self, score: tuple[int, ...], target: Fraction, network: Network) -> bool:
        """Whether the first component is at least as good as a target in the display unit."""
