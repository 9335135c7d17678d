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
