"""Objectives of cubes: from a design to an exact score."""

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from isoplane.models import Design, InputError, Network

from . import _native
from .exact import ExactMetrics, exact_metrics, metrics
from .metric_scopes import exact_value, needing, read_as
from .objective import Evaluation

METRICS = tuple(_native.metric_names())  # the exact metrics, by which native evaluators count; all to be minimised
CABLE_METRICS = needing("layout", "cubes")
Component = tuple[str, ...]


@dataclass(frozen=True)
class CubeObjective:
    """Minimise components in lexicographic order, each a product of exact metrics.

    Parameters
    ----------
    name
        What records and reports call it.
    components
        Products of one or two `METRICS`, one to three of them; a later one breaks ties of the earlier ones.
    front
        Instead of a score to minimise, the two metrics that span a Pareto front; `components` then only rank the
        designs of the front.

    Raises
    ------
    InputError
        If a metric is unknown or there are too few or too many components.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> both = CubeObjective("aspl_and_traffic", (("sum_of_distances", "max_load"), ("cable_length",)))
    >>> both(Design(dual_cube(8, tuple(1 << i for i in range(8))))).score
    (131072, 22528000)
    """

    name: str
    components: tuple[Component, ...]
    front: tuple[str, str] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "components", tuple(tuple(component) for component in self.components))
        # Each metric fits 63 bits, so that a product of two fits the 127 bits of the native scores.
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
        """None: all nodes of cubes send alike."""

    @property
    def needs_layout(self) -> bool:
        """Whether the first component, or a metric of the front, is undefined without a layout."""
        return bool(CABLE_METRICS & {*self.components[0], *(self.front or ())})

    def without_layout(self) -> "CubeObjective":
        """Return this objective for networks without a layout: ties are not broken by cables.

        Raises
        ------
        InputError
            If it is undefined without a layout.
        """
        if self.needs_layout:
            raise InputError(f"objective={self.name}: needs a layout; layout=none expects objectives without cables")
        kept = tuple(component for component in self.components if not CABLE_METRICS & set(component))
        return CubeObjective(self.name, kept, self.front)

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
        """Return what is compared: the score, or the point of a front."""
        exact = exact_metrics(design.network)
        if self.front is not None:
            return tuple(exact_metric(exact, metric) for metric in self.front)
        return self.score(exact)

    def bound_of_all(self, score: tuple[int, ...], bound: tuple[int | None, ...]) -> tuple[int | None, ...]:
        """Return the bound once all is searched; a front tells the smallest product of its own metrics alone."""
        if self.front is None:
            return score
        return (score[0], *bound[1:]) if set(self.components[0]) <= set(self.front) else bound

    def score(self, exact: ExactMetrics) -> tuple[int, ...]:
        """Return the exact score of ingredients."""
        return tuple(prod(exact_metric(exact, metric) for metric in component) for component in self.components)

    @property
    def rises(self) -> bool:
        """Whether the printed value grows as the score falls: only the maximum traffic does."""
        first = self.components[0]
        return len(first) == 1 and read_as("cubes", first[0])[0].higher_is_better is True

    def printed_exactly(self, score: tuple[int, ...], network: Network) -> Fraction:
        """Return the first component in the unit in which people read it and `stop.target` is given.

        A sum of distances alone is read as ASPL and a load alone as traffic; in products both are counts, so that the
        best plain cube of n = 8 reads 80000 = 800 · 100. Lengths are in m, delays in ns, costs in US$ for each node.
        """
        first = self.components[0]
        if len(first) == 1:
            return read_as("cubes", first[0])[1].printed(score[0], network)
        units = (read_as("cubes", metric, in_product=True)[1].printed(1, network) for metric in first)
        return score[0] * prod(units, start=Fraction(1))

    def printed(self, score: tuple[int, ...], network: Network) -> float:
        """Return `printed_exactly` as a floating-point number."""
        return float(self.printed_exactly(score, network))

    def reaches(self, score: tuple[int, ...], target: Fraction, network: Network) -> bool:
        """Whether the first component is as good as a target in the printed unit."""
        value = self.printed_exactly(score, network)
        return value >= target if self.rises else value <= target


def exact_metric(exact: ExactMetrics, metric: str) -> int:
    """Return one of `METRICS` as an exact integer.

    Raises
    ------
    InputError
        If the network has no layout and the metric needs one.
    """
    return exact_value("cubes", exact, metric)
