"""Distances between nodes after the loss of any one cable between switches, or of any one switch."""

from collections.abc import Iterator

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints

from .. import _native
from .arrays import NetworkArrays, in_threads

SOURCES, CALLS = 16, 64  # groups of nodes per native call, and calls of many groups


def longest_after_loss(network: Network, arrays: NetworkArrays, diameter: int, of_switches: bool) -> int:
    """Return the largest distance between two nodes after the loss of any one cable or switch.

    It is not below the diameter: some loss spares two nodes that are as far apart, unless there are at most two
    switches.

    Parameters
    ----------
    network, arrays
        The network. After the loss of a switch, nodes that have no other are left out.
    diameter
        Largest distance without a loss.
    of_switches
        Whether switches are lost, not cables.

    Raises
    ------
    InputError
        As for `pairs_at_distances`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(Torus(shape=(6,)))  # becomes a path of six switches, or of five
    >>> [longest_after_loss(ring, NetworkArrays(ring), 3, of_switches) for of_switches in (False, True)]
    [5, 4]
    """
    if of_switches and sum(network.plane_switches) <= 2:  # one is left
        return 0
    return max(diameter, *(longest for longest, _ in _after_losses(network, arrays, arrays.sources, of_switches)))


def hops_after_loss(network: Network, arrays: NetworkArrays, hops: int) -> int:
    """Return the largest sum of distances over ordered pairs of nodes after the loss of any one cable.

    Parameters
    ----------
    network, arrays
        The network.
    hops
        The sum without a loss.

    Raises
    ------
    InputError
        As for `pairs_at_distances`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(Torus(shape=(5,)))  # 5 · (2·1 + 2·2) hops; as a path 2 · (4·1 + 3·2 + 2·3 + 1·4)
    >>> hops_after_loss(ring, NetworkArrays(ring), 30)
    40
    """
    groups = np.arange(len(arrays.groups.senders))  # a representative would not tell what others lose with a cable
    longer = sum(longer for _, longer in _after_losses(network, arrays, groups, of_switches=False, adds_up=True))
    return hops + int(np.max(longer, initial=0))


def _after_losses(
    network: Network, arrays: NetworkArrays, sources: Ints, of_switches: bool, adds_up: bool = False
) -> Iterator[tuple[int, Ints]]:
    """Yield the largest distance from some groups that a loss makes longer, and the hops that each lost cable adds."""
    nodes, far = arrays.groups.senders.astype(np.int64), sum(network.plane_switches)
    carrying = [number for number in range(len(network.planes)) if not arrays.weights or arrays.weights[number]]
    planes = [arrays.planes[number] for number in carrying]  # not merged: only one of identical planes loses a part
    links = sum(network.planes[number].topology.peer.size for number in carrying) if adds_up else 0

    def lost(chunk: slice) -> tuple[int, Ints]:
        longer = np.zeros(links, dtype=np.int64)
        return _native.fault_distances(planes, nodes, sources[chunk].copy(), of_switches, far, longer), longer

    yield from in_threads(lost, len(sources), max(SOURCES, -(-len(sources) // CALLS)), "distances after losses")
