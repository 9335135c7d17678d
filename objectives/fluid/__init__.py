"""The fluid model: how long a workload takes on a hybrid network when flows share its links max-min fairly."""

from .bound import bottleneck_bound_ns
from .exact import METRICS, HybridExact, exact_times, hybrid_metrics, loads_of, model_of
from .model import RELAYS, FluidModel, LinkLoads, Times
from .objective import HybridObjective

__all__ = [
    "METRICS",
    "RELAYS",
    "FluidModel",
    "HybridExact",
    "HybridObjective",
    "LinkLoads",
    "Times",
    "bottleneck_bound_ns",
    "exact_times",
    "hybrid_metrics",
    "loads_of",
    "model_of",
]
