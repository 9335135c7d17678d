"""The fluid model: how long a workload takes on a hybrid network when flows share its links max-min fairly."""

from .bound import bottleneck_bound_ns
from .exact import METRICS, ExactTimes, exact_times, hybrid_metrics, loads_of, model_of, score_ns
from .model import RELAYS, FluidModel, LinkLoads, Times
from .objective import WorkloadObjective

__all__ = [
    "METRICS",
    "RELAYS",
    "ExactTimes",
    "FluidModel",
    "LinkLoads",
    "Times",
    "WorkloadObjective",
    "bottleneck_bound_ns",
    "exact_times",
    "hybrid_metrics",
    "loads_of",
    "model_of",
    "score_ns",
]
