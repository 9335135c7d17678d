"""The general evaluator: exact metrics of any network, by its cables and along its routes."""

from .distances import all_distances
from .exact import GeneralExact, general_exact, general_metrics
from .link_loads import LinkLoads, all_to_all_loads

__all__ = ["GeneralExact", "LinkLoads", "all_distances", "all_to_all_loads", "general_exact", "general_metrics"]
