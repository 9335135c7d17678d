"""Who judges a design: the first evaluator that accepts it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from isoplane.models import Design, InputError
from isoplane.models.workloads import Workload

from .cube_objective import CubeObjective
from .exact import exact_metrics
from .fluid import WorkloadObjective, network_metrics, score_ns
from .general import GeneralExact, general_evaluation
from .metric import Scope
from .metric_scopes import exact_value
from .objective import Evaluation, Metrics


class Evaluator(Protocol):
    """From a design to its exact integers, and to its evaluation by the objective that is usual for it."""

    @property
    def scope(self) -> Scope:
        """Which metrics of `METRIC_TABLE` it knows."""

    @property
    def objective(self) -> str:
        """Name of the usual objective."""

    def accepts(self, design: Design) -> bool:
        """Whether it can judge a design."""

    def exact(self, design: Design, names: Iterable[str], workload: Workload | None = None) -> Mapping[str, int]:
        """Return some of the `score_names` of its scope, without the work for the others."""

    def evaluation(self, design: Design, workload: Workload | None) -> Evaluation:
        """Evaluate a design that it accepts, with times of a workload if there is one; some need it."""


class CircuitEvaluator:
    """Designs with circuits: times of a workload by the fluid model."""

    scope: Scope = "circuits"
    objective = "completion"

    def accepts(self, design: Design) -> bool:
        """Whether there are circuits."""
        return design.circuits is not None

    def exact(self, design: Design, names: Iterable[str], workload: Workload | None = None) -> Mapping[str, int]:
        """Return times of a workload in whole ns; errors as in `evaluation`."""
        asked = tuple(names)
        return dict(zip(asked, score_ns(design, _required(design, workload), asked), strict=True))

    def evaluation(self, design: Design, workload: Workload | None) -> Evaluation:
        """Evaluate a design under a workload.

        Raises
        ------
        InputError
            If there is none, or it does not fit the network.
        """
        components = ("completion", "bottleneck", "total")
        return WorkloadObjective(self.objective, components, _required(design, workload))(design)


def _required(design: Design, workload: Workload | None) -> Workload:
    if workload is None:
        raise InputError(f"workload=null: network={design.network.name} expects a workload")
    return workload


class CubeEvaluator:
    """One or two planes of cubes: the kernels."""

    scope: Scope = "cubes"
    objective = "aspl_and_traffic"

    def accepts(self, design: Design) -> bool:
        """Whether the kernels can judge the network."""
        return design.network.family.is_cubes and design.network.cubes.is_judged

    def exact(self, design: Design, names: Iterable[str], workload: Workload | None = None) -> Mapping[str, int]:
        """Return exact integers of planes of cubes.

        Raises
        ------
        InputError
            If one of them needs a layout and there is none, or the catalogue lacks a cable.
        """
        exact = exact_metrics(design.network)
        return {name: exact_value(self.scope, exact, name) for name in names}

    def evaluation(self, design: Design, workload: Workload | None) -> Evaluation:
        """Evaluate planes of cubes."""
        both = CubeObjective(self.objective, (("sum_of_distances", "max_load"), ("cable_length",)))
        found = (both if design.network.site.layout is not None else both.without_layout())(design)
        return _with_times(found, design, workload)


class GeneralEvaluator:
    """Any network of switches: distances by its cables, loads along its routes."""

    scope: Scope = "switches"
    objective = "aspl_and_traffic"

    def accepts(self, design: Design) -> bool:
        """Whether all links are between switches."""
        return design.circuits is None

    def exact(self, design: Design, names: Iterable[str], workload: Workload | None = None) -> Mapping[str, int]:
        """Return exact integers of any network: routes are walked and cables counted only where they are asked for.

        Raises
        ------
        InputError
            If one of them needs a layout and there is none, or as `GeneralExact`.
        """
        exact = GeneralExact(design.network)
        return {name: exact_value(self.scope, exact, name) for name in names}

    def evaluation(self, design: Design, workload: Workload | None) -> Evaluation:
        """Evaluate any network of switches."""
        return _with_times(general_evaluation(design), design, workload)


def _with_times(evaluation: Evaluation, design: Design, workload: Workload | None) -> Evaluation:
    """Return an evaluation with the times of a workload among its metrics, if there is one."""
    if workload is None:
        return evaluation
    return replace(evaluation, metrics={**evaluation.metrics, **network_metrics(design.network, workload)})


EVALUATORS: tuple[Evaluator, ...] = (CircuitEvaluator(), CubeEvaluator(), GeneralEvaluator())


def evaluator_of(design: Design) -> Evaluator:
    """Return the first of `EVALUATORS` that accepts a design.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> type(evaluator_of(Design(dual_cube(3, (3, 5, 7))))).__name__
    'CubeEvaluator'
    """
    return next(each for each in EVALUATORS if each.accepts(design))


def metrics_of(design: Design, workload: Workload | None = None) -> Metrics:
    """Return the metrics of a design by the evaluator that accepts it.

    Parameters
    ----------
    design
        The design.
    workload
        What is sent. Designs with circuits need it; metrics of others have its times beside their own.

    Raises
    ------
    InputError
        If the design needs a workload and there is none, or the evaluator refuses the network.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> metrics_of(Design(Network(Torus(shape=(4, 4)))))["diameter"]
    4
    """
    return evaluator_of(design).evaluation(design, workload).metrics
