"""The topology of HyperX networks: the switches along every line of a grid are connected pairwise."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..errors import InputError
from ..mathematics.grid import check_shape, coordinates, strides
from ..planes.topology import Topology
from .graph import MAX_PORTS


def hyperx(shape: Sequence[int], cables: Sequence[int] = ()) -> Topology:
    """Return a HyperX network: cables between each pair of switches that differ in one coordinate.

    Switch = x + shape[0]·(y + shape[1]·(z + ...)). The ports of dimension i follow those of the lower dimensions: with
    K cables per pair, cable c to the switch o further along, modulo shape[i], is number (o - 1) K + c among them.

    Parameters
    ----------
    shape
        Number of switches along each dimension.
    cables
        Parallel cables between two switches, K, for each dimension; one by default.

    References
    ----------
    Ahn et al., HyperX: Topology, Routing, and Packaging of Efficient Large-Scale Networks, 2009.

    Examples
    --------
    >>> hyperx((3, 2)).peer[0].tolist()
    [1, 2, 3]
    >>> hyperx((3, 2), (2, 1)).peer[0].tolist()
    [1, 1, 2, 2, 3]
    """
    sizes = check_shape(shape)
    parallel = cables_by_dimension(sizes, cables)
    ids = np.arange(int(np.prod(sizes)), dtype=np.int64)
    place, stride, first = coordinates(ids, sizes), strides(sizes), first_ports(sizes, parallel)
    if first[-1] > MAX_PORTS:
        raise InputError(f"shape={list(sizes)}: {first[-1]} ports per switch; expected at most {MAX_PORTS}")
    peer = np.empty((len(ids), int(first[-1])), dtype=np.int32)
    peer_port = np.empty_like(peer)
    for i, size in enumerate(sizes):
        cable = np.arange(parallel[i])
        for ahead in range(1, size):
            there = (place[:, i] + ahead) % size
            port = first[i] + (ahead - 1) * parallel[i] + cable
            peer[:, port] = (ids + (there - place[:, i]) * stride[i])[:, None]
            # The way back is size - ahead further along, by the cable with the same number.
            peer_port[:, port] = first[i] + (size - ahead - 1) * parallel[i] + cable
    return Topology(peer, peer_port)


def cables_by_dimension(shape: Sequence[int], cables: Sequence[int] = ()) -> tuple[int, ...]:
    """Return the number of parallel cables between two switches for each dimension.

    Examples
    --------
    >>> cables_by_dimension((4, 3)), cables_by_dimension((4, 3), (1, 2))
    ((1, 1), (1, 2))
    """
    if not cables:
        return (1,) * len(shape)
    if len(cables) != len(shape):
        raise InputError(f"cables_per_pair={list(cables)}: expected {len(shape)} numbers, one per dimension")
    return tuple(check_int("cables_per_pair", each, 1, MAX_PORTS) for each in cables)


def first_ports(shape: Sequence[int], cables: Sequence[int] = ()) -> NDArray[np.int64]:
    """Return the first port of each dimension, and the number of ports.

    Examples
    --------
    >>> first_ports((3, 2)).tolist(), first_ports((3, 2), (2, 1)).tolist()
    ([0, 2, 3], [0, 4, 5])
    """
    parallel = cables_by_dimension(shape, cables)
    ports = [(size - 1) * each for size, each in zip(shape, parallel, strict=True)]
    return np.cumsum([0, *ports], dtype=np.int64)
