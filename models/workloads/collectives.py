"""Collective operations as phases of messages."""

import numpy as np

from ..checks import check_int
from ..errors import InputError
from ..message_list import MAX_BYTES
from .phased_workload import PhasedWorkload
from .workload import Ints


def all_to_all(processes: int = 128, message_bytes: int = 1_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-to-all exchange: in phase p process i sends to i + p + 1.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005.

    Examples
    --------
    >>> all_to_all(4).destination.reshape(3, 4).tolist()
    [[1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    phase, source = _one_per_phase(processes, processes - 1)
    return _equal_messages(
        "all_to_all", processes, phase, source, (source + phase + 1) % processes, message_bytes, iterations
    )


def ring_all_reduce(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-reduce over a ring: 2·(P - 1) phases, in each of which every process passes 1/P of the vector on.

    Raises
    ------
    InputError
        If a value is out of range.

    References
    ----------
    Patarasuk and Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, 2009.

    Examples
    --------
    >>> ring_all_reduce(4, 64).messages, int(ring_all_reduce(4, 64).length_bytes[0])
    (24, 16)
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    check_int("workload.vector_bytes", vector_bytes, 1, MAX_BYTES)
    phase, source = _one_per_phase(processes, 2 * (processes - 1))
    share = -(-vector_bytes // processes)
    return _equal_messages("ring_all_reduce", processes, phase, source, (source + 1) % processes, share, iterations)


def recursive_doubling(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-reduce by recursive doubling: in phase p processes that differ in bit p exchange the vector.

    Raises
    ------
    InputError
        If a value is out of range, or the number of processes is not a power of two.

    References
    ----------
    Thakur, Rabenseifner and Gropp, 2005.

    Examples
    --------
    >>> recursive_doubling(8).messages
    24
    """
    check_int("workload.processes", processes, 2, 1 << 16)
    if processes & (processes - 1):
        raise InputError(f"workload.processes={processes}: expected a power of two for recursive doubling")
    phase, source = _one_per_phase(processes, processes.bit_length() - 1)
    return _equal_messages(
        "recursive_doubling", processes, phase, source, source ^ 1 << phase, vector_bytes, iterations
    )


def _one_per_phase(processes: int, phases: int) -> tuple[Ints, Ints]:
    """Return the phases and sources of messages if every process sends one per phase."""
    return np.repeat(np.arange(phases), processes), np.tile(np.arange(processes), phases)


def _equal_messages(
    name: str, processes: int, phase: Ints, source: Ints, destination: Ints, message_bytes: int, iterations: int
) -> PhasedWorkload:
    """Return a workload of messages of equal length."""
    check_int("workload.message_bytes", message_bytes, 1, MAX_BYTES)
    return PhasedWorkload(name, processes, phase, source, destination, np.full(len(source), message_bytes), iterations)
