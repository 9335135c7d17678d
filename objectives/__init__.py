"""Objectives: exact evaluation of designs by C++ kernels, scores and metrics."""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from ._native import available_isas, chosen_isa
    from .costs.bill import Bill, Part, bill_of, price_draws, price_range
    from .cubes.batch import CubeMetrics, evaluate_batch
    from .cubes.exact import CABLE_METRICS, CUBE_METRICS, ExactMetrics, exact_metric, exact_metrics, metrics
    from .evaluators import (
        CIRCUITS,
        CUBES,
        SWITCHES,
        TIMES,
        SimulatedTimes,
        cube_objective,
        default_objective,
        evaluator_of,
        metrics_of,
        time_objective,
    )
    from .scoring.gap import gap_text, relative_gap, relative_gaps
    from .scoring.hypervolume import hypervolume
    from .scoring.metric import Formula, Metric, Scope
    from .scoring.metric_scopes import displayed_metric, metrics_in, objective_names, score_names
    from .scoring.metric_table import METRIC_TABLE
    from .scoring.objective import Evaluation, Evaluator, Lexicographic
    from .scoring.sums import Component
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "CABLE_METRICS",
    "CIRCUITS",
    "CUBES",
    "CUBE_METRICS",
    "METRIC_TABLE",
    "SWITCHES",
    "TIMES",
    "Bill",
    "Component",
    "CubeMetrics",
    "Evaluation",
    "Evaluator",
    "ExactMetrics",
    "Formula",
    "Lexicographic",
    "Metric",
    "Part",
    "Scope",
    "SimulatedTimes",
    "available_isas",
    "bill_of",
    "chosen_isa",
    "cube_objective",
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
    "time_objective",
]
