"""Fig. 9 and section 3.5: what a simulator sees of the designs, beside what the formulas say."""

from .comparison import Change
from .reproduction import FIGURES, change_cells, reproduce

__all__ = ["FIGURES", "Change", "change_cells", "reproduce"]
