"""Sizes that reach a number of nodes within a number of ports, of which nothing can be taken away."""

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import TypeVar

from .family import Family
from .grid import MAX_SWITCHES
from .network import MAX_NODES_PER_SWITCH

Member = TypeVar("Member", bound=Family)
Shape = tuple[int, ...]


def minimal_sizes(
    sizes: Iterable[tuple[int, int]], nodes: int, ports: int, member: Callable[[int, int], Member]
) -> Iterator[Member]:
    """Yield those members of a family with one size that fit, each with fewer nodes at a switch than the one before.

    Parameters
    ----------
    sizes
        Sizes, and the places for nodes of each, such as the switches of a plane, in ascending order.
    nodes, ports
        As in `Family.fitting`.
    member
        From a size and the nodes at each place to a member.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> def ring(side, at_each):
    ...     return Torus(shape=(side,), nodes_per_switch=at_each, node_cable_m=1)
    >>> found = minimal_sizes(((side, side) for side in range(2, 7)), 5, 4, ring)
    >>> [(each.switches, each.nodes_per_switch) for each in found]
    [(2, 3), (3, 2), (5, 1)]
    """
    least = MAX_NODES_PER_SWITCH + 1
    for size, places in sizes:
        at_each = max(1, -(-nodes // places))
        if at_each < least and (found := member(size, at_each)).ports <= ports:
            least = at_each
            yield found


def minimal_grids(nodes: int, ports: int) -> Iterator[tuple[Shape, int]]:
    """Yield the shapes of tori and meshes that fit, the longest side first, with the nodes at each switch.

    A switch has two ports for each dimension, one where it has two switches, and one for each of its nodes.

    Examples
    --------
    >>> list(minimal_grids(8, 4))
    [((2, 2), 2), ((4,), 2), ((8,), 1), ((2, 2, 2), 1), ((4, 2), 1)]
    """
    # A grid of 2 * nodes switches or more has nodes to spare with a switch less along its longest side.
    for switches in range(2, min(max(2, 2 * nodes - 1), MAX_SWITCHES) + 1):
        at_each = max(1, -(-nodes // switches))
        if at_each <= min(ports - 1, MAX_NODES_PER_SWITCH):
            for shape in sorted(_shapes(switches, switches, ports - at_each), key=lambda s: (_cable_ports(s), s)):
                if all(at_each * _without_one(shape, side) < nodes for side in range(len(shape))):
                    yield shape, at_each


def _shapes(switches: int, longest: int, ports: int) -> Iterator[Shape]:
    """Yield the shapes with so many switches and at most so many ports at each, their sides in descending order."""
    if switches == 1:
        yield ()
    for side in range(min(longest, switches), 1, -1):
        left = ports - _cable_ports((side,))
        if switches % side == 0 and left >= 0:
            yield from ((side, *others) for others in _shapes(switches // side, side, left))


def _cable_ports(shape: Shape) -> int:
    return sum(min(2, side - 1) for side in shape)


def _without_one(shape: Shape, at: int) -> int:
    """Return the switches of a shape with one switch less along a side; none where no side would be left."""
    return 0 if shape == (2,) else prod(side - (place == at) for place, side in enumerate(shape))
