"""Workloads from a traffic matrix."""

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from .message_list import MAX_BYTES
from .phased_workload import PhasedWorkload


def from_matrix(matrix: NDArray[np.generic], name: str = "matrix", iterations: int = 1) -> PhasedWorkload:
    """Return the workload of a traffic matrix, for example one captured in the first iteration of a program.

    Parameters
    ----------
    matrix : [processes, processes]
        Number of bytes by source and destination; the diagonal is ignored.
    name
        Name in reports.
    iterations
        Number of iterations.

    Raises
    ------
    InputError
        If the matrix is not square, an entry is negative, too large or not an integer, or all off-diagonal entries are
        0.

    Examples
    --------
    >>> from_matrix(np.array([[9, 5], [0, 0]])).length_bytes.tolist()
    [5]
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or len(matrix) < 2:
        raise InputError(
            f"workload.matrix: an array of shape {matrix.shape}; expected a square matrix of at least 2 x 2"
        )
    if matrix.dtype.kind not in "iuf":
        raise InputError(f"workload.matrix: entries of type {matrix.dtype}; expected integer numbers of bytes")
    values = matrix.astype(np.float64)
    # The diagonal is not sent, but has to be exact in floating point like all other entries.
    most = np.where(np.eye(len(matrix), dtype=bool), 2.0**53 - 1, MAX_BYTES)
    wrong = np.argwhere(~(np.isfinite(values) & (values >= 0) & (values == np.floor(values)) & (values <= most)))
    if len(wrong):
        row, column = wrong[0]
        raise InputError(
            f"workload.matrix={matrix[row, column]} from process {row} to {column}: expected an integer from 0 to "
            f"{int(most[row, column])}"
        )
    lengths = matrix.astype(np.int64)
    source, destination = np.nonzero(lengths * ~np.eye(len(lengths), dtype=bool))
    if not len(source):
        raise InputError("workload.matrix: no traffic between processes; expected a nonzero entry off the diagonal")
    length_bytes = lengths[source, destination]
    return PhasedWorkload(name, len(lengths), np.zeros_like(source), source, destination, length_bytes, iterations)
