"""Recursive doubling: pairs of processes exchange all that they have, at twice the distance in each phase."""

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.errors import InputError


def messages(processes: int) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    """Return the messages: in phase i, process s sends 2^i chunks, from that of ⌊s / 2^i⌋ 2^i, to s XOR 2^i.

    References
    ----------
    Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005, section 4.1.

    Examples
    --------
    >>> [column.tolist() for column in messages(2)]
    [[0, 0], [0, 1], [1, 0], [0, 1], [1, 1]]
    """
    if processes & (processes - 1):
        raise InputError(f"order=recursive_doubling: {processes} processes; expected a power of two")
    phase, source = (each.ravel() for each in np.indices((processes.bit_length() - 1, processes)))
    return phase, source, source ^ (1 << phase), source >> phase << phase, 1 << phase
