"""BT, a block-tridiagonal solver on a multipartition: copies of faces, and sweeps along all three axes."""

from fractions import Fraction

import numpy as np

from isoplane.models.workloads.programs import Program

from ..multipartition import Multipartition, program_of, square_counts
from ..problem import Problem

# Points along each axis, and time steps, by class.
SIZES = {"S": 12, "W": 24, "A": 64, "B": 102, "C": 162, "D": 408}
ITERATIONS = {"S": 60, "W": 200, "A": 200, "B": 200, "C": 200, "D": 250}


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: squares, with at least three points for each cell along an axis."""
    return square_counts(SIZES[problem_class])


def operations(problem_class: str) -> Fraction:
    """Return the operations of a time step, as the benchmark counts them (bt.f, "mflops")."""
    n = SIZES[problem_class]
    return Fraction("3478.8") * n**3 - Fraction("17655.7") * n**2 + Fraction("28023.7") * n


def program(problem: Problem) -> Program:
    """Return the skeleton of BT.

    Along lines a process sends 30 values per point of a face forward and 5 backward, in buffers of a fixed size.

    References
    ----------
    NPB 3.3.1, BT: copy_faces.f, x_solve.f, header.h, verify.f.
    """
    n = SIZES[problem.problem_class]
    cells = Multipartition(n, problem.processes)
    buffer = np.full((cells.p, problem.processes), (n // cells.p + 1) ** 2)
    lines = [(8 * 30 * buffer, 8 * 5 * buffer)] * 3
    return program_of(problem, cells, lines, operations(problem.problem_class), settings=4)
