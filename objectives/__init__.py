"""Objectives: exact evaluation of designs by C++ kernels, scores and metrics."""

from ._native import available_isas, chosen_isa
from .costs.bill import Bill, Part, bill_of, price_draws, price_range
from .cubes.batch import Metrics, evaluate_batch
from .cubes.cube_objective import CABLE_METRICS, METRICS, CubeObjective, exact_metric
from .cubes.exact import ExactMetrics, exact_metrics, metrics
from .evaluators import EVALUATORS, evaluator_of, metrics_of
from .judged_objective import JudgedObjective
from .metrics.gap import gap_text, relative_gap, relative_gaps
from .metrics.hypervolume import hypervolume
from .metrics.metric import Formula, Metric, Scope
from .metrics.metric_scopes import displayed_metric, metrics_in, objective_names, score_names
from .metrics.metric_table import METRIC_TABLE
from .metrics.objective import Evaluation, Objective
from .network_objective import NetworkTimeObjective

__all__ = [
    "CABLE_METRICS",
    "EVALUATORS",
    "METRICS",
    "METRIC_TABLE",
    "Bill",
    "CubeObjective",
    "Evaluation",
    "ExactMetrics",
    "Formula",
    "JudgedObjective",
    "Metric",
    "Metrics",
    "NetworkTimeObjective",
    "Objective",
    "Part",
    "Scope",
    "available_isas",
    "bill_of",
    "chosen_isa",
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
