"""Objectives: exact evaluation of designs by C++ kernels, scores and metrics."""

import warnings
from typing import TYPE_CHECKING, Any

from isoplane.models.imports import handed_on

if TYPE_CHECKING:
    from isoplane.models.workloads import Workload

    from ._native import available_isas, chosen_isa
    from .costs.bill import Bill, Part, bill_of, price_draws, price_range
    from .cubes.batch import Metrics, evaluate_batch
    from .cubes.exact import CABLE_METRICS, METRICS, ExactMetrics, exact_metric, exact_metrics, metrics
    from .evaluators import (
        CIRCUITS,
        CUBES,
        SWITCHES,
        TIMES,
        SimulatedTimes,
        default_objective,
        evaluator_of,
        metrics_of,
    )
    from .scoring.gap import gap_text, relative_gap, relative_gaps
    from .scoring.hypervolume import hypervolume
    from .scoring.metric import Formula, Metric, Scope
    from .scoring.metric_scopes import displayed_metric, metrics_in, objective_names, score_names
    from .scoring.metric_table import METRIC_TABLE
    from .scoring.objective import Component, Evaluation, Evaluator, Lexicographic

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


# The objectives that the documentation named before they were one class.
_MERGED = "CubeObjective", "NetworkTimeObjective"

_handed_on = handed_on(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name not in _MERGED:
        return _handed_on(name)
    warnings.warn(f"{__name__}.{name} is Lexicographic now", DeprecationWarning, stacklevel=2)
    return {"CubeObjective": _of_cubes, "NetworkTimeObjective": _of_times}[name]


def _of_cubes(name: str, components: "tuple[Component, ...]", front: tuple[str, str] | None = None) -> "Lexicographic":
    from .evaluators import CUBES
    from .scoring.objective import Lexicographic

    return Lexicographic(name, components, CUBES, front=front)


def _of_times(name: str, components: tuple[str, ...], workload: "Workload") -> "Lexicographic":
    from .evaluators import TIMES
    from .scoring.objective import Lexicographic

    return Lexicographic(name, tuple((component,) for component in components), TIMES, workload)
