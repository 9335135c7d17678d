"""The XOR order, also called pairwise exchange: in each phase, processes exchange messages in pairs."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.errors import InputError


def destinations(processes: int) -> NDArray[np.int64]:
    """Return the destinations: in phase i, from 1 to P - 1, process s sends to s XOR i.

    References
    ----------
    Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005, section 4.3.

    Examples
    --------
    >>> destinations(3)
    Traceback (most recent call last):
    isoplane.models.errors.InputError: order=xor: 3 processes; expected a power of two
    """
    if processes & (processes - 1):
        raise InputError(f"order=xor: {processes} processes; expected a power of two")
    destination: NDArray[np.int64] = np.arange(processes) ^ np.arange(1, processes)[:, None]
    return destination
