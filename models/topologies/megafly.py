"""The topology of Megaflies: groups of leaves and spines, whose spines are connected by global cables."""

import numpy as np

from ..planes.topology import Topology
from .dragonfly import GlobalCables


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
    group, leaf, spine = (each.ravel() for each in np.indices((groups, leaves, spines)))
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
