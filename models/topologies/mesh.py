"""The topology of meshes of any dimension."""

from collections.abc import Sequence

import numpy as np

from ..mathematics.grid import check_shape, coordinates, strides
from ..planes.topology import Topology


def mesh(shape: Sequence[int]) -> Topology:
    """Return a mesh: a torus without wraparound cables, with the same ids and ports.

    Examples
    --------
    >>> mesh((4, 3)).peer[0].tolist()
    [1, -1, 4, -1]
    """
    sizes = check_shape(shape)
    ids = np.arange(int(np.prod(sizes)), dtype=np.int64)
    position, stride = coordinates(ids, sizes), strides(sizes)
    peer = np.full((len(ids), 2 * len(sizes)), -1, dtype=np.int32)
    peer_port = peer.copy()
    for i, size in enumerate(sizes):
        for port, step, last in ((2 * i, 1, size - 1), (2 * i + 1, -1, 0)):
            has_neighbour = position[:, i] != last
            peer[has_neighbour, port] = ids[has_neighbour] + step * stride[i]
            peer_port[has_neighbour, port] = port ^ 1
    return Topology(peer, peer_port)
