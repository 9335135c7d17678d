"""Search for all-to-all orders in few phases over given routes, with one message per link and phase."""

from .exchange import Exchange
from .search_order import OrderSolution, search_order

__all__ = ["Exchange", "OrderSolution", "search_order"]
