"""Topologies of programs, stated by name or link by link."""

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from isoplane.models import Cube
from isoplane.models.mathematics.components import components
from isoplane.models.mathematics.grid import MAX_SWITCHES
from isoplane.models.topologies.rdt import ALPHA, MAX_SIDE

from .problems import StatementError, require_integer

MAX_PORTS = 1 << 24  # for a graph: number of switches times maximum degree
MAX_LINKS = 1 << 18
MAX_DIMENSIONS = 16
MAX_MM = 10**10
Link = tuple[int, int, int]  # two switches of a graph, and the length in mm of the cable between them


@dataclass(frozen=True)
class Torus:
    """A torus, or without the wrap-around links a mesh: ``(NetworkTopology Torus 64 64)``, or ``Mesh``.

    Parameters
    ----------
    shape
        Sizes of the coordinates, x first; switch = x + shape[0]·(y + shape[1]·(z + ...)).
    wraps
        Whether it has the wrap-around links.

    Raises
    ------
    InputError
        If there are no or more than 16 coordinates, one is smaller than 2, or there are more than 2^20 switches.
    """

    shape: tuple[int, ...]
    wraps: bool = True

    def __post_init__(self) -> None:
        _check_shape(self.shape)

    @property
    def name(self) -> str:
        """The word of the language."""
        return "Torus" if self.wraps else "Mesh"


@dataclass(frozen=True)
class Rdt:
    """A recursive diagonal torus RDT(2, R, 1): ``(NetworkTopology RDT 2 4 1 64 64)``.

    Switch x + shape[0]·y is at (x, y) in a square torus, whose links have rank 0. If v1 and v2 are the vectors of a
    rank, those of the next one are 2(v1 + v2) and 2(v1 - v2). Every switch has links of one upper rank besides those of
    rank 0.

    Parameters
    ----------
    rank
        R, the highest rank, 1..8.
    shape
        The two sizes of the torus, equal multiples of 4.
    tile
        The upper rank of the switches at (x mod 4, y mod 4): a row of four digits for each x. Positions that differ
        by (2, 2) have the same rank.

    Raises
    ------
    InputError
        If a number is out of range, or the tile does not name every rank from 1 to R and no other.

    References
    ----------
    Yang, Amano, Shibamura and Sueyoshi, Recursive Diagonal Torus, 1993.
    """

    rank: int
    shape: tuple[int, int]
    tile: tuple[str, ...] = tuple(ALPHA.split())

    def __post_init__(self) -> None:
        require_integer("NetworkTopology", self.rank, 1, 8, 2)
        for argument, size in enumerate(self.shape, start=4):
            if not (1 <= size <= MAX_SIDE and size % 4 == 0):
                allowed = f"a multiple of 4 from 4 to {MAX_SIDE}"
                raise StatementError("NetworkTopology", f"{size}", allowed, argument)
        if self.shape[0] != self.shape[1]:
            raise StatementError("NetworkTopology", f"{self.shape[1]}", f"{self.shape[0]}, a square torus", 5)
        self._check_tile()

    def _check_tile(self) -> None:
        ranks = "12345678"[: self.rank]
        for x, row in enumerate(self.tile):
            if len(row) != 4 or not set(row) <= set(ranks):
                raise StatementError("RankTile", row, f"a row of four ranks from 1 to {self.rank}", x)
            partner = self.tile[x % 2]
            if x > 1 and row != partner[2:] + partner[:2]:
                raise StatementError(
                    "RankTile", row, f"{partner[2:]}{partner[:2]}, which is row {x % 2} rotated by two", x
                )
        missing = set(ranks) - set("".join(self.tile))
        if missing:
            raise StatementError("RankTile", " ".join(self.tile), f"a tile that also has rank {min(missing)}")


@dataclass(frozen=True)
class Graph:
    """Any connected network: ``(NetworkTopology Graph 6)`` with one ``(NetworkLink 0 1 5m)`` per cable.

    Parameters
    ----------
    switches
        Number of switches, 1..2^20.
    links
        The cables, at most one between two switches and 2^18 in total. Ports of a switch are numbered in this order.

    Raises
    ------
    InputError
        If a link is a loop, has an unknown switch or is given twice, or the network is not connected.
    """

    switches: int
    links: tuple[Link, ...]

    def __post_init__(self) -> None:
        require_integer("NetworkTopology", self.switches, 1, MAX_SWITCHES, 1)
        require_room(len(self.links) - 1)
        for index, (a, b, mm) in enumerate(self.links):
            require_integer("NetworkLink", a, 0, self.switches - 1, 0, index)
            require_integer("NetworkLink", b, 0, self.switches - 1, 1, index)
            if a == b:
                raise StatementError("NetworkLink", f"{a} {b}", "a link between two different switches", 1, index)
            if not 0 <= mm <= MAX_MM:
                raise StatementError("NetworkLink", f"{mm}mm", f"a length of at most {MAX_MM // 1000}m", 2, index)
        # Two columns even without links, where the array would have a single axis.
        ends = np.array([link[:2] for link in self.links], dtype=np.int64).reshape(-1, 2)
        self._check_ends(ends)

    def _check_ends(self, ends: NDArray[np.int64]) -> None:
        low, high = ends.min(axis=1), ends.max(axis=1)
        _, first = np.unique(low * self.switches + high, return_index=True)
        if len(first) < len(ends):
            duplicate = int(np.setdiff1d(np.arange(len(ends)), first)[0])
            a, b, _ = self.links[duplicate]
            raise StatementError("NetworkLink", f"{a} {b}", "at most one link between two switches", 0, duplicate)
        degree = int(np.bincount(ends.ravel(), minlength=1).max())
        if self.switches * degree > MAX_PORTS:
            allowed = f"at most {MAX_PORTS // self.switches} links per switch; one has {degree}"
            raise StatementError("NetworkTopology", f"Graph {self.switches}", allowed, 1)
        unreachable = np.flatnonzero(components(self.switches, low, high))
        if len(unreachable):
            allowed = f"a connected network; no route from switch 0 to switch {unreachable[0]}"
            raise StatementError("NetworkTopology", f"Graph {self.switches}", allowed, 1)


def require_room(index: int) -> None:
    """Raise a `StatementError` if the index of a link exceeds the maximum number of links."""
    if index >= MAX_LINKS:
        raise StatementError("NetworkLink", "once more", f"at most {MAX_LINKS} links", -1, index)


StatedTopology = Torus | Cube | Rdt | Graph


def switches_of(topology: StatedTopology) -> int:
    """Return the number of switches of a topology."""
    if isinstance(topology, Graph):
        return topology.switches
    return 1 << topology.n if isinstance(topology, Cube) else prod(topology.shape)


def _check_shape(shape: tuple[int, ...]) -> None:
    if not 1 <= len(shape) <= MAX_DIMENSIONS:
        raise StatementError("NetworkTopology", f"of {len(shape)} sizes", f"1 to {MAX_DIMENSIONS} sizes", 1)
    switches = 1
    for argument, size in enumerate(shape, start=1):
        require_integer("NetworkTopology", size, 2, MAX_SWITCHES, argument)
        switches *= size
        if switches > MAX_SWITCHES:
            allowed = f"a network of at most {MAX_SWITCHES} switches"
            raise StatementError("NetworkTopology", f"{size}", allowed, argument)
