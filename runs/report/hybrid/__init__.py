"""The page of a hybrid network; every chart has its own file."""

from .page import TEMPLATE, hybrid_values

__all__ = ["TEMPLATE", "hybrid_values"]
