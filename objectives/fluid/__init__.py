"""Fluid model: completion time of a workload when its flows share the links of a network max-min fairly."""

from typing import TYPE_CHECKING

from isoplane.models.imports import handed_on

if TYPE_CHECKING:
    from .bound import bottleneck_bound_ns
    from .exact import CIRCUIT_METRICS, exact_times, hybrid_metrics, loads_of, model_of, rates_gbps, score_ns
    from .model import RELAYS, FluidModel, LinkBytes, PerLink, Times
    from .network_model import NetworkFluidModel
    from .switch_times import NETWORK_METRICS, network_metrics, network_score_ns, network_times
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "CIRCUIT_METRICS",
    "NETWORK_METRICS",
    "RELAYS",
    "FluidModel",
    "LinkBytes",
    "NetworkFluidModel",
    "PerLink",
    "Times",
    "bottleneck_bound_ns",
    "exact_times",
    "hybrid_metrics",
    "loads_of",
    "model_of",
    "network_metrics",
    "network_score_ns",
    "network_times",
    "rates_gbps",
    "score_ns",
]
