"""The sizes nearest to a request that no member of a family meets."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from ..request import MAX_PORTS, Request
from .plane_counts import Arrangement, leaves_out_hypercubes

LEFT_OUT = "; grids of sides of 2 are not counted: they are hypercubes"


def nearest_sizes(arrangement: Arrangement, request: Request, least: Fraction) -> str:
    """Return in words the largest size within the ports, and the fewest ports with which the nodes are reached.

    Parameters
    ----------
    arrangement, request, least
        As in `Arrangement.members`, which have no member.

    Examples
    --------
    >>> from isoplane.models import Site
    >>> request = Request(1000, 8, 2, (2,), (Fraction(1),), ("fat_tree",), None, None, None, Site(), 1)
    >>> nearest_sizes(Arrangement("fat_tree", 2), request, Fraction(1))
    'the largest has 128, and 16-port switches reach 1000'
    """
    nodes, ports = largest_nodes(arrangement, request, least), fewest_ports(arrangement, request, least)
    largest = f"the largest has {nodes}, and " if nodes else ""
    left_out = LEFT_OUT if leaves_out_hypercubes(arrangement.family, request.ports) else ""
    if ports is None:
        return f"{largest}{MAX_PORTS}-port switches do not reach {request.nodes} either{left_out}"
    return f"{largest}{ports}-port switches reach {request.nodes}{left_out}"


def largest_nodes(arrangement: Arrangement, request: Request, least: Fraction) -> int:
    """Return the most nodes below the request that a member reaches, by bisection; 0 if none is found."""

    def fails(nodes: int) -> bool:
        return not has_members(arrangement, replace(request, nodes=nodes), least)

    return _first(fails, 1, request.nodes) - 1


def fewest_ports(arrangement: Arrangement, request: Request, least: Fraction) -> int | None:
    """Return the fewest ports of a switch, more than requested, with which a member exists; None if there are none."""

    def succeeds(ports: int) -> bool:
        return has_members(arrangement, replace(request, ports=ports), least)

    low, high = request.ports, min(2 * request.ports, MAX_PORTS)
    while not succeeds(high):
        if high == MAX_PORTS:
            return None
        low, high = high, min(2 * high, MAX_PORTS)
    return _first(succeeds, low + 1, high)


def has_members(arrangement: Arrangement, request: Request, least: Fraction) -> bool:
    """Whether any member reaches the nodes of a request within its ports."""
    return next(arrangement.members(request, least), None) is not None


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the first number from `low` to `high` for which a condition holds, which it does from there to `high`."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
