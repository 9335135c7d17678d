"""The flit simulator as the judge of designs under a workload."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

from isoplane.models import Network
from isoplane.models.workloads import Workload, parts_of
from isoplane.objectives import TIMES, Evaluator, Lexicographic, SimulatedTimes
from isoplane.objectives.scoring.sums import SIMULATED
from isoplane.objectives.scoring.worded_objective import judged_first

AUTO_BYTES = 1 << 26  # bytes of a workload that take seconds at most


def simulated_ns(network: Network, workload: Workload, shorten: int) -> int:
    """Return the simulated time of a workload with messages shortened by a factor, to the nearest ns.

    The hardware is the default one, with the switch and the link rate of the site. The time of a mix is the sum over
    its weighted parts.
    """
    return sum(weight * _simulated_ns(network, part, shorten) for weight, part in parts_of(workload))


@lru_cache(maxsize=256)
def _simulated_ns(network: Network, workload: Workload, shorten: int) -> int:
    from isoplane.simulator import Hardware, workload_time_ns  # only a judge needs the simulator

    switch = network.site.switch
    hardware = Hardware(switch=switch, link_gbps=switch.link_gbps)
    messages = workload.scaled(shorten).message_list()
    return floor(workload_time_ns(network, hardware, messages) + Fraction(1, 2))


def judged(objective: Lexicographic, shorten: int) -> Lexicographic:
    """Return an objective of times with the simulated time before its components."""
    return judged_first(replace(objective, evaluator=SimulatedTimes(simulated_ns, shorten)))


def automatic_factor(workload: Workload) -> int:
    """Return the factor that shortens the messages of a workload so that a simulation takes seconds.

    Examples
    --------
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> [automatic_factor(ring_all_reduce(8, size)) for size in (1_000_000, 100_000_000)]
    [1, 21]
    """
    return -(-sum(int(part.message_list().length_bytes.sum()) for _, part in parts_of(workload)) // AUTO_BYTES)


def time_evaluator_in(record: Mapping[str, Any]) -> Evaluator:
    """Return the evaluator of the score in a record of cubes with a workload."""
    if SIMULATED in record["score_names"]:
        return SimulatedTimes(simulated_ns, record["judge"]["shorten"])
    return TIMES
