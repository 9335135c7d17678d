"""The shift order: all processes send equally far."""

import numpy as np
from numpy.typing import NDArray


def destinations(processes: int) -> NDArray[np.int64]:
    """Return the destinations: in phase i, from 1 to P - 1, process s sends to s + i modulo P.

    References
    ----------
    Zahavi, D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, 2010.

    Examples
    --------
    >>> destinations(3).tolist()
    [[1, 2, 0], [2, 0, 1]]
    """
    destination: NDArray[np.int64] = (np.arange(processes) + np.arange(1, processes)[:, None]) % processes
    return destination
