"""Contention-free order of multi-layer full meshes."""

from collections.abc import Iterator

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.errors import InputError


def layered_mesh_order(layers: int, uplinks: int, per_leaf: int) -> Ints:
    """Return the destinations of an exchange over some layers of a `FullMesh`, in N - 1 phases without contention.

    There is a phase for every δ from 0 to L - 1, r from 0 to h - 1 and c from 0 to s - 1, for L layers of leaves with h
    uplinks and s nodes. In it, node m of leaf i of layer l sends to node (m + c) mod s of leaf j of layer l + δ, with
    j = i + 1 + ((m + r) mod h) modulo h + 1, over the spine of {i, j}: the nodes of a leaf over different spines, and
    so those that send to a leaf. In (L - 1) s more phases they send to leaves at the same position of other layers,
    over any spines that differ from each other, and in s - 1 phases to each other.

    Parameters
    ----------
    layers
        Number of layers of the job, L.
    uplinks, per_leaf
        Uplinks and nodes of a leaf, h and s.

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
    Shimizu and Nakajima, on switch-saving topologies, section 3.2.

    Examples
    --------
    >>> layered_mesh_order(4, 3, 2).shape
    (31, 32)
    """
    if per_leaf > uplinks:
        raise InputError(f"order: {per_leaf} nodes at a leaf of {uplinks} uplinks; expected at most {uplinks}")
    return np.array(list(_phases(layers, uplinks, per_leaf)), dtype=np.int64)


def _phases(layers: int, uplinks: int, per_leaf: int) -> Iterator[Ints]:
    positions = uplinks + 1
    layer, leaf, member = (each.ravel() for each in np.indices((layers, positions, per_leaf)))

    def nodes(to_layer: Ints, to_leaf: Ints, to_member: Ints) -> Ints:
        return (to_layer % layers * positions + to_leaf % positions) * per_leaf + to_member % per_leaf

    for step in range(layers):
        for r in range(uplinks):
            other = leaf + 1 + (member + r) % uplinks
            for c in range(per_leaf):
                yield nodes(layer + step, other, member + c)
        for c in range(0 if step else 1, per_leaf):  # to the own leaf only other nodes
            yield nodes(layer + step, leaf, member + c)
