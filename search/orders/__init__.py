"""Search for all-to-all orders in few phases, without two messages of a phase on one link, over given routes."""

from .exchange import Exchange
from .search_order import FoundOrder, search_order

__all__ = ["Exchange", "FoundOrder", "search_order"]
