"""CG, the conjugate gradient method: exchanges along the rows of a grid of processes, and with the transposed one."""

from fractions import Fraction

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.workloads.programs import Program

from ..problem import Problem, powers_of_two

# Rows of the matrix, nonzeros that determine those of a row, and iterations, by class.
SIZES = {"S": 1400, "W": 7000, "A": 14000, "B": 75000, "C": 150000, "D": 1500000}
NONZEROS = {"S": 7, "W": 8, "A": 11, "B": 13, "C": 15, "D": 21}
ITERATIONS = {"S": 15, "W": 15, "A": 15, "B": 75, "C": 75, "D": 100}
INNER = 25


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: powers of two, whatever the class."""
    return powers_of_two()


def operations(problem_class: str) -> int:
    """Return the operations of an iteration, as the benchmark counts them (cg.f, "mflops")."""
    rows, nonzeros = SIZES[problem_class], NONZEROS[problem_class]
    return 2 * rows * (3 + nonzeros * (nonzeros + 1) + INNER * (5 + nonzeros * (nonzeros + 1)) + 3)


def program(problem: Problem) -> Program:
    """Return the skeleton of CG.

    The grid has 2^⌊L/2⌋ rows for 2^L processes. Each iteration has 26 products of the matrix with a vector: partial
    sums are exchanged along a row, from the nearest partner to the farthest, then the result with the transposed
    process. Scalar products are summed from the farthest partner to the nearest.

    References
    ----------
    NPB 3.3.1, CG/cg.f: setup_submatrix_info, conj_grad.
    """
    run = Program(problem.processes)
    step_ps = problem.compute_ps(Fraction(operations(problem.problem_class), INNER + 1))
    run.collective("bcast", 4)
    _add_iteration(run, problem, step_ps)
    run.collective("barrier")
    with run.repeated(problem.iterations):
        _add_iteration(run, problem, step_ps)
    run.collective("reduce", 8)
    return run


def _add_iteration(run: Program, problem: Problem, step_ps: int) -> None:
    grid = _Grid(problem)
    grid.add_sum(run, 8)
    with run.repeated(INNER):
        run.compute(step_ps)
        grid.add_product(run)
        grid.add_sum(run, 8)
        grid.add_sum(run, 8)
    run.compute(step_ps)
    grid.add_product(run)
    grid.add_sum(run, 8)
    grid.add_sum(run, 16)


class _Grid:
    """The grid of processes, and the parts of vectors that they exchange."""

    def __init__(self, problem: Problem) -> None:
        size = SIZES[problem.problem_class]
        levels = problem.processes.bit_length() - 1
        self.rows = 1 << levels // 2
        self.columns = problem.processes // self.rows
        self.me = np.arange(problem.processes)
        row = self.me // self.columns
        self.part = size // self.rows + (row < size % self.rows)
        if size % self.columns == 0:
            self.part = np.full_like(self.me, size // self.rows)
        self.own = self.part
        if self.columns != self.rows:  # two processes share a part
            self.own = np.where(self.me % 2 == 0, (self.part + 1) // 2, self.part // 2)

    def add_product(self, run: Program) -> None:
        """Add the exchanges of a product of the matrix with a vector."""
        distance = 1
        while distance < self.columns:
            length = self.part - self.own if distance == 1 and self.columns != self.rows else self.own
            run.exchange(self.me, self.me ^ distance, 8 * length, blocking=True)
            distance *= 2
        run.exchange(self.me, self._transposed(), 8 * self.own, blocking=True)

    def add_sum(self, run: Program, size_bytes: int) -> None:
        """Add a sum over all columns."""
        distance = self.columns // 2
        while distance:
            run.exchange(self.me, self.me ^ distance, size_bytes, blocking=True)
            distance //= 2

    def _transposed(self) -> Ints:
        if self.columns == self.rows:
            return self.me % self.rows * self.rows + self.me // self.rows
        half = self.me // 2
        return 2 * (half % self.rows * self.rows + half // self.rows) + self.me % 2
