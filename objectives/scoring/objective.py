"""Objectives: components to minimise one after the other, and the evaluators that compute them."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, ClassVar, Self

from isoplane.models import Design, InputError, Network

from .metric import MetricValues, Scope
from .metric_scopes import displayed_metric, needing

if TYPE_CHECKING:
    from isoplane.models.workloads import Workload

Component = tuple[str, ...]
MetricLimits = tuple[tuple[str, Fraction], ...]
Evaluated = tuple[Mapping[str, int], MetricValues]


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
    metrics: MetricValues = field(hash=False)


@dataclass(frozen=True)
class Evaluator(ABC):
    """Computes the exact integers of designs of one kind, and their metrics; frozen and picklable, for any fleet.

    Attributes
    ----------
    scope
        Scope of the metrics of `METRIC_TABLE` that it computes.
    names
        The exact integers that an objective may minimise, of the `score_names` of the scope.
    max_components, max_factors
        Largest number of components of an objective, and of integers whose product is a component.
    needs_workload
        Whether it has no metrics without a workload.
    """

    scope: ClassVar[Scope]
    names: ClassVar[tuple[str, ...]]
    max_components: ClassVar[int]
    max_factors: ClassVar[int] = 1
    needs_workload: ClassVar[bool] = False

    @abstractmethod
    def exact(self, design: Design, names: tuple[str, ...], workload: "Workload | None" = None) -> Mapping[str, int]:
        """Return the requested `score_names` of the scope, computing no others.

        Raises
        ------
        InputError
            If the network lacks what one of them needs, such as a layout or a workload.
        """

    @abstractmethod
    def evaluate(self, design: Design, names: tuple[str, ...], workload: "Workload | None" = None) -> Evaluated:
        """Return the same integers, and the metrics of a record, with the times of a workload if given."""


@dataclass(frozen=True)
class Lexicographic:
    """The objective of a search: components to minimise in lexicographic order, each a product of exact integers.

    Parameters
    ----------
    name
        Name in records and reports.
    components
        Different products of `Evaluator.names`; later components break ties in earlier ones.
    evaluator
        What computes the integers: `CUBES`, `TIMES` of a workload on a network of switches, `CIRCUITS` for those on a
        network with circuits, `SWITCHES`, or `SimulatedTimes`.
    workload
        The messages and their dependencies, which times are of.
    front
        The two integers of a Pareto front, which replaces the score as the objective; `components` then only rank the
        designs of the front.
    limits
        The largest allowed values of metrics of look-ups, by their names in records: see `within_limits`.

    Raises
    ------
    InputError
        If an integer is unknown, or the number of components or of factors is out of range.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> from isoplane.objectives import CUBES, TIMES
    >>> objective = Lexicographic("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)), CUBES)
    >>> objective(Design(dual_cube(8, tuple(1 << i for i in range(8))))).score
    (131072, 22528000)
    >>> throughput = Lexicographic(
    ...     "throughput", (("synchronised",), ("total",)), TIMES, ring_all_reduce(8, 1_000_000)
    ... )
    >>> [throughput.point(Design(dual_cube(3, plane, nodes_per_switch=1))) for plane in ((1, 2, 4), (3, 5, 7))]
    [(70000, 4200000), (140000, 3360000)]
    """

    name: str
    components: tuple[Component, ...]
    evaluator: Evaluator
    workload: "Workload | None" = None
    front: tuple[str, str] | None = None
    limits: MetricLimits = ()

    def __post_init__(self) -> None:
        # Configurations give lists; only tuples make an objective hashable, as caches need it.
        object.__setattr__(self, "components", tuple(tuple(component) for component in self.components))
        if self.front is not None:
            object.__setattr__(self, "front", tuple(self.front))
            if len(self.front) != 2 or self.front[0] == self.front[1]:
                raise InputError(f"objective.metrics={list(self.front)}: expected two different metrics")
        names = self.evaluator.names
        for metric in (*self._factors, *(self.front or ())):
            if metric not in names:
                raise InputError(f"metric {metric!r} of objective={self.name}: expected {', '.join(names)}")
        most, factors = self.evaluator.max_components, self.evaluator.max_factors
        if not 1 <= len(set(self.components)) == len(self.components) <= most or not all(
            1 <= len(component) <= factors for component in self.components
        ):
            kind = "metrics" if factors == 1 else f"products of 1 to {factors} metrics"
            raise InputError(f"objective.components of {self.name}: expected 1 to {most} different {kind}")

    @property
    def _factors(self) -> tuple[str, ...]:
        """The integers of the score."""
        return tuple(dict.fromkeys(metric for component in self.components for metric in component))

    @property
    def scope(self) -> Scope:
        """Scope of the metrics that its score is made of."""
        return self.evaluator.scope

    @property
    def score_names(self) -> tuple[str, ...]:
        """Names of the score's components, such as ``sum_of_distances*max_load``."""
        return tuple("*".join(component) for component in self.components)

    @property
    def limits_text(self) -> str:
        """The limits, in words; empty if there are none."""
        return ", ".join(f"{name} <= {float(largest):.12g}" for name, largest in self.limits)

    @property
    def needs_layout(self) -> bool:
        """Whether the first component, or a metric of the front, is undefined without a layout."""
        return bool(needing("layout", self.scope) & {*self.components[0], *(self.front or ())})

    def without_layout(self) -> Self:
        """Return this objective for networks without a layout, omitting the components that need cables.

        Raises
        ------
        InputError
            If the objective is undefined without a layout.
        """
        if self.needs_layout:
            raise InputError(f"objective={self.name}: needs a layout; layout=none expects objectives without cables")
        cables = needing("layout", self.scope)
        return replace(self, components=tuple(each for each in self.components if not cables & set(each)))

    def __call__(self, design: Design) -> Evaluation:
        """Evaluate a design; errors as for `Evaluator.exact`."""
        values, metrics = self.evaluator.evaluate(design, self._factors, self.workload)
        return Evaluation(self.score(values), self.score_names, (None,) * len(self.components), metrics)

    def point(self, design: Design) -> tuple[int, ...]:
        """Return the tuple used for comparison: the score, or the point of a front."""
        if self.front is None:
            return self.score(self.evaluator.exact(design, self._factors, self.workload))
        values = self.evaluator.exact(design, self.front, self.workload)
        return tuple(values[metric] for metric in self.front)

    def score(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """Return the score of exact integers."""
        return tuple(prod(values[metric] for metric in component) for component in self.components)

    def bound_when_exhausted(self, score: tuple[int, ...], bound: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return the bound after an exhaustive search; a front proves only a product of its own metrics optimal."""
        if self.front is None:
            return score
        return (score[0], *bound[1:]) if set(self.components[0]) <= set(self.front) else bound

    @property
    def higher_is_better(self) -> bool:
        """Whether the printed value increases as the score decreases: true only for throughput and traffic."""
        first = self.components[0]
        return len(first) == 1 and displayed_metric(self.scope, first[0])[0].higher_is_better is True

    def exact_printed_value(self, score: tuple[int, ...], network: Network) -> Fraction:
        """Return the first component in its display unit, which is also that of `stop.target`.

        A sum of distances alone is shown as ASPL and a load alone as traffic; in products both are shown as counts,
        so the best plain cube of n = 8 shows 80000 = 800 · 100. Lengths are in m, delays in ns, costs in US$ per node,
        times of a workload in ms.
        """
        first = self.components[0]
        if len(first) == 1:
            return self._printed(first[0], score[0], network)
        return score[0] * prod((self._printed(metric, 1, network) for metric in first), start=Fraction(1))

    def _printed(self, metric: str, value: int, network: Network) -> Fraction:
        """Return an exact integer of the first component in its display unit."""
        shown, formula = displayed_metric(self.scope, metric, in_product=len(self.components[0]) > 1)
        _, size = shown.page_unit or ("", 1)
        return formula.printed(value, network, self.workload) / size

    def printed(self, score: tuple[int, ...], network: Network) -> float:
        """Return `exact_printed_value` as a floating-point number."""
        return float(self.exact_printed_value(score, network))

    def reaches(self, score: tuple[int, ...], target: Fraction, network: Network) -> bool:
        """Whether the first component is at least as good as a target in the display unit."""
        value = self.exact_printed_value(score, network)
        return value >= target if self.higher_is_better else value <= target
