"""Fig. 9 and section 3.5: simulations of the designs, compared with the formulas."""

from .comparison import Change
from .reproduction import FIGURES, change_cells, reproduce

__all__ = ["FIGURES", "Change", "change_cells", "reproduce"]
