"""Conflicts in the sets of a cache: of given ids, and on average over random ones."""

from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from isoplane.models import RoutingCache
from isoplane.models.checks import check_int


def evicted_by_conflicts(cache: RoutingCache, ids: ArrayLike) -> int:
    """Return how many of some ids a cache that is large enough for all evicts, because too many share a set.

    If c_s ids are looked up in set s, these are Σ max(0, c_s - ways), under any replacement.

    Parameters
    ----------
    cache
        The cache.
    ids : int[ids]
        Different ids.

    Examples
    --------
    >>> evicted_by_conflicts(RoutingCache(), np.arange(5000, 5000 + 2048))
    8
    """
    in_set = np.bincount(cache.sets_of(ids), minlength=cache.sets)
    return int(np.maximum(in_set - cache.ways, 0).sum())


def evicted_share_of_random_ids(cache: RoutingCache, ids: int) -> Fraction:
    """Return the expected share of random ids that their conflicts evict, if each is as likely in each of S sets.

    A set gets X of m ids by the binomial distribution with m trials of probability 1 / S, and evicts those beyond its
    w ways: S · E[max(0, X - w)] / m. As E[X] = m / S, this is 1 - S · (w - Σ_{k < w} (w - k) P(X = k)) / m.

    Parameters
    ----------
    cache
        The cache; its hash does not matter.
    ids
        The number m of ids, at least 1.

    References
    ----------
    Hirasawa et al. 2020, figure 5, which simulates it.

    Examples
    --------
    >>> [round(100 * float(evicted_share_of_random_ids(RoutingCache(ways=ways), 512)), 3) for ways in (1, 4, 16)]
    [11.501, 0.429, 0.0]
    """
    check_int("ids", ids, 1)
    sets, ways = cache.sets, cache.ways
    # In units of 1 / sets**ids, so that all terms are integers.
    weight = sum((ways - k) * comb(ids, k) * (sets - 1) ** (ids - k) for k in range(min(ways, ids + 1)))
    return 1 - Fraction(sets * (ways * sets**ids - weight), ids * sets**ids)
