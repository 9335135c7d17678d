"""Table of all metrics of designs, in the order of records.

The single source for evaluations, scores, records and their schemas, configs, verification, tables and pages.
Evaluators compute the exact integers that it names, and the reference implementation recomputes the metrics.
"""

from collections.abc import Mapping

from . import divisors
from .metric import Divisor, Formula, Metric

LAYOUT, CABLES = frozenset({"layout"}), frozenset({"cables"})
PRICES, DELAYS = frozenset({"layout", "prices"}), frozenset({"layout", "switch"})
MS, MB = ("ms", 10**6), ("MB", 10**6)
LOOKUPS, LOSSES = frozenset({"lookups"}), frozenset({"losses"})
PLANES, RACKS = LOSSES | {"planes"}, LOSSES | LAYOUT | {"racks"}
CIRCUITS, WORKLOAD = frozenset({"circuits"}), frozenset({"circuits", "workload"})


def count(exact: str, scored: bool = True, on_request: bool = False) -> Formula:
    """Return the formula of a metric equal to an exact integer."""
    return Formula(exact, scored=scored, on_request=on_request)


def ratio(exact: str, divisor: Divisor, scored: bool = True, parts: str = "", on_request: bool = False) -> Formula:
    """Return the formula of a metric equal to an exact integer over a divisor."""
    return Formula(exact, divisor, scored=scored, parts=parts, on_request=on_request)


def inverse(exact: str, dividend: Divisor, parts: str = "") -> Formula:
    """Return the formula of a metric equal to a dividend over an exact integer."""
    return Formula(exact, dividend, inverse=True, parts=parts)


def _time(
    exact: str,
    title: str,
    scored: bool = False,
    tolerance: int = 0,
    optional: bool = False,
    short: str = "",
    everywhere: bool = False,
) -> Metric:
    """Return the metric for a time of designs with circuits, or `everywhere` of any network, in whole ns."""
    formula = count(exact, scored)
    return Metric(
        exact, "ns", title, circuits=formula, times=formula if everywhere else None,
        needs=WORKLOAD, tolerance=tolerance, optional=optional, short=short, page_unit=MS,
    )  # fmt: skip


