"""The throughput of jobs that use part of a network."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from isoplane.models import InputError, Network
from isoplane.models.checks import check_int
from isoplane.models.failures.node_subsets import with_nodes

from ..failures.routed import throughput_per_node

JOBS, JOBS_OF_LARGE, LARGE_SWITCHES = 4, 1, 4096  # a quarter of the nodes each


def job_throughput(network: Network, nodes: ArrayLike) -> Fraction | None:
    """Return the routed all-to-all throughput per node of a job on some of the nodes, without other traffic.

    Packets take the routes and planes of the complete network. The unit is that of `throughput_per_node`.

    Parameters
    ----------
    network
        A network without circuits.
    nodes : int[...]
        The nodes of the job, each once.

    Returns
    -------
    Fraction
        None if the job uses no link between switches, which then do not limit it.

    Raises
    ------
    InputError
        If the nodes are not different nodes of the network, it has circuits, or as for `GeneralExact`.

    Examples
    --------
    Of a ring of six switches, a job on three consecutive ones sends two packets over each link in either direction.

    >>> from isoplane.models.families.torus import Torus
    >>> job_throughput(Network(Torus(shape=(6,))), [1, 2, 3])
    Fraction(3, 2)
    """
    return throughput_per_node(with_nodes(network, nodes))


def quarter_job(network: Network, seed: int = 1) -> tuple[Fraction | None, Fraction | None]:
    """Return the throughput of jobs on a quarter of the nodes, N // 4, placed together and scattered.

    The first number is the mean of `job_throughput` over the four quarters of consecutive nodes, or that of the first
    one if there are more than 4,096 switches; the second is the mean over as many jobs on nodes drawn at random. Jobs
    that use no link between switches are left out; None if all are.

    Parameters
    ----------
    network
        A network without circuits, with at least 8 nodes.
    seed
        Seed of the scattered jobs.

    Raises
    ------
    InputError
        If there are fewer nodes, the seed is out of range, the network has circuits, or as for `GeneralExact`.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> together, _ = quarter_job(Network(Torus(shape=(12,))))
    >>> together  # three packets for at most two over a link
    Fraction(3, 2)
    """
    check_int("seed", seed, 0)
    size = network.nodes // 4
    if size < 2:
        raise InputError(f"network.nodes={network.nodes}: expected at least 8 nodes for jobs on a quarter of them")
    jobs = JOBS if network.family.switches <= LARGE_SWITCHES else JOBS_OF_LARGE
    rng = np.random.default_rng(seed)
    together = [np.arange(number * size, (number + 1) * size) for number in range(jobs)]
    scattered = [rng.choice(network.nodes, size, replace=False) for _ in range(jobs)]
    return _mean(network, together), _mean(network, scattered)


def _mean(network: Network, jobs: Sequence[NDArray[np.int64]]) -> Fraction | None:
    throughputs = [throughput for job in jobs if (throughput := job_throughput(network, job)) is not None]
    return sum(throughputs, Fraction()) / len(throughputs) if throughputs else None
