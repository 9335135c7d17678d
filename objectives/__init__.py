"""Objectives: exact evaluation of designs by C++ kernels, scores and metrics."""

import warnings
from collections.abc import Callable

from isoplane.models.workloads import Workload

from ._native import available_isas, chosen_isa
from .costs.bill import Bill, Part, bill_of, price_draws, price_range
from .cubes.batch import Metrics, evaluate_batch
from .cubes.exact import CABLE_METRICS, METRICS, ExactMetrics, exact_metric, exact_metrics, metrics
from .evaluators import CIRCUITS, CUBES, SWITCHES, TIMES, SimulatedTimes, default_objective, evaluator_of, metrics_of
from .metrics.gap import gap_text, relative_gap, relative_gaps
from .metrics.hypervolume import hypervolume
from .metrics.metric import Formula, Metric, Scope
from .metrics.metric_scopes import displayed_metric, metrics_in, objective_names, score_names
from .metrics.metric_table import METRIC_TABLE
from .metrics.objective import Component, Evaluation, Evaluator, Lexicographic

__all__ = [
    "CABLE_METRICS",
    "CIRCUITS",
    "CUBES",
    "METRICS",
    "METRIC_TABLE",
    "SWITCHES",
    "TIMES",
    "Bill",
    "Component",
    "Evaluation",
    "Evaluator",
    "ExactMetrics",
    "Formula",
    "Lexicographic",
    "Metric",
    "Metrics",
    "Part",
    "Scope",
    "SimulatedTimes",
    "available_isas",
    "bill_of",
    "chosen_isa",
    "default_objective",
    "displayed_metric",
    "evaluate_batch",
    "evaluator_of",
    "exact_metric",
    "exact_metrics",
    "gap_text",
    "hypervolume",
    "metrics",
    "metrics_in",
    "metrics_of",
    "objective_names",
    "price_draws",
    "price_range",
    "relative_gap",
    "relative_gaps",
    "score_names",
]


def _of_cubes(name: str, components: tuple[Component, ...], front: tuple[str, str] | None = None) -> Lexicographic:
    return Lexicographic(name, components, CUBES, front=front)


def _of_times(name: str, components: tuple[str, ...], workload: Workload) -> Lexicographic:
    return Lexicographic(name, tuple((component,) for component in components), TIMES, workload)


# The objectives that the documentation named before they were one class.
_MERGED: dict[str, Callable[..., Lexicographic]] = {"CubeObjective": _of_cubes, "NetworkTimeObjective": _of_times}


def __getattr__(name: str) -> Callable[..., Lexicographic]:
    if name not in _MERGED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"{__name__}.{name} is Lexicographic now", DeprecationWarning, stacklevel=2)
    return _MERGED[name]
