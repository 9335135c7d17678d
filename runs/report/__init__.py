"""The report: one self-contained HTML page that presents a design."""

from typing import TYPE_CHECKING

from isoplane.models.imports import handed_on

if TYPE_CHECKING:
    from .history import HistoryRow, read_history
    from .network import described_design, write_network_report
    from .page import render
    from .write import DESIGN_FILE, write_report, write_simulation_report
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "DESIGN_FILE",
    "HistoryRow",
    "described_design",
    "read_history",
    "render",
    "write_network_report",
    "write_report",
    "write_simulation_report",
]
