"""Proven lower bounds on metrics and scores over all designs."""

from .distance_bound import sum_bound
from .enumerations import Enumeration, kept_enumeration
from .load_laws import load_ranges_by_sum
from .loads import load_bound
from .metric_bounds import enumeration_behind, metric_bound, score_bounds

__all__ = [
    "Enumeration",
    "enumeration_behind",
    "kept_enumeration",
    "load_bound",
    "load_ranges_by_sum",
    "metric_bound",
    "score_bounds",
    "sum_bound",
]
