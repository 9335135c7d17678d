"""Objectives that are times of a workload: what those of all kinds of networks share."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from isoplane.models import Design, InputError, Network
from isoplane.models.workloads import Workload

from ..metrics.metric import Scope
from ..metrics.metric_scopes import needing, score_names

NS_PER_MS = 1_000_000
KINDS: Mapping[Scope, str] = {"circuits": "a network with circuits", "times": "a network of switches"}


def time_names(scope: Scope) -> tuple[str, ...]:
    """Return the components that objectives of a scope may have: its `score_names`, but for those of a judge.

    Examples
    --------
    >>> time_names("times")
    ('completion', 'synchronised', 'bottleneck', 'total')
    """
    return tuple(name for name in score_names(scope) if name not in needing("judge", scope))


@dataclass(frozen=True)
class TimeObjective(ABC):
    """Minimise times of a workload in lexicographic order; the base of the objectives of all kinds of networks.

    Parameters
    ----------
    name
        Name in records and reports.
    components
        Distinct `time_names` of the scope; later components break ties in earlier ones.
    workload
        The messages and their dependencies.

    Raises
    ------
    InputError
        If a metric is unknown or occurs twice, or the list is empty.
    """

    scope: ClassVar[Scope]
    higher_is_better: ClassVar[bool] = False

    name: str
    components: tuple[str, ...]
    workload: Workload

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(self.components))
        allowed = time_names(self.scope)
        for metric in self.components:
            if metric not in allowed:
                raise InputError(
                    f"metric {metric!r} of objective={self.name}: {KINDS[self.scope]} expected {', '.join(allowed)}"
                )
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

    @abstractmethod
    def point(self, design: Design) -> tuple[int, ...]:
        """Return the score."""

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
