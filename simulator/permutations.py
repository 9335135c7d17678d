"""Permutation traffic: every node sends to one other node."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from isoplane.models import InputError

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


def tornado(nodes: int) -> Nodes:
    """Map each node to the one ceil(N / 2) - 1 ahead, almost half way around the ring of all N nodes."""
    return (np.arange(nodes, dtype=np.int64) + (nodes + 1) // 2 - 1) % nodes


def neighbour(nodes: int) -> Nodes:
    """Map each node to the next one."""
    return (np.arange(nodes, dtype=np.int64) + 1) % nodes


# References: Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 3.2.
PERMUTATIONS: dict[str, Callable[[int], Nodes]] = {
    "complement": complement,
    "reverse": reverse,
    "transpose": transpose,
    "shuffle": shuffle,
    "tornado": tornado,
    "neighbour": neighbour,
}
