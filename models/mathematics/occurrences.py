"""Which occurrence of its value each element is, the elements of each value, and each value once."""

import numpy as np
from numpy.typing import NDArray


def occurrences(values: NDArray[np.integer]) -> NDArray[np.int64]:
    """Return how many elements before each one are equal to it.

    Parameters
    ----------
    values : int[elements]
        Any integers.

    Examples
    --------
    >>> occurrences(np.array([7, 3, 7, 7, 3])).tolist()
    [0, 0, 1, 2, 1]
    """
    # Stable: equal elements keep their order, so a rank within a run is the number of equal ones before.
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    number = np.empty(len(values), dtype=np.int64)
    number[order] = np.arange(len(values)) - np.searchsorted(ascending, ascending)
    return number


def members(group: NDArray[np.integer], groups: int = 0) -> list[NDArray[np.int64]]:
    """Return the indices of the elements of each group from 0, ascending.

    Parameters
    ----------
    group : int[elements]
        The group of each element.
    groups
        Number of groups, if the last ones may be empty.

    Examples
    --------
    >>> [each.tolist() for each in members(np.array([1, 0, 1]), 3)]
    [[1], [0, 2], []]
    """
    return np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group, minlength=groups))[:-1])


def sorted_unique(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each number once, ascending; a plain sort is many times faster than the hashing of `np.unique`.

    Parameters
    ----------
    numbers : int64[numbers]
        Integers of at least 0.
    """
    ordered = np.sort(numbers)
    # Numbers are at least 0, so the first one differs from -1.
    return ordered[np.diff(ordered, prepend=-1) > 0]
