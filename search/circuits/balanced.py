"""Circuits that keep the busiest link or circuit least busy, by a local search of a fixed length."""

from math import inf

from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement
from isoplane.models.workloads import Workload

from ..programs.local import CHAINS, Local, order
from ..programs.statement import Left
from ..programs.traffic import traffic_of

_SEED = 1  # as for all rules: whatever the seed of a search
_TRIAL, _CALLS = 4, 64  # length of the searches from all starts, and of those from the best


def balanced(
    hybrid: Hybrid, workload: Workload, placement: Placement, circuits: int, left: Left = lambda: inf
) -> Circuits:
    """Return circuits with a short bottleneck time, the same for the same problem.

    Short annealing from every way to join groups, then longer ones from the best: a second or two for 128 nodes in four
    groups.

    Parameters
    ----------
    hybrid, workload, placement
        The network, what its processes send, and where they are.
    circuits
        At most so many.
    left
        Tells how many seconds are left: where that is none before the end, the best circuits so far count.

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
    local = Local(traffic, circuits, _SEED, 1, left, lambda _: None)
    starts = local.starts((), _TRIAL)
    return min([*starts, *local.chains(1, starts[:CHAINS], _CALLS)], key=order).circuits
