"""The page of a hybrid network; every chart has its own file."""

from .packets import NEEDED
from .page import TEMPLATE, hybrid_values

__all__ = ["NEEDED", "TEMPLATE", "hybrid_values"]
