"""SP, a scalar pentadiagonal solver on a multipartition: copies of faces, and sweeps along all three axes."""

from fractions import Fraction

from isoplane.models.workloads.programs import Program

from ..multipartition import Multipartition, program_of, square_counts
from ..problem import Problem

# Points along each axis, and time steps, by class.
SIZES = {"S": 12, "W": 36, "A": 64, "B": 102, "C": 162, "D": 408}
ITERATIONS = {"S": 100, "W": 400, "A": 400, "B": 400, "C": 400, "D": 500}


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: squares, with at least three points for each cell along an axis."""
    return square_counts(SIZES[problem_class])


def operations(problem_class: str) -> Fraction:
    """Return the operations of a time step, as the benchmark counts them (sp.f, "mflops")."""
    n = SIZES[problem_class]
    return Fraction("881.174") * n**3 - Fraction("4683.91") * n**2 + Fraction("11484.5") * n - Fraction("19272.4")


def program(problem: Problem) -> Program:
    """Return the skeleton of SP.

    Along lines a process sends 22 values forward and 10 backward for each point of a face inside the domain.

    References
    ----------
    NPB 3.3.1, SP: copy_faces.f, x_solve.f, verify.f.
    """
    cells = Multipartition(SIZES[problem.problem_class], problem.processes)
    faces = [cells.faces_of_inner_points(axis) for axis in range(3)]
    lines = [(8 * 22 * face, 8 * 10 * face) for face in faces]
    return program_of(problem, cells, lines, operations(problem.problem_class), settings=2)
