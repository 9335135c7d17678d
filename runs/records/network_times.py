"""Times of a workload on a network of switches, recomputed only by the reference."""

from fractions import Fraction
from math import floor

from isoplane.models import Network
from isoplane.models.placement import by_switch
from isoplane.models.workloads import Workload, parts_of
from isoplane.objectives.reference.fluid_times import network_times

HEAVIEST = "heaviest_load_bytes"  # the heaviest of all parts of a mix; times are sums


def network_time_metrics(network: Network, workload: Workload) -> dict[str, int]:
    """Return the times of a workload as metrics of a design, computed exactly and rounded to the nearest ns.

    Raises
    ------
    InputError
        If the reference rejects the network.
    """
    found = [(weight, _times_of(network, part)) for weight, part in parts_of(workload)]
    sums = {name: sum(weight * times[name] for weight, times in found) for name in found[0][1]}
    return {**sums, HEAVIEST: max(times[HEAVIEST] for _, times in found)}


def _times_of(network: Network, workload: Workload) -> dict[str, int]:
    found = network_times(network, workload.message_list(), by_switch(network.nodes))
    return {
        "completion_ns": found.completion,
        "completion_min_ns": found.completion_min,
        "completion_max_ns": found.completion_max,
        "synchronised_ns": floor(found.synchronised + Fraction(1, 2)),
        "bottleneck_ns": int(found.bottleneck),
        "total_ns": int(found.total),
        "heaviest_load_bytes": found.heaviest_load_bytes,
    }
