"""What neither circuits nor a placement can better."""

import numpy as np

from isoplane.models import MessageList
from isoplane.models.checks import check_int
from isoplane.models.families.hybrid import Hybrid

from .bound import ROUNDING


def free_bound_ns(hybrid: Hybrid, messages: MessageList, circuits: int) -> int:
    """Return a time in which no placement and no set of at most so many circuits can have all bits sent, in ns.

    A process that sends or receives T bits needs T / (e + p·c) on any node: a link of rate e and p circuits of rate c.
    At most 2·`circuits` nodes own one; so the busiest of all other processes needs T / e, and so do all without
    circuits.

    Parameters
    ----------
    hybrid, messages
        The network, and what is sent between its processes.
    circuits
        At most so many are set up.

    Raises
    ------
    InputError
        If there are more circuits than the ports allow.

    Examples
    --------
    >>> from isoplane.models.workloads import stencil
    >>> work = stencil(iterations=1).message_list()
    >>> [free_bound_ns(Hybrid(), work, circuits) for circuits in (0, 64)]
    [128000000, 30476190]
    """
    check_int("network.circuits", circuits, 0, hybrid.most_circuits)
    link = float(hybrid.node_gbps)
    over = hybrid.ports_per_node * float(hybrid.circuit_gbps) if circuits else 0.0
    bound = 0.0
    for ends in (messages.source, messages.destination):
        total = np.sort(np.bincount(ends, 8.0 * messages.length_bytes, hybrid.nodes))[::-1]
        bound = max(bound, float(total[0]) / (link + over))
        if 2 * circuits < hybrid.nodes:
            bound = max(bound, float(total[2 * circuits]) / link)
    return round(bound * (1 - ROUNDING))  # as scores are: to the nearest
