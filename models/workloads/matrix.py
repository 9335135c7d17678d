"""Workloads from a traffic matrix."""

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .workload import Workload


def from_matrix(matrix: NDArray[np.generic], name: str = "matrix", iterations: int = 1) -> Workload:
    """Return the workload of a traffic matrix, such as one that was captured in a first iteration.

    Parameters
    ----------
    matrix : [processes, processes]
        Whole bytes by source and destination. What a process sends to itself does not use the network.
    name
        What reports call it.
    iterations
        How often.

    Raises
    ------
    InputError
        If it is not square, or an entry is negative or no whole number, or nobody sends.

    Examples
    --------
    >>> from_matrix(np.array([[9, 5], [0, 0]])).length_bytes.tolist()
    [5]
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise InputError(f"workload.matrix: of shape {matrix.shape}; expected as many rows as columns, at least 2")
    if matrix.dtype.kind not in "iuf":
        raise InputError(f"workload.matrix: entries of type {matrix.dtype}; expected whole numbers of bytes")
    values = matrix.astype(np.float64)
    wrong = np.argwhere(~(np.isfinite(values) & (values >= 0) & (values == np.floor(values)) & (values < 2.0**53)))
    if len(wrong):
        row, column = wrong[0]
        raise InputError(
            f"workload.matrix={matrix[row, column]} from process {row} to {column}: expected whole numbers of bytes"
        )
    lengths = matrix.astype(np.int64)
    source, destination = np.nonzero(lengths * ~np.eye(len(lengths), dtype=bool))
    if not len(source):
        raise InputError("workload.matrix: no process sends to another one; expected a matrix in which one does")
    bytes_ = lengths[source, destination]
    return Workload(name, len(lengths), np.zeros_like(source), source, destination, bytes_, iterations)
