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
