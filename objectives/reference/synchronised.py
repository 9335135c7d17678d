"""Reference time of a workload that is sent level by level, independent of the arrays of the fluid model."""

from fractions import Fraction
from math import floor

from isoplane.models import MessageList, Network
from isoplane.models.placement import Placement

from .plane_transfers import plane_transfers
from .transfers import Link


def reference_synchronised_ns(network: Network, messages: MessageList, placement: Placement) -> int:
    """Return the sum over levels of dependencies of the longest busy time of a link, to the nearest ns.

    Parameters
    ----------
    network, messages, placement
        As in `isoplane.objectives.fluid.NetworkFluidModel`.

    Raises
    ------
    InputError
        As for `NetworkFluidModel`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> reference_synchronised_ns(Network(Torus(shape=(4,))), ring_all_reduce(4, 5_000).message_list(), by_switch(4))
    600
    """
    level = _levels(messages)
    transfers, rates = plane_transfers(network, messages, placement)
    busy: list[dict[Link, Fraction]] = [{} for _ in range(max(level) + 1)]
    for transfer in transfers:
        loads = busy[level[transfer.message or 0]]
        for link in transfer.links:
            loads[link] = loads.get(link, Fraction(0)) + transfer.bits / rates[link]
    return floor(sum((max(loads.values(), default=Fraction(0)) for loads in busy), Fraction(0)) + Fraction(1, 2))


def _levels(messages: MessageList) -> list[int]:
    """Return the number of messages in the longest chain that ends before each message, by depth-first search."""
    start, dependency = messages.dependency_start.tolist(), messages.dependency.tolist()
    level: dict[int, int] = {}
    for message in range(messages.messages):
        stack = [message]
        while stack:
            earlier = dependency[start[stack[-1]] : start[stack[-1] + 1]]
            missing = [each for each in earlier if each not in level]
            if missing:
                stack += missing
            else:
                level[stack.pop()] = max((level[each] + 1 for each in earlier), default=0)
    return [level[message] for message in range(messages.messages)]
