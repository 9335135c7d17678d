"""Routing-table caches: streams of input ports, hits and causes of misses."""

from .hit_rates import expected_hit_rate
from .look_ups import PortLookUps, count_hits, count_look_ups, look_ups_of_messages, look_ups_of_pairs
from .port_streams import input_ports, port_streams, starting_streams
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
    "port_streams",
    "starting_streams",
]
