"""Bounds on link loads, and on Σ load · length."""

from collections.abc import Sequence
from math import comb

import numpy as np

from isoplane.models.arrays import Ints

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
    the split between them.

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
    # Piecewise linear and convex in the shift, so the minimum is at an end, or where a maximum of two numbers changes.
    shifts, plane_steps = [np.array([-max_shift, max_shift])], []
    for sign, lengths in zip((1, -1), planes, strict=True):
        step, floor, ceiling = _length_steps(sorted(lengths, reverse=True), ranges)
        plane_steps.append((step, floor, ceiling))
        shifts.append(sign * (floor + ceiling - hops))
    shift = np.clip(np.concatenate(shifts), -max_shift, max_shift)
    total = np.zeros(len(shift), dtype=np.int64)
    for load, lengths, (step, floor, ceiling) in zip((hops + shift, hops - shift), planes, plane_steps, strict=True):
        total += load * min(lengths) + np.maximum(floor, load[:, None] - ceiling) @ step
    return int(total.min())


def _length_steps(lengths: Sequence[int], ranges: Sequence[tuple[int, int]]) -> tuple[Ints, Ints, Ints]:
    """Return a_k - a_(k+1), the minimum load of k links and the maximum load of the others, for k = 1..m-1."""
    low, high = np.array(ranges, dtype=np.int64).T
    descending = np.array(lengths, dtype=np.int64)
    return descending[:-1] - descending[1:], low[1:-1], high[-2:0:-1]
