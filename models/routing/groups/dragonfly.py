"""Routing in dragonflies: minimal, by a local hop, a global one and a local one, and over an intermediate group."""

import numpy as np
from numpy.typing import ArrayLike

from isoplane.models.arrays import Ints
from isoplane.models.planes.detours import Detours
from isoplane.models.planes.routes import ARRIVED, ChannelRule, Routes, check_table_size
from isoplane.models.topologies.dragonfly import GlobalCables


def dragonfly_minimal(cables: GlobalCables) -> Routes:
    """Return the routes of a dragonfly over one global cable between the groups of source and destination.

    A packet takes at most one hop to the switch of the global cable, the cable, and one hop to its destination. Of
    several cables between two groups it takes number i mod their number, for the destination switch i of its group. The
    class of virtual channels is the number of global hops so far, including the present one: channels of local hops of
    class 0 depend on those of global hops, and these on local ones of class 1, so dependencies are acyclic.

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
    for group in range(groups):
        order = np.argsort(there[group], kind="stable")
        leaving[group, np.arange(groups) != group] = number[group][order].reshape(groups - 1, cables.per_pair)
    table = np.empty((switches, switches), dtype=np.uint16)
    target, local = np.arange(switches) // a, np.arange(switches) % a
    for group in range(groups):
        cable = leaving[group, target, local % cables.per_pair]
        exit_switch = np.where(target == group, local, cable // h)
        # Local port o - 1 leads to the switch o further along.
        ahead = (exit_switch - np.arange(a)[:, None]) % a
        at_exit = np.where(target == group, ARRIVED, a - 1 + cable % h)
        table[group * a : (group + 1) * a] = np.where(ahead == 0, at_exit, ahead - 1)
    rule = _class_per_global_hop(cables, classes=2)
    return Routes("table", np.arange(switches, dtype=np.int32), next_port=table, channels=rule)


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
    for group in range(groups):
        for aim in np.flatnonzero(np.arange(groups) != group):
            cable = np.sort(number[group][there[group] == aim])
            chosen = cable[np.arange(a) % len(cable)]  # by switch of the group
            for number_of_cable in cable[::-1]:  # so that the first one of a switch remains
                chosen[number_of_cable // h] = number_of_cable
            ahead = (chosen // h - np.arange(a)) % a
            table[group * a : (group + 1) * a, aim] = np.where(ahead == 0, a - 1 + chosen % h, ahead - 1)
    return Detours(region, table, _class_per_global_hop(cables, classes=3))


def _class_per_global_hop(cables: GlobalCables, classes: int) -> ChannelRule:
    a, ports = cables.switches_per_group, cables.switches_per_group - 1 + cables.global_ports
    is_global = np.broadcast_to(np.arange(ports) >= a - 1, (a * cables.groups, ports))
    return ChannelRule(np.zeros(ports, dtype=np.int32), is_global, classes=classes)


def dragonfly_heaviest_loads(switches_per_group: ArrayLike, global_ports: ArrayLike, groups: ArrayLike) -> Ints:
    """Return the load of the busiest link of dragonflies if every switch sends a packet to every other one.

    The routes are those of `dragonfly_minimal`. Two groups have c = ⌊a h / (g - 1)⌋ cables; cable k of each group to
    each other one carries packets to n(k) switches there, those whose number is k modulo c. In a group, these are the
    cables k (g - 1) to (k + 1) (g - 1) - 1, of which A(x, k) are at switch x, which has cables x h to (x + 1) h - 1.
    So a global link carries up to a ⌈a / c⌉ packets, and the local link from switch x to switch y::

        1 + ∑ n(k) A(y, k) + a A(x, y mod c)

    packets: one within the group, those that leave over the cables of y, and those that arrive over cables of x for y.
    Neither depends on the group or the arrangement.

    Parameters
    ----------
    switches_per_group, global_ports, groups
        The same number of each, as in `GlobalCables`.

    Returns
    -------
    int64[dragonflies]
        Packets over the busiest link.

    Examples
    --------
    >>> dragonfly_heaviest_loads([4, 4], [2, 1], [9, 3]).tolist()  # 1 + 8 + 4 · 2, local; 4 · 2, global
    [17, 8]
    """
    a, h, groups = (
        np.asarray(numbers, dtype=np.int64)[:, None] for numbers in (switches_per_group, global_ports, groups)
    )
    others = groups - 1
    per_pair = a * h // others
    y = np.arange(a.max(initial=1))
    leaving = a // per_pair * np.clip(per_pair * others - y * h, 0, h)
    # n(k) is ⌊a / c⌋, and one more for the first a mod c sets of cables.
    leaving += np.clip(a % per_pair * others - y * h, 0, h)
    arriving = _most_arriving(y, y % per_pair * others, h, others)
    # The arrays are as wide as the largest group, and a group of one switch has no local link.
    local = np.where((y < a) & (a > 1), 1 + leaving + a * arriving, 0).max(axis=1, initial=0)
    heaviest: Ints = np.maximum(local, (a * -(-a // per_pair))[:, 0])
    return heaviest


def _most_arriving(y: Ints, first: Ints, h: Ints, others: Ints) -> Ints:
    """Return the most of the cables `first` to `first + others - 1` that one switch other than y has."""
    last = first + others - 1
    low, high = first // h, last // h  # switches of the first and the last of them; those between have h each
    at_low = np.where(low != y, np.minimum((low + 1) * h, last + 1) - first, 0)
    at_high = np.where(high != y, last + 1 - np.maximum(high * h, first), 0)
    between = high - low - 1 - ((low < y) & (y < high)) > 0
    most: Ints = np.where(between, h, np.maximum(at_low, at_high))
    return most
