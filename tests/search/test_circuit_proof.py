"""Lower bounds proven once with a fixed effort, by default and by integer programming; closing a search ends them."""

from itertools import islice
from threading import Event
from time import sleep

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Hybrid, InputError
from isoplane.models.placement import by_switch
from isoplane.models.workloads import dense, from_matrix, sparse
from isoplane.search import Anneal, CircuitSpace, Limits, ProgramCircuits, Task, solve
from isoplane.search.programs import SolverHandle
from isoplane.search.programs.circuit_solution import prove_bound
from isoplane.search.programs.integer_program import IntegerProgram, Row
from isoplane.search.programs.solvers.solver import Solver
from tests.cases import for_each, require_refusal

from .assigned import BOTTLENECK, COMPLETION, EIGHT_NODES, WORKLOAD, best, brute_force, objective_for, workloads
from .pages import Pages

SPACE = CircuitSpace(EIGHT_NODES, sparse(8, 2, 1_000_000, seed=1), 3, "by_switch")
LIMITS = Limits(evaluations=3000)


@pytest.fixture
def early_proof(monkeypatch):
    """Let the proof come after the first round of walks."""
    monkeypatch.setattr("isoplane.search.circuits.methods.ROUNDS_BEFORE_PROOF", 1)
    monkeypatch.setattr("isoplane.search.circuits.circuit_chains.MESSAGES_IN_A_ROUND", 1024)


def test_the_default_proves_the_shortest_bottleneck_of_all_sets(early_proof):
    found = best(SPACE, Anneal(chains=4), LIMITS, components=BOTTLENECK)
    least = brute_force(SPACE, objective_for(SPACE.workload, BOTTLENECK))
    assert found.evaluation.bound == found.evaluation.score == least
    assert (found.status, found.proof.solver, found.proof.source.by) == ("optimal", "cp_sat", "program:cp_sat")


def test_the_proven_bottleneck_bounds_the_completion_of_every_design(early_proof):
    found = best(SPACE, Anneal(chains=4), LIMITS)
    bottleneck = brute_force(SPACE, objective_for(SPACE.workload, BOTTLENECK))[0]
    assert SPACE.bounds(objective_for(SPACE.workload))[0] < bottleneck
    assert found.evaluation.bound == (bottleneck, bottleneck, None)
    assert (found.proof.solver, found.proof.source.by) == ("cp_sat", "program:cp_sat")


def test_programs_prove_nothing_about_free_placements(early_proof):
    space = CircuitSpace(EIGHT_NODES, SPACE.workload, 3, "free")
    found = best(space, Anneal(chains=4), LIMITS)
    assert found.evaluation.bound == space.bounds(objective_for(space.workload))
    assert found.proof.solver is None


@settings(deadline=None, max_examples=10)
@given(workloads(8), st.integers(0, 3))
def test_the_bound_is_valid_for_all_circuits(workload, circuits):
    space, nodes = CircuitSpace(EIGHT_NODES, workload, circuits, "by_switch"), by_switch(8)
    known = [space.baseline.assignment[0]]
    proof = prove_bound(EIGHT_NODES, space.messages, circuits, nodes, known, SolverHandle())
    assert proof.bound_ns <= brute_force(space, objective_for(workload, BOTTLENECK))[0]


@pytest.mark.parametrize("workload", [sparse(32, 3), dense(32)], ids=["sparse", "dense"])
def test_a_fixed_effort_proves_the_same_bound_in_every_run(monkeypatch, workload):
    monkeypatch.setattr("isoplane.search.programs.circuit_solution.EFFORT", 0.05)
    hybrid = Hybrid(4, 8)
    space = CircuitSpace(hybrid, workload, 8, "by_switch")
    start = [space.baseline.assignment[0]]
    one, two = (prove_bound(hybrid, space.messages, 8, by_switch(32), start, SolverHandle()) for _ in range(2))
    assert (one.circuits, one.bound_ns, one.solved) == (two.circuits, two.bound_ns, two.solved)


def test_each_program_gets_half_of_the_remaining_effort():
    with Solver("cp_sat", effort_s=1.0) as solver:
        solver(IntegerProgram([9], [Row(((0, 2),), 3)], (((0, 1),), ())), 0, lambda: 60, {}, False)
    assert 0.5 <= solver.effort_s <= 1.0


@for_each("components", [COMPLETION, BOTTLENECK])
def test_workers_do_not_change_what_is_found_and_proven(early_proof, components):
    one, two = (best(SPACE, Anneal(chains=4), LIMITS, 1, workers, components) for workers in (1, 2))
    assert (one.design, one.evaluation, one.evaluations) == (two.design, two.evaluation, two.evaluations)


