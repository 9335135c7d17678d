"""The same numbers again: igraph shortest paths, routes walked link by link, cables counted one by one.

Deliberately slow and simple; it shares no code with the kernels and imports only `isoplane.models`.
"""

from .cables import network_cost_cents, plane_cables
from .general import GeneralReference, general_metrics, measure_general
from .graph import ReferenceMismatch, distances, plane_graph
from .measure import CubeReference, measure, measure_exact
from .metrics import reference_circuit_metrics, reference_exact, reference_metrics
from .routes import routed_loads

__all__ = [
    "CubeReference",
    "GeneralReference",
    "ReferenceMismatch",
    "distances",
    "general_metrics",
    "measure",
    "measure_exact",
    "measure_general",
    "network_cost_cents",
    "plane_cables",
    "plane_graph",
    "reference_circuit_metrics",
    "reference_exact",
    "reference_metrics",
    "routed_loads",
]
