"""All metrics that a design can have: what they are called, their units, and which way is better."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Metric:
    """A named number of a design.

    Attributes
    ----------
    unit
        What it is counted in, as the value of a record is; empty for a number of things.
    title
        What people call it.
    decimals
        The most that pages show; zeros at the end are left out unless `padded`.
    higher_is_better
        Which direction is an improvement; None where neither is.
    padded
        Whether zeros at the end stay, as in prices.
    """

    unit: str
    title: str
    decimals: int = 0
    higher_is_better: bool | None = False
    padded: bool = False


METRIC_TABLE: Mapping[str, Metric] = {
    "aspl": Metric("hops", "Average shortest path length (ASPL)", 4),
    "sum_of_distances": Metric("hops", "Sum of distances over all offsets"),
    "total_hops": Metric("hops", "Sum of distances over all pairs of nodes"),
    "diameter": Metric("hops", "Diameter"),
    "max_load": Metric("packets", "Load of the busiest generator"),
    "peak_load": Metric("parts of a packet", "Load of the busiest link"),
    "max_traffic": Metric("link capacities", "All-to-all maximum traffic, one node at each switch", 4, True),
    "throughput_per_node": Metric("link capacities", "All-to-all throughput of a node", 4, True),
    "cable_length_m": Metric("m", "Mean length of the cables between switches", 3),
    "delay_ns": Metric("ns", "Mean delay over the real routes", 2),
    "delay_paper_ns": Metric("ns", "Mean delay by the published formula", 2),
    "cost_usd_per_node": Metric("US$", "Cost of the network for each node", 2, padded=True),
    "circuits": Metric("", "Circuits", higher_is_better=None),
    "completion_ns": Metric("ns", "Completion, relay by messages"),
    "completion_min_ns": Metric("ns", "The shortest of 9 runs, relay by messages"),
    "completion_max_ns": Metric("ns", "The longest of 9 runs, relay by messages"),
    "completion_by_packets_ns": Metric("ns", "Completion, relay by packets"),
    "completion_by_packets_min_ns": Metric("ns", "The shortest of 9 runs, relay by packets"),
    "completion_by_packets_max_ns": Metric("ns", "The longest of 9 runs, relay by packets"),
    "bottleneck_ns": Metric("ns", "Busy time of the busiest link"),
    "total_ns": Metric("ns", "Busy time of all links together"),
    "heaviest_load_bytes": Metric("bytes", "Most bytes over one direction of a link"),
    "mean_hops": Metric("legs", "Mean legs of a message", 4),
}
