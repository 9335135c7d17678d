"""Permutation traffic: every node sends to one other."""

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
    """Return the node with all bits inverted."""
    return np.arange(nodes, dtype=np.int64) ^ ((1 << _bits("complement", nodes)) - 1)


def reverse(nodes: int) -> Nodes:
    """Return the node with the bits in the opposite order."""
    bits, ids = _bits("reverse", nodes), np.arange(nodes, dtype=np.int64)
    return sum(((ids >> i & 1) << (bits - 1 - i) for i in range(bits)), np.zeros(nodes, dtype=np.int64))


def transpose(nodes: int) -> Nodes:
    """Return the node with the two halves of the bits exchanged: row and column of a square matrix.

    Raises
    ------
    InputError
        If the bits have no halves.
    """
    bits, ids = _bits("transpose", nodes), np.arange(nodes, dtype=np.int64)
    if bits % 2:
        raise InputError(f"traffic.pattern=transpose: {nodes} nodes; expected an even power of two")
    half = bits // 2
    return ids >> half | (ids & ((1 << half) - 1)) << half


def shuffle(nodes: int) -> Nodes:
    """Return the node with the bits rotated to the left by one."""
    bits, ids = _bits("shuffle", nodes), np.arange(nodes, dtype=np.int64)
    return (ids << 1 | ids >> max(bits - 1, 0)) & (nodes - 1)


def tornado(nodes: int) -> Nodes:
    """Return the node almost half a ring of all nodes ahead: ceil(N / 2) - 1 farther."""
    return (np.arange(nodes, dtype=np.int64) + (nodes + 1) // 2 - 1) % nodes


def neighbour(nodes: int) -> Nodes:
    """Return the node with the next number."""
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
