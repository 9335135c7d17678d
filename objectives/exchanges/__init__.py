"""All-to-all exchanges in phases: the links of their messages, and where messages of a phase share one."""

from .order_check import OrderCheck, check_order, find_collisions, free_routing_bound, message_links

__all__ = [
    "OrderCheck",
    "check_order",
    "find_collisions",
    "free_routing_bound",
    "message_links",
]
