"""Lists of lists as flat arrays, with the offsets of the inner lists."""

import numpy as np
from numpy.typing import NDArray

from ..arrays import Ints


def spans(start: NDArray[np.integer], length: NDArray[np.integer]) -> Ints:
    """Return start, start + 1, ... of each span, `length` numbers each, concatenated.

    Examples
    --------
    >>> spans(np.array([7, 0]), np.array([2, 3])).tolist()
    [7, 8, 0, 1, 2]
    """
    ends = np.cumsum(length)
    # A single count through all spans, shifted in each by the distance of its start from its place in the result.
    positions: Ints = np.repeat(start - (ends - length), length) + np.arange(int(length.sum()))
    return positions


def starts_of(length: NDArray[np.integer]) -> Ints:
    """Return the offset of each list in their concatenation, and the total length.

    Examples
    --------
    >>> starts_of(np.array([2, 0, 3])).tolist()
    [0, 2, 2, 5]
    """
    starts: Ints = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    return starts
