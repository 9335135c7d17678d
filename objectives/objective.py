"""What every objective is, whatever it judges."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Protocol

from isoplane.models import Design, Network
from isoplane.models.workloads import Workload

Metrics = dict[str, int | float | None]


@dataclass(frozen=True)
class Evaluation:
    """What an objective says of a design.

    Attributes
    ----------
    score
        Exact integers, compared as a tuple; smaller is better.
    score_names
        What each of them is.
    bound
        Proven lower bounds of the same length; None where unknown.
    metrics
        Named metrics, as in a record.
    """

    score: tuple[int, ...]
    score_names: tuple[str, ...]
    bound: tuple[int | None, ...]
    metrics: Metrics = field(hash=False)


class Objective(Protocol):
    """From a design to an exact score, and from a score to what people read."""

    @property
    def name(self) -> str:
        """What records and reports call it."""

    @property
    def score_names(self) -> tuple[str, ...]:
        """Names of the score's components."""

    @property
    def front(self) -> tuple[str, str] | None:
        """The two metrics that span a Pareto front, where designs have no single score."""

    @property
    def workload(self) -> Workload | None:
        """What is sent, where the score depends on it."""

    def __call__(self, design: Design) -> Evaluation:
        """Evaluate a design."""

    def point(self, design: Design) -> tuple[int, ...]:
        """Return what is compared: the score, or the point of a front."""

    def bound_of_all(self, score: tuple[int, ...], bound: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return the bound once the whole space has been searched, and this is the best score."""

    def printed_exactly(self, score: tuple[int, ...], network: Network) -> Fraction:
        """Return the first component in the unit in which people read it and `stop.target` is given."""

    def printed(self, score: tuple[int, ...], network: Network) -> float:
        """Return `printed_exactly` as a floating-point number."""

    def reaches(self, score: tuple[int, ...], target: Fraction, network: Network) -> bool:
        """Whether the first component is as good as a target in the printed unit."""