def rounds_of(checkpoint, count=None):
    """The rounds of a search that have designs, or the first `count` of them."""
    task = Task(SPACE, objective_for(SPACE.workload), 1, evaluations=3000, checkpoint=checkpoint)
    rounds = (round_ for round_ in Anneal(chains=4).rounds(task) if round_.designs)
    return [(each.evaluations, each.designs, each.bound, each.source) for each in islice(rounds, count)]


def test_a_resumed_search_does_not_repeat_the_proof(early_proof, monkeypatch):
    pages = Pages()
    uninterrupted = rounds_of(Pages())
    index = next(i for i, round_ in enumerate(uninterrupted) if round_[2] is not None)
    assert rounds_of(pages, index + 3) == uninterrupted[: index + 3]
    monkeypatch.delattr("isoplane.search.circuits.proof_rounds.prove_bound")
    resumed = rounds_of(pages)
    assert [round_ for round_ in resumed if round_[2] is not None] == [uninterrupted[index]]
    assert resumed[-1] == uninterrupted[-1]
    with pytest.raises(InputError, match="checkpoint: not a page of a proof"):
        rounds_of(Pages(pages, proof={"designs": 7}))


def test_an_interrupted_proof_is_repeated_with_the_same_circuits(early_proof, monkeypatch):
    calls = []

    def record_call(*arguments):
        calls.append(arguments[4])
        return prove_bound(*arguments)

    monkeypatch.setattr("isoplane.search.circuits.proof_rounds.prove_bound", record_call)
    rounds_of(Pages())
    pages = Pages()
    rounds = Anneal(chains=4).rounds(Task(SPACE, objective_for(SPACE.workload), 1, evaluations=3000, checkpoint=pages))
    while len(calls) < 2:  # the second search is interrupted before it saves its proof
        next(rounds)
    rounds.close()
    pages.pop("proof", None)  # saved if the proof ended at once
    rounds_of(pages)
    assert calls[0] == calls[1] == calls[2]
    assert len(calls[0]) > 1


def test_closing_the_rounds_ends_the_proof(early_proof, monkeypatch):
    ended = Event()

    def prove_until_stopped(*arguments):
        for _ in range(600):
            if arguments[-1].ended:
                ended.set()
                break
            sleep(0.1)
        raise InputError("result is not used")

    monkeypatch.setattr("isoplane.search.circuits.proof_rounds.prove_bound", prove_until_stopped)
    rounds = Anneal(chains=4).rounds(Task(SPACE, objective_for(SPACE.workload), 1))
    walk_rounds = 0
    for round_ in rounds:
        if not round_.designs and walk_rounds:
            break  # the proof has begun
        walk_rounds += bool(round_.designs) and round_.evaluations > 100
    rounds.close()
    assert ended.is_set()


def test_a_program_rejects_an_objective_that_it_does_not_minimise():
    require_refusal(lambda: best(SPACE, ProgramCircuits()), "strategy=program: objective=completion")


def test_no_total_is_proven_if_times_are_fractions_of_nanoseconds():
    hybrid = Hybrid(2, 2, node_gbps=40, circuit_gbps=100)
    matrix = np.array([[0, 9, 0, 13], [3, 0, 5, 0], [0, 7, 0, 2], [11, 0, 4, 0]])
    space = CircuitSpace(hybrid, from_matrix(matrix), 1, "by_switch")
    *_, found = solve(space, objective_for(space.workload, ("bottleneck", "total")), ProgramCircuits(), Limits(), 1)
    assert found.evaluation.bound[1] is None


def test_a_program_proves_nothing_about_other_placements():
    space = CircuitSpace(EIGHT_NODES, sparse(8, 2, 1_000_000, seed=1), 3, "free")
    objective = objective_for(space.workload, ("bottleneck", "total"))
    *_, found = solve(space, objective, ProgramCircuits(), Limits(), 1)
    assert found.evaluation.bound == space.bounds(objective)


def test_an_error_in_one_placement_ends_the_others(monkeypatch):
    space, started, ended = CircuitSpace(EIGHT_NODES, WORKLOAD, 3, "free"), Event(), Event()

    def fail_or_wait(hybrid, messages, circuits, placement, *, running, **_):
        if placement == space.placements[0]:
            started.wait(1200)
            raise ArithmeticError
        started.set()
        for _ in range(12_000):
            if running.ended:
                ended.set()
                break
            sleep(0.1)
        raise InputError("result is not used")

    monkeypatch.setattr("isoplane.search.circuits.program_circuits.assign_circuits", fail_or_wait)
    with pytest.raises(ArithmeticError):
        best(space, ProgramCircuits(), workers=2, components=("bottleneck", "total"))
    assert len(space.placements) == 2
    assert ended.is_set()
