"""Lower bounds on the metrics and scores of all connection sets of two cubes, with what proves them."""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from .cube_times import cube_time_bounds
    from .distance_bound import sum_bound
    from .enumerations import BoundSource, stored_enumeration
    from .load_inequalities import load_ranges_by_sum
    from .loads import max_load_bound
    from .metric_bounds import enumeration_behind, metric_bound, score_bounds
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "BoundSource",
    "cube_time_bounds",
    "enumeration_behind",
    "load_ranges_by_sum",
    "max_load_bound",
    "metric_bound",
    "score_bounds",
    "stored_enumeration",
    "sum_bound",
]
