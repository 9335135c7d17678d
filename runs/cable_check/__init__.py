"""Comparison of the cables of a fabric with those of a design."""

from .check import CableCheck, check_cables
from .differences import Difference, Move

__all__ = ["CableCheck", "Difference", "Move", "check_cables"]
