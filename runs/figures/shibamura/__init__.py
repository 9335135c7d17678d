"""Figures of simulations: Shibamura et al. on INSIGHT, Figs. 4 to 12, statement by statement."""

from .reproduction import reproduce
from .settings import figure_names
from .text import format_table
from .verdicts import Verdict

__all__ = ["Verdict", "figure_names", "format_table", "reproduce"]
