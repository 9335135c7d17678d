"""Assignments end on request, with the incumbent and a valid bound."""

import subprocess
import sys
import time
from multiprocessing import Pipe
from threading import Timer

import pytest

from isoplane.models import InputError
from isoplane.models.families.hybrid import Hybrid
from isoplane.models.workloads import dense, sparse
from isoplane.objectives.fluid import FluidModel, WorkloadObjective
from isoplane.search import Assignments, Limits, ProgramCircuits, StopWithObserver, solve
from isoplane.search.programs import SolverHandle, assign_circuits
from isoplane.search.programs.highs import Highs
from isoplane.search.programs.integer_program import IntegerProgram, Row
from isoplane.search.programs.load_rows import build_program
from isoplane.search.programs.solvers import solver_by_name
from isoplane.search.programs.traffic import traffic_of

from .installed import INSTALLED

LONG_S = 100_000.0  # a time limit that is never reached
HARD = Hybrid(4, 8)
EASY = IntegerProgram((0,), (9,), (Row(((0, 2),), 3),), (((0, 1),), ()))


def interrupt(progress):
    """Request the end as Ctrl-C does."""
    return "interrupt" if progress.seconds > 1 else None


def hard_program():
    """A program that no solver finishes in a hundred seconds, with a weak limit."""
    traffic = traffic_of(HARD, dense(32).message_list())
    return build_program(traffic, 8, 3 * int(traffic.sent.sum()) * traffic.node)[1]


@pytest.mark.parametrize("name", INSTALLED)
def test_a_solver_ends_when_there_is_no_time_left(name):
    program = hard_program()
    with solver_by_name(name) as solver:
        assert solver(EASY, 0, lambda: LONG_S, {}, False).values == [2]  # its process has started
        end = time.monotonic() + 1.0
        result = solver(program, 0, lambda: end - time.monotonic(), {}, False)
    assert result.status in ("feasible", "unknown")


@pytest.mark.parametrize("name", INSTALLED)
def test_a_solver_without_time_returns_at_once(name):
    program = hard_program()
    with solver_by_name(name) as solver:
        assert solver(program, 0, lambda: -LONG_S, {}, False).status == "unknown"


@pytest.mark.parametrize("solver", INSTALLED)
def test_an_assignment_ends_on_request_of_another_thread(solver):
    running, messages = SolverHandle(), dense(32).message_list()
    timer = Timer(1.0, running.end)
    timer.start()
    found = assign_circuits(HARD, messages, 8, solver=solver, seconds=LONG_S, running=running)
    assert not found.optimal
    assert 0 < found.bound_ns <= found.bottleneck_ns
    assert found.bottleneck_ns == FluidModel(HARD, messages).times(found.circuits).bottleneck_ns
    assert found.circuits in running.found


@pytest.mark.parametrize("placement", ["by_switch", "free"])
@pytest.mark.parametrize("limits", [Limits(seconds=1.0), StopWithObserver(Limits(), interrupt)])
def test_a_search_by_program_obeys_its_stop(placement, limits):
    space = Assignments(HARD, dense(32, 1), 8, placement)
    goal = WorkloadObjective("bottleneck", ("bottleneck", "total"), space.workload)
    found = list(solve(space, goal, ProgramCircuits(seconds=LONG_S), limits, 1))
    assert found[-1].status == "feasible"


def test_incumbents_of_a_program_are_yielded_before_it_ends():
    space = Assignments(HARD, dense(32), 8, "by_switch")
    goal = WorkloadObjective("bottleneck", ("bottleneck", "total"), space.workload)
    rules, *_ = solve(space, goal, ProgramCircuits(seconds=LONG_S), Limits(evaluations=1), 1)
    stop = StopWithObserver(Limits(), lambda progress: "enough" if progress.score < rules.evaluation.score else None)
    *_, better = solve(space, goal, ProgramCircuits(seconds=LONG_S), stop, 1)
    assert better.evaluations == rules.evaluations
    assert better.evaluation.score < rules.evaluation.score


def test_all_incumbents_are_yielded_in_every_run():
    space = Assignments(Hybrid(2, 4, up_gbps=10), sparse(8, 2, 1_000_000, seed=5), 3, "by_switch")
    goal = WorkloadObjective("bottleneck", ("bottleneck", "total"), space.workload)
    one, two = ([s.design for s in solve(space, goal, ProgramCircuits(), Limits(), 1)] for _ in range(2))
    assert one == two


def test_a_killed_process_is_reported_and_replaced():
    with Highs() as highs:
        assert highs.solve(EASY, 0, lambda: LONG_S, {}, False).values == [2]
        highs._process.kill()
        with pytest.raises(InputError, match="solver=highs: its process ended with code -9; expected cp_sat"):
            highs.solve(EASY, 0, lambda: LONG_S, {}, False)
        assert highs.solve(EASY, 0, lambda: LONG_S, {}, False).values == [2]


def test_a_process_does_not_outlive_its_parent():
    # After some seconds the process sees another parent id, as if its parent had been killed.
    pipe, remote = Pipe()
    with pipe, remote:
        orphan = "import os; from itertools import *; os.getppid = chain(repeat(2, 4), repeat(1)).__next__"
        serve = f"from isoplane.search.programs.highs import serve; serve({remote.fileno()})"
        process = subprocess.Popen([sys.executable, "-c", f"{orphan}; {serve}"], pass_fds=[remote.fileno()])
        pipe.send((hard_program(), 0, LONG_S, {}, False))  # so that the solver is running
        assert process.wait(LONG_S) == 1
