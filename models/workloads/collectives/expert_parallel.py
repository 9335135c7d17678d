"""Expert parallelism: tokens go to the processes of their experts and return, some experts being more in demand."""

import numpy as np

from isoplane.models.checks import check_int, exact_number

from ..message_list import MAX_BYTES
from ..phased_workload import PhasedWorkload


def expert_parallel(
    processes: int = 64,
    tokens: int = 4096,
    token_bytes: int = 14336,
    experts: int = 4,
    choices: int = 8,
    skew: object = 0,
    iterations: int = 1,
    seed: int = 1,
) -> PhasedWorkload:
    """Return the exchanges of a layer of experts: tokens are dispatched to their experts, whose results return.

    Each process sends every token to several experts, drawn independently: the expert of rank r, in an order drawn at
    random, has a share proportional to r^-skew, as in Zipf's law. Tokens for experts of the process itself take no
    link. A process returns results once all of its tokens have arrived.

    Parameters
    ----------
    processes
        Number of processes.
    tokens, token_bytes
        Tokens of each process, and their length.
    experts
        Number of experts of each process.
    choices
        Number of experts for each token.
    skew
        Exponent of Zipf's law; 0 if all experts are equally in demand.
    iterations, seed
        Number of iterations, each with the same tokens; seed of the order of experts and of the choices.

    References
    ----------
    Lepikhin et al., GShard: Scaling Giant Models with Conditional Computation and Automatic Sharding, 2021.

    Examples
    --------
    >>> work = expert_parallel(4, tokens=100, token_bytes=10, choices=2)
    >>> bool((work.matrix() == work.matrix().T).all()), int(work.matrix().sum())  # of 2 x 8000 bytes
    (True, 12120)
    """
    check_int("workload.processes", processes, 2, 1 << 12)
    check_int("workload.tokens", tokens, 1, 1 << 24)
    check_int("workload.token_bytes", token_bytes, 1, MAX_BYTES)
    check_int("workload.experts", experts, 1, 1 << 12)
    check_int("workload.choices", choices, 1, processes * experts)
    exponent = float(exact_number("workload.skew", skew, high=100))
    random = np.random.default_rng(check_int("workload.seed", seed, 0))
    weights = np.arange(1, processes * experts + 1, dtype=np.float64) ** -exponent
    share = random.permutation(weights / weights.sum()).reshape(processes, experts).sum(axis=1)
    # Normalised again: multinomial rejects shares that rounding has brought above 1 in total.
    sent = token_bytes * random.multinomial(tokens * choices, share / share.sum(), size=processes)
    np.fill_diagonal(sent, 0)
    source, destination = np.nonzero(sent)
    size = sent[source, destination]
    phase = np.repeat([0, 1], len(source))
    ends = np.concatenate([source, destination]), np.concatenate([destination, source])
    return PhasedWorkload("expert_parallel", processes, phase, *ends, np.tile(size, 2), iterations)


WORKLOADS = (expert_parallel,)
