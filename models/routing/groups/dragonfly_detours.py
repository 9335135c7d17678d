"""Detours in dragonflies: over an intermediate group."""

import numpy as np

from isoplane.models.planes.detours import Detours
from isoplane.models.planes.routes import ARRIVED, ChannelRule
from isoplane.models.topologies.dragonfly import GlobalCables


def dragonfly_detours(cables: GlobalCables) -> Detours:
    """Return the detours of a dragonfly over any other group, for packets between two groups.

    A packet takes the first global cable of its switch to the group; without one, it takes a local hop to a switch that
    has one, which is that of cable number i mod n, of the n cables between the two groups, for switch i of its group.

    The class of virtual channels is the number of global hops so far, including the present one, so there are three:
    local channels of a class depend on global ones of the next class, and these on local ones of the same class.

    References
    ----------
    Kim, Dally, Scott and Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, 2008, sections 4.1 and 4.2.

    Examples
    --------
    >>> detours = dragonfly_detours(GlobalCables(2, 1, 3, "relative"))
    >>> detours.region.tolist(), detours.next_port[0].tolist(), detours.next_port[1].tolist()
    ([0, 0, 1, 1, 2, 2], [65535, 1, 0], [65535, 0, 1])
    """
    a, h, groups = cables.switches_per_group, cables.global_ports, cables.groups
    region = np.repeat(np.arange(groups, dtype=np.int32), a)
    table = np.full((a * groups, groups), ARRIVED, dtype=np.uint16)
    number, there, _ = cables.ends()
    for own in range(groups):
        for aim in np.flatnonzero(np.arange(groups) != own):
            cable = np.sort(number[own][there[own] == aim])
            chosen = cable[np.arange(a) % len(cable)]  # by switch of the group
            for number_of_cable in cable[::-1]:  # so that the first one of a switch remains
                chosen[number_of_cable // h] = number_of_cable
            ahead = (chosen // h - np.arange(a)) % a
            table[own * a : (own + 1) * a, aim] = np.where(ahead == 0, a - 1 + chosen % h, ahead - 1)
    ports = a - 1 + h
    is_global = np.broadcast_to(np.arange(ports) >= a - 1, (len(region), ports))
    rule = ChannelRule(np.zeros(ports, dtype=np.int32), is_global, classes=3)
    return Detours(region, table, rule)
