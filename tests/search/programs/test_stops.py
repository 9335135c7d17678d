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
from isoplane.objectives import CIRCUITS, Lexicographic
from isoplane.objectives.fluid import FluidModel
from isoplane.search import CircuitSpace, Limits, ProgramCircuits, solve
from isoplane.search.programs import SolverHandle, assign_circuits
from isoplane.search.programs.integer_program import IntegerProgram, Row
from isoplane.search.programs.load_rows import build_program
from isoplane.search.programs.solvers.highs import Highs
from isoplane.search.programs.solvers.solver import Solver
from isoplane.search.programs.traffic import traffic_of
from tests.cases import for_each

from .brute_force import INSTALLED

LONG_S = 100_000.0  # a time limit that is never reached
NETWORK = Hybrid(4, 8)
EASY_PROGRAM = IntegerProgram([9], [Row(((0, 2),), 3)], (((0, 1),), ()))


def interrupt(progress):
    """Request the end of a search, as Ctrl-C does."""
    return "interrupt" if progress.seconds > 0.5 else None


def hard_program():
    """A program that no solver finishes in a hundred seconds, with a loose limit on the bottleneck."""
    traffic = traffic_of(NETWORK, dense(32).message_list())
    return build_program(traffic, 8, 3 * int(traffic.sent.sum()) * traffic.node)[1]


@for_each("name", INSTALLED)
def test_a_solver_ends_when_there_is_no_time_left(name):
    program = hard_program()
    with Solver(name) as solver:
        assert solver(EASY_PROGRAM, 0, lambda: LONG_S, {}, False).values == [2]  # its process has started
        deadline = time.monotonic() + 0.5
        result = solver(program, 0, lambda: deadline - time.monotonic(), {}, False)
        assert result.status in ("feasible", "unknown")
        assert solver(program, 0, lambda: -LONG_S, {}, False).status == "unknown"  # at once


@for_each("solver", INSTALLED)
def test_an_assignment_ends_at_the_request_of_another_thread(solver):
    handle, messages = SolverHandle(), dense(32).message_list()
    timer = Timer(0.5, handle.end)
    timer.start()
    assignment = assign_circuits(NETWORK, messages, 8, solver=solver, seconds=LONG_S, running=handle)
    assert not assignment.optimal
    assert 0 < assignment.bound_ns <= assignment.bottleneck_ns
    assert assignment.bottleneck_ns == FluidModel(NETWORK, messages).times(assignment.circuits).bottleneck_ns
    assert assignment.circuits in handle.found


@for_each(("placement", "limits", "watch"), [("by_switch", Limits(seconds=0.5), None), ("free", Limits(), interrupt)])
def test_a_search_by_integer_programming_obeys_its_limits(placement, limits, watch):
    space = CircuitSpace(NETWORK, dense(32, 1), 8, placement)
    objective = Lexicographic("bottleneck", (("bottleneck",), ("total",)), CIRCUITS, space.workload)
    *_, last = solve(space, objective, ProgramCircuits(seconds=LONG_S), limits, 1, watch=watch)
    assert last.status == "feasible"


def test_incumbents_of_a_program_are_yielded_before_it_ends():
    space = CircuitSpace(NETWORK, dense(32), 8, "by_switch")
    objective = Lexicographic("bottleneck", (("bottleneck",), ("total",)), CIRCUITS, space.workload)
    first, *_ = solve(space, objective, ProgramCircuits(seconds=LONG_S), Limits(evaluations=1), 1)

    def watch(progress):
        return "enough" if progress.score < first.evaluation.score else None

    *_, improved = solve(space, objective, ProgramCircuits(seconds=LONG_S), Limits(), 1, watch=watch)
    assert improved.evaluations == first.evaluations
    assert improved.evaluation.score < first.evaluation.score


def test_all_incumbents_are_yielded_in_every_run():
    space = CircuitSpace(Hybrid(2, 4, up_gbps=10), sparse(8, 2, 1_000_000, seed=5), 3, "by_switch")
    objective = Lexicographic("bottleneck", (("bottleneck",), ("total",)), CIRCUITS, space.workload)
    runs = ([s.design for s in solve(space, objective, ProgramCircuits(), Limits(), 1)] for _ in range(2))
    one, two = (list(dict.fromkeys(run)) for run in runs)  # designs are repeated once a solver is known to be used
    assert one == two


def test_a_killed_process_is_reported_and_replaced():
    with Highs() as highs:
        assert highs.solve(EASY_PROGRAM, 0, lambda: LONG_S, {}, False).values == [2]
        highs._process.kill()
        with pytest.raises(InputError, match="solver=highs: its process ended with code -9; expected cp_sat"):
            highs.solve(EASY_PROGRAM, 0, lambda: LONG_S, {}, False)
        assert highs.solve(EASY_PROGRAM, 0, lambda: LONG_S, {}, False).values == [2]


def test_a_process_does_not_outlive_its_parent():
    pipe, remote = Pipe()
    with pipe, remote, subprocess.Popen(["sleep", "1000"]) as parent:
        serve = f"from isoplane.search.programs.solvers.highs import serve; serve({remote.fileno()}, {parent.pid})"
        process = subprocess.Popen([sys.executable, "-c", serve], pass_fds=[remote.fileno()])
        pipe.send((hard_program(), 0, LONG_S, {}, False))  # so that the solver is running
        assert pipe.recv() is None
        parent.kill()
        assert process.wait(LONG_S) == 1
