"""Permutation traffic: every node sends to one other node."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError, Network
from isoplane.models.families.multi_plane import grid_of, nodes_at_switch
from isoplane.models.mathematics.grid import coordinates, strides

Nodes = NDArray[np.int64]


def _bits(name: str, nodes: int) -> int:
    bits = nodes.bit_length() - 1
    if nodes != 1 << bits:
        raise InputError(f"traffic.pattern={name}: {nodes} nodes; expected a power of two")
    return bits


def complement(nodes: int) -> Nodes:
    """Map each node to the one with all bits inverted."""
    return np.arange(nodes, dtype=np.int64) ^ ((1 << _bits("complement", nodes)) - 1)


def reverse(nodes: int) -> Nodes:
    """Map each node to the one with the bits in reverse order."""
    bits, ids = _bits("reverse", nodes), np.arange(nodes, dtype=np.int64)
    return sum(((ids >> i & 1) << (bits - 1 - i) for i in range(bits)), np.zeros(nodes, dtype=np.int64))


def transpose(nodes: int) -> Nodes:
    """Map each node to the one with the two halves of the bits exchanged: row and column of a square matrix.

    Raises
    ------
    InputError
        If the number of bits is odd.
    """
    bits, ids = _bits("transpose", nodes), np.arange(nodes, dtype=np.int64)
    if bits % 2:
        raise InputError(f"traffic.pattern=transpose: {nodes} nodes; expected a power of four")
    half = bits // 2
    return ids >> half | (ids & ((1 << half) - 1)) << half


def shuffle(nodes: int) -> Nodes:
    """Map each node to the one with the bits rotated to the left by one."""
    bits, ids = _bits("shuffle", nodes), np.arange(nodes, dtype=np.int64)
    return (ids << 1 | ids >> max(bits - 1, 0)) & (nodes - 1)


def tornado(shape: Sequence[int]) -> Nodes:
    """Map each switch to the one ceil(k / 2) - 1 ahead in every coordinate of size k: almost half way round each ring.

    Examples
    --------
    >>> tornado((5, 4))[:5].tolist()  # 2 ahead in x, 1 in y
    [7, 8, 9, 5, 6]
    """
    return _shifted(shape, [(size + 1) // 2 - 1 for size in shape])


def neighbour(shape: Sequence[int]) -> Nodes:
    """Map each switch to the next one in every coordinate."""
    return _shifted(shape, [1] * len(shape))


def _shifted(shape: Sequence[int], steps: Sequence[int]) -> Nodes:
    """Return the switch that is some steps ahead of each switch, modulo the sizes of the coordinates."""
    position = coordinates(np.arange(np.prod(shape)), shape)
    ahead: Nodes = ((position + np.array(steps)) % np.array(shape)) @ strides(shape)
    return ahead


# References: Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 3.2.
OF_NODES: dict[str, Callable[[int], Nodes]] = {
    "complement": complement,
    "reverse": reverse,
    "transpose": transpose,
    "shuffle": shuffle,
}
OF_COORDINATES: dict[str, Callable[[Sequence[int]], Nodes]] = {"tornado": tornado, "neighbour": neighbour}
PERMUTATIONS = (*OF_NODES, *OF_COORDINATES)


def permutation(name: str, network: Network) -> Nodes:
    """Return the destination of every node: of its number, or of the coordinates of its switch.

    In the latter case the nodes of a switch send to those of one other switch, in the same order.

    Raises
    ------
    InputError
        If the number of nodes does not fit, or the switches have no coordinates.

    Examples
    --------
    >>> from isoplane.models.families.torus import Torus
    >>> ring = Network(Torus(shape=(4,), nodes_per_switch=2, node_cable_m=1))
    >>> permutation("tornado", ring).tolist()
    [2, 3, 4, 5, 6, 7, 0, 1]
    """
    if name in OF_NODES:
        return OF_NODES[name](network.nodes)
    shape, at_switch = grid_of(network.family), nodes_at_switch(network.family)
    if shape is None or at_switch is None:
        raise InputError(
            f"traffic.pattern={name}: {network.family.title} has no switches with coordinates and as many nodes each; "
            f"expected {', '.join(OF_NODES)}, or a torus, mesh, hyperx or rdt"
        )
    switch, place = np.divmod(np.arange(network.nodes, dtype=np.int64), at_switch)
    destination: Nodes = OF_COORDINATES[name](shape)[switch] * at_switch + place
    return destination
