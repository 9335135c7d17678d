"""Proven lower bounds: what no design scores below."""

from .load_laws import load_ranges_by_sum
from .loads import load_bound
from .metric_bounds import metric_bound, score_bounds
from .sums import sum_bound

__all__ = ["load_bound", "load_ranges_by_sum", "metric_bound", "score_bounds", "sum_bound"]
