"""Lower bound on the bottleneck time over all sets of circuits and all placements."""

import numpy as np

from isoplane.models import MessageList
from isoplane.models.checks import check_int
from isoplane.models.family_kinds.distance_vector import NO_SITE
from isoplane.models.family_kinds.optical import OpticalFamily
from isoplane.models.site.site import Site

from .bound import ROUNDING


def free_bound_ns(hybrid: OpticalFamily, messages: MessageList, circuits: int, site: Site = NO_SITE) -> int:
    """Return a lower bound in ns on the bottleneck time over all placements and sets of at most `circuits` circuits.

    A process that sends or receives T bits needs at least T / (e + p·c) on any node, with links of rate e in total
    (`OpticalFamily.max_node_gbps`) and p circuits of rate c. At most 2·`circuits` nodes own a circuit, so at least one
    of the 2·`circuits` + 1 busiest processes is on a node without one and needs T / e.

    Parameters
    ----------
    hybrid, messages
        The network, and the messages between its processes.
    circuits
        Maximum number of circuits.
    site
        The site, for a family that uses it.

    Raises
    ------
    InputError
        If the ports do not allow that many circuits.

    Examples
    --------
    >>> from isoplane.models.families.hybrid import Hybrid
    >>> from isoplane.models.workloads import stencil
    >>> work = stencil(iterations=1).message_list()
    >>> [free_bound_ns(Hybrid(), work, circuits) for circuits in (0, 64)]
    [128000000, 30476190]
    """
    check_int("network.circuits", circuits, 0, hybrid.max_circuits)
    link_rate = float(hybrid.max_node_gbps(site))
    circuit_rate = hybrid.ports_per_node * float(hybrid.circuit_gbps) if circuits else 0.0
    bound = 0.0
    bits = np.where(messages.local, 0.0, 8.0 * messages.length_bytes)
    for ends in (messages.source, messages.destination):
        total = np.sort(np.bincount(ends, bits, hybrid.nodes))[::-1]
        bound = max(bound, float(total[0]) / (link_rate + circuit_rate))
        if 2 * circuits < hybrid.nodes:
            bound = max(bound, float(total[2 * circuits]) / link_rate)
    return round(bound * (1 - ROUNDING))  # to the nearest ns, as scores are
