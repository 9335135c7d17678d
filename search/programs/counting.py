"""The longest bottleneck time that counting excludes: what bounds by counting have in common."""

from collections.abc import Callable

from isoplane.objectives.fluid.group_bounds import MAX_GROUPS, apart_bits

from .statement import Left
from .traffic import Traffic


def may_count(traffic: Traffic) -> bool:
    """Whether nodes have one port each, and there are few enough groups to try all ways to leave them apart."""
    return traffic.hybrid.ports_per_node == 1 and traffic.hybrid.groups <= MAX_GROUPS


def bisect(
    traffic: Traffic, bound: int, best: int, left: Left, excludes: Callable[[int], bool], fine: int | None = None
) -> int:
    """Return a bottleneck time in ticks that no circuits are below: `bound`, or the longest one that is proven.

    Parameters
    ----------
    traffic
        What is sent.
    bound, best
        What is known: a bound, and the bottleneck time of some circuits.
    left
        Tells how many seconds are left.
    excludes
        Whether no circuits that connect all groups keep every link of a node to so many bits.
    fine
        To which part of itself the bound is found; by default to the bit.
    """
    apart = int(apart_bits(traffic.hybrid, traffic.sent)) * traffic.up
    # Bits over the link of a node: fewer than the least are excluded, and more than the most need no proof.
    least, highest = bound // traffic.node, (min(best, apart) - 1) // traffic.node
    while least <= highest - (max(highest, 0) // fine if fine else 0) and left() > 0:
        units = (least + highest) // 2
        if excludes(units):
            least = units + 1
            bound = max(bound, min(least * traffic.node, apart))
        else:
            highest = units - 1
    return bound
