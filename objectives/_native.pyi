"""Exact kernels for two hypercube planes."""

from typing import Annotated

import numpy
from numpy.typing import NDArray

def evaluate(
    generators: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    folded: bool,
    sums: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    max_loads: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    loads: Annotated[NDArray[numpy.int32], dict(shape=(None, None, None), order="C", device="cpu")],
    isa: str | None = None,
) -> int:
    """
    Fill sums, max_loads and, unless it is empty, loads; return the first row that is no basis, or -1.
    """

def time_kernel(
    generators: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
    folded: bool,
    repeats: int,
    isa: str | None = None,
) -> float:
    """
    Nanoseconds for each candidate of the kernel alone: the fastest of the passes.
    """

def chosen_isa() -> str:
    """
    The instruction set in use: the widest available one, or the one that ISOPLANE_ISA names.
    """

def available_isas() -> list[str]:
    """The instruction sets that this processor has."""
