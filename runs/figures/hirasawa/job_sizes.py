"""How large the jobs of a machine are, and how often a routing-table cache holds what they look up."""

from collections.abc import Sequence

import numpy as np

from isoplane.models.arrays import Floats, Ints
from isoplane.runs.inputs.job_logs import JobLog

# Sizes in ascending order, each once; jobs of each size; and their processor-hours or node-hours.
SizeDistribution = tuple[Ints, Ints, Floats]


def size_distribution(log: JobLog, *, in_nodes: bool) -> SizeDistribution:
    """Return how many jobs of a log have each size, and for how many hours they occupy as much.

    Examples
    --------
    >>> columns = [np.array(values) for values in ([0, 1, 2], [3600, 3600, 7200], [8, 9, 16], [-1] * 3, [1] * 3)]
    >>> for values in size_distribution(JobLog("three jobs", *columns, node_processors=8), in_nodes=True):
    ...     values.tolist()
    [1, 2]
    [1, 2]
    [1.0, 6.0]
    """
    sizes, hours = log.sizes(in_nodes=in_nodes)
    distinct, place = np.unique(sizes, return_inverse=True)
    jobs, total_hours = np.zeros(len(distinct), np.int64), np.zeros(len(distinct))
    np.add.at(jobs, place, 1)
    np.add.at(total_hours, place, hours)
    return distinct, jobs, total_hours


def shares_up_to(distribution: SizeDistribution, sizes: Sequence[int] | Ints) -> tuple[Floats, Floats]:
    """Return the shares of jobs, and of hours, of jobs with at most so many processors or nodes: a value for each size.

    Examples
    --------
    >>> jobs, hours = shares_up_to((np.array([1, 2]), np.array([1, 2]), np.array([1.0, 6.0])), [1, 2])
    >>> jobs.round(3).tolist(), hours.round(3).tolist()
    ([0.333, 1.0], [0.143, 1.0])
    """
    distinct, jobs, hours = distribution
    last = np.searchsorted(distinct, sizes, side="right")
    up_to = [np.concatenate([[0.0], np.cumsum(weights)])[last] for weights in (jobs, hours)]
    return up_to[0] / jobs.sum(), _ratio(up_to[1], hours.sum())


def expected_hit_rates(distribution: SizeDistribution, entries: int) -> tuple[float, float]:
    """Return the mean hit rate of a cache over the jobs of a machine, by jobs and by node-hours.

    At the port of a node that belongs to a job on N nodes, packets have N - 1 destinations. If each is as likely, a
    fully associative LRU cache of M entries, once warm, hits with the probability ``min(1, M / (N - 1))``; jobs on one
    node send nothing and never miss. A feed with favourite destinations hits more often, and one that goes through more
    than M of them in turn, as an all-to-all may, never hits.

    Parameters
    ----------
    distribution
        Sizes in nodes.
    entries
        Entries of the cache, M.

    References
    ----------
    Hirasawa, Yamaki and Koibuchi, A Study of Routing-table Cache on HPC Switches, 2020, equation (1).

    Examples
    --------
    A job on all nodes of a 21-ary 3-cube, as in Fig. 12:

    >>> round(expected_hit_rates((np.array([21**3]), np.array([1]), np.array([1.0])), 2048)[0], 4)
    0.2212
    """
    nodes, jobs, hours = distribution
    rates = np.minimum(1, entries / np.maximum(nodes - 1, 1))
    return float(rates @ jobs / jobs.sum()), float(rates @ hours / (hours.sum() or np.nan))


def _ratio(part: Floats, whole: float) -> Floats:
    """Return shares; NaN if no run time is known."""
    shares: Floats = part / (whole or np.nan)
    return shares
