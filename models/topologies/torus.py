"""The topology of tori of any dimension."""

from collections.abc import Sequence

import numpy as np

from ..mathematics.grid import check_shape, coordinates, strides
from ..planes.topology import Topology


def torus(shape: Sequence[int]) -> Topology:
    """Return a torus: in dimension i, port 2i leads to the next switch and port 2i + 1 to the previous one.

    Switch = x + shape[0]·(y + shape[1]·(z + ...)). In a dimension of size 2 both neighbours are the same switch, and a
    single cable connects the ports 2i; so the torus of n twos is the hypercube of dimension n, and ports 2i + 1 are
    unused.

    References
    ----------
    Dally, Performance Analysis of k-ary n-cube Interconnection Networks, 1990.

    Examples
    --------
    >>> torus((4, 3)).peer[0].tolist()
    [1, 3, 4, 8]
    """
    sizes = check_shape(shape)
    ids = np.arange(int(np.prod(sizes)), dtype=np.int64)
    position, stride = coordinates(ids, sizes), strides(sizes)
    peer = np.full((len(ids), 2 * len(sizes)), -1, dtype=np.int32)
    peer_port = peer.copy()
    for i, size in enumerate(sizes):
        for port, step in ((2 * i, 1), (2 * i + 1, -1))[: 1 if size == 2 else 2]:
            neighbour = (position[:, i] + step) % size
            peer[:, port] = ids + (neighbour - position[:, i]) * stride[i]
            peer_port[:, port] = port if size == 2 else port ^ 1
    return Topology(peer, peer_port)
