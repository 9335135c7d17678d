"""The flit simulator as the judge of designs under a workload."""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from math import floor
from typing import Any

from isoplane.models import Network
from isoplane.models.workloads import Workload, parts_of
from isoplane.objectives import JudgedObjective, NetworkTimeObjective
from isoplane.objectives.judged_objective import SIMULATED

AUTO_BYTES = 1 << 26  # bytes of a workload that take seconds at most


def simulated_ns(network: Network, workload: Workload, shorten: int) -> int:
    """Return the simulated time of a workload with messages shortened by a factor, to the nearest ns.

    The hardware is the default one, with the switch and the link rate of the site. The time of a mix is the sum over
    its weighted parts.

    Raises
    ------
    InputError
        If the numbers of processes and nodes differ.
    """
    return sum(weight * _simulated_ns(network, part, shorten) for weight, part in parts_of(workload))


@lru_cache(maxsize=256)
def _simulated_ns(network: Network, workload: Workload, shorten: int) -> int:
    from isoplane.simulator import Hardware, workload_time_ns  # only a judge needs the simulator

    switch = network.site.switch
    hardware = Hardware(switch=switch, link_gbps=switch.link_gbps)
    messages = workload.scaled(shorten).message_list()
    return floor(workload_time_ns(network, hardware, messages) + Fraction(1, 2))


def judged(objective: NetworkTimeObjective, shorten: int) -> JudgedObjective:
    """Return an objective of which the simulated time is the first component."""
    return JudgedObjective(objective.name, objective.components, objective.workload, simulated_ns, shorten)


def automatic_factor(workload: Workload) -> int:
    """Return the factor that shortens the messages of a workload so that a simulation takes seconds.

    Examples
    --------
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> [automatic_factor(ring_all_reduce(8, size)) for size in (1_000_000, 100_000_000)]
    [1, 21]
    """
    return -(-sum(int(part.message_list().length_bytes.sum()) for _, part in parts_of(workload)) // AUTO_BYTES)


def time_objective_in(record: Mapping[str, Any], workload: Workload) -> NetworkTimeObjective:
    """Return the objective of a record of cubes with a workload."""
    names = tuple(record["score_names"])
    objective = NetworkTimeObjective(record["objective"], tuple(name for name in names if name != SIMULATED), workload)
    return judged(objective, record["judge"]["shorten"]) if SIMULATED in names else objective
