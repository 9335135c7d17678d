"""Hit rates of a fully associative cache under requests that are drawn independently."""

import numpy as np
from numpy.typing import ArrayLike

from isoplane.models.checks import check_int

STEPS = 200  # of the bisection, which halves the interval each time


def expected_hit_rate(weights: ArrayLike, entries: int) -> float:
    """Return the hit rate of LRU replacement by the approximation of Che, Tung and Wang.

    Destination i has the share p_i of the requests, weight over the sum of weights. It hits if it was requested within
    the characteristic time T, in requests, in which as many different destinations come as there are entries:
    Σ (1 - exp(-p_i T)) = entries, and the hit rate is Σ p_i (1 - exp(-p_i T)). With equal weights it is entries / t for
    t destinations, as equation (1) of Hirasawa et al. 2020 has it.

    Parameters
    ----------
    weights : [destinations]
        How often each destination is requested, relative to others, all above 0.
    entries
        Number of entries.

    References
    ----------
    Che, Tung and Wang, Hierarchical Web caching systems: modeling, design and experimental results, 2002.

    Examples
    --------
    >>> expected_hit_rate([1, 1, 1, 1], 3), round(expected_hit_rate([1, 1, 1, 5], 2), 3), expected_hit_rate([1, 2], 2)
    (0.75, 0.699, 1.0)
    """
    check_int("entries", entries, 1)
    requested = np.asarray(weights, dtype=np.float64)
    if entries >= len(requested):
        return 1.0
    share = requested / requested.sum()

    def filled(time: float) -> float:
        return float(-np.expm1(-share * time).sum())

    low, high = 0.0, 1.0
    while filled(high) < entries:
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if filled(middle) < entries else (low, middle)
    return float(-(share * np.expm1(-share * high)).sum())
