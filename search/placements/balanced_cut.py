"""Balanced edge cuts: equal parts of a weighted graph with little weight between them."""

import numpy as np
from numpy.typing import NDArray

Weights = NDArray[np.float64]
Groups = NDArray[np.int64]

SEED = 1  # fixed, so that a cut does not depend on the seed of a search


def balanced_cut(weights: Weights, parts: int) -> Groups:
    """Return the part of every vertex, parts of equal size with little weight between them.

    A multilevel partition by METIS may be unbalanced by a few vertices. It is balanced exactly by the moves that
    increase the cut least, then improved by exchanges of two vertices while one reduces the cut.

    Parameters
    ----------
    weights : float64[vertices, vertices]
        Symmetric whole weights of edges, with zeros on the diagonal.
    parts
        Number of parts, which divides the number of vertices.

    References
    ----------
    Karypis and Kumar, A fast and high quality multilevel scheme for partitioning irregular graphs, 1998. Kernighan and
    Lin, An efficient heuristic procedure for partitioning graphs, 1970.

    Examples
    --------
    >>> pairs = np.array([[0.0, 0, 9, 1], [0, 0, 1, 9], [9, 1, 0, 0], [1, 9, 0, 0]])
    >>> part = balanced_cut(pairs, 2)
    >>> bool(part[0] == part[2] != part[1] == part[3])
    True
    """
    part = _partition(weights, parts)
    _balance(weights, part, parts, len(weights) // parts)
    _improve(weights, part, parts)
    return part


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