_ALL = (
    Metric(
        "aspl", "hops", "Average shortest path length (ASPL)", 4, short="ASPL",
        cubes=ratio("sum_of_distances", divisors.offsets),
        switches=ratio("total_hops", divisors.pairs, parts="hop_parts"),
    ),
    Metric("sum_of_distances", "hops", "Sum of distances over all offsets", cubes=count("sum_of_distances")),
    Metric("total_hops", "hops", "Sum of distances over all pairs of nodes", switches=count("total_hops")),
    Metric("diameter", "hops", "Diameter", cubes=count("diameter", on_request=True), switches=count("diameter")),
    Metric("max_load", "packets", "Load of the busiest generator", cubes=count("max_load"), minimum=1),
    Metric("peak_load", "parts of a packet", "Load of the busiest link", switches=count("peak_load")),
    Metric(
        "max_traffic", "link capacities per switch", "All-to-all maximum traffic of a switch", 4, True,
        short="All-to-all traffic", cubes=inverse("max_load", divisors.packets),
    ),
    Metric(
        "throughput_per_node", "link capacities", "All-to-all throughput per node", 4, True,
        short="All-to-all throughput", switches=inverse("peak_load", divisors.nodes, parts="parts"), needs=CABLES,
    ),
    Metric(
        "cable_length_m", "m", "Mean length of the cables between switches", 3,
        cubes=ratio("cable_length_mm", divisors.cable_ends_m), switches=ratio("cable_length_mm", divisors.cables_m),
        needs=LAYOUT,
    ),
    Metric(
        "longest_cable_m", "m", "Length of the longest cable", 3, short="Longest cable",
        cubes=ratio("longest_cable_mm", divisors.metre, on_request=True),
        switches=ratio("longest_cable_mm", divisors.metre, on_request=True), needs=LAYOUT,
    ),
    Metric(
        "delay_ns", "ns", "Mean delay over the real routes", 2, short="Delay",
        cubes=ratio("delay", divisors.packets_ns), switches=ratio("delay", divisors.pairs_ns, parts="delay_parts"),
        needs=DELAYS,
    ),
    Metric(
        "max_delay_ns", "ns", "Largest delay of a path", 2, short="Largest delay", optional=True,
        cubes=ratio("max_delay", divisors.ns, scored=False, parts="max_delay_parts"),
        switches=ratio("max_delay", divisors.ns, scored=False, parts="max_delay_parts"), needs=DELAYS | {"stages"},
    ),
    Metric(
        "delay_paper_ns", "ns", "Mean delay by the published formula", 2,
        cubes=ratio("delay_paper", divisors.pairs_of_links_ns), needs=DELAYS,
    ),
    Metric(
        "cost_usd_per_node", "US$", "Network cost per node", 2, padded=True, short="Cost per node",
        cubes=ratio("cost_cents", divisors.node_cents), switches=ratio("cost_cents", divisors.node_cents), needs=PRICES,
    ),
    Metric(
        "switches", "", "Switches",
        cubes=count("switches", on_request=True), switches=count("switches", on_request=True),
    ),
    Metric(
        "cables", "", "Cables between switches",
        cubes=count("cables", on_request=True), switches=count("cables", on_request=True),
    ),
    Metric(
        "cable_fault_diameter", "hops", "Largest diameter after the loss of a cable", short="Diameter without a cable",
        cubes=count("cable_fault_diameter", on_request=True), switches=count("cable_fault_diameter", on_request=True),
        needs=LOSSES,
    ),
    Metric(
        "switch_fault_diameter", "hops", "Largest diameter after the loss of a switch",
        short="Diameter without a switch",
        cubes=count("switch_fault_diameter", on_request=True), switches=count("switch_fault_diameter", on_request=True),
        needs=LOSSES,
    ),
    Metric(
        "cable_fault_aspl", "hops", "Largest ASPL after the loss of a cable", 4, short="ASPL without a cable",
        cubes=ratio("cable_fault_hops", divisors.pairs_of_switches, on_request=True),
        switches=ratio("cable_fault_hops", divisors.pairs, on_request=True), needs=LOSSES,
    ),
    Metric(
        "plane_fault_diameter", "hops", "Largest diameter after the loss of a plane", short="Diameter without a plane",
        cubes=count("plane_fault_diameter", on_request=True), switches=count("plane_fault_diameter", on_request=True),
        needs=PLANES,
    ),
    Metric(
        "plane_fault_aspl", "hops", "Largest ASPL after the loss of a plane", 4, short="ASPL without a plane",
        cubes=ratio("plane_fault_hops", divisors.pairs_of_switches, on_request=True),
        switches=ratio("plane_fault_hops", divisors.pairs, on_request=True), needs=PLANES,
    ),
    Metric(
        "rack_fault_diameter", "hops", "Largest diameter after the loss of a rack", short="Diameter without a rack",
        cubes=count("rack_fault_diameter", on_request=True), switches=count("rack_fault_diameter", on_request=True),
        needs=RACKS,
    ),
    Metric(
        "rack_fault_aspl", "hops", "Largest ASPL after the loss of a rack", 4, short="ASPL without a rack",
        cubes=ratio("rack_fault_aspl_nhops", divisors.billion, on_request=True),
        switches=ratio("rack_fault_aspl_nhops", divisors.billion, on_request=True), needs=RACKS,
    ),
    Metric(
        "lookup_power_w", "W", "Power of the look-ups of all switches", 3, short="Power of look-ups", optional=True,
        cubes=ratio("lookup_power_uw", divisors.million), switches=ratio("lookup_power_uw", divisors.million),
        needs=LOOKUPS,
    ),
    Metric(
        "cache_area_mm2", "mm²", "Area of the caches of a switch", 3, short="Area of caches", optional=True,
        cubes=ratio("cache_area_um2", divisors.million), switches=ratio("cache_area_um2", divisors.million),
        needs=LOOKUPS,
    ),
    Metric(
        "circuits", "", "Circuits", higher_is_better=None,
        circuits=count("circuits", scored=False), needs=CIRCUITS,
    ),
    _time("completion_ns", "Completion, relay by messages", scored=True, short="Completion", everywhere=True),
    _time("completion_min_ns", "Shortest of 9 runs, relay by messages", optional=True, everywhere=True),
    _time("completion_max_ns", "Longest of 9 runs, relay by messages", optional=True, everywhere=True),
    _time("completion_by_packets_ns", "Completion, relay by packets", scored=True),
    _time("completion_by_packets_min_ns", "Shortest of 9 runs, relay by packets", optional=True),
    _time("completion_by_packets_max_ns", "Longest of 9 runs, relay by packets", optional=True),
    Metric(
        "simulated_ns", "ns", "Completion, flit by flit",
        times=count("simulated_ns"), needs=frozenset({"workload", "judge"}), optional=True, short="Simulated",
        page_unit=MS,
    ),
    _time(
        "synchronised_ns", "Time level by level, with links at full rate", scored=True, tolerance=1, optional=True,
        short="Synchronised", everywhere=True,
    ),
    _time(
        "bottleneck_ns", "Busy time of the busiest link", scored=True, tolerance=1, short="Bottleneck time",
        everywhere=True,
    ),
    _time("total_ns", "Total busy time of all links", scored=True, tolerance=1, everywhere=True),
    Metric(
        "heaviest_load_bytes", "bytes", "Maximum bytes over one direction of a link",
        circuits=count("heaviest_load_bytes", scored=False), times=count("heaviest_load_bytes", scored=False),
        needs=WORKLOAD, short="Heaviest load", page_unit=MB,
    ),
    Metric(
        "mean_hops", "segments", "Mean segments per message", 4,
        circuits=ratio("hops", divisors.messages, scored=False), needs=WORKLOAD, minimum=1,
    ),
    # A property of the workload, shown on pages only.
    Metric("crossing_bytes", "bytes", "Sent between groups in an iteration", page_unit=MB),
)  # fmt: skip

METRIC_TABLE: Mapping[str, Metric] = {metric.name: metric for metric in _ALL}
