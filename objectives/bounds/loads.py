"""Bounds on link loads, and on Σ load · length."""

from collections.abc import Sequence
from math import comb

from .distance_bound import sum_bound


def max_load_bound(n: int, folded: bool, enumerated: bool = True) -> int:
    """Return a lower bound on the max load: all 2(n + folded) loads add up to twice the sum of distances.

    `enumerated` is as in `sum_bound`.

    Examples
    --------
    >>> max_load_bound(8, folded=True)  # the best known is 77
    77
    """
    return -(-sum_bound(n, folded, enumerated) // (n + folded))


def max_link_load(n: int, folded: bool) -> int:
    """Return an upper bound on any load: two packets per offset whose route in the plane takes the link.

    In a plain cube these are the 2^(n-1) offsets with its bit set. In a folded cube the route of an offset of weight w
    takes the links of its set bits if w ≤ (n + 1)/2, else those of the other bits and the folded link.

    Examples
    --------
    >>> max_link_load(8, folded=False), max_link_load(8, folded=True)
    (256, 186)
    """
    if not folded:
        return 1 << n
    direct = [w for w in range(n + 1) if 2 * w <= n + 1]
    via_folded = [w for w in range(n + 1) if 2 * w > n + 1]
    link = sum(comb(n - 1, w - 1) for w in direct if w) + sum(comb(n - 1, w) for w in via_folded)
    return 2 * max(link, sum(comb(n, w) for w in via_folded))


def load_length_bound(hops: int, planes: Sequence[Sequence[int]], ranges: Sequence[tuple[int, int]]) -> int | None:
    """Return a lower bound on Σ load · length over both planes for a sum of distances; None if the sum is impossible.

    Let a_1 ≥ a_2 ≥ ... ≥ a_m be the lengths of a plane and P its total load. By Abel summation Σ load_k a_k is
    Σ (a_k - a_(k+1)) · (load of the k longest) + a_m P. The k longest carry at least the minimum load of k links, and
    at least P less the maximum load of m - k links. Both planes together carry 2 · hops; the bound is the minimum over
    the split between them, of which it is a convex function, found by bisection.

    Parameters
    ----------
    hops
        Sum of distances.
    planes
        The lengths of the links of each plane.
    ranges
        Minimum and maximum total load of 0, 1, ..., m links of a plane.

    Examples
    --------
    >>> load_length_bound(3, [[30, 10], [10, 10]], [(0, 0), (1, 3), (0, 6)])  # 30 · 1 + 10 · 5
    80
    """
    low, high = ranges[-1]
    # The planes carry hops ± shift, and each of these totals must be one that a plane can carry.
    max_shift = min(high - hops, hops - low)
    if max_shift < 0:
        return None
    steps_of_planes = [_length_steps(sorted(lengths, reverse=True), ranges) for lengths in planes]
    shortest = [min(lengths) for lengths in planes]

    def total(shift: int) -> int:
        loads = (hops + shift, hops - shift)
        return sum(
            load * length + sum(step * max(floor, load - ceiling) for step, floor, ceiling in steps)
            for load, length, steps in zip(loads, shortest, steps_of_planes, strict=True)
        )

    left, right = -max_shift, max_shift
    while left < right:
        middle = (left + right) // 2
        # A convex function is level only at its minimum, so equal values may go either way.
        if total(middle) <= total(middle + 1):
            right = middle
        else:
            left = middle + 1
    return total(left)


def _length_steps(lengths: Sequence[int], ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return (a_k - a_(k+1), minimum load of k links, maximum load of the others) for each k with a_k > a_(k+1)."""
    m = len(lengths)
    return [
        (lengths[k - 1] - lengths[k], ranges[k][0], ranges[m - k][1])
        for k in range(1, m)
        if lengths[k - 1] > lengths[k]
    ]
