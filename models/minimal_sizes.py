"""Minimal sizes of families that reach a number of nodes within a number of ports per switch."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from .family import Family
from .grid import MAX_SWITCHES
from .network import MAX_NODES_PER_SWITCH

Member = TypeVar("Member", bound=Family)
Shape = tuple[int, ...]


def minimal_sizes(
    sizes: Iterable[tuple[int, int]], nodes: int, ports: int, member: Callable[[int, int], Member]
) -> Iterator[Member]:
    """Yield the members of a one-parameter family that fit, in descending order of nodes per switch.

    Parameters
    ----------
    sizes
        Pairs of a size and its number of switches that nodes attach to, in ascending order.
    nodes, ports
        As in `Family.fitting`.
    member
        Constructor of a member from a size and the number of nodes per switch.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> def ring(side, per_switch):
    ...     return Torus(shape=(side,), nodes_per_switch=per_switch, node_cable_m=1)
    >>> found = minimal_sizes(((side, side) for side in range(2, 7)), 5, 4, ring)
    >>> [(each.switches, each.nodes_per_switch) for each in found]
    [(2, 3), (3, 2), (5, 1)]
    """
    fewest = MAX_NODES_PER_SWITCH + 1
    for size, switches in sizes:
        per_switch = max(1, -(-nodes // switches))
        if per_switch < fewest and (found := member(size, per_switch)).ports <= ports:
            fewest = per_switch
            yield found


def without_covered(members: Iterable[Member], ports: int, other_size: Callable[[Member], int]) -> list[Member]:
    """Return the members of a two-parameter family that fit and are minimal, sorted by switches, then by ports.

    Parameters
    ----------
    members
        In ascending order of one parameter, each with the least of the other one that has enough nodes.
    ports
        As in `Family.fitting`.
    other_size
        The other parameter: a member with no less of it than an earlier one is left out.
    """
    kept: list[Member] = []
    for member in members:
        if member.ports <= ports and (not kept or other_size(member) < other_size(kept[-1])):
            kept.append(member)
    return sorted(kept, key=lambda member: (member.switches, member.ports))


def ring_ports(side: int) -> int:
    """Return the ports of a switch in a dimension of tori and meshes: two, or one where the size is 2."""
    return min(2, side - 1)


def minimal_grids(nodes: int, ports: int, side_ports: Callable[[int], int] = ring_ports) -> Iterator[tuple[Shape, int]]:
    """Yield the shapes of grids that fit, sides in descending order, with the number of nodes per switch.

    Parameters
    ----------
    nodes, ports
        As in `Family.fitting`; a switch has one port per node.
    side_ports
        Ports of a switch in a dimension, from the size of the dimension; does not decrease with the size.

    Examples
    --------
    >>> list(minimal_grids(8, 4))
    [((2, 2), 2), ((4,), 2), ((8,), 1), ((2, 2, 2), 1), ((4, 2), 1)]
    """

    def cable_ports(shape: Shape) -> int:
        return sum(map(side_ports, shape))

    # A grid of at least 2 * nodes switches still suffices when its longest side is one switch shorter.
    most = min(max(2, 2 * nodes - 1), MAX_SWITCHES)
    divisors = _divisors(most)
    for switches in range(2, most + 1):
        per_switch = max(1, -(-nodes // switches))
        if per_switch <= min(ports - 1, MAX_NODES_PER_SWITCH):
            longest = _longest_side(switches, per_switch * switches, nodes)
            shapes = _shapes(switches, longest, ports - per_switch, side_ports, divisors)
            for shape in sorted(shapes, key=lambda shape: (cable_ports(shape), shape)):
                yield shape, per_switch


def _longest_side(switches: int, places: int, nodes: int) -> int:
    """Return the longest side that a minimal grid can have.

    With a side of L one switch shorter, the grid has places · (1 - 1 / L) places: too few if L < places / spare places.
    A shorter side leaves fewer. The single pair of switches has no shorter side.
    """
    spare = places - nodes
    return switches if switches == 2 or spare <= 0 else min(switches, -(-places // spare) - 1)


def _divisors(most: int) -> list[list[int]]:
    """Return the divisors above 1 of every number up to `most`, in descending order."""
    divisors: list[list[int]] = [[] for _ in range(most + 1)]
    for divisor in range(most, 1, -1):
        for multiple in range(divisor, most + 1, divisor):
            divisors[multiple].append(divisor)
    return divisors


def _shapes(
    switches: int, longest: int, ports: int, side_ports: Callable[[int], int], divisors: list[list[int]]
) -> Iterator[Shape]:
    """Yield the shapes with the given number of switches and at most `ports` ports each, sides in descending order."""
    if switches == 1:
        yield ()
    for side in divisors[switches]:
        remaining_ports = ports - side_ports(side)
        if side <= longest and remaining_ports >= 0:
            rest = _shapes(switches // side, side, remaining_ports, side_ports, divisors)
            yield from ((side, *others) for others in rest)
