"""Search for all-to-all orders in few phases over given routes, one message of a phase on a link."""

from .exchange import Exchange
from .search_order import OrderSolution, search_order

__all__ = ["Exchange", "OrderSolution", "search_order"]
