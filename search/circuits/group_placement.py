"""Placements that keep communication inside groups: a balanced cut of the traffic graph."""

import numpy as np
from numpy.typing import NDArray

from isoplane.models.hybrid_family import HybridFamily
from isoplane.models.placement import Placement, by_groups
from isoplane.models.workloads import Workload

Weights = NDArray[np.float64]
Groups = NDArray[np.int64]

SEED = 1  # fixed, so that the placement does not depend on the seed of a search


def by_communication(hybrid: HybridFamily, workload: Workload) -> Placement:
    """Return the placement by a balanced edge cut: processes with much mutual traffic share a group.

    A multilevel partition by METIS may be unbalanced by a few processes. It is balanced exactly by the moves that
    increase the cut least, then improved by exchanges of two processes while one reduces the cut. Groups are numbered
    by their lowest process.

    Parameters
    ----------
    hybrid, workload
        The network and the workload; one node per process.

    Returns
    -------
    Placement
        The placement; processes keep their order within a group.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2: Communication Partitioning (CP). Karypis and Kumar, A fast and high quality
    multilevel scheme for partitioning irregular graphs, 1998; Kernighan and Lin, An efficient heuristic procedure for
    partitioning graphs, 1970.

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.workloads import from_matrix
    >>> pairs = from_matrix(np.kron(np.ones((2, 2), dtype=int), np.eye(2, dtype=int)))  # 0 with 2, 1 with 3
    >>> by_communication(Hybrid(2, 2), pairs).nodes
    (0, 2, 1, 3)
    """
    matrix = workload.matrix().astype(np.float64)
    weights = matrix + matrix.T
    group = _partition(weights, hybrid.groups)
    _balance(weights, group, hybrid.groups, hybrid.nodes_per_group)
    _improve(weights, group, hybrid.groups)
    _, first = np.unique(group, return_index=True)
    new_number = np.empty(hybrid.groups, dtype=np.int64)
    new_number[np.argsort(first)] = np.arange(hybrid.groups)
    return by_groups(new_number[group].tolist(), hybrid.nodes_per_group)


def cut_bytes(hybrid: HybridFamily, workload: Workload, placement: Placement) -> int:
    """Return the bytes between groups per iteration."""
    group = hybrid.group[np.array(placement.nodes)]
    return int(workload.matrix()[group[:, None] != group[None, :]].sum())


def _partition(weights: Weights, groups: int) -> Groups:
    """Return the group of every process by METIS; weights are scaled to integers of at most 30 bits."""
    import pymetis

    if not weights.any():
        return np.arange(len(weights)) * groups // len(weights)
    scaled = np.ceil(weights * (2**20 / weights.max())).astype(np.int64)
    rows = [np.flatnonzero(row) for row in scaled]
    starts = np.cumsum([0, *map(len, rows)])
    partition = pymetis.part_graph(
        groups,
        pymetis.CSRAdjacency(starts.tolist(), np.concatenate(rows).tolist()),
        eweights=np.concatenate([scaled[i, row] for i, row in enumerate(rows)]).tolist(),
        options=pymetis.Options(seed=SEED),
    )
    return np.array(partition[1], dtype=np.int64)


def _group_traffic(weights: Weights, group: Groups, groups: int) -> Weights:
    """Return the traffic of every process with every group."""
    return weights @ np.eye(groups)[group]


def _balance(weights: Weights, group: Groups, groups: int, size: int) -> None:
    """Move processes from groups that are too large to those that are too small, smallest increase of the cut first."""
    while True:
        sizes = np.bincount(group, minlength=groups)
        too_large, too_small = sizes > size, sizes < size
        if not too_large.any():
            return
        traffic = _group_traffic(weights, group, groups)
        gain = traffic - traffic[np.arange(len(group)), group][:, None]
        gain[:, ~too_small] = -np.inf
        gain[~too_large[group]] = -np.inf
        process, target = np.unravel_index(np.argmax(gain), gain.shape)
        group[process] = target


def _improve(weights: Weights, group: Groups, groups: int) -> None:
    """Exchange two processes of different groups while that reduces the cut, the best exchange first."""
    processes = np.arange(len(group))
    for _ in range(len(group)):
        traffic = _group_traffic(weights, group, groups)
        move_gain = traffic[:, group] - traffic[processes, group][:, None]  # [process, process of the target group]
        gain = move_gain + move_gain.T - 2 * weights
        gain[group[:, None] == group[None, :]] = 0
        one, other = np.unravel_index(np.argmax(gain), gain.shape)
        if gain[one, other] <= 0:
            return
        group[one], group[other] = group[other], group[one]
