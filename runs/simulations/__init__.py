"""What simulations leave behind: tables, a figure, and the comparison with what follows without one."""

from .comparison import Compared, compared
from .drawing import latency_load
from .folder import SimulationFolder
from .tables import report_json, saturation_json

__all__ = ["Compared", "SimulationFolder", "compared", "latency_load", "report_json", "saturation_json"]
