"""Types of arrays, and the rows of several."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def rows_of(*columns: NDArray[Any]) -> Iterator[tuple[Any, ...]]:
    """Return the rows of columns of one length, as numbers of Python.

    Examples
    --------
    >>> list(rows_of(np.array([1, 2]), np.array([True, False])))
    [(1, True), (2, False)]
    """
    return zip(*(column.tolist() for column in columns), strict=True)
