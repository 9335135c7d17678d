"""The bisection that the segment bound and the Lagrangian bound share."""

from collections.abc import Callable

from isoplane.objectives.fluid.circuits.group_bounds import MAX_GROUPS, apart_bits

from .integer_program import TimeLeft
from .traffic import ScaledTraffic


def may_count(traffic: ScaledTraffic) -> bool:
    """Whether nodes have one port each, and the groups are few enough to try all partitions."""
    return traffic.hybrid.ports_per_node == 1 and traffic.hybrid.groups <= MAX_GROUPS


def bisect(
    traffic: ScaledTraffic,
    bound: int,
    best: int,
    seconds_left: TimeLeft,
    excludes: Callable[[int], bool],
    inverse_tolerance: int | None = None,
) -> int:
    """Return a lower bound of the bottleneck time in ticks: the larger of `bound` and the best one that is proven.

    If circuits do not connect all groups, some uplink carries at least `apart_bits`. If they do, the link of some node
    exceeds every target that is excluded. So the smaller of the two bounds holds for all circuits, and since each
    exclusion is a proof by itself, the bisection may stop at any time.

    Parameters
    ----------
    traffic
        The traffic.
    bound, best
        A known lower bound, and the bottleneck time of known circuits.
    seconds_left
        Returns the seconds left.
    excludes
        Returns whether no circuits that connect all groups keep every node link to a target number of bits.
    inverse_tolerance
        Inverse of the relative tolerance of the bisection; exact by default.
    """
    uplink_time = int(apart_bits(traffic.hybrid, traffic.sent)) * traffic.up
    # Bits over the link of a node: targets below `low` are excluded, targets above `high` need no proof.
    low, high = bound // traffic.node, (min(best, uplink_time) - 1) // traffic.node
    while low <= high - (max(high, 0) // inverse_tolerance if inverse_tolerance else 0) and seconds_left() > 0:
        target = (low + high) // 2
        if excludes(target):
            low = target + 1
            bound = max(bound, min(low * traffic.node, uplink_time))
        else:
            high = target - 1
    return bound
