"""The topology of recursive diagonal tori, RDT(2, R, 1)."""

import numpy as np
from numpy.typing import NDArray

from ..checks import check_int
from ..errors import InputError
from ..mathematics.grid import coordinates
from ..planes.topology import Topology
from .torus import torus

ALPHA = "1443 2312 4314 1223"
MAX_SIDE = 1024

Vector = tuple[int, int]


def rank_vectors(rank: int) -> tuple[Vector, Vector]:
    """Return the two vectors of a rank: (1, 0) and (0, 1) for rank 0, then 2(v + w) and 2(v - w) of the rank below.

    References
    ----------
    Yang, Amano, Shibamura and Sueyoshi, Recursive Diagonal Torus, 1993.

    Examples
    --------
    >>> [rank_vectors(rank) for rank in (1, 2, 3)]
    [((2, 2), (2, -2)), ((8, 0), (0, 8)), ((16, 16), (16, -16))]
    """
    v, w = (1, 0), (0, 1)
    for _ in range(rank):
        v, w = (2 * (v[0] + w[0]), 2 * (v[1] + w[1])), (2 * (v[0] - w[0]), 2 * (v[1] - w[1]))
    return v, w


def ranks_of_tile(tile: str, name: str = "tile") -> NDArray[np.int64]:
    """Return the upper rank of a node at (x mod 4, y mod 4) as ``int64[4, 4]``.

    Examples
    --------
    >>> ranks_of_tile(ALPHA)[1].tolist()
    [2, 3, 1, 2]
    """
    rows = tile.split() if isinstance(tile, str) else []
    if len(rows) != 4 or not all(len(row) == 4 and row.isascii() and row.isdigit() for row in rows):
        raise InputError(f"{name}={tile!r}: expected four rows of four ranks, as in {ALPHA!r}")
    ranks = np.array([[int(rank) for rank in row] for row in rows])
    if set(ranks.ravel().tolist()) != set(range(1, int(ranks.max()) + 1)):
        raise InputError(f"{name}={tile!r}: expected all ranks from 1 to the highest")
    if not np.array_equal(ranks, np.roll(ranks, (2, 2), axis=(0, 1))):
        raise InputError(f"{name}={tile!r}: expected equal ranks at (x, y) and (x + 2, y + 2)")
    return ranks


def check_side(side: int, name: str = "side") -> int:
    """Return the side of the base torus."""
    if check_int(name, side, 4, MAX_SIDE) % 4:
        raise InputError(f"{name}={side}: expected a multiple of 4 up to {MAX_SIDE}")
    return side


def rank_ports(side: int, rank: int) -> tuple[int, int, int, int]:
    """Return the ports for the steps v, -v, w and -w of an upper rank; -1 for steps that end where they start.

    If all steps end at different switches, these are 4, 5, 6 and 7. Steps that end at the same switch share the cable
    at the lowest of their ports.

    Examples
    --------
    >>> rank_ports(128, 3), rank_ports(128, 4), rank_ports(64, 4)
    ((4, 5, 6, 7), (4, 4, 6, 6), (-1, -1, -1, -1))
    """
    (a, b), (c, d) = rank_vectors(rank)
    ends = [(x % side, y % side) for x, y in ((a, b), (-a, -b), (c, d), (-c, -d))]
    first, second, third, fourth = (4 + ends.index(end) if any(end) else -1 for end in ends)
    return first, second, third, fourth


def rdt(side: int, tile: str = ALPHA) -> Topology:
    """Return RDT(2, R, 1) on a torus of side x side: every node has the links of rank 0 and those of one upper rank.

    Ports 0 to 3 are those of the torus, +x, -x, +y and -y; ports 4 to 7 lead along v, -v, w and -w, the vectors of the
    node's upper rank. Links that end where they start are omitted, and of parallel links only the one at the lowest
    port is kept: at 64 x 64, nodes of rank 4 have no upper link; at 128 x 128 they have two.

    Parameters
    ----------
    side
        Side of the torus, a multiple of 4.
    tile
        The upper rank of the nodes at (x mod 4, y mod 4), one word per x. The default has diameters of 8, 10 and 12
        at 64, 128 and 256, and every node is at most one rank-0 hop from a node of every rank. The papers do not give
        their assignment alpha; this one has the diameters that they report.

    References
    ----------
    Yang, Amano, Shibamura and Sueyoshi, Recursive Diagonal Torus, 1993; Shibamura et al., INSIGHT, section 3.1.

    Examples
    --------
    >>> rdt(64).peer[0].tolist()
    [1, 63, 64, 4032, 130, 4030, 3970, 190]
    """
    check_side(side)
    ranks = ranks_of_tile(tile)
    base = torus((side, side))
    peer, peer_port = (np.pad(array, ((0, 0), (0, 4)), constant_values=-1) for array in (base.peer, base.peer_port))
    position = coordinates(np.arange(side * side), (side, side))
    rank_of = ranks[position[:, 0] % 4, position[:, 1] % 4]
    for rank in range(1, int(ranks.max()) + 1):
        (a, b), (c, d) = rank_vectors(rank)
        ports, switches = rank_ports(side, rank), np.flatnonzero(rank_of == rank)
        for step, (x, y) in enumerate(((a, b), (-a, -b), (c, d), (-c, -d))):
            # A step to the same switch as an earlier one has no cable of its own.
            if ports[step] == 4 + step:
                neighbours = (position[switches] + (x, y)) % side
                peer[switches, ports[step]] = neighbours[:, 0] + side * neighbours[:, 1]
                # The far end is of the same rank, by the period of the tile, and leads back along the opposite vector.
                peer_port[switches, ports[step]] = ports[step ^ 1]
    return Topology(peer, peer_port)
