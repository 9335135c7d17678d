"""Circuits with a short bottleneck time, found by a local search of a fixed length."""

from math import inf

from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.models.workloads import Workload

from ..programs.integer_program import TimeLeft
from ..programs.local import CHAINS, LocalSearch, order
from ..programs.traffic import traffic_of

_SEED = 1  # fixed, because the result of a rule must not depend on the seed of the search
_TRIAL_CALLS, _FINAL_CALLS = 4, 64  # native calls of each search: from every start, then from the best results


def balanced(
    hybrid: Hybrid, workload: Workload, placement: Placement, circuits: int, seconds_left: TimeLeft = lambda: inf
) -> Circuits:
    """Return circuits with a short bottleneck time, deterministically.

    Short annealing runs from every graph of connected groups, then longer ones from the best results: a second or two
    for 128 nodes in four groups.

    Parameters
    ----------
    hybrid, workload, placement
        The network, the traffic of its processes, and the node of each process.
    circuits
        Maximum number of circuits.
    seconds_left
        Returns the seconds left; once none are left, the best circuits so far are returned.

    Examples
    --------
    >>> from isoplane.models.workloads import sparse
    >>> from isoplane.objectives.fluid import FluidModel
    >>> from .rules import round_robin
    >>> hybrid, work, nodes = Hybrid(2, 8), sparse(16, 3), Placement(tuple(range(16)))
    >>> model = FluidModel(hybrid, work.message_list())
    >>> [model.times(rule(hybrid, work, nodes, 4)).bottleneck_ns for rule in (balanced, round_robin)]
    [128000000, 224000000]
    """
    traffic = traffic_of(hybrid, workload.message_list(), placement)
    local = LocalSearch(traffic, circuits, _SEED, 1, seconds_left, lambda _: None)
    starts = local.starts((), _TRIAL_CALLS)
    return min([*starts, *local.chains(1, starts[:CHAINS], _FINAL_CALLS)], key=order).circuits
