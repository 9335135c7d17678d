"""What packets would see: the flit-level simulator. It shares no code with `objectives`."""

from .hardware import Hardware
from .listed import Listed
from .simulation import Simulation
from .traffic import Traffic

__all__ = ["Hardware", "Listed", "Simulation", "Traffic"]
