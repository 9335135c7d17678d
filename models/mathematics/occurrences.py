"""Ranks of elements among equal ones."""

import numpy as np
from numpy.typing import NDArray


def ranks_among_equal(values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many elements before each one are equal to it.

    Parameters
    ----------
    values : int[elements]
        Any integers.

    Examples
    --------
    >>> ranks_among_equal(np.array([7, 3, 7, 7, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    ranks = np.empty(len(values), dtype=np.int64)
    ranks[order] = np.arange(len(values)) - np.searchsorted(ascending, ascending)
    return ranks
