"""Figures of designs: Hosomi et al. 2021, number by number; one file per figure, `fig*.py`."""

from .reproduction import figure_names, reproduce
from .text import format_table
from .verdicts import Verdict

__all__ = ["Verdict", "figure_names", "format_table", "reproduce"]
