"""Fluid model: completion time of a workload when its flows share the links of a network max-min fairly."""

from .bound import bottleneck_bound_ns
from .exact import METRICS, exact_times, hybrid_metrics, loads_of, model_of, score_ns
from .model import RELAYS, FluidModel, LinkBytes, Times
from .network_model import NetworkFluidModel
from .network_times import NETWORK_METRICS, network_metrics, network_score_ns, network_times

__all__ = [
    "METRICS",
    "NETWORK_METRICS",
    "RELAYS",
    "FluidModel",
    "LinkBytes",
    "NetworkFluidModel",
    "Times",
    "bottleneck_bound_ns",
    "exact_times",
    "hybrid_metrics",
    "loads_of",
    "model_of",
    "network_metrics",
    "network_score_ns",
    "network_times",
    "score_ns",
]
