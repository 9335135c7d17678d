"""Evaluators of designs, tried in order: the first that accepts a design evaluates it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from isoplane.models import Design, InputError
from isoplane.models.family_kinds.cube import has_kernels
from isoplane.models.workloads import Workload

from .cubes.cube_objective import CubeObjective
from .cubes.exact import exact_metrics
from .fluid import WorkloadObjective, network_metrics, score_ns
from .general import GeneralExact, general_evaluation
from .metrics.metric import Scope
from .metrics.metric_scopes import exact_value
from .metrics.objective import Evaluation, Metrics


class Evaluator(Protocol):
    """Computes the exact integers of designs, and evaluates them under a default objective."""

    @property
    def scope(self) -> Scope:
        """Scope of the metrics of `METRIC_TABLE` that it computes."""

    @property
    def objective(self) -> str:
        """Name of the default objective."""

    def accepts(self, design: Design) -> bool:
        """Whether it can evaluate a design."""

    def exact(self, design: Design, names: Iterable[str], workload: Workload | None = None) -> Mapping[str, int]:
        """Return the requested `score_names` of its scope, computing no others."""

    def evaluation(self, design: Design, workload: Workload | None) -> Evaluation:
        """Evaluate an accepted design, with the times of a workload if given; some evaluators require one."""


class CircuitEvaluator:
    """Evaluates designs with circuits: times of a workload in the fluid model."""

    scope: Scope = "circuits"
    objective = "completion"

    def accepts(self, design: Design) -> bool:
        """Whether the design has circuits."""
        return design.circuits is not None

    def exact(self, design: Design, names: Iterable[str], workload: Workload | None = None) -> Mapping[str, int]:
        """Return times of a workload in whole ns; errors as in `evaluation`."""
        requested = tuple(names)
        return dict(zip(requested, score_ns(design, _require_workload(design, workload), requested), strict=True))

    def evaluation(self, design: Design, workload: Workload | None) -> Evaluation:
        """Evaluate a design under a workload.

        Raises
        ------
        InputError
            If the workload is missing, or does not fit the network.
        """
        components = ("completion", "bottleneck", "total")
        return WorkloadObjective(self.objective, components, _require_workload(design, workload))(design)


def _require_workload(design: Design, workload: Workload | None) -> Workload:
    if workload is None:
        raise InputError(f"workload=null: network={design.network.name} expects a workload")
    return workload


class CubeEvaluator:
    """Evaluates one or two planes of cubes with the kernels."""

    scope: Scope = "cubes"
    objective = "aspl_and_traffic"

    def accepts(self, design: Design) -> bool:
        """Whether the kernels support the network."""
        return has_kernels(design.network)

    def exact(self, design: Design, names: Iterable[str], workload: Workload | None = None) -> Mapping[str, int]:
        """Return exact integers of planes of cubes.

        Raises
        ------
        InputError
            If one of them needs a layout and the network has none, or the catalogue lacks a cable.
        """
        exact = exact_metrics(design.network)
        return {name: exact_value(self.scope, exact, name) for name in names}

    def evaluation(self, design: Design, workload: Workload | None) -> Evaluation:
        """Evaluate planes of cubes."""
        objective = CubeObjective(self.objective, (("sum_of_distances", "max_load"), ("cable_length",)))
        found = (objective if design.network.site.layout is not None else objective.without_layout())(design)
        return _with_times(found, design, workload)


class GeneralEvaluator:
    """Evaluates any network of switches: distances over its cables, loads along its routes."""

    scope: Scope = "switches"
    objective = "aspl_and_traffic"

    def accepts(self, design: Design) -> bool:
        """Whether all links are between switches."""
        return design.circuits is None

    def exact(self, design: Design, names: Iterable[str], workload: Workload | None = None) -> Mapping[str, int]:
        """Return exact integers of any network; routes are walked and cables counted only if required.

        Raises
        ------
        InputError
            If one of them needs a layout and the network has none, or as for `GeneralExact`.
        """
        exact = GeneralExact(design.network)
        return {name: exact_value(self.scope, exact, name) for name in names}

    def evaluation(self, design: Design, workload: Workload | None) -> Evaluation:
        """Evaluate any network of switches."""
        return _with_times(general_evaluation(design), design, workload)


def _with_times(evaluation: Evaluation, design: Design, workload: Workload | None) -> Evaluation:
    """Add the times of a workload, if given, to the metrics of an evaluation."""
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
    return next(evaluator for evaluator in EVALUATORS if evaluator.accepts(design))


def metrics_of(design: Design, workload: Workload | None = None) -> Metrics:
    """Return the metrics of a design, computed by the evaluator that accepts it.

    Parameters
    ----------
    design
        The design.
    workload
        The messages. Required for designs with circuits; for others, its times are added to the metrics.

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
    return evaluator_of(design).evaluation(design, workload).metrics
