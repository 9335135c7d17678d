"""Contention-free order of orthogonal fat-trees, from the difference set of their projective plane."""

from collections.abc import Iterator, Sequence

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.errors import InputError


def projective_plane_order(difference_set: Sequence[int], sides: int, per_leaf: int) -> Ints:
    """Return the destinations of an exchange over an orthogonal fat-tree, in N - 1 phases without contention.

    Leaf i has cables to the spines i + d_j modulo v, for d_j in the difference set of k residues modulo v; see
    `OrthogonalFatTree`. With s nodes at a leaf, there is a phase for every t from 1 to k - 1, r from 0 to k - 1 and c
    from 0 to s - 1, to the own side of the spines and to the other one. In it, node m of leaf i sends up link
    j = (m + r) mod k to spine i + d_j, and down link b = (j + t) mod k to leaf i + d_j - d_b, to its node (m + c) mod
    s. So the nodes of a leaf send over different links, and so do those that send to a leaf. In s more phases the nodes
    of a leaf send to the one at the same point of the other side, over any spines that differ from each other, and in
    s - 1 phases to each other.

    Parameters
    ----------
    difference_set
        Residues whose differences are all residues but 0, once each.
    sides
        1 or 2.
    per_leaf
        Nodes of a leaf, s; at most k.

    Returns
    -------
    int64[phases, nodes]
        The node that each one sends to.

    Raises
    ------
    InputError
        If leaves have more nodes than uplinks: they then cannot all send to other leaves at once.

    References
    ----------
    Shimizu and Nakajima, on switch-saving topologies, section 3.

    Examples
    --------
    >>> projective_plane_order((0, 1, 3), sides=1, per_leaf=3).shape  # of 7 leaves
    (20, 21)
    """
    k = len(difference_set)
    if per_leaf > k:
        raise InputError(f"order: {per_leaf} nodes at a leaf of {k} uplinks; expected at most {k}")
    phases = _phases(np.array(difference_set), k * (k - 1) + 1, sides, per_leaf)
    return np.array(list(phases), dtype=np.int64)


def _phases(differences: Ints, points: int, sides: int, per_leaf: int) -> Iterator[Ints]:
    k = len(differences)
    leaf, member = (each.ravel() for each in np.indices((sides * points, per_leaf)))
    side, point = np.divmod(leaf, points)
    for t in range(1, k):
        for r in range(k):
            up = (member + r) % k
            other = (point + differences[up] - differences[(up + t) % k]) % points
            for c in range(per_leaf):
                for to_side in range(sides):
                    yield ((side + to_side) % sides * points + other) * per_leaf + (member + c) % per_leaf
    for c in range(per_leaf if sides == 2 else 0):
        yield ((1 - side) * points + point) * per_leaf + (member + c) % per_leaf
    for c in range(1, per_leaf):
        yield leaf * per_leaf + (member + c) % per_leaf
