"""All-to-all exchanges in phases: the links of their messages, and where messages of a phase share one."""

from .free_bound import free_routing_bound
from .message_links import message_links
from .order_check import Collisions, OrderCheck, PhasedMessages, check_order, find_collisions

__all__ = [
    "Collisions",
    "OrderCheck",
    "PhasedMessages",
    "check_order",
    "find_collisions",
    "free_routing_bound",
    "message_links",
]
