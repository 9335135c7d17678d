"""Fig. 2 of Takizawa, Endo and Matsuoka on optical circuits with a packet network, recomputed."""

from .curves import Curve, Point, Task
from .reproduction import FIGURES, format_points, format_verdicts, reproduce

__all__ = ["FIGURES", "Curve", "Point", "Task", "format_points", "format_verdicts", "reproduce"]
