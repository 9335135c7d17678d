"""Minimal routing in dragonflies: local, global, local."""

import numpy as np

from ..topologies.dragonfly import GlobalCables
from .routes import ARRIVED, ChannelRule, Routes
from .table import check_table_size


def dragonfly_minimal(cables: GlobalCables) -> Routes:
    """Return the routes of a dragonfly over one global cable between the groups of source and destination.

    A packet takes at most one hop to the switch of the global cable, the cable, and one hop to its destination. Of
    several cables between two groups it takes number i mod their number, for the destination switch i of its group. The
    class of virtual channels is the number of global hops so far, including the present one: channels of local hops of
    class 0 depend on those of global hops, and these on local ones of class 1, so dependencies are acyclic.

    Raises
    ------
    InputError
        If there are too many switches for a table of all pairs.

    References
    ----------
    Kim, Dally, Scott and Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, 2008, section 4.1.

    Examples
    --------
    >>> dragonfly_minimal(GlobalCables(2, 1, 3, "relative")).next_port[0].tolist()
    [65535, 0, 1, 1, 0, 0]
    """
    a, h, groups = cables.switches_per_group, cables.global_ports, cables.groups
    switches = check_table_size(a * groups)
    number, there, _ = cables.ends()
    leaving = np.zeros((groups, groups, cables.per_pair), dtype=np.int64)  # cables to each group, in ascending order
    for own in range(groups):
        order = np.argsort(there[own], kind="stable")
        leaving[own, np.arange(groups) != own] = number[own][order].reshape(groups - 1, cables.per_pair)
    table = np.empty((switches, switches), dtype=np.uint16)
    target, local = np.arange(switches) // a, np.arange(switches) % a
    for own in range(groups):
        cable = leaving[own, target, local % cables.per_pair]
        exit_switch = np.where(target == own, local, cable // h)
        ahead = (exit_switch - np.arange(a)[:, None]) % a
        at_exit = np.where(target == own, ARRIVED, a - 1 + cable % h)
        table[own * a : (own + 1) * a] = np.where(ahead == 0, at_exit, ahead - 1)
    is_global = np.broadcast_to(np.arange(a - 1 + h) >= a - 1, (switches, a - 1 + h))
    rule = ChannelRule(np.zeros(a - 1 + h, dtype=np.int32), is_global, classes=2)
    return Routes("table", np.arange(switches, dtype=np.int32), next_port=table, channels=rule)
