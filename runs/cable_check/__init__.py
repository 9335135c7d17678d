"""Comparison of the cables of a fabric with those of a design."""

from .check import check_cables
from .differences import Difference, Move
from .result import CableCheck

__all__ = ["CableCheck", "Difference", "Move", "check_cables"]
