"""Minimal sizes of families that reach a number of nodes within a number of ports per switch."""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from heapq import nsmallest
from itertools import islice
from typing import TypeVar

from ..checks import MAX_NODES_PER_SWITCH
from ..family import Family
from ..mathematics.grid import MAX_SWITCHES
from ..site.part_costs import PartCosts
from .sized import kept

Member = TypeVar("Member", bound=Family)
Sizes = TypeVar("Sizes", bound=tuple[object, ...])
Shape = tuple[int, ...]

MAX_FREE_NODES = 4096  # with more, only minimal shapes of grids are tried
MAX_ORDERS = 128


def minimal_sizes(
    sizes: Iterable[tuple[int, int]], nodes: int, ports: int, member: Callable[[int, int], Member]
) -> Iterator[Member]:
    """Yield the members of a one-parameter family that fit, in descending order of nodes per switch.

    Parameters
    ----------
    sizes
        Pairs of a size and its number of switches that nodes attach to, in ascending order.
    nodes, ports
        As in `Sized.fitting`.
    member
        Constructor of a member from a size and the number of nodes per switch.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> def ring(side, per_switch):
    ...     return Torus(shape=(side,), nodes_per_switch=per_switch, node_cable_m=1)
    >>> members = minimal_sizes(((side, side) for side in range(2, 7)), 5, 4, ring)
    >>> [(each.switches, each.nodes_per_switch) for each in members]
    [(2, 3), (3, 2), (5, 1)]
    """
    fewest = MAX_NODES_PER_SWITCH + 1
    for size, switches in sizes:
        per_switch = max(1, -(-nodes // switches))
        # A larger size is worth it only if it leaves more ports of each switch to cables.
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
        As in `Sized.fitting`.
    other_size
        The other parameter: a member with no less of it than an earlier one is left out.
    """
    kept: list[Member] = []
    for member in members:
        if member.ports <= ports and (not kept or other_size(member) < other_size(kept[-1])):
            kept.append(member)
    return sorted(kept, key=lambda member: (member.switches, member.ports))


def cheapest_first(
    sizes: Iterable[tuple[int, int, Sizes]], costs: PartCosts, most: int | None = None
) -> Iterator[Sizes]:
    """Yield the parameters of sizes in ascending order of their costs; equal ones in ascending order of parameters.

    Parameters
    ----------
    sizes
        Numbers of switches and of cables between them, and the parameters of a member.
    costs
        The costs of a switch and of a cable.
    most
        Number of sizes to yield, if there are as many; by default all.

    Examples
    --------
    >>> list(cheapest_first([(4, 12, (4, 3)), (6, 8, (2, 4)), (5, 9, (3, 3))], PartCosts(switch=1)))
    [(2, 4), (3, 3), (4, 3)]
    """
    by_cost = ((costs.of(switches, cables), parameters) for switches, cables, parameters in sizes)
    yield from (parameters for _, parameters in (sorted(by_cost) if most is None else nsmallest(most, by_cost)))


def units_and_places(nodes: int, unit: int, most: int, step: int) -> Iterator[tuple[int, int]]:
    """Yield the numbers of equal units, descending, with the fewest places at a switch that reach a number of nodes.

    Parameters
    ----------
    nodes
        Least number of places in all units.
    unit
        Switches of a unit that have places.
    most, step
        Most places at a switch, and their common divisor.

    Examples
    --------
    >>> list(units_and_places(nodes=20, unit=2, most=6, step=1))  # with 6 places 2 units, as with 5
    [(10, 1), (5, 2), (4, 3), (3, 4), (2, 5)]
    """
    before = None
    for places in range(step, min(most, MAX_NODES_PER_SWITCH) + 1, step):
        units = max(1, -(-nodes // (unit * places)))
        if units != before:
            yield units, places
        before = units


def multiple_from(least: int, step: int) -> int:
    """Return the least multiple of a number that is at least another one and positive.

    Examples
    --------
    >>> multiple_from(7, 2), multiple_from(0, 3)
    (8, 3)
    """
    return max(1, -(-least // step)) * step


def ring_ports(side: int) -> int:
    """Return the ports of a switch in a dimension of tori and meshes: two, or one where the size is 2."""
    return min(2, side - 1)


def line_ports(side: int) -> int:
    """Return the ports of a switch in a dimension whose switches are connected pairwise."""
    return side - 1


@lru_cache(maxsize=8)
def minimal_grids(
    nodes: int, ports: int, side_ports: Callable[[int], int] = ring_ports
) -> tuple[tuple[Shape, int], ...]:
    """Return the shapes of grids that fit, sides in descending order, with the number of nodes per switch.

    Parameters
    ----------
    nodes, ports
        As in `Sized.fitting`; a switch has one port per node.
    side_ports
        Ports of a switch in a dimension, from the size of the dimension; does not decrease with the size.

    Examples
    --------
    >>> minimal_grids(8, 4)
    (((2, 2), 2), ((4,), 2), ((8,), 1), ((2, 2, 2), 1), ((4, 2), 1))
    """
    return tuple(sufficient_grids(nodes, ports, 1, lambda places: side_ports, minimal=True))


def sufficient_grids(
    nodes: int, ports: int, links: int, side_ports: Callable[[int], Callable[[int], int]], *, minimal: bool = False
) -> Iterator[tuple[Shape, int]]:
    """Yield the shapes of grids that fit with `links` places at a switch for each node, and these places.

    They have the fewest places at a switch, and up to twice as many switches as nodes, sorted by switches, then by
    ports. If `minimal`, or of more than 4,096 nodes, only the shapes that would have too few places if the longest side
    were one switch shorter: others can have the throughput where these have not, because that of a line of switches
    does not always fall with its length.

    Parameters
    ----------
    nodes, ports
        Number of places, and ports of a switch.
    links
        Places of a node.
    side_ports
        From the places at a switch, the function from the size of a dimension to the ports that it needs; more than
        `ports` for a size that must not occur.

    Examples
    --------
    >>> def rings_below_4(places):
    ...     return lambda side: ring_ports(side) if side < 4 else 9
    >>> list(sufficient_grids(16, 8, 2, rings_below_4, minimal=True))  # 8 nodes
    [((3,), 6), ((2, 2), 4), ((2, 2, 2), 2), ((3, 3), 2)]
    """
    # A grid of at least 2 * nodes switches still suffices when its longest side is one switch shorter.
    wanted = -(-nodes // links)
    minimal = minimal or wanted > MAX_FREE_NODES
    most = min(max(2, 2 * wanted - 1), MAX_SWITCHES)
    divisors = _divisors(most)
    needed = lru_cache(maxsize=None)(lambda places: lru_cache(maxsize=None)(side_ports(places)))
    for switches in range(2, most + 1):
        at_switch = max(1, -(-wanted // switches))
        places = links * at_switch
        if places <= min(ports - 1, MAX_NODES_PER_SWITCH):
            longest = _longest_side(switches, at_switch * switches, wanted) if minimal else switches
            of_side = needed(places)
            shapes = [
                (sum(map(of_side, shape)), shape)
                for shape in _shapes(switches, longest, ports - places, of_side, divisors)
            ]
            yield from ((shape, places) for _, shape in sorted(shapes))


@kept
def sufficient_rings(
    nodes: int, ports: int, links: int, throughput: Fraction, bound: Callable[[int], tuple[int, int]]
) -> Iterator[tuple[Shape, int]]:
    """Yield the shapes of tori and meshes all of whose sides suffice (`sufficient_grids`), with their places.

    Parameters
    ----------
    nodes, ports
        Number of places, and ports of a switch.
    links
        Places of a node.
    throughput
        Least throughput of a place.
    bound
        From the size of a dimension, the numerator and the denominator of the highest throughput of a place, if there
        is one at every switch; with several, it is so many times lower.

    Examples
    --------
    >>> rings = sufficient_rings(16, 8, 2, Fraction(1), lambda side: (8, side))  # 8 nodes
    >>> list(rings)[:4]
    [((2, 2), 4), ((2, 2, 2), 2), ((4, 2), 2), ((3, 3), 2)]
    """

    def side_ports(places: int) -> Callable[[int], int]:
        above, below = throughput.numerator * places, throughput.denominator

        def ports_if_sufficient(side: int) -> int:
            highest, divisor = bound(side)
            return ring_ports(side) if highest * below >= above * divisor else ports + 1

        return ports_if_sufficient

    yield from sufficient_grids(nodes, ports, links, side_ports)


def orders_of(shape: Shape) -> Iterator[Shape]:
    """Yield a shape with its sides in each order, the given one first, and at most 128 orders.

    With sides in another order, racks filled in order hold other switches.

    Examples
    --------
    >>> list(orders_of((4, 2, 2)))
    [(4, 2, 2), (2, 4, 2), (2, 2, 4)]
    """
    return islice(_orders(shape), MAX_ORDERS)


def _orders(shape: Shape) -> Iterator[Shape]:
    if not shape:
        yield ()
    # Each different side once, in the order of the shape, which a set would not keep.
    for side in dict.fromkeys(shape):
        place = shape.index(side)
        yield from ((side, *others) for others in _orders(shape[:place] + shape[place + 1 :]))


def _longest_side(switches: int, places: int, nodes: int) -> int:
    """Return the longest side that a minimal grid can have.

    With a side of L one switch shorter, the grid has places · (1 - 1 / L) places: too few if L < places / spare places.
    A shorter side leaves fewer. The single pair of switches has no shorter side.
    """
    spare = places - nodes
    return switches if switches == 2 or spare <= 0 else min(switches, -(-places // spare) - 1)


@lru_cache(maxsize=6)
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
        if side <= longest and (remaining_ports := ports - side_ports(side)) >= 0:
            rest = _shapes(switches // side, side, remaining_ports, side_ports, divisors)
            yield from ((side, *others) for others in rest)
