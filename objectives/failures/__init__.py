"""The quality of networks of which parts have failed."""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from .failed_cables import DRAWS, SHARES, FailureSummary, cable_failures, default_draws
    from .losses import LossSummary, plane_lost, rack_lost, switch_lost
    from .routed import Baseline, RelativeRange, throughput_per_node
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "DRAWS",
    "SHARES",
    "Baseline",
    "FailureSummary",
    "LossSummary",
    "RelativeRange",
    "cable_failures",
    "default_draws",
    "plane_lost",
    "rack_lost",
    "switch_lost",
    "throughput_per_node",
]
