"""Bounds that follow from how many packets a link can carry."""

from collections.abc import Sequence
from math import comb

from .distance_bound import sum_bound


def load_bound(n: int, folded: bool, enumerated: bool = True) -> int:
    """Return a number that no max load is below: all 2(n + folded) loads add up to twice the sum of distances.

    `enumerated` is that of `sum_bound`.

    Examples
    --------
    >>> load_bound(8, folded=True)  # the best known is 77
    77
    """
    return -(-sum_bound(n, folded, enumerated) // (n + folded))


def load_capacity(n: int, folded: bool) -> int:
    """Return a number that no load is above: two packets for each offset whose route in the plane takes the link.

    In a plain cube these are the 2^(n-1) offsets with its bit. In a folded cube with w bits of n set, and (n + 1)/2 at
    most, the route takes the links of the bits, else the others and the folded link.

    Examples
    --------
    >>> load_capacity(8, folded=False), load_capacity(8, folded=True)
    (256, 186)
    """
    if not folded:
        return 1 << n
    direct = [w for w in range(n + 1) if 2 * w <= n + 1]
    around = [w for w in range(n + 1) if 2 * w > n + 1]
    link = sum(comb(n - 1, w - 1) for w in direct if w) + sum(comb(n - 1, w) for w in around)
    return 2 * max(link, sum(comb(n, w) for w in around))


def least_load_length(hops: int, planes: Sequence[Sequence[int]], ranges: Sequence[tuple[int, int]]) -> int | None:
    """Return what Σ load · length over both planes is at least, for a sum of distances; None if no network has it.

    Let a_1 ≥ a_2 ≥ ... ≥ a_m be the lengths of a plane and P its load. Then Σ load_k a_k is the sum of (a_k - a_(k+1))
    · (load of the k longest) and a_m P, by Abel. The k longest carry at least what k links must, and at least P less
    what m - k links can. Both planes carry 2 · hops; how they share it is chosen where the total, a convex function of
    it, is least.

    Parameters
    ----------
    hops
        Sum of distances.
    planes
        The lengths of the links of either plane.
    ranges
        Least and largest load of 0, 1, ..., m links of a plane.

    Examples
    --------
    >>> least_load_length(3, [[30, 10], [10, 10]], [(0, 0), (1, 3), (0, 6)])  # 30 · 1 + 10 · 5
    80
    """
    low, high = ranges[-1]
    most = min(high - hops, hops - low)
    if most < 0:
        return None
    falls = [_falls(sorted(lengths, reverse=True), ranges) for lengths in planes]
    shortest = [min(lengths) for lengths in planes]

    def total(shift: int) -> int:
        loads = (hops + shift, hops - shift)
        return sum(
            load * least + sum(fall * max(floor, load - ceiling) for fall, floor, ceiling in steps)
            for load, least, steps in zip(loads, shortest, falls, strict=True)
        )

    below, above = -most, most
    while below < above:
        middle = (below + above) // 2
        if total(middle) <= total(middle + 1):
            above = middle
        else:
            below = middle + 1
    return total(below)


def _falls(lengths: Sequence[int], ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int, int]]:
    """Return a_k - a_(k+1), the least load of k links and the largest of the others, where lengths fall."""
    m = len(lengths)
    return [
        (lengths[k - 1] - lengths[k], ranges[k][0], ranges[m - k][1])
        for k in range(1, m)
        if lengths[k - 1] > lengths[k]
    ]
