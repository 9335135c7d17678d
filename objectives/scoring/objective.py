"""Objectives: components to minimise one after the other, and the evaluators that compute them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, ClassVar, Self

from isoplane.models import InputError

from .functions import Function, integers_of, with_functions
from .metric import MetricValues, Scope
from .metric_scopes import displayed_metric, needing
from .sums import EXCESS, Component, Least, Sum, names_in, sum_bound, sum_name, sum_value, terms_of

if TYPE_CHECKING:
    from isoplane.models import Design, Network
    from isoplane.models.workloads import Workload

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
    def exact(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Mapping[str, int]:
        """Return the requested `score_names` of the scope; an `InputError` if the network lacks what one needs."""

    @abstractmethod
    def evaluate(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Evaluated:
        """Return the same integers, and the metrics of a record, with the times of a workload if given."""


@dataclass(frozen=True)
class Lexicographic:
    """The objective of a search: components to minimise in lexicographic order, made of exact integers, and limits.

    Parameters
    ----------
    name
        Name in records and reports.
    components
        Different products of `Evaluator.names`, or weighted sums of such products, which may have a constant; later
        components break ties in earlier ones.
    evaluator
        What computes the integers: `CUBES`, `TIMES` of a workload on a network of switches, `CIRCUITS` for those on a
        network with circuits, `SWITCHES`, or `SimulatedTimes`.
    workload
        The messages and their dependencies, which times are of.
    front
        The two integers of a Pareto front, which replaces the score as the objective; `components` then only rank the
        designs of the front. One may be that of a function.
    limits
        Sums with a constant that should not be positive. The sum of those that are, the excess, then comes before all
        components in a score: it is 0 if a design meets all limits.
    printed_as
        How the first component is printed: multiplied by the fraction, or if True the fraction divided by it; by
        default as the metrics of which it is a product, with a function as it is.
    functions
        Functions of metrics that compute integers of their own, of which components and limits can be made as well.

    Raises
    ------
    InputError
        If an integer is unknown, or the number of components or of factors is out of range.

    Examples
    --------
    >>> from isoplane.models import Design, dual_cube
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
    components: tuple[Component | Sum, ...]
    evaluator: Evaluator
    workload: Workload | None = None
    front: tuple[str, str] | None = None
    limits: tuple[Sum, ...] = ()
    printed_as: tuple[Fraction, bool] | None = None
    functions: tuple[Function, ...] = ()

    def __post_init__(self) -> None:
        # Configurations give lists; only tuples make an objective hashable, as caches need it.
        object.__setattr__(self, "components", tuple(tuple(component) for component in self.components))
        if self.front is not None:
            object.__setattr__(self, "front", tuple(self.front))
            if len(self.front) != 2 or self.front[0] == self.front[1]:
                raise InputError(f"objective.metrics={list(self.front)}: expected two different metrics")
        names = self.evaluator.names
        for metric in (*self.metrics, *self._evaluated(self.front or ())):
            if metric not in names:
                raise InputError(f"metric {metric!r} of objective={self.name}: expected {', '.join(names)}")
        most, factors = self.evaluator.max_components, self.evaluator.max_factors
        sizes = [[len(product) for _, product in terms_of(component)] for component in self.components]
        different = 1 <= len(set(self.components)) == len(self.components) <= most
        if not different or not all(any(numbers) and max(numbers) <= factors for numbers in sizes):
            kind = "metrics" if factors == 1 else f"products of 1 to {factors} metrics"
            raise InputError(f"objective.components of {self.name}: expected 1 to {most} different {kind}")
        if self.printed_as is None and integers_of(self.functions).keys() & set(names_in(self.components[0])):
            object.__setattr__(self, "printed_as", (Fraction(1), False))

    @property
    def metrics(self) -> tuple[str, ...]:
        """The integers of the evaluator that the score follows from, limits included."""
        return self._evaluated(name for terms in self._sums for name in names_in(terms))

    def _evaluated(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the integers of the evaluator that the given ones are, or are functions of."""
        own = integers_of(self.functions)
        needed = ([exact for _, exact, _, _ in own[name][2]] if name in own else [name] for name in names)
        return tuple(dict.fromkeys(metric for metrics in needed for metric in metrics))

    @property
    def _sums(self) -> tuple[Sum, ...]:
        return (*map(terms_of, self.components), *self.limits)

    @property
    def first(self) -> int:
        """Place of the first component in a score: with limits the excess is before it."""
        return int(bool(self.limits))

    @property
    def is_plain(self) -> bool:
        """Whether the score is made of products of integers and nothing else."""
        products = all(isinstance(metric, str) for component in self.components for metric in component)
        return products and not self.functions and not self.limits

    @property
    def is_monotone(self) -> bool:
        """Whether no integer of the score may be larger in a better design, as far as is known."""
        return not self.functions and all(weight > 0 or not names for terms in self._sums for weight, names in terms)

    @property
    def scope(self) -> Scope:
        """Scope of the metrics that its score is made of."""
        return self.evaluator.scope

    @property
    def score_names(self) -> tuple[str, ...]:
        """Names of the score's components, such as ``sum_of_distances*max_load``, after ``excess`` if it has limits."""
        return (*((EXCESS,) if self.limits else ()), *map(sum_name, self.components))

    @property
    def needs_layout(self) -> bool:
        """Whether the first component, a limit, or a metric of the front is undefined without a layout."""
        needed = replace(self, components=self.components[:1]).metrics
        return bool(needing("layout", self.scope) & {*needed, *self._evaluated(self.front or ())})

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
        kept = (each for each in self.components if not any(cables & set(product) for _, product in terms_of(each)))
        return replace(self, components=tuple(kept))

    def __call__(self, design: Design) -> Evaluation:
        """Evaluate a design; errors as for `Evaluator.exact`."""
        values, metrics = self.evaluator.evaluate(design, self.metrics, self.workload)
        return Evaluation(self.score(values), self.score_names, (None,) * len(self.score_names), metrics)

    def point(self, design: Design) -> tuple[int, ...]:
        """Return the tuple used for comparison: the score, or the point of a front, with limits after the excess."""
        names = self.metrics
        if self.front is not None:
            names = tuple(dict.fromkeys((*self._evaluated(self.front), *(names if self.limits else ()))))
        return self.point_of(self.evaluator.exact(design, names, self.workload))

    def point_of(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """Return the same of exact integers."""
        if self.front is None:
            return self.score(values)
        excess = self.score(values)[:1] if self.limits else ()
        values = with_functions(self.functions, values)
        return (*excess, *(values[metric] for metric in self.front))

    def score(self, values: Mapping[str, int]) -> tuple[int, ...]:
        """Return the score of exact integers."""
        values = with_functions(self.functions, values)
        parts = tuple(sum_value(terms_of(component), values) for component in self.components)
        excess = sum(max(0, sum_value(limit, values)) for limit in self.limits)
        return (excess, *parts) if self.limits else parts

    def bounds(self, least: Least, largest: Mapping[str, int] | None = None) -> tuple[int | None, ...]:
        """Return lower bounds of the components of scores, from lower and upper bounds of integers by their names."""
        own = integers_of(self.functions)  # of which nothing is known
        lows = [None if own.keys() & set(names_in(terms)) else sum_bound(terms, least, largest) for terms in self._sums]
        parts, limits = lows[: len(self.components)], lows[len(self.components) :]
        return (*((sum(max(0, low or 0) for low in limits),) if limits else ()), *parts)

    def bound_when_exhausted(self, score: tuple[int, ...], bound: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return the bound after an exhaustive search; a front proves only a product of its own metrics optimal."""
        if self.front is None:
            return score
        first = {metric for _, product in terms_of(self.components[0]) for metric in product}
        proven = self.first + (first <= set(self.front))
        return (*score[:proven], *bound[proven:])

    @property
    def higher_is_better(self) -> bool:
        """Whether the printed value increases as the score decreases: as for throughput and traffic."""
        if self.printed_as is not None:
            return (self.printed_as[0] > 0) == self.printed_as[1]
        first = terms_of(self.components[0])[0][1]
        return len(first) == 1 and displayed_metric(self.scope, first[0])[0].higher_is_better is True

    def exact_printed_value(self, score: tuple[int, ...], network: Network) -> Fraction:
        """Return the first component in its display unit, which is also that of `stop.target`.

        A sum of distances alone is shown as ASPL and a load alone as traffic; in products both are shown as counts,
        so the best plain cube of n = 8 shows 80000 = 800 · 100. Lengths are in m, delays in ns, costs in US$ per node,
        times of a workload in ms. An objective stated in words is shown as its metrics are in records.
        """
        value = score[self.first]
        if self.printed_as is not None:
            factor, inverse = self.printed_as
            return factor / value if inverse else factor * value
        first = terms_of(self.components[0])[0][1]
        if len(first) == 1:
            return self._printed(first[0], value, network)
        return value * prod((self._printed(metric, 1, network, in_product=True) for metric in first), start=Fraction(1))

    def _printed(self, metric: str, value: int, network: Network, in_product: bool = False) -> Fraction:
        """Return an exact integer of the first component in its display unit."""
        shown, formula = displayed_metric(self.scope, metric, in_product)
        _, size = shown.page_unit or ("", 1)
        return formula.printed(value, network, self.workload) / size

    def printed(self, score: tuple[int, ...], network: Network) -> float:
        """Return `exact_printed_value` as a floating-point number."""
        return float(self.exact_printed_value(score, network))

    def meets_limits(self, score: Sequence[int]) -> bool:
        """Whether the design of a score meets all limits."""
        return not self.limits or score[0] == 0

    def reaches(self, score: tuple[int, ...], target: Fraction, network: Network) -> bool:
        """Whether a design meets all limits, and its first component is as good as a target in the display unit."""
        value, rises = self.exact_printed_value(score, network), self.higher_is_better
        return self.meets_limits(score) and (value >= target if rises else value <= target)
