"""Routing functions and tables, in one form for all who need routes."""

from .routes import ARRIVED, ChannelRule, Paths, Routes

__all__ = ["ARRIVED", "ChannelRule", "Paths", "Routes"]
