"""The report: one self-contained HTML page that shows a design to colleagues."""

from .history import HistoryRow, read_history
from .page import render
from .write import write_report

__all__ = ["HistoryRow", "read_history", "render", "write_report"]
