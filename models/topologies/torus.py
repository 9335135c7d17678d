"""The topologies of tori and meshes of any dimension."""

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
    return _grid(check_shape(shape), wraps=True)


def mesh(shape: Sequence[int]) -> Topology:
    """Return a mesh: a torus without wraparound cables, with the same ids and ports.

    Examples
    --------
    >>> mesh((4, 3)).peer[0].tolist()
    [1, -1, 4, -1]
    """
    return _grid(check_shape(shape), wraps=False)


def _grid(sizes: tuple[int, ...], *, wraps: bool) -> Topology:
    ids = np.arange(int(np.prod(sizes)), dtype=np.int64)
    position, stride = coordinates(ids, sizes), strides(sizes)
    peer = np.full((len(ids), 2 * len(sizes)), -1, dtype=np.int32)
    peer_port = peer.copy()
    for i, size in enumerate(sizes):
        is_single = wraps and size == 2  # one cable to the switch that is both neighbours
        for port, step, last in ((2 * i, 1, size - 1), (2 * i + 1, -1, 0))[: 1 if is_single else 2]:
            cabled = ids if wraps else np.flatnonzero(position[:, i] != last)
            neighbour = (position[cabled, i] + step) % size
            peer[cabled, port] = cabled + (neighbour - position[cabled, i]) * stride[i]
            # Ports 2i and 2i + 1 of neighbours face each other.
            peer_port[cabled, port] = port if is_single else port ^ 1
    return Topology(peer, peer_port)
