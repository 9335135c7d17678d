"""The default strategy asks programs for a lower bound once, with a fixed effort; closing the search ends the proof."""

import json
from itertools import islice
from threading import Event
from time import sleep

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Hybrid, InputError
from isoplane.models.placement import by_switch
from isoplane.models.workloads import dense, sparse
from isoplane.search import Anneal, Assignments, Limits, ProgramCircuits, Task
from isoplane.search.programs import SolverHandle
from isoplane.search.programs.cp_sat import Effort, solve
from isoplane.search.programs.proof import prove_bound
from isoplane.search.programs.statement import IntegerProgram, Row

from .assigned import BOTTLENECK, COMPLETION, EIGHT, best, brute_force, objective, workloads
from .pages import Pages

SPACE = Assignments(EIGHT, sparse(8, 2, 1_000_000, seed=1), 3, "by_switch")
ENOUGH = Limits(evaluations=3000)


@pytest.fixture
def soon(monkeypatch):
    """The proof comes after the first round of walks."""
    monkeypatch.setattr("isoplane.search.circuits.assignments.ROUNDS_BEFORE_PROOF", 1)
    monkeypatch.setattr("isoplane.search.circuits.searchers.MESSAGES_IN_A_ROUND", 1024)


def test_the_default_proves_the_shortest_bottleneck_of_all_sets(soon):
    found = best(SPACE, Anneal(chains=4), ENOUGH, components=BOTTLENECK)
    least = brute_force(SPACE, objective(SPACE.workload, BOTTLENECK))
    assert found.evaluation.bound == found.evaluation.score == least
    assert (found.status, found.solver, found.bound_source.by) == ("optimal", "cp_sat", "program:cp_sat")


def test_what_programs_prove_bounds_the_completion_of_every_design(soon):
    found = best(SPACE, Anneal(chains=4), ENOUGH)
    bottleneck = brute_force(SPACE, objective(SPACE.workload, BOTTLENECK))[0]
    assert SPACE.bounds(objective(SPACE.workload))[0] < bottleneck
    assert found.evaluation.bound == (bottleneck, bottleneck, None)
    assert (found.solver, found.bound_source.by) == ("cp_sat", "program:cp_sat")


def test_programs_prove_nothing_of_placements_that_they_were_not_asked_about(soon):
    space = Assignments(EIGHT, SPACE.workload, 3, "free")
    found = best(space, Anneal(chains=4), ENOUGH)
    assert found.evaluation.bound == space.bounds(objective(space.workload))
    assert found.solver is None


@settings(deadline=None, max_examples=10)
@given(workloads(8), st.integers(0, 3))
def test_no_circuits_are_below_what_is_proven(workload, circuits):
    space, nodes = Assignments(EIGHT, workload, circuits, "by_switch"), by_switch(8)
    known = [space.baseline.assigned[0]]
    proof = prove_bound(EIGHT, space.messages, circuits, nodes, known, SolverHandle())
    assert proof.bound_ns <= brute_force(space, objective(workload, BOTTLENECK))[0]


@pytest.mark.parametrize("work", [sparse(32, 3), dense(32)], ids=["sparse", "dense"])
def test_a_fixed_effort_proves_the_same_again(monkeypatch, work):
    monkeypatch.setattr("isoplane.search.programs.proof.EFFORT", 0.05)
    hybrid = Hybrid(4, 8)
    space = Assignments(hybrid, work, 8, "by_switch")
    start = [space.baseline.assigned[0]]
    one, two = (prove_bound(hybrid, space.messages, 8, by_switch(32), start, SolverHandle()) for _ in range(2))
    assert (one.circuits, one.bound_ns, one.solved) == (two.circuits, two.bound_ns, two.solved)


def test_half_of_the_effort_that_is_left_goes_to_each_program():
    effort = Effort(1.0)
    solve(IntegerProgram((0,), (9,), (Row(((0, 2),), 3),), (((0, 1),), ())), 0, lambda: 60, effort=effort)
    assert 0.5 <= effort.seconds <= 1.0


@pytest.mark.parametrize("components", [COMPLETION, BOTTLENECK])
def test_workers_do_not_change_what_is_found_and_proven(soon, components):
    one, two = (best(SPACE, Anneal(chains=4), ENOUGH, 1, workers, components) for workers in (1, 2))
    assert (one.design, one.evaluation, one.evaluations) == (two.design, two.evaluation, two.evaluations)


def rounds_of(checkpoint, count=None):
    """The first rounds of a search, as far as they tell anything."""
    task = Task(SPACE, objective(SPACE.workload), 1, evaluations=3000, checkpoint=checkpoint)
    told = (one for one in Anneal(chains=4).rounds(task) if one.designs)
    return [(one.evaluations, one.designs, one.bound, one.bound_by) for one in islice(told, count)]


def test_a_search_that_goes_on_does_not_prove_again(soon, monkeypatch):
    pages = Pages()
    whole = rounds_of(Pages())
    number = next(i for i, one in enumerate(whole) if one[2] is not None)
    assert rounds_of(pages, number + 3) == whole[: number + 3]
    pages = Pages(json.loads(json.dumps(pages)))
    monkeypatch.delattr("isoplane.search.circuits.proof.prove_bound")
    again = rounds_of(pages)
    assert [one for one in again if one[2] is not None] == [whole[number]]
    assert again[-1] == whole[-1]
    with pytest.raises(InputError, match="checkpoint: not a page of a proof"):
        rounds_of(Pages(pages, proof={"designs": 7}))


def test_a_proof_that_was_interrupted_is_asked_with_the_same_circuits_again(soon, monkeypatch):
    asked = []

    def notes(*given):
        asked.append(given[4])
        return prove_bound(*given)

    monkeypatch.setattr("isoplane.search.circuits.proof.prove_bound", notes)
    rounds_of(Pages())
    pages = Pages()
    rounds = Anneal(chains=4).rounds(Task(SPACE, objective(SPACE.workload), 1, evaluations=3000, checkpoint=pages))
    while len(asked) < 2:  # the second search stands before the page of its proof is written
        next(rounds)
    rounds.close()
    pages.pop("proof", None)  # written if it ended at once
    rounds_of(Pages(json.loads(json.dumps(pages))))
    assert asked[0] == asked[1] == asked[2]
    assert len(asked[0]) > 1


def test_whoever_closes_the_rounds_ends_the_proof(soon, monkeypatch):
    ended = Event()

    def proves_until_told(*given):
        for _ in range(600):
            if given[-1].ended:
                ended.set()
                break
            sleep(0.1)
        raise InputError("nobody waits for this")

    monkeypatch.setattr("isoplane.search.circuits.proof.prove_bound", proves_until_told)
    rounds = Anneal(chains=4).rounds(Task(SPACE, objective(SPACE.workload), 1))
    judged = 0
    for round_ in rounds:
        if not round_.designs and judged:
            break  # the proof has begun
        judged += bool(round_.designs) and round_.evaluations > 100
    rounds.close()
    assert ended.is_set()


def test_a_program_refuses_an_objective_that_it_does_not_minimise():
    with pytest.raises(InputError, match="strategy=program: objective=completion.*expected objective=bottleneck"):
        best(SPACE, ProgramCircuits())
