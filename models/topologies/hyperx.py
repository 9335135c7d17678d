"""The topology of HyperX networks: the switches along every line of a grid are connected pairwise."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..grid import check_shape, coordinates, strides
from ..topology import Topology


def hyperx(shape: Sequence[int]) -> Topology:
    """Return a HyperX network: a cable between each pair of switches that differ in one coordinate.

    Switch = x + shape[0]·(y + shape[1]·(z + ...)). The ports of dimension i follow those of the lower dimensions: the
    one to the switch o further along, modulo shape[i], is number o - 1 among them.

    Raises
    ------
    InputError
        If a size is below 2 or the network is too large.

    References
    ----------
    Ahn et al., HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks, 2009.

    Examples
    --------
    >>> hyperx((3, 2)).peer[0].tolist()
    [1, 2, 3]
    """
    sizes = check_shape(shape)
    ids = np.arange(int(np.prod(sizes)), dtype=np.int64)
    place, stride, first = coordinates(ids, sizes), strides(sizes), first_ports(sizes)
    peer = np.empty((len(ids), int(first[-1])), dtype=np.int32)
    peer_port = np.empty_like(peer)
    for i, size in enumerate(sizes):
        for ahead in range(1, size):
            there = (place[:, i] + ahead) % size
            port = first[i] + ahead - 1
            peer[:, port] = ids + (there - place[:, i]) * stride[i]
            peer_port[:, port] = first[i] + size - ahead - 1
    return Topology(peer, peer_port)


def first_ports(shape: Sequence[int]) -> NDArray[np.int64]:
    """Return the first port of each dimension, and the number of ports.

    Examples
    --------
    >>> first_ports((3, 2)).tolist()
    [0, 2, 3]
    """
    return np.cumsum([0, *(size - 1 for size in shape)], dtype=np.int64)
