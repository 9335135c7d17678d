"""The page of any network of switches."""

from .page import TEMPLATE, general_values

__all__ = ["TEMPLATE", "general_values"]
