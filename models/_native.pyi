"""Native kernels of models."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

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
        weight: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
        table: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C", device="cpu")],
        seed: int,
    ) -> None:
        """
        Measure the loads if each switch sends weight[from] * weight[to] units to each other one.
        """

    def run(self, moves: int) -> int:
        """Try a number of moves, and return the load of the heaviest link."""

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
