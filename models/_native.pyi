"""Native kernels of models."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

def checksums(
    ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    crc: tuple[int, int, int, int, bool, bool, int],
    sums: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Fill the checksum of each id. A CRC is its width, polynomial, initial value, final XOR, whether bits are reflected, whether bytes begin with the highest, and the bytes of an id.
    """

def cache_sets(
    ids: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    sets: int,
    crc: tuple[int, int, int, int, bool, bool, int] | None,
    set_of: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Fill the set of each id: its checksum modulo the number of sets, or without a checksum the id itself.
    """

def count_look_ups(
    sets_and_ways: tuple[int, int],
    replacement: int,
    seed: int,
    set_of: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    first_port: int,
    before: tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ],
    streams: tuple[
        Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
    ],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu")],
    hit: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", device="cpu")] | None = None,
) -> None:
    """
    Fill the look-ups of each port by kind: hits that a fully associative cache shares, other hits, and misses that are cold, by conflict and by capacity; or, in one column, only its hits. Streams are the start of that of each port, and the end of the last, and ids; those of `before` come first and are not counted. Replacement is 0 for LRU, 1 for FIFO and 2 for random. `hit` is whether each look-up hits.
    """

def minimal_columns(
    peer: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    first: int,
    count: int,
    table: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Fill columns first to first + count of a table of next ports along shortest paths: at each switch the lowest port that leads nearer. Entries without such a port are left unchanged.
    """

class TableBalancer:
    """
    Local search over a table of shortest paths, which it changes in place.
    """

    def __init__(
        self,
        peer: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        senders: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        receivers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        table: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C", device="cpu")],
        seed: int,
        depth: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)]
        | None = None,
        plane: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order="C", device="cpu")] | None = None,
        planes: int = 1,
        detour: int = 0,
        descents: int | None = None,
    ) -> None:
        """
        Measure the loads if each switch sends senders[from] * receivers[column] units along each column to its target. With depths, the table is one of up*/down* routes, and remains so. With several planes, the rows are the switches of one plane after the other, and plane[source, column] is that of each pair, which is changed in place: it may have routes of `detour` more hops than the shortest. With a limit no route gets more `descents`, from a port to one with a lower number at the next switch.
        """

    def measure(self, first: int, count: int) -> None:
        """
        Add the loads of the routes in some columns; once for each column, before any move.
        """

    @property
    def total(self) -> int:
        """The sum of the loads of all links, which only detours change."""

    @property
    def heaviest(self) -> int:
        """The load of the heaviest link."""

    def run(self, moves: int, threshold: float) -> None:
        """
        Try a number of moves, and keep those that increase the cost by at most the threshold.
        """

    def shorten(self) -> None:
        """
        Give pairs with a detour the plane with the shortest route, where that raises no load above the heaviest.
        """

class RackSearch:
    """Local search over assignments of switches to racks, for short cables."""

    def __init__(
        self,
        peer: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        nodes: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        place: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        positions: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        lengths: tuple[int, int],
        capacity: tuple[int, int],
        seed: int,
    ) -> None:
        """
        Start from the place of each switch, with the lengths of a cable within a rack and of the slack between racks, and the switches and nodes that a rack holds.
        """

    def run(self, moves: int, threshold: int) -> int:
        """
        Try a number of moves, keep those that lengthen the cables by at most the threshold, and return the total length.
        """

    def write(self, place: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")]) -> None:
        """Write the place of each switch."""

def shortest_hops(
    peer: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    hops: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C", device="cpu")],
) -> None:
    """
    Fill the number of hops of a shortest path between all switches; entries without a path are left unchanged.
    """

class TableRerouter:
    """
    Repair of a table of next ports by column and switch, which it changes in place.
    """

    def __init__(
        self,
        peer: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        target: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        senders: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        receivers: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        share: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C", device="cpu", writable=False)]
        | None,
        table: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C", device="cpu")],
    ) -> None:
        """
        Column c leads to switch target[c]; switch s sends senders[s] * receivers[c] * share[c][s] units along it; share is None if it is 1 everywhere. Every switch must have a path to every target.
        """

    def run(self, first: int, count: int) -> None:
        """
        Repair some columns, by the loads of the columns before; once for every column, in order.
        """

    def relieve(self, first: int, count: int, limit: int) -> None:
        """
        Move routes of some columns away from links whose load exceeds a limit.
        """

    @property
    def heaviest(self) -> int:
        """Load of the heaviest link."""

    @property
    def tried(self) -> int:
        """Number of entries for which relieve has compared ports."""

    @property
    def longest(self) -> int:
        """Hops of the longest route."""
