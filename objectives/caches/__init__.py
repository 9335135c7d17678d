"""Routing-table caches: streams of input ports, hits and causes of misses."""

from .hit_rates import expected_hit_rate
from .input_ports import input_ports, ports_on_routes
from .look_ups import (
    PortLookUps,
    count_hits,
    count_look_ups,
    look_ups_of_messages,
    look_ups_of_pairs,
    look_ups_of_routes,
)
from .port_streams import port_streams, starting_streams
from .set_conflicts import evicted_by_conflicts, evicted_share_of_random_ids

__all__ = [
    "PortLookUps",
    "count_hits",
    "count_look_ups",
    "evicted_by_conflicts",
    "evicted_share_of_random_ids",
    "expected_hit_rate",
    "input_ports",
    "look_ups_of_messages",
    "look_ups_of_pairs",
    "look_ups_of_routes",
    "port_streams",
    "ports_on_routes",
    "starting_streams",
]
