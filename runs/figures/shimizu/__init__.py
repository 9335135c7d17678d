"""Fig. 7 of Shimizu and Nakajima on switch-saving topologies, recomputed."""

from .reproduction import FIGURES, reproduce
from .text import format_sizes, format_verdicts

__all__ = ["FIGURES", "format_sizes", "format_verdicts", "reproduce"]
