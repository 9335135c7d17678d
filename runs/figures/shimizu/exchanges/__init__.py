"""Figs. 10 to 15 of Shimizu and Nakajima: all-to-all exchanges of FT, and of a fixed amount, on their testbed."""

from .reproduction import FIGURES, WITH_COMPUTING, Reproduction, reproduce
from .text import format_checks, format_runs, format_statements

__all__ = [
    "FIGURES",
    "WITH_COMPUTING",
    "Reproduction",
    "format_checks",
    "format_runs",
    "format_statements",
    "reproduce",
]
