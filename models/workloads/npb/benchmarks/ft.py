"""FT, the fast Fourier transform in three dimensions: all-to-all exchanges of all processes, or along a grid."""

from math import log, prod

import numpy as np

from isoplane.models.workloads.programs import Program

from ..problem import Problem, powers_of_two

# Points along x, y and z, and iterations, by class.
SIZES = {
    "S": (64, 64, 64),
    "W": (128, 128, 32),
    "A": (256, 256, 128),
    "B": (512, 256, 256),
    "C": (512, 512, 512),
    "D": (2048, 1024, 1024),
}
ITERATIONS = {"S": 6, "W": 6, "A": 6, "B": 20, "C": 20, "D": 25}


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: powers of two, whatever the class."""
    return powers_of_two()


def points(problem_class: str) -> int:
    """Return the number of points."""
    return prod(SIZES[problem_class])


def operations(problem_class: str) -> float:
    """Return the operations of a transform, as the benchmark counts those of an iteration (ft.f, "mflops")."""
    return points(problem_class) * (5.23518 + 7.21113 * log(points(problem_class)))


def program(problem: Problem) -> Program:
    """Return the skeleton of FT.

    Each transform is an all-to-all exchange of 16·points / P² bytes per pair of processes. With more processes than
    points along z, processes form a grid with a row per point, and exchange along its columns and rows.

    References
    ----------
    NPB 3.3.1, FT/ft.f: setup, fft, transpose_x_yz, transpose2_global.
    """
    run = Program(problem.processes)
    for _ in range(5):
        run.collective("bcast", 4)
    _add_transform(run, problem, forward=True)  # before the clock
    run.collective("barrier")
    _add_transform(run, problem, forward=True)
    with run.repeated(problem.iterations):
        _add_transform(run, problem, forward=False)
        run.collective("reduce", 16)
    return run


def _add_transform(run: Program, problem: Problem, *, forward: bool) -> None:
    planes, size = SIZES[problem.problem_class][2], 16 * points(problem.problem_class) // problem.processes
    transform_ps = problem.compute_ps(operations(problem.problem_class))
    if problem.processes <= planes:
        run.compute(transform_ps)
        run.collective("alltoall", size // problem.processes)
        return
    rows = np.arange(problem.processes).reshape(planes, -1)
    for groups in (rows.T, rows) if forward else (rows, rows.T):
        run.compute(transform_ps // 2)
        run.collective("alltoall", size // groups.shape[1], groups)
