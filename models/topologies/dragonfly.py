"""The topologies of dragonflies and Megaflies: groups of switches that are connected pairwise by global cables."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ..arrays import Ints
from ..checks import check_int
from ..errors import InputError
from ..planes.topology import Topology

MAX_SWITCHES_PER_GROUP, MAX_GLOBAL_PORTS = 256, 128


def _absolute(group: Ints, index: Ints, groups: int) -> tuple[Ints, Ints]:
    # No cable leads to the group itself, so the groups after it have numbers one lower.
    there = index + (index >= group)
    return there, group - (group > there)


def _relative(group: Ints, index: Ints, groups: int) -> tuple[Ints, Ints]:
    # Both distances round the ring sum to the number of groups, and numbers are one less than distances.
    return (group + index + 1) % groups, groups - 2 - index


def _circulant(group: Ints, index: Ints, groups: int) -> tuple[Ints, Ints]:
    step = index // 2 + 1
    # With an even number of groups, the opposite one is as far both ways, and has one cable with equal numbers.
    return (group + np.where(index % 2, -step, step)) % groups, np.where(2 * step == groups, index, index ^ 1)


# By name: the group at the other end of global cable 0 to groups - 2 of a group, and the number that it has there.
ARRANGEMENTS: Mapping[str, Callable[[Ints, Ints, int], tuple[Ints, Ints]]] = {
    "absolute": _absolute,
    "relative": _relative,
    "circulant": _circulant,
}


@dataclass(frozen=True)
class GlobalCables:
    """The global cables of a dragonfly, as both its topology and its routing need them.

    Global cables are numbered within each group: the k-th set of groups - 1 cables, one to each other group in the
    order of the arrangement, has numbers k (groups - 1) on; there are as many complete sets as there are global ports,
    and further ports are left unused. Cable j belongs to switch j // h of the group, at its global port j mod h.

    Parameters
    ----------
    switches_per_group, global_ports, groups
        Switches of a group, a; global ports of a switch, h; groups, at most a h + 1.
    arrangement
        ``absolute``: cables to the other groups in ascending order of id; ``relative``: to those 1, 2, ... further
        along; ``circulant``: to those 1 further and 1 back, 2 further and 2 back, ...

    References
    ----------
    Hastings et al., Comparing Global Link Arrangements for Dragonfly Networks, 2015.
    """

    switches_per_group: int
    global_ports: int
    groups: int
    arrangement: str

    def __post_init__(self) -> None:
        check_int("network.global_ports", self.global_ports, 1, MAX_GLOBAL_PORTS)
        check_int("network.groups", self.groups, 2, self.switches_per_group * self.global_ports + 1)
        if self.arrangement not in tuple(ARRANGEMENTS):
            raise InputError(f"network.arrangement={self.arrangement!r}: expected {', '.join(ARRANGEMENTS)}")

    @property
    def per_pair(self) -> int:
        """Number of cables between two groups."""
        return self.switches_per_group * self.global_ports // (self.groups - 1)

    def ends(self) -> tuple[Ints, Ints, Ints]:
        """Return, by group and number, the group at the other end and the number of the cable there.

        Returns
        -------
        int64[groups, cables], int64[groups, cables], int64[groups, cables]
            Number in its own group, group at the other end, number there.
        """
        own = np.arange(self.groups)[:, None]
        within = np.arange(self.groups - 1)
        there, back = ARRANGEMENTS[self.arrangement](own, within, self.groups)
        shift = np.repeat(np.arange(self.per_pair) * (self.groups - 1), self.groups - 1)
        numbers = np.tile(within, self.per_pair) + shift
        return (
            np.broadcast_to(numbers, (self.groups, len(numbers))),
            np.tile(np.broadcast_to(there, (self.groups, self.groups - 1)), self.per_pair),
            np.tile(np.broadcast_to(back, (self.groups, self.groups - 1)), self.per_pair) + shift,
        )


def dragonfly(cables: GlobalCables) -> Topology:
    """Return a dragonfly: switch i of group j has id j a + i.

    Ports 0 to a - 2 lead to the other switches of the group, port o - 1 to the one o further along modulo a; then come
    the h global ports.

    References
    ----------
    Kim, Dally, Scott and Abts, Technology-Driven, Highly-Scalable Dragonfly Topology, 2008.

    Examples
    --------
    >>> dragonfly(GlobalCables(2, 1, 3, "relative")).peer.tolist()
    [[1, 3], [0, 4], [3, 5], [2, 0], [5, 1], [4, 2]]
    """
    a, h, groups = cables.switches_per_group, cables.global_ports, cables.groups
    ids = np.arange(a * groups)
    peer = np.full((len(ids), a - 1 + h), -1, dtype=np.int32)
    peer_port = peer.copy()
    for ahead in range(1, a):
        peer[:, ahead - 1] = ids // a * a + (ids % a + ahead) % a
        # The way back is a - ahead further along.
        peer_port[:, ahead - 1] = a - ahead - 1
    number, there, back = cables.ends()
    switch, port = np.arange(groups)[:, None] * a + number // h, a - 1 + number % h
    peer[switch, port], peer_port[switch, port] = there * a + back // h, a - 1 + back % h
    return Topology(peer, peer_port)


def megafly(leaves: int, cables: GlobalCables) -> Topology:
    """Return a Megafly of groups with a cable from each leaf to each spine; leaves have the lower ids.

    With l leaves and s spines in each of g groups, leaf i of group j has id j l + i, and its spine k id g l + j s + k.
    Port k of a leaf leads to spine k; ports 0 to l - 1 of a spine lead to the leaves, and its global ports follow.

    Parameters
    ----------
    leaves
        Leaves of a group.
    cables
        The global cables; the switches of a group are its spines.

    References
    ----------
    Flajslik, Borch and Parker, Megafly: A Topology for Exascale Systems, 2018.

    Examples
    --------
    >>> megafly(1, GlobalCables(1, 1, 2, "relative")).peer.tolist()
    [[2, -1], [3, -1], [0, 3], [1, 2]]
    """
    spines, groups = cables.switches_per_group, cables.groups
    first_spine = groups * leaves
    peer = np.full((first_spine + groups * spines, max(spines, leaves + cables.global_ports)), -1, dtype=np.int32)
    peer_port = peer.copy()
    group, leaf, spine = (index.ravel() for index in np.indices((groups, leaves, spines)))
    below, above = group * leaves + leaf, first_spine + group * spines + spine
    peer[below, spine], peer_port[below, spine] = above, leaf
    peer[above, leaf], peer_port[above, leaf] = below, spine
    number, there, back = cables.ends()
    own_spine, own_port = np.divmod(number, cables.global_ports)
    other_spine, other_port = np.divmod(back, cables.global_ports)
    switch = first_spine + np.arange(groups)[:, None] * spines + own_spine
    peer[switch, leaves + own_port] = first_spine + there * spines + other_spine
    peer_port[switch, leaves + own_port] = leaves + other_port
    return Topology(peer, peer_port)
