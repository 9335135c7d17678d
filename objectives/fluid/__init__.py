"""Fluid model: completion time of a workload when its flows share the links of a network max-min fairly.

Modules named `plane_...` are for planes of switches, those of `circuits/` for networks with circuits; both share the
rest: paths, timing of links, levels of messages, units and times.
"""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from .circuits.bounds import bottleneck_bound_ns
    from .circuits.evaluation import (
        circuit_loads,
        circuit_metrics,
        circuit_score_ns,
        circuit_times,
        model_of,
        rates_gbps,
    )
    from .circuits.model import RELAYS, FluidModel, LinkBytes, PerLink
    from .plane_evaluation import (
        plane_busy_ns,
        plane_look_ups,
        plane_metrics,
        plane_runs_ns,
        plane_score_ns,
        plane_times,
    )
    from .plane_model import NetworkFluidModel
    from .repeated_steps import StepRuns, step_runs
    from .times import Times
    from .transfer_weights import SHARINGS
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "RELAYS",
    "SHARINGS",
    "FluidModel",
    "LinkBytes",
    "NetworkFluidModel",
    "PerLink",
    "StepRuns",
    "Times",
    "bottleneck_bound_ns",
    "circuit_loads",
    "circuit_metrics",
    "circuit_score_ns",
    "circuit_times",
    "model_of",
    "plane_busy_ns",
    "plane_look_ups",
    "plane_metrics",
    "plane_runs_ns",
    "plane_score_ns",
    "plane_times",
    "rates_gbps",
    "step_runs",
]
