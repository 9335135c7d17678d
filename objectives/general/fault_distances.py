"""Distances between nodes after the loss of any one cable between switches, switch, plane or rack."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from isoplane.models import Network
from isoplane.models.arrays import Ints

from .. import _native
from .arrays import NetworkArrays, in_threads
from .distances import SOURCES as BLOCK

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


def after_plane_loss(network: Network, arrays: NetworkArrays) -> tuple[int, int] | None:
    """Return the largest diameter and sum of distances over ordered pairs of nodes after the loss of any one plane.

    None if fewer than two planes carry packets. Nodes without a link to any other plane remain, far from all others.

    Parameters
    ----------
    network, arrays
        The network.

    Raises
    ------
    InputError
        As for `pairs_at_distances`.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> network = dual_cube(3, (3, 5, 7), nodes_per_switch=1)  # a cube is left: 8 · (3·1 + 3·2 + 1·3) hops
    >>> after_plane_loss(network, NetworkArrays(network))
    (3, 96)
    """
    carrying, planes, nodes = _carrying(network, arrays), arrays.planes, arrays.senders
    if len(carrying) < 2:
        return None
    # The loss of equal planes, which are often one object, is the same.
    lost, far = [*{id(network.planes[number]): number for number in carrying}.values()], sum(network.plane_switches)

    def without(case: slice) -> tuple[int, int]:
        left = [number for number in carrying if number != lost[case.start]]
        diameter, hops = _diameter_and_hops([planes[number] for number in left], nodes, arrays.sources, far)
        links = sum(np.diff(arrays.groups.source[number].start) for number in left)
        to_itself = far * int(nodes[links == 0].sum())  # of nodes without a link, which are at no distance from it
        return diameter if network.nodes > 1 else 0, arrays.groups_per_source * hops - to_itself

    diameters, hops = zip(*in_threads(without, len(lost), 1, "distances after losses"), strict=True)
    return max(diameters), max(hops)


def after_rack_loss(network: Network, arrays: NetworkArrays) -> tuple[int, Fraction] | None:
    """Return the largest diameter and ASPL, of the nodes that are left, after the loss of any one rack.

    A rack is lost with its switches in all planes, its nodes, and nodes without a link to any other switch. None
    without two or more racks.

    Parameters
    ----------
    network, arrays
        The network.

    Raises
    ------
    InputError
        As for `pairs_at_distances`, or if the layout does not fit.

    Examples
    --------
    >>> from isoplane.models import Layout, Site
    >>> from isoplane.models.families.torus import Torus
    >>> site = Site(layout=Layout(switches_per_rack=2, aspects=()))
    >>> ring = Network(Torus(shape=(6,)), site)  # becomes a path of four switches: 2 · (3·1 + 2·2 + 1·3) hops
    >>> after_rack_loss(ring, NetworkArrays(ring))
    (3, Fraction(5, 4))
    """
    floor = network.floor
    if floor is None or len(floor.row) < 2:
        return None
    carrying, groups, far = _carrying(network, arrays), arrays.groups, sum(network.plane_switches)
    count = len(groups.senders)

    def without(case: slice) -> tuple[int, Fraction]:
        nodes = np.bincount(groups.of_node[floor.of_nodes != case.start], minlength=count)
        planes, has_link = [], np.zeros(count, dtype=np.bool_)
        for number in carrying:
            lost, links = floor.of_switches[number] == case.start, groups.source[number]
            planes.append(arrays.without_switches(number, lost))
            has_link[links.group[~lost[links.at]]] = True
        nodes[~has_link] = 0
        diameter, hops = _diameter_and_hops(planes, nodes, np.flatnonzero(nodes), far)
        return diameter, Fraction(hops, max(1, int(nodes.sum()) ** 2))

    diameters, means = zip(*in_threads(without, len(floor.row), 1, "distances after losses"), strict=True)
    return max(diameters), max(means)


def _diameter_and_hops(planes: list[_native.PlaneArrays], nodes: Ints, sources: Ints, far: int) -> tuple[int, int]:
    """Return the largest distance from nodes in some groups, and the sum of all, over planes that need not connect."""
    blocks = (sources[first : first + BLOCK].copy() for first in range(0, len(sources), BLOCK))
    beyond = [_native.pairs_beyond(planes, nodes, block, far) for block in blocks]
    return max(map(len, beyond), default=0), sum(map(sum, beyond))


def _carrying(network: Network, arrays: NetworkArrays) -> list[int]:
    """Return the numbers of the planes that carry packets."""
    return [number for number in range(len(network.planes)) if not arrays.weights or arrays.weights[number]]


def _after_losses(
    network: Network, arrays: NetworkArrays, sources: Ints, of_switches: bool, adds_up: bool = False
) -> Iterator[tuple[int, Ints]]:
    """Yield the largest distance from some groups that a loss makes longer, and the hops that each lost cable adds."""
    nodes, far = arrays.groups.senders.astype(np.int64), sum(network.plane_switches)
    carrying = _carrying(network, arrays)
    planes = [arrays.planes[number] for number in carrying]  # not merged: only one of identical planes loses a part
    links = sum(network.planes[number].topology.peer.size for number in carrying) if adds_up else 0

    def lost(chunk: slice) -> tuple[int, Ints]:
        longer = np.zeros(links, dtype=np.int64)
        return _native.fault_distances(planes, nodes, sources[chunk].copy(), of_switches, far, longer), longer

    yield from in_threads(lost, len(sources), max(SOURCES, -(-len(sources) // CALLS)), "distances after losses")
