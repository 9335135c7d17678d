"""MG, a multigrid method: exchanges of faces with the neighbours on every level of a hierarchy of grids."""

from fractions import Fraction

import numpy as np

from isoplane.models.arrays import Ints
from isoplane.models.workloads.programs import Program

from ..problem import Problem, powers_of_two

# Log2 of the points along each axis, and cycles, by class.
SIZES = {"S": 5, "W": 7, "A": 8, "B": 8, "C": 9, "D": 10}
ITERATIONS = {"S": 4, "W": 4, "A": 4, "B": 20, "C": 20, "D": 50}
OPERATIONS_PER_POINT = 58  # of a cycle, as the benchmark counts them (mg.f, "mflops")


def processes(problem_class: str) -> tuple[int, ...]:
    """Return the allowed numbers of processes: powers of two, whatever the class."""
    return powers_of_two()


def operations(problem_class: str) -> int:
    """Return the operations of a cycle."""
    return OPERATIONS_PER_POINT << 3 * SIZES[problem_class]


def program(problem: Problem) -> Program:
    """Return the skeleton of MG.

    Each cycle restricts the residual from level to level down to two points along each axis, then interpolates and
    smooths it on the way up. On levels with fewer points than processes along an axis, some processes are idle.

    References
    ----------
    NPB 3.3.1, MG/mg.f: setup, mg3P, comm3, comm3_ex, ready, give3_ex.
    """
    run, levels = Program(problem.processes), _Levels(problem)
    for size_bytes in (4,) * 6:
        run.collective("bcast", size_bytes)
    run.collective("bcast", 32)
    _add_start(run, levels)
    levels.add_residual(run)
    _add_norm(run)
    levels.add_cycle(run)  # before the clock
    _add_norm(run)
    _add_start(run, levels)
    run.collective("barrier")
    run.collective("barrier")
    levels.add_residual(run)
    _add_norm(run)
    with run.repeated(problem.iterations):
        levels.add_cycle(run)
    _add_norm(run)
    run.collective("reduce", 8)
    return run


def _add_start(run: Program, levels: "_Levels") -> None:
    """Add the choice of the extreme values of the right-hand side, and its norm."""
    run.collective("barrier")
    with run.repeated(20):
        run.collective("allreduce", 8)
        run.collective("allreduce", 16)
    run.collective("barrier")
    levels.add_faces(run, levels.top)


def _add_norm(run: Program) -> None:
    run.collective("allreduce", 8)
    run.collective("allreduce", 8)


class _Levels:
    """The processes that work on each level, and their neighbours."""

    def __init__(self, problem: Problem) -> None:
        self.top = SIZES[problem.problem_class]
        log2 = problem.processes.bit_length() - 1
        first = log2 // 3
        second = (log2 - first) // 2
        self.shape = tuple(1 << bits for bits in (first, second, log2 - first - second))
        me = np.arange(problem.processes)
        self.me = me
        self.position = [
            me % self.shape[0],
            me // self.shape[0] % self.shape[1],
            me // (self.shape[0] * self.shape[1]),
        ]
        self.points = {level: [self._owned(axis, level) for axis in range(3)] for level in range(1, self.top + 1)}
        self.stride = self._strides()
        # A cycle visits level 1 twice and each other one three times; each has eight times the points of the one below.
        weights = sum(8**level * (3 if level > 1 else 2) for level in range(1, self.top + 1))
        work = Fraction(operations(problem.problem_class), weights)
        self.level_ps = {level: problem.compute_ps(work * 8**level) for level in range(1, self.top + 1)}

    def _owned(self, axis: int, level: int, ahead: "int | Ints" = 0) -> Ints:
        """Return the points along an axis of the process some places ahead."""
        place, parts = self.position[axis] + ahead, self.shape[axis]
        owned: Ints = ((place + 1) << level) // parts - (place << level) // parts
        return owned

    def _strides(self) -> dict[int, list[Ints]]:
        """Return the distance to the neighbours along each axis, by level."""
        stride = {self.top: [np.ones_like(self.me) for _ in range(3)]}
        for level in range(self.top - 1, 0, -1):
            stride[level] = [
                # Where this process or its neighbour is idle, the next one at work is twice as far.
                np.where((self.points[level][axis] == 0) | (self._owned(axis, level, s) == 0), 2 * s, s)
                for axis, s in enumerate(stride[level + 1])
            ]
        return stride

    def _neighbour(self, axis: int, level: int, direction: int) -> Ints:
        place = (self.position[axis] + direction * self.stride[level][axis]) % self.shape[axis]
        step = int(np.prod(self.shape[:axis]))
        neighbour: Ints = self.me + (place - self.position[axis]) * step
        return neighbour

    def _area(self, axis: int, level: int, ghosts: tuple[int, int, int]) -> Ints:
        """Return the points of a face across an axis, with the ghost points of each axis."""
        sides = [self.points[level][other] + ghosts[other] for other in range(3) if other != axis]
        area: Ints = sides[0] * sides[1]
        return area

    def add_faces(self, run: Program, level: int) -> None:
        """Add an exchange of faces with the neighbours on a level, axis by axis."""
        working = np.flatnonzero(np.min(self.points[level], axis=0) > 0)
        for axis in range(3):
            # The faces of later axes include the ghost points that those of earlier axes have filled.
            area = self._area(axis, level, (2 if axis > 0 else 0, 2 if axis > 1 else 0, 0))[working]
            ends = [self._neighbour(axis, level, direction)[working] for direction in (1, -1)]
            run.exchange(np.tile(working, 2), np.concatenate(ends), 8 * np.tile(area, 2), blocking=True)

    def add_residual(self, run: Program) -> None:
        """Add the residual on the finest level."""
        run.compute(self.level_ps[self.top])
        self.add_faces(run, self.top)

    def add_cycle(self, run: Program) -> None:
        """Add a cycle, and the residual after it."""
        for level in range(self.top - 1, 0, -1):
            run.compute(self.level_ps[level])
            self.add_faces(run, level)
        run.compute(self.level_ps[1])
        self.add_faces(run, 1)
        for level in range(2, self.top + 1):
            self._add_gifts(run, level)
            for _ in range(2):
                run.compute(self.level_ps[level])
                self.add_faces(run, level)
        self.add_residual(run)

    def _add_gifts(self, run: Program, level: int) -> None:
        """Add what processes whose neighbours were idle on the level below give to them."""
        for axis in range(3):
            below = self._owned(axis, level - 1, self.stride[level][axis])
            giving = np.flatnonzero((self.points[level - 1][axis] == 1) & (below == 0))
            area = self._area(axis, level, (2, 2, 2))[giving]
            ends = [self._neighbour(axis, level, direction)[giving] for direction in (1, -1)]
            run.exchange(np.tile(giving, 2), np.concatenate(ends), 8 * np.concatenate([2 * area, area]), blocking=True)
