"""Reference time of a workload that is sent level by level, independent of the arrays of the fluid model."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from isoplane.models import MessageList

from .transfers.hybrid_transfers import Link, Transfer


def level_sum_ns(transfers: Sequence[Transfer], rates: Mapping[Link, Fraction], messages: MessageList) -> Fraction:
    """Return the sum over levels of dependencies of the longest busy time of a link.

    Parameters
    ----------
    transfers
        The transfers of all messages in order; those that name no message are of the one before.
    rates
        The rate of each link in Gbit/s.
    messages
        The messages.

    Examples
    --------
    >>> from isoplane.models import Network
    >>> from isoplane.models.families.torus import Torus
    >>> from isoplane.models.placement import by_switch
    >>> from isoplane.models.workloads import ring_all_reduce
    >>> from .transfers.plane_transfers import plane_transfers
    >>> messages = ring_all_reduce(4, 5_000).message_list()
    >>> level_sum_ns(*plane_transfers(Network(Torus(shape=(4,))), messages, by_switch(4)), messages)
    Fraction(600, 1)
    """
    level, message = _levels(messages), 0
    bits: list[dict[Link, int]] = [{} for _ in range(max(level) + 1)]
    for transfer in transfers:
        message = message if transfer.message is None else transfer.message
        loads = bits[level[message]]
        for link in transfer.links:
            loads[link] = loads.get(link, 0) + transfer.bits
    busiest = (max((load / rates[link] for link, load in loads.items()), default=Fraction(0)) for loads in bits)
    return sum(busiest, Fraction(0))


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
