"""Orders in which every message follows the messages that it depends on."""

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.mathematics.spans import spans


def topological_order(keys: Ints, dependent: Ints, dependency: Ints) -> Ints:
    """Return messages in the order of their keys, or if one precedes a dependency, level by level.

    The level of a message is the length of the longest chain of dependencies that leads to it. Messages that depend
    on each other in a cycle stand at the end.

    Parameters
    ----------
    keys : int64[messages]
        Keys of the messages.
    dependent, dependency : int64[pairs]
        Messages, and those that they depend on.

    Returns
    -------
    int64[messages]
        The messages in order.

    References
    ----------
    Kahn, Topological Sorting of Large Networks, 1962.

    Examples
    --------
    >>> topological_order(np.array([5, 3, 4]), np.array([1]), np.array([0])).tolist()
    [2, 0, 1]
    """
    order = np.argsort(keys, kind="stable")
    number = np.empty(len(keys), dtype=np.int64)
    number[order] = np.arange(len(keys))
    if (number[dependency] < number[dependent]).all():
        return order
    # Beyond every possible level, for messages of a cycle, which never become ready.
    level = np.full(len(keys), len(keys))
    by_dependency = np.argsort(dependency, kind="stable")
    start = np.searchsorted(dependency[by_dependency], np.arange(len(keys) + 1))
    dependents, missing = dependent[by_dependency], np.bincount(dependent, minlength=len(keys))
    ready, current = np.flatnonzero(missing == 0), 0
    while len(ready):
        level[ready] = current
        counts = start[ready + 1] - start[ready]
        reached, times = np.unique(dependents[spans(start[ready], counts)], return_counts=True)
        # np.unique has counted repeated dependents, of which an indexed subtraction would see only one.
        missing[reached] -= times
        ready, current = reached[missing[reached] == 0], current + 1
    return np.lexsort((keys, level))
