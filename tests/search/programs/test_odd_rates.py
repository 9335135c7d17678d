"""Incommensurable rates and lengths: ticks are very short, and proofs remain valid."""

import time

import numpy as np
import pytest

from isoplane.models.circuits import Circuits
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import from_matrix
from isoplane.objectives.fluid import FluidModel
from isoplane.search.programs import assign_circuits
from isoplane.search.programs.integer_program import IntegerProgram, Row
from isoplane.search.programs.load_rows import build_program
from isoplane.search.programs.solvers.cp_sat import solve
from isoplane.search.programs.solvers.solver import Solver
from isoplane.search.programs.traffic import traffic_of
from tests.cases import for_each

from .brute_force import least_times

RATES = [(63.7, 10, 32), (9.97, 32.03, 63.71)]
SHAPES = [(2, 4, 1), (4, 2, 1), (2, 4, 2)]


def random_workload(max_bytes, density=0.6):
    """Messages of random lengths between a random share of all pairs of eight nodes."""
    rng = np.random.default_rng(3)
    matrix = np.ceil(max_bytes * rng.random((8, 8))).astype(int) * (rng.random((8, 8)) < density)
    np.fill_diagonal(matrix, 0)
    return from_matrix(matrix)


@for_each("shape", SHAPES)
@for_each("rates", RATES)
@for_each("max_bytes", [30, 10**9])
def test_bounds_are_valid_for_all_circuits(shape, rates, max_bytes):
    hybrid, messages = Hybrid(*shape, *rates), random_workload(max_bytes).message_list()
    assignment = assign_circuits(hybrid, messages, 2, seconds=0.2)
    least = least_times(FluidModel(hybrid, messages), 2)
    assert assignment.bound_ns <= least[0]
    if assignment.optimal:
        assert assignment.bottleneck_ns == least[0]
    if assignment.total_optimal:
        assert (assignment.bottleneck_ns, assignment.total_ns) == least


@for_each("rates", [(10, 32, 63.7), (9.97, 32.03, 63.71)])
@for_each("max_bytes", [10**6, 2**30])
def test_proofs_succeed_with_very_short_ticks(rates, max_bytes):
    messages = random_workload(max_bytes, 0.9).message_list()
    assignment = assign_circuits(Hybrid(4, 2, 1, *rates), messages, 3, seconds=1200)
    assert assignment.optimal
    assert assignment.total_optimal
    assert assignment.bound_ns == assignment.bottleneck_ns


@for_each(("shape", "max_bytes"), [(SHAPES[0], 10**9), (SHAPES[1], 10**6), (SHAPES[2], 10**9)])
def test_no_solver_cuts_off_feasible_circuits(shape, max_bytes):
    hybrid, workload = Hybrid(*shape, 63.7, 10, 32), random_workload(max_bytes)
    times = FluidModel(hybrid, workload.message_list()).times(Circuits(((0, 4), (1, 5))))
    traffic = traffic_of(hybrid, workload.message_list())
    program = build_program(traffic, 3, int((times.bottleneck_ns + 1) * traffic.ticks_per_ns))[1]
    for name in ("cp_sat", "highs"):
        with Solver(name) as solver:
            deadline = time.monotonic() + 1
            assert solver(program, 0, lambda end=deadline: end - time.monotonic(), {}, False).status != "infeasible"


def test_a_bound_rises_by_more_than_one_tick_at_a_time():
    # Tick by tick, a solver would reach a tenth of the bound in a minute.
    hybrid, messages = Hybrid(4, 2, 1, 60, 10, 30), random_workload(10**6).message_list()
    deadline = time.monotonic() + 300
    traffic = traffic_of(hybrid, messages)
    least = traffic.ticks(least_times(FluidModel(hybrid, messages), 3)[0])
    circuit_program, program = build_program(traffic, 3, least - 1)
    result = solve(program, 0, lambda: deadline - time.monotonic())
    assert result.status == "optimal"
    # The bound of the program alone, which is a relaxation of the model.
    assert least / 2 < (result.bound - 1) * circuit_program.step < least


def test_a_bound_beyond_the_exact_integers_of_floats_keeps_all_digits():
    least = 2**53 + 1
    result = solve(IntegerProgram([2**60], [Row(((0, 1),), least)], (((0, 1),), ())), 0, lambda: 10)
    assert (result.values, result.bound) == ([least], least)


def test_a_program_that_overflows_raises_an_error():
    program = IntegerProgram([2**60], [Row(((0, 2**10),), 3)], (((0, 1),), ()))
    with pytest.raises(ArithmeticError, match="overflow"):
        solve(program, 0, lambda: 10)
