"""Fluid model: completion time of a workload when its flows share the links of a network max-min fairly."""

from .bound import bottleneck_bound_ns
from .exact import METRICS, ExactTimes, exact_times, hybrid_metrics, loads_of, model_of, network_metrics, score_ns
from .model import RELAYS, FluidModel, LinkBytes, Times
from .network_model import NetworkFluidModel
from .objective import WorkloadObjective

__all__ = [
    "METRICS",
    "RELAYS",
    "ExactTimes",
    "FluidModel",
    "LinkBytes",
    "NetworkFluidModel",
    "Times",
    "WorkloadObjective",
    "bottleneck_bound_ns",
    "exact_times",
    "hybrid_metrics",
    "loads_of",
    "model_of",
    "network_metrics",
    "score_ns",
]
