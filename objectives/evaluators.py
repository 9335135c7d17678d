"""Evaluators: what computes the exact integers and the metrics of each kind of designs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from isoplane.models import Design, InputError, Network
from isoplane.models.family_kinds.cube import has_kernels
from isoplane.models.workloads import Workload

from . import fluid, general
from .cubes.exact import exact_metrics, metrics
from .scoring.function_objective import known_metrics
from .scoring.metric import MetricValues, Scope
from .scoring.metric_scopes import (
    exact_value,
    metrics_in,
    requested_metrics,
    requested_names,
    score_names,
    time_names,
)
from .scoring.objective import Evaluated, Evaluator, Lexicographic
from .scoring.own_metrics import own_metrics, own_values
from .scoring.sums import SIMULATED, Component


@dataclass(frozen=True)
class _CircuitEvaluator(Evaluator):
    """Evaluates designs with circuits: times of a workload in the fluid model."""

    scope: ClassVar[Scope] = "circuits"
    names: ClassVar[tuple[str, ...]] = time_names("circuits")
    max_components: ClassVar[int] = len(names)
    needs_workload: ClassVar[bool] = True

    def exact(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Mapping[str, int]:
        """Return times of a workload in whole ns."""
        return dict(zip(names, fluid.circuit_score_ns(design, _required(workload, design), names), strict=True))

    def evaluate(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Evaluated:
        """Return times of a workload, and the metrics of a hybrid design."""
        exact = fluid.circuit_times(design, _required(workload, design))
        return _values(self.scope, exact, names), fluid.circuit_metrics(design, exact, _required(workload, design))


@dataclass(frozen=True)
class _CubeEvaluator(Evaluator):
    """Evaluates one or two planes of cubes with the kernels; where caches miss, look-ups with the general evaluator."""

    scope: ClassVar[Scope] = "cubes"
    names: ClassVar[tuple[str, ...]] = score_names("cubes")
    # Each integer fits in 63 bits, so a product of two fits in the 127 bits of the native scores, which have three.
    max_components: ClassVar[int] = 3
    max_factors: ClassVar[int] = 2

    def exact(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Mapping[str, int]:
        """Return exact integers of planes of cubes."""
        return _values(self.scope, exact_metrics(design.network), names)

    def evaluate(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Evaluated:
        """Return exact integers and metrics of planes of cubes."""
        exact = exact_metrics(design.network)
        values, known = _values(self.scope, exact, names), metrics(design.network, exact)
        return values, known | requested_metrics(self.scope, values, design.network) | _times(design, workload)


@dataclass(frozen=True)
class _SwitchEvaluator(Evaluator):
    """Evaluates any network of switches: distances over its cables, loads along its routes."""

    scope: ClassVar[Scope] = "switches"
    names: ClassVar[tuple[str, ...]] = score_names("switches")
    max_components: ClassVar[int] = 3
    max_factors: ClassVar[int] = 2

    def exact(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Mapping[str, int]:
        """Return exact integers of any network; routes are walked and cables counted only if required."""
        return _values(self.scope, general.GeneralExact(design.network), names)

    def evaluate(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Evaluated:
        """Return exact integers and metrics of any network."""
        exact = general.general_exact(design.network)
        values, known = _values(self.scope, exact, names), general.general_metrics(design.network, exact)
        return values, known | requested_metrics(self.scope, values, design.network) | _times(design, workload)


@dataclass(frozen=True)
class _TimeEvaluator(Evaluator):
    """Evaluates networks of switches under a workload, between as many processes as there are nodes."""

    scope: ClassVar[Scope] = "times"
    names: ClassVar[tuple[str, ...]] = tuple(
        dict.fromkeys((*time_names("times"), *score_names("cubes"), *score_names("switches")))
    )
    max_components: ClassVar[int] = len(time_names("times"))
    needs_workload: ClassVar[bool] = True

    def exact(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Mapping[str, int]:
        """Return times of a workload in whole ns, and integers of the network."""
        timed = tuple(name for name in names if name in time_names(self.scope))
        times = fluid.plane_score_ns(design.network, _required(workload, design), timed)
        others = tuple(name for name in names if name not in timed)
        of_network = evaluator_of(design).exact(design, others) if others else {}
        return {**dict(zip(timed, times, strict=True)), **of_network}

    def evaluate(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Evaluated:
        """Return times of a workload, and the metrics of the network with those times."""
        values = self.exact(design, names, workload)
        requested = requested_metrics(evaluator_of(design).scope, values, design.network)
        return values, metrics_of(design, _required(workload, design)) | requested


@dataclass(frozen=True)
class SimulatedTimes(_TimeEvaluator):
    """Evaluates networks of switches under a workload, of which one time is simulated.

    Parameters
    ----------
    judge
        A function that returns the simulated time in whole ns of a workload on a network, with all messages divided by
        a factor.
    shorten
        That factor.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> work, simulated = ring_all_reduce(8, 1_000_000), SimulatedTimes(lambda network, work, shorten: 7, 1)
    >>> judged = Lexicographic("throughput", (("simulated",), ("synchronised",)), simulated, work)
    >>> judged.point(Design(dual_cube(3, (1, 2, 4), nodes_per_switch=1)))
    (7, 70000)
    """

    names: ClassVar[tuple[str, ...]] = (SIMULATED, *_TimeEvaluator.names)
    max_components: ClassVar[int] = _TimeEvaluator.max_components + 1

    judge: Callable[[Network, Workload, int], int]
    shorten: int

    def exact(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Mapping[str, int]:
        """Return times of a workload in whole ns, one of them simulated."""
        simulated = self.judge(design.network, _required(workload, design), self.shorten)
        times = tuple(name for name in names if name != SIMULATED)
        return {SIMULATED: simulated, **super().exact(design, times, workload)}

    def evaluate(self, design: Design, names: tuple[str, ...], workload: Workload | None = None) -> Evaluated:
        """Return the same, and metrics, of which the simulated time is one."""
        values, metrics = super().evaluate(design, names, workload)
        return values, {**metrics, "simulated_ns": values[SIMULATED]}


def _values(scope: Scope, exact: object, names: tuple[str, ...]) -> dict[str, int]:
    return {name: exact_value(scope, exact, name) for name in names}


def _times(design: Design, workload: Workload | None) -> MetricValues:
    """Return the times of a workload, if given, as metrics."""
    return {} if workload is None else fluid.plane_metrics(design.network, workload)


def _required(workload: Workload | None, design: Design) -> Workload:
    if workload is None:
        raise InputError(f"workload=null: network={design.network.name} expects a workload")
    return workload


CIRCUITS, CUBES, SWITCHES, TIMES = _CircuitEvaluator(), _CubeEvaluator(), _SwitchEvaluator(), _TimeEvaluator()


def cube_objective(name: str, components: tuple[Component, ...], front: tuple[str, str] | None = None) -> Lexicographic:
    """Return an objective of planes of cubes: `CubeObjective` before all objectives were one class."""
    return Lexicographic(name, components, CUBES, front=front)


def time_objective(name: str, components: tuple[str, ...], workload: Workload) -> Lexicographic:
    """Return an objective of times of a workload: `NetworkTimeObjective` before all objectives were one class."""
    return Lexicographic(name, tuple((component,) for component in components), TIMES, workload)


def evaluator_of(design: Design, *, has_workload: bool = False) -> Evaluator:
    """Return the evaluator of a design: the most specific one, or that of times under a workload beside the design.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> evaluator_of(Design(dual_cube(3, (3, 5, 7)))).scope
    'cubes'
    """
    if design.circuits is not None:
        return CIRCUITS
    if has_workload:
        return TIMES
    return CUBES if has_kernels(design.network) else SWITCHES


def default_objective(design: Design, workload: Workload | None = None) -> Lexicographic:
    """Return the objective of a design that was given, not found by a search.

    With circuits it is the completion time of a workload; else distances times load, then cable length, if the network
    has a layout.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> torus = Design(Network(Torus(shape=(4, 4))))
    >>> default_objective(torus)(torus).score
    (6144, 32000)
    """
    evaluator = evaluator_of(design)
    if evaluator == CIRCUITS:
        times = (("completion",), ("bottleneck",), ("total",))
        return Lexicographic("completion", times, evaluator, _required(workload, design))
    distances, load = ("sum_of_distances", "max_load") if evaluator == CUBES else ("total_hops", "peak_load")
    objective = Lexicographic("aspl_and_traffic", ((distances, load), ("cable_length",)), evaluator, workload)
    return objective if design.network.site.layout is not None else objective.without_layout()


def metrics_of(design: Design, workload: Workload | None = None, requested: bool = False) -> MetricValues:
    """Return the metrics of a design, computed by its evaluator.

    Parameters
    ----------
    design
        The design.
    workload
        The messages. Required for designs with circuits; for others, its times are added to the metrics.
    requested
        Whether those that records state only on request are returned, too.

    Raises
    ------
    InputError
        If the design needs a workload and none is given, or the evaluator rejects the network.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> metrics_of(Design(Network(Torus(shape=(4, 4)))))["diameter"]
    4
    """
    evaluator = evaluator_of(design)
    names = requested_names(evaluator.scope, design.network) if requested else ()
    _, metrics = evaluator.evaluate(design, names, workload)
    return metrics


def metrics_after_losses(design: Design, names: Iterable[str]) -> MetricValues:
    """Return the metrics after losses among some names, of metrics or of the integers of scores; none at no cost.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> metrics_after_losses(Design(dual_cube(3, (3, 5, 7))), ["aspl", "cable_fault_diameter"])
    {'cable_fault_diameter': 3}
    """
    evaluator, asked = evaluator_of(design), set(names)
    known = metrics_in(evaluator.scope).items()
    exact = tuple(
        formula.score_name
        for name, (metric, formula) in known
        if "losses" in metric.needs and not asked.isdisjoint((name, formula.score_name))
    )
    return requested_metrics(evaluator.scope, evaluator.exact(design, exact), design.network) if exact else {}


def own_values_of(design: Design, workload: Workload | None = None) -> dict[str, int]:
    """Return the values of the metrics of installed packages, without those that are undefined; without any at no cost.

    Parameters
    ----------
    design
        The design.
    workload
        The messages, if metrics may be made of their times; a design with circuits has no others.
    """
    evaluator = evaluator_of(design)
    if not own_metrics() or (evaluator.needs_workload and workload is None):
        return {}
    if workload is not None and not evaluator.needs_workload:
        evaluator = TIMES
    names = tuple(dict.fromkeys(each[1] for each in known_metrics(evaluator, design.network, workload)))
    return own_values(evaluator, design.network, evaluator.exact(design, names, workload), workload)
