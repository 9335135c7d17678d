"""The ring: every process passes on what it has received."""

import numpy as np

from isoplane.models.arrays import Ints


def messages(processes: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Return the messages: in phase i, from 0 to P - 2, process s sends chunk s - i to s + 1, modulo P.

    References
    ----------
    Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005, section 4.1.

    Examples
    --------
    >>> [column.tolist() for column in messages(2)]
    [[0, 0], [0, 1], [1, 0], [0, 1], [1, 1]]
    """
    phase, source = (each.ravel() for each in np.indices((processes - 1, processes)))
    return phase, source, (source + 1) % processes, (source - phase) % processes, np.ones_like(phase)
