"""LU, a relaxation over a grid of processes: wavefronts from corner to corner, and exchanges of halos."""

from fractions import Fraction
from functools import cached_property
from math import isqrt

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.workloads.programs import Program

from ..problem import MAX_PROCESSES, Problem

# Points along each axis, and time steps, by class.
SIZES = {"S": 12, "W": 33, "A": 64, "B": 102, "C": 162, "D": 408}
ITERATIONS = {"S": 50, "W": 300, "A": 250, "B": 250, "C": 250, "D": 300}
LEAST_POINTS = 3  # of a process along an axis


def grid(processes: int) -> tuple[int, int]:
    """Return the numbers of processes along x and y: the factors that are nearest to each other.

    Examples
    --------
    >>> grid(8), grid(24)
    ((4, 2), (6, 4))
    """
    y = next(divisor for divisor in range(isqrt(processes), 0, -1) if processes % divisor == 0)
    return processes // y, y


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers: x at most twice y, and at least three points for each process along both."""
    most = SIZES[problem_class] // LEAST_POINTS
    sizes = [(count, *grid(count)) for count in range(2, MAX_PROCESSES + 1)]
    return tuple(count for count, x, y in sizes if x <= 2 * y and x <= most)


def operations(problem_class: str) -> Fraction:
    """Return the operations of a time step, as the benchmark counts them (lu.f, "mflops")."""
    n = SIZES[problem_class]
    return Fraction("1984.77") * n**3 - Fraction("10923.3") * n**2 + Fraction("27770.9") * n - 144010


def program(problem: Problem) -> Program:
    """Return the skeleton of LU.

    In each time step a wavefront of 5 values per boundary point passes over every inner plane, from the north-west to
    the south-east and then back, and two planes of halo are exchanged. Computing is divided evenly among the planes.

    References
    ----------
    NPB 3.3.1, LU: proc_grid.f, neighbors.f, subdomain.f, exchange_1.f, exchange_3.f, pintgr.f, ssor.f.
    """
    run, parts = Program(problem.processes), _Parts(problem)
    for size_bytes in (*(4,) * 7, 8, 8, 40):
        run.collective("bcast", size_bytes)
    parts.add_halo(run)  # of the forcing term
    parts.add_solution(run, 1)  # before the clock
    parts.add_solution(run, problem.iterations, norms=2)
    run.collective("allreduce", 40)  # the error
    parts.add_surface_integral(run)
    return run


class _Parts:
    """The parts of the grid that processes own."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.n = SIZES[problem.problem_class]
        self.x, self.y = grid(problem.processes)
        self.me = np.arange(problem.processes)
        self.row, self.column = self.me % self.x, self.me // self.x
        self.nx = self.n // self.x + (self.row < self.n % self.x)
        self.ny = self.n // self.y + (self.column < self.n % self.y)

    @cached_property
    def plane_ps(self) -> int:
        """Time of a plane in a sweep."""
        return self.problem.compute_ps(operations(self.problem.problem_class) / (2 * (self.n - 2)))

    def add_solution(self, run: Program, steps: int, norms: int = 0) -> None:
        """Add time steps with what precedes and follows them, such as norms of the last step."""
        self.add_halo(run)
        run.collective("allreduce", 40)
        run.collective("barrier")
        with run.repeated(steps):
            self._add_sweep(run, 1)
            self._add_sweep(run, -1)
            self.add_halo(run)
        for _ in range(norms):
            run.collective("allreduce", 40)
        run.collective("allreduce", 8)

    def _add_sweep(self, run: Program, step: int) -> None:
        inner_x = self.nx - (self.row == 0) - (self.row == self.x - 1)
        inner_y = self.ny - (self.column == 0) - (self.column == self.y - 1)
        # Processes of an antidiagonal do not depend on each other, and have the same level.
        level = step * (self.row + self.column)
        ends = [(*self._pairs(step, 0), inner_y), (*self._pairs(0, step), inner_x)]
        source, destination = (np.concatenate([pairs[i] for pairs in ends]) for i in (0, 1))
        size = 40 * np.concatenate([inner[source] for source, _, inner in ends])
        with run.repeated(self.n - 2):
            run.wavefront(level, source, destination, size, self.plane_ps)

    def add_halo(self, run: Program) -> None:
        """Add an exchange of halos of two planes, along x and then along y, in both directions."""
        for along_x, width in ((1, self.ny), (0, self.nx)):
            for step in (1, -1):
                source, destination = self._pairs(step * along_x, step * (1 - along_x))
                run.exchange(source, destination, 80 * width[source] * self.n, blocking=True)

    def add_surface_integral(self, run: Program) -> None:
        """Add the surface integral, to which each process adds its boundary."""
        north, west = self._pairs(-1, 0), self._pairs(0, -1)
        run.exchange(*north, 16 * (self.ny[north[0]] + 2), blocking=True)
        run.exchange(*west, 16 * self.nx[west[0]], blocking=True)
        run.collective("allreduce", 8)
        for ends, position, last in ((north, self.column, self.y - 1), (west, self.row, self.x - 1)):
            for boundary in (0, last):
                source, destination = (side[position[ends[0]] == boundary] for side in ends)
                run.exchange(source, destination, 8 * self.n, blocking=True)
            run.collective("allreduce", 8)

    def _pairs(self, along_x: int, along_y: int) -> tuple[Ints, Ints]:
        """Return all processes that have a neighbour at an offset, and that."""
        row, column = self.row + along_x, self.column + along_y
        source = np.flatnonzero((row >= 0) & (row < self.x) & (column >= 0) & (column < self.y))
        return source, (row + self.x * column)[source]
