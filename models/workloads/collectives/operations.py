"""Collective operations as phases of messages."""

from collections.abc import Callable

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.checks import check_int
from isoplane.models.errors import InputError

from ..message_list import MAX_BYTES
from ..phased_workload import PhasedWorkload
from . import reductions as reduction_steps
from .algorithms import Steps, part_start


def all_to_all(processes: int = 128, message_bytes: int = 1_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-to-all exchange: in phase p process i sends to i + p + 1.

    References
    ----------
    Thakur, Rabenseifner and Gropp, Optimization of Collective Communication Operations in MPICH, 2005.

    Examples
    --------
    >>> all_to_all(4).destination.reshape(3, 4).tolist()
    [[1, 2, 3, 0], [2, 3, 0, 1], [3, 0, 1, 2]]
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    check_int("workload.message_bytes", message_bytes, 1, MAX_BYTES)
    phase, source = _one_per_phase(processes, processes - 1)
    sizes = np.full(len(source), message_bytes)
    return _workload("all_to_all", processes, Steps(phase, source, (source + phase + 1) % processes, sizes), iterations)


def ring_all_reduce(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-reduce over a ring: 2·(P - 1) phases, in each of which every process passes 1/P of the vector on.

    It is a reduce-scatter, then an all-gather. Parts of a vector whose length is no multiple of P differ by one byte.

    References
    ----------
    Patarasuk and Yuan, Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, 2009.

    Examples
    --------
    >>> ring_all_reduce(4, 64).messages, int(ring_all_reduce(4, 64).length_bytes[0])
    (24, 16)
    >>> ring_all_reduce(4, 66).matrix().sum(axis=1).tolist()
    [99, 100, 99, 98]
    """
    return _ring("ring_all_reduce", processes, vector_bytes, iterations, rounds=2)


def ring_reduce_scatter(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return a reduce-scatter over a ring: P - 1 phases, in each of which every process passes 1/P of the vector on.

    Process i ends with part i + 1 of the sum.

    Examples
    --------
    >>> ring_reduce_scatter(4, 64).messages
    12
    """
    return _ring("ring_reduce_scatter", processes, vector_bytes, iterations, rounds=1)


def ring_all_gather(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-gather over a ring: in each of P - 1 phases every process passes on the part that it got last.

    Parameters
    ----------
    processes, iterations
        Number of processes and of iterations.
    vector_bytes
        Length of the vector that every process has at the end; process i begins with part i.

    Examples
    --------
    >>> ring_all_gather(4, 66).matrix()[0].tolist()  # parts 0, 3 and 2
    [0, 49, 0, 0]
    """
    return _ring("ring_all_gather", processes, vector_bytes, iterations, rounds=1)


def recursive_doubling(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-reduce by recursive doubling: in phase p processes that differ in bit p exchange the vector.

    References
    ----------
    Thakur, Rabenseifner and Gropp, 2005.

    Examples
    --------
    >>> recursive_doubling(8).messages
    24
    """
    return _in_powers_of_two(
        "recursive_doubling", reduction_steps.recursive_doubling, processes, vector_bytes, iterations
    )


def halving_doubling(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-reduce: a reduce-scatter by recursive halving, then an all-gather by recursive doubling.

    References
    ----------
    Rabenseifner, Optimization of Collective Reduction Operations, 2004.

    Examples
    --------
    >>> halving_doubling(4, 16).matrix()[0].tolist()
    [0, 8, 16, 0]
    """
    return _in_powers_of_two("halving_doubling", reduction_steps.halving_doubling, processes, vector_bytes, iterations)


def halving_reduce_scatter(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return a reduce-scatter by recursive halving: the first half of the phases of `halving_doubling`.

    Examples
    --------
    >>> halving_reduce_scatter(4, 16).length_bytes.tolist()
    [8, 8, 8, 8, 4, 4, 4, 4]
    """
    return _in_powers_of_two(
        "halving_reduce_scatter", reduction_steps.reduce_scatter, processes, vector_bytes, iterations
    )


def doubling_all_gather(processes: int = 128, vector_bytes: int = 40_000_000, iterations: int = 1) -> PhasedWorkload:
    """Return an all-gather by recursive doubling: the second half of the phases of `halving_doubling`.

    Examples
    --------
    >>> doubling_all_gather(4, 16).length_bytes.tolist()
    [4, 4, 4, 4, 8, 8, 8, 8]
    """
    return _in_powers_of_two("doubling_all_gather", reduction_steps.all_gather, processes, vector_bytes, iterations)


def _in_powers_of_two(
    name: str, steps_of: Callable[[int, int], Steps], processes: int, vector_bytes: int, iterations: int
) -> PhasedWorkload:
    """Return the workload of an algorithm that pairs processes by the bits of their numbers."""
    check_int("workload.processes", processes, 2, 1 << 16)
    if processes & (processes - 1):
        raise InputError(f"workload.processes={processes}: expected a power of two for {name.replace('_', ' ')}")
    check_int("workload.vector_bytes", vector_bytes, 1, MAX_BYTES)
    return _workload(name, processes, steps_of(processes, vector_bytes), iterations)


def _ring(name: str, processes: int, vector_bytes: int, iterations: int, *, rounds: int) -> PhasedWorkload:
    """Return rounds of P - 1 phases over a ring: in phase p process i sends part i - p to process i + 1.

    So in the second round of an all-reduce, it begins with the part that it has summed, i + 1 = i - (P - 1) modulo P.
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    check_int("workload.vector_bytes", vector_bytes, 1, MAX_BYTES)
    phase, source = _one_per_phase(processes, rounds * (processes - 1))
    part = (source - phase) % processes
    size = part_start(vector_bytes, processes, part + 1) - part_start(vector_bytes, processes, part)
    return _workload(name, processes, Steps(phase, source, (source + 1) % processes, size).nonempty(), iterations)


def _one_per_phase(processes: int, phases: int) -> tuple[Ints, Ints]:
    """Return the phases and sources of messages if every process sends one per phase."""
    return np.repeat(np.arange(phases), processes), np.tile(np.arange(processes), phases)


def _workload(name: str, processes: int, steps: Steps, iterations: int) -> PhasedWorkload:
    return PhasedWorkload(name, processes, steps.phase, steps.source, steps.destination, steps.size_bytes, iterations)


WORKLOADS = (
    all_to_all,
    doubling_all_gather,
    halving_doubling,
    halving_reduce_scatter,
    recursive_doubling,
    ring_all_gather,
    ring_all_reduce,
    ring_reduce_scatter,
)
