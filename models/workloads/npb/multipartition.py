"""Multipartitions: every process owns cells on a diagonal of a cube, one in each slice along each axis."""

from fractions import Fraction
from math import isqrt

import numpy as np

from isoplane.models.arrays import Ints

from ..programs import Program
from .problem import MAX_PROCESSES, Problem

LEAST_POINTS = 3  # of a cell along an axis
FACE_DOUBLES = 10  # two layers of five values


def square_counts(n: int) -> tuple[int, ...]:
    """Return the allowed numbers of processes: squares that leave a cell at least three points along an axis.

    Examples
    --------
    >>> square_counts(12)
    (4, 9, 16)
    """
    return tuple(p * p for p in range(2, isqrt(MAX_PROCESSES) + 1) if n // p >= LEAST_POINTS)


class Multipartition:
    """Cells of all processes, and their partners.

    Process r = i + p·j of p² owns the cells ((i + k) mod p, (j - k) mod p, k) for k = 0 to p - 1.

    Parameters
    ----------
    n
        Points along each axis.
    processes
        Number of processes, a square.

    References
    ----------
    NPB 3.3.1, BT/make_set.f, define.f, copy_faces.f.
    """

    def __init__(self, n: int, processes: int) -> None:
        self.n, self.p = n, isqrt(processes)
        self.me = np.arange(processes)
        i, j, k = self.me % self.p, self.me // self.p, np.arange(self.p)[:, None]
        self.cell = np.stack([(i + k) % self.p, (j - k) % self.p, k + 0 * i])  # [axis, k, process]
        self.points = n // self.p + (self.cell < n % self.p)
        self.inner = self.points - (self.cell == 0) - (self.cell == self.p - 1)
        grid = self.me.reshape(self.p, self.p)
        forward = [np.roll(grid, shift, axes) for shift, axes in ((-1, 1), (-1, 0), ((-1, 1), (0, 1)))]
        self.forward = [partner.ravel() for partner in forward]
        # Inverse permutations: of whom a process is the forward partner.
        self.backward = [np.argsort(partner) for partner in self.forward]

    def add_faces(self, run: Program) -> None:
        """Add the copies of faces to the six partners of each process."""
        source, destination, size = [], [], []
        for axis in range(3):
            first, second = (self.points[other] for other in range(3) if other != axis)
            for partner, end in ((self.forward[axis], self.p - 1), (self.backward[axis], 0)):
                area = np.where(self.cell[axis] == end, 0, first * second).sum(axis=0)
                source.append(self.me)
                destination.append(partner)
                size.append(8 * FACE_DOUBLES * area)
        run.exchange(*map(np.concatenate, (source, destination, size)))

    def add_solution(self, run: Program, axis: int, forward_bytes: Ints, backward_bytes: Ints, sweep_ps: int) -> None:
        """Add the solution along an axis: sweeps forward and backward from slice to slice.

        Parameters
        ----------
        run
            The program.
        axis
            The axis.
        forward_bytes, backward_bytes : int64[cells, processes]
            What a process sends for each of its cells, unless that is the last one of a sweep.
        sweep_ps
            Time that a process computes in each sweep.
        """
        column = self.me
        for slices, partner, size in (
            (range(self.p), self.forward[axis], forward_bytes),
            (range(self.p - 1, -1, -1), self.backward[axis], backward_bytes),
        ):
            for place in slices:
                run.compute(sweep_ps // self.p)
                if place != slices[-1]:
                    cell = np.argmax(self.cell[axis] == place, axis=0)
                    run.exchange(self.me, partner, size[cell, column])

    def faces_of_inner_points(self, axis: int) -> Ints:
        """Return the number of points inside the domain in the face of each cell across an axis."""
        first, second = (self.inner[other] for other in range(3) if other != axis)
        faces: Ints = first * second
        return faces


def add_step(run: Program, cells: Multipartition, lines: list[tuple[Ints, Ints]], step_ps: int) -> None:
    """Add a time step: faces, then solutions along all axes; computing is divided into four equal parts."""
    cells.add_faces(run)
    run.compute(step_ps // 4)
    for axis, (forward_bytes, backward_bytes) in enumerate(lines):
        cells.add_solution(run, axis, forward_bytes, backward_bytes, step_ps // 8)


def program_of(
    problem: Problem, cells: Multipartition, lines: list[tuple[Ints, Ints]], operations: Fraction, settings: int
) -> Program:
    """Return the program of BT or SP, which differ in what they send along lines, and in the number of settings."""
    run, step_ps = Program(problem.processes), problem.compute_ps(operations)
    for size_bytes in (*(4,) * settings, 8, 12):
        run.collective("bcast", size_bytes)
    add_step(run, cells, lines, step_ps)  # before the clock
    run.collective("barrier")
    with run.repeated(problem.iterations):
        add_step(run, cells, lines, step_ps)
    run.collective("reduce", 8)
    run.collective("allreduce", 40)
    cells.add_faces(run)  # for the residual
    run.collective("allreduce", 40)
    run.collective("barrier")
    return run
