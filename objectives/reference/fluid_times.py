"""All times of a hybrid network under a workload, for verification. Shares no code with the native programs."""

from dataclasses import dataclass

from isoplane.models import MessageList
from isoplane.models.checks import exact_number
from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.placement import Placement

from .fluid_course import Course, grid_of
from .transfers import RATES, transfers_of

RUNS = 9


@dataclass(frozen=True)
class ReferenceTimes:
    """What a workload takes, in ns but for the last two.

    Attributes
    ----------
    completion, completion_min, completion_max
        Median, shortest and longest of all runs, in whole ns.
    bottleneck, total
        As in `isoplane.objectives.fluid.Times`, before they are rounded.
    heaviest_load_bytes
        Most bytes over one direction of a link or circuit.
    hops
        Legs of all messages.
    """

    completion: int
    completion_min: int
    completion_max: int
    bottleneck: float
    total: float
    heaviest_load_bytes: int
    hops: int


def reference_times(
    hybrid: Hybrid, messages: MessageList, circuits: Circuits, placement: Placement, relay: str
) -> ReferenceTimes:
    """Return the times of a workload: completions exactly as defined, others to a few units in the last place.

    Parameters
    ----------
    hybrid, messages, circuits, placement, relay
        As in `isoplane.objectives.fluid.FluidModel`.

    Raises
    ------
    InputError
        If a rate is less than a 2^20th of the fastest.

    References
    ----------
    Bertsekas and Gallager, Data Networks, section 6.5.2: every transfer of a max-min fair allocation has a link that is
    full and on which none is faster.

    Examples
    --------
    >>> import numpy as np
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import from_matrix
    >>> work = from_matrix(np.array([[0, 1250], [0, 0]])).message_list()
    >>> reference_times(Hybrid(2, 1), work, Circuits(), by_switch(2), "messages").completion
    2340
    """
    transfers = transfers_of(hybrid, messages, circuits, placement, relay)
    grid = grid_of(hybrid, messages)
    course = Course(hybrid, transfers, grid)
    runs = sorted(grid.nearest_ns(course.last_tick(run)) for run in range(RUNS))
    loads: dict[tuple[str, int, int], int] = {}
    for transfer in transfers:
        for link in transfer.links:
            loads[link] = loads.get(link, 0) + transfer.bits
    busy = [bits / float(exact_number("", getattr(hybrid, RATES[link[0]]))) for link, bits in loads.items()]
    hops = sum(len(transfer.delays) for transfer in transfers)
    return ReferenceTimes(runs[RUNS // 2], runs[0], runs[-1], max(busy), sum(busy), max(loads.values()) // 8, hops)
