"""Random workloads: a few partners for each process, or all of them."""

import numpy as np

from ..checks import check_int
from ..workload import MAX_BYTES
from .workload import Workload


def sparse(
    processes: int = 128, partners: int = 4, message_bytes: int = 40_000_000, iterations: int = 1, seed: int = 1
) -> Workload:
    """Return a workload in which every process sends a message to some others, chosen at random.

    Parameters
    ----------
    processes, partners
        How many there are, and to how many different ones each of them sends.
    message_bytes, iterations
        Of every message; how often.
    seed
        Decides the partners.

    Raises
    ------
    InputError
        If a value is out of range.

    Examples
    --------
    >>> sparse(8, 3).messages
    24
    """
    check_int("workload.processes", processes, 2, 1 << 16)
    check_int("workload.partners", partners, 1, processes - 1)
    check_int("workload.message_bytes", message_bytes, 1, MAX_BYTES)
    random = np.random.default_rng(check_int("workload.seed", seed, 0))
    chosen = np.stack([random.choice(processes - 1, partners, replace=False) for _ in range(processes)])
    source = np.repeat(np.arange(processes), partners)
    destination = np.sort(chosen + (chosen >= np.arange(processes)[:, None]), axis=1).ravel()
    lengths = np.full(len(source), message_bytes)
    return Workload("sparse", processes, np.zeros_like(source), source, destination, lengths, iterations)


def dense(processes: int = 128, most_bytes: int = 4_000_000, iterations: int = 1, seed: int = 1) -> Workload:
    """Return a workload in which every process sends to all others messages of lengths drawn evenly from 1 on.

    Parameters
    ----------
    processes
        How many.
    most_bytes
        Longest message.
    iterations, seed
        How often; what decides the lengths.

    Raises
    ------
    InputError
        If a value is out of range.

    Examples
    --------
    >>> dense(8).messages
    56
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    check_int("workload.most_bytes", most_bytes, 1, MAX_BYTES)
    random = np.random.default_rng(check_int("workload.seed", seed, 0))
    source, destination = np.nonzero(~np.eye(processes, dtype=bool))
    lengths = random.integers(1, most_bytes, len(source), endpoint=True)
    return Workload("dense", processes, np.zeros_like(source), source, destination, lengths, iterations)
