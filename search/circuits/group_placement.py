"""Placements that keep communication inside groups: a balanced cut of the traffic graph."""

import numpy as np

from isoplane.models.family_kinds.optical import OpticalFamily
from isoplane.models.mathematics.partition import equal_parts
from isoplane.models.placement import Placement, by_groups
from isoplane.models.workloads import Workload


def by_communication(optical: OpticalFamily, workload: Workload) -> Placement:
    """Return the placement by a balanced edge cut: processes with much mutual traffic share a group.

    The cut is that of `equal_parts`; groups are numbered by their lowest process.

    Parameters
    ----------
    optical, workload
        The network and the workload; one node per process.

    Returns
    -------
    Placement
        The placement; processes keep their order within a group.

    References
    ----------
    Takizawa, Endo and Matsuoka, section 2: Communication Partitioning (CP).

    Examples
    --------
    >>> from isoplane.models import Hybrid
    >>> from isoplane.models.workloads import from_matrix
    >>> pairs = from_matrix(np.kron(np.ones((2, 2), dtype=int), np.eye(2, dtype=int)))  # 0 with 2, 1 with 3
    >>> by_communication(Hybrid(2, 2), pairs).nodes
    (0, 2, 1, 3)
    """
    matrix = workload.matrix().astype(np.float64)
    group = equal_parts(matrix + matrix.T, optical.groups)
    _, first = np.unique(group, return_index=True)
    new_number = np.empty(optical.groups, dtype=np.int64)
    new_number[np.argsort(first)] = np.arange(optical.groups)
    return by_groups(new_number[group].tolist(), optical.nodes_per_group)


def cut_bytes(optical: OpticalFamily, workload: Workload, placement: Placement) -> int:
    """Return the bytes between groups per iteration."""
    group = optical.group[np.array(placement.nodes)]
    return int(workload.matrix()[group[:, None] != group[None, :]].sum())
