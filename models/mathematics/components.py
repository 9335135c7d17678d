"""Connected components of graphs, as arrays."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints


def components(vertices: int, a: NDArray[np.integer], b: NDArray[np.integer]) -> Ints:
    """Return the smallest vertex of the connected component of every vertex.

    Pointer jumping keeps the number of iterations small even for long paths.

    Parameters
    ----------
    vertices
        Number of vertices.
    a, b : int[edges]
        Both ends of each edge.

    Examples
    --------
    >>> components(5, np.array([3, 4]), np.array([1, 3])).tolist()
    [0, 1, 2, 1, 1]
    """
    smallest = np.arange(vertices)
    while True:
        low = np.minimum(smallest[a], smallest[b])
        previous = smallest.copy()
        # At the former minima too: this joins whole components in a step, not only the ends of the edge.
        for ends in (smallest[a], smallest[b], a, b):
            np.minimum.at(smallest, ends, low)
        smallest = smallest[smallest]
        if np.array_equal(smallest, previous):
            return smallest
