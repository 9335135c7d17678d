"""The report: one self-contained HTML page that shows a design to colleagues."""

from .history import HistoryRow, read_history
from .network import write_network_report
from .page import render
from .write import write_report

__all__ = ["HistoryRow", "read_history", "render", "write_network_report", "write_report"]
