"""Objectives of cube networks: exact scores of their designs."""

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import ClassVar

from isoplane.models import Design, InputError, Network

from .. import _native
from ..metrics.metric import Scope
from ..metrics.metric_scopes import displayed_metric, exact_value, needing
from ..metrics.objective import Evaluation
from .exact import ExactMetrics, exact_metrics, metrics

METRICS = tuple(_native.metric_names())  # the exact metrics in the order of the native enum; all are minimised
CABLE_METRICS = needing("layout", "cubes")
Component = tuple[str, ...]


@dataclass(frozen=True)
class CubeObjective:
    """Minimise components in lexicographic order, each a product of exact metrics.

    Parameters
    ----------
    name
        Name in records and reports.
    components
        One to three components, each a product of one or two `METRICS`; later components break ties in earlier ones.
    front
        The two metrics of a Pareto front, which replaces the score as the objective; `components` then only rank the
        designs of the front.

    Raises
    ------
    InputError
        If a metric is unknown or the number of components or of factors is out of range.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> objective = CubeObjective("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)))
    >>> objective(Design(dual_cube(8, tuple(1 << i for i in range(8))))).score
    (131072, 22528000)
    """

    scope: ClassVar[Scope] = "cubes"

    name: str
    components: tuple[Component, ...]
    front: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(tuple(component) for component in self.components))
        # Each metric fits in 63 bits, so a product of two fits in the 127 bits of the native scores.
        if not 1 <= len(self.components) <= 3 or not all(1 <= len(component) <= 2 for component in self.components):
            raise InputError(
                f"objective.components of {self.name}: expected one to three products of metrics, each of one or two"
            )
        if self.front is not None:
            object.__setattr__(self, "front", tuple(self.front))
            if len(self.front) != 2 or self.front[0] == self.front[1]:
                raise InputError(f"objective.metrics={list(self.front)}: expected two different metrics")
        for metric in (*(m for component in self.components for m in component), *(self.front or ())):
            if metric not in METRICS:
                raise InputError(f"metric {metric!r} of objective={self.name}: expected {', '.join(METRICS)}")

    @property
    def score_names(self) -> tuple[str, ...]:
        """Names of the score's components, such as ``sum_of_distances*max_load``."""
        return tuple("*".join(component) for component in self.components)

    @property
    def workload(self) -> None:
        """None: cubes are scored under uniform all-to-all traffic."""

    @property
    def needs_layout(self) -> bool:
        """Whether the first component, or a metric of the front, is undefined without a layout."""
        return bool(CABLE_METRICS & {*self.components[0], *(self.front or ())})

    def without_layout(self) -> "CubeObjective":
        """Return this objective for networks without a layout, omitting the components that need cables.

        Raises
        ------
        InputError
            If the objective is undefined without a layout.
        """
        if self.needs_layout:
            raise InputError(f"objective={self.name}: needs a layout; layout=none expects objectives without cables")
        remaining = tuple(component for component in self.components if not CABLE_METRICS & set(component))
        return CubeObjective(self.name, remaining, self.front)

    def __call__(self, design: Design) -> Evaluation:
        """Evaluate a design.

        Raises
        ------
        InputError
            If the score needs a layout and the network has none, or a cable is too long for the price list.
        """
        exact = exact_metrics(design.network)
        return Evaluation(
            self.score(exact), self.score_names, (None,) * len(self.components), metrics(design.network, exact)
        )

    def point(self, design: Design) -> tuple[int, ...]:
        """Return the tuple used for comparison: the score, or the point of a front."""
        exact = exact_metrics(design.network)
        if self.front is not None:
            return tuple(exact_metric(exact, metric) for metric in self.front)
        return self.score(exact)

    def bound_when_exhausted(self, score: tuple[int, ...], bound: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return the bound after an exhaustive search; a front proves only a product of its own metrics optimal."""
        if self.front is None:
            return score
        return (score[0], *bound[1:]) if set(self.components[0]) <= set(self.front) else bound

    def score(self, exact: ExactMetrics) -> tuple[int, ...]:
        """Return the score of exact metrics."""
        return tuple(prod(exact_metric(exact, metric) for metric in component) for component in self.components)

    @property
    def higher_is_better(self) -> bool:
        """Whether the printed value increases as the score decreases: true only for the maximum traffic."""
        first = self.components[0]
        return len(first) == 1 and displayed_metric("cubes", first[0])[0].higher_is_better is True

    def exact_printed_value(self, score: tuple[int, ...], network: Network) -> Fraction:
        """Return the first component in its display unit, which is also that of `stop.target`.

        A sum of distances alone is shown as ASPL and a load alone as traffic; in products both are shown as counts,
        so the best plain cube of n = 8 shows 80000 = 800 · 100. Lengths are in m, delays in ns, costs in US$ per node.
        """
        first = self.components[0]
        if len(first) == 1:
            return displayed_metric("cubes", first[0])[1].printed(score[0], network)
        units = (displayed_metric("cubes", metric, in_product=True)[1].printed(1, network) for metric in first)
        return score[0] * prod(units, start=Fraction(1))

    def printed(self, score: tuple[int, ...], network: Network) -> float:
        """Return `exact_printed_value` as a floating-point number."""
        return float(self.exact_printed_value(score, network))

    def reaches(self, score: tuple[int, ...], target: Fraction, network: Network) -> bool:
        """Whether the first component is at least as good as a target in the display unit."""
        value = self.exact_printed_value(score, network)
        return value >= target if self.higher_is_better else value <= target


def exact_metric(exact: ExactMetrics, metric: str) -> int:
    """Return one of `METRICS` as an exact integer.

    Raises
    ------
    InputError
        If the network has no layout and the metric needs one.
    """
    return exact_value("cubes", exact, metric)
