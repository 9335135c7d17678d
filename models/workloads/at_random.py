"""Random workloads: sparse, with a few partners per process, and dense, with all of them."""

import numpy as np

from ..checks import check_int
from .message_list import MAX_BYTES
from .phased_workload import PhasedWorkload


def sparse(
    processes: int = 128, partners: int = 4, message_bytes: int = 40_000_000, iterations: int = 1, seed: int = 1
) -> PhasedWorkload:
    """Return a workload in which every process sends one message to each of several random partners.

    Parameters
    ----------
    processes, partners
        Number of processes, and number of distinct destinations per process.
    message_bytes, iterations
        Length of every message; number of iterations.
    seed
        Seed of the choice of partners.

    Examples
    --------
    >>> sparse(8, 3).messages
    24
    """
    check_int("workload.processes", processes, 2, 1 << 16)
    check_int("workload.partners", partners, 1, processes - 1)
    check_int("workload.message_bytes", message_bytes, 1, MAX_BYTES)
    rng = np.random.default_rng(check_int("workload.seed", seed, 0))
    chosen = np.stack([rng.choice(processes - 1, partners, replace=False) for _ in range(processes)])
    source = np.repeat(np.arange(processes), partners)
    # Numbers from the sender's own on move up by one, so that nobody draws itself.
    destination = np.sort(chosen + (chosen >= np.arange(processes)[:, None]), axis=1).ravel()
    lengths = np.full(len(source), message_bytes)
    return PhasedWorkload("sparse", processes, np.zeros_like(source), source, destination, lengths, iterations)


def dense(processes: int = 128, most_bytes: int = 4_000_000, iterations: int = 1, seed: int = 1) -> PhasedWorkload:
    """Return a workload in which every process sends to all others, with message lengths drawn uniformly at random.

    Parameters
    ----------
    processes
        Number of processes.
    most_bytes
        Maximum message length; the minimum is 1.
    iterations, seed
        Number of iterations; seed of the lengths.

    Examples
    --------
    >>> dense(8).messages
    56
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    check_int("workload.most_bytes", most_bytes, 1, MAX_BYTES)
    rng = np.random.default_rng(check_int("workload.seed", seed, 0))
    source, destination = np.nonzero(~np.eye(processes, dtype=bool))
    lengths = rng.integers(1, most_bytes, len(source), endpoint=True)
    return PhasedWorkload("dense", processes, np.zeros_like(source), source, destination, lengths, iterations)


WORKLOADS = (dense, sparse)
