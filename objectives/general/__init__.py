"""General evaluator: exact metrics of any network from its cables and routes."""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from .distances import pairs_at_distances, sum_of_hops
    from .exact import GeneralExact, general_exact, general_metrics, zero_load_and_throughput
    from .link_loads import LinkLoads, all_to_all_loads
    from .port_destinations import destination_loads, port_destinations
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "GeneralExact",
    "LinkLoads",
    "all_to_all_loads",
    "destination_loads",
    "general_exact",
    "general_metrics",
    "pairs_at_distances",
    "port_destinations",
    "sum_of_hops",
    "zero_load_and_throughput",
]
