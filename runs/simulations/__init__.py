"""Simulations of designs: flit by flit or packet by packet, their folders, tables, figures and texts."""

from typing import TYPE_CHECKING

from isoplane.models.imports import handed_on

if TYPE_CHECKING:
    from .comparison import compared
    from .drawing import latency_load
    from .folder import SimulationFolder
    from .hybrid import (
        COMPLETIONS,
        TIMED,
        HybridSimulation,
        hybrid_json,
        links_csv,
        messages_csv,
        quick_factor,
        simulated,
    )
    from .tables import report_json, saturation_json
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "COMPLETIONS",
    "TIMED",
    "HybridSimulation",
    "SimulationFolder",
    "compared",
    "hybrid_json",
    "latency_load",
    "links_csv",
    "messages_csv",
    "quick_factor",
    "report_json",
    "saturation_json",
    "simulated",
]
