"""The report: one self-contained HTML page that presents a design."""

from .history import HistoryRow, read_history
from .network import described_design, write_network_report
from .page import render
from .simulated import DESIGN_FILE, write_simulation_report
from .write import write_report

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
