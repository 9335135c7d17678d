"""Bounds that follow from how many packets a link can carry."""

from collections.abc import Sequence
from math import comb

from .sums import sum_bound


def load_bound(n: int, folded: bool) -> int:
    """Return a number that no max load is below: all 2(n + folded) loads add up to twice the sum of distances.

    Examples
    --------
    >>> load_bound(8, folded=True)  # the best known is 77
    77
    """
    return -(-sum_bound(n, folded) // (n + folded))


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


def least_load_length(packets: int, lengths: Sequence[int], capacity: int) -> int:
    """Return what Σ load · length is at least if the loads add up to so many packets: the shortest links first.

    Examples
    --------
    >>> least_load_length(5, [30, 10, 20], capacity=2)  # 2 · 10 + 2 · 20 + 1 · 30
    90
    """
    total = 0
    for length in sorted(lengths):
        load = min(packets, capacity)
        total += load * length
        packets -= load
    return total
