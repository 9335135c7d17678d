"""The same numbers again: igraph shortest paths, routes walked link by link, cables counted one by one.

Deliberately slow and simple; it shares no code with the kernels and imports only `isoplane.models`. Where two
of its computations disagree, it raises `RuntimeError`: an internal error, never the user's.
"""

from .cables import network_cost_cents, plane_cables
from .cubes import CubeReference, cube_metrics, measure_cubes
from .general import GeneralReference, measure_general
from .graph import distances, plane_graph
from .metrics import general_metrics, reference_circuit_metrics, reference_exact, reference_metrics, requested_metrics
from .routes import routed_loads

__all__ = [
    "CubeReference",
    "GeneralReference",
    "cube_metrics",
    "distances",
    "general_metrics",
    "measure_cubes",
    "measure_general",
    "network_cost_cents",
    "plane_cables",
    "plane_graph",
    "reference_circuit_metrics",
    "reference_exact",
    "reference_metrics",
    "requested_metrics",
    "routed_loads",
]
