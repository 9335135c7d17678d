"""Enumeration of all assignments: their number, and the optimum with its proof."""

from itertools import islice, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid, InputError, Network, Placement
from isoplane.models.workloads import sparse, stencil
from isoplane.search import Anneal, Assignments, Auto, Enumerate, Limits, solve
from isoplane.search.circuits.all_assignments import all_circuits, count_assignments
from isoplane.search.core.space import BoundSource
from isoplane.search.core.strategy import Task
from isoplane.search.strategies.enumerate import MAX_CANDIDATES

from .assigned import BOTTLENECK, COMPLETION, EIGHT_NODES, WORKLOAD, best, objective_for, workloads
from .pages import Pages
from .programs import brute_force

FOUR_NODES = Hybrid(2, 2, up_gbps=10)


@given(st.sampled_from([(2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (5, 1)]), st.integers(1, 2), st.integers(0, 5))
def test_the_number_of_assignments_matches_brute_force(shape, ports, circuits):
    hybrid = Hybrid(*shape, ports)
    circuits = min(circuits, hybrid.max_circuits)
    expected = sorted(tuple(sorted(pairs)) for pairs in brute_force.all_circuits(hybrid, circuits))
    assert sorted(all_circuits(hybrid, circuits)) == expected
    space = Assignments(hybrid, sparse(hybrid.nodes, 1), circuits, "by_switch")
    assert count_assignments(space, 10**6) == len(expected)


def test_counting_needs_no_recursion():
    space = Assignments(Hybrid(4, 512, 2), sparse(2048, 1), placement="by_switch")
    assert space.max_circuits == 2048
    assert count_assignments(space, MAX_CANDIDATES) == MAX_CANDIDATES + 1
    parallel = Assignments(Hybrid(2, 1, 64), sparse(2, 1), placement="by_switch")
    assert count_assignments(parallel, 100) == 65  # two nodes with 64 ports: 0 to 64 parallel circuits


def test_counting_stops_once_there_are_too_many():
    space = Assignments(Hybrid(256, 16), sparse(4096, 1), placement="by_switch")
    assert count_assignments(space, MAX_CANDIDATES) == MAX_CANDIDATES + 1
    assert count_assignments(Assignments(Hybrid(2, 16, 2), sparse(32, 1)), 50) == 51


@settings(deadline=None, max_examples=20)
@given(workloads(8), st.sampled_from([COMPLETION, BOTTLENECK, ("completion_by_packets",), ("total", "completion")]))
def test_the_optimum_over_circuits_is_proven_for_every_objective(workload, components):
    space, objective = Assignments(EIGHT_NODES, workload, 2, "by_switch"), objective_for(workload, components)
    found = best(space, Enumerate(), components=components)
    designs = [
        Design(Network(EIGHT_NODES), Circuits(pairs), space.placements[0])
        for pairs in brute_force.all_circuits(EIGHT_NODES, 2)
    ]
    assert found.evaluation.score == min(objective.point(design) for design in designs)
    assert found.evaluation.bound == found.evaluation.score
    assert (found.status, found.proof.source) == ("optimal", BoundSource("enumeration", 2, "given"))


def test_the_optimum_over_placements_is_proven():
    workload = sparse(4, 2, 1_000_000, seed=3)
    space, objective = Assignments(FOUR_NODES, workload, 1), objective_for(workload)
    found = best(space, Enumerate())
    designs = [
        Design(Network(FOUR_NODES), Circuits(pairs), Placement(nodes))
        for nodes in permutations(range(4))
        for pairs in brute_force.all_circuits(FOUR_NODES, 1)
    ]
    assert found.evaluation.score == min(objective.point(design) for design in designs)
    assert (found.status, found.proof.source) == ("optimal", BoundSource("enumeration", 1, "free"))


def test_small_spaces_are_enumerated_and_others_are_not():
    assert Auto().choose(Assignments(EIGHT_NODES, WORKLOAD, 3, "by_switch"), objective_for()) == Enumerate()
    assert Auto().choose(Assignments(EIGHT_NODES, WORKLOAD, 3), objective_for()) == Anneal(chains=4)  # 8! placements
    large = Assignments(Hybrid(4, 4), stencil((4, 4)), 8, "by_switch")
    with pytest.raises(InputError, match="strategy=enumerate: more than 200000 designs"):
        best(large, Enumerate())


@pytest.mark.parametrize("components", [COMPLETION, BOTTLENECK])
def test_workers_do_not_change_an_enumeration(monkeypatch, components):
    monkeypatch.setattr("isoplane.search.strategies.enumerate._CALL_US", 1000)
    space = Assignments(EIGHT_NODES, WORKLOAD, 4, "by_switch")
    one, two = (best(space, Enumerate(), workers=workers, components=components) for workers in (1, 2))
    assert (one.design, one.evaluation, one.evaluations) == (two.design, two.evaluation, two.evaluations)


def test_an_evaluation_limit_ends_an_enumeration_without_a_proof():
    space = Assignments(EIGHT_NODES, WORKLOAD, 4, "by_switch")
    rule_evaluations = best(space, Anneal(chains=4), Limits(evaluations=1)).evaluations
    *_, found = solve(space, objective_for(), Enumerate(), Limits(evaluations=rule_evaluations + 5), 1)
    assert found.status == "feasible"
    assert found.evaluations <= rule_evaluations + 5


def test_an_enumeration_resumes_where_it_was_interrupted(monkeypatch):
    monkeypatch.setattr("isoplane.search.strategies.enumerate._CALL_US", 2000)
    space, pages = Assignments(EIGHT_NODES, WORKLOAD, 3, "by_switch"), Pages()

    def rounds(checkpoint, count=None):
        task = Task(space, objective_for(), 1, checkpoint=checkpoint)
        enumerating = (round_ for round_ in Enumerate().rounds(task) if round_.searched is not None)
        return [(round_.evaluations, round_.designs[-1:], round_.complete) for round_ in islice(enumerating, count)]

    uninterrupted = rounds(Pages())
    first = rounds(pages, 7)
    resumed = rounds(pages)
    improvements = len(pages["enumerate"]["found"])
    assert first == uninterrupted[:7]
    assert [evaluations for evaluations, *_ in resumed] == [evaluations for evaluations, *_ in uninterrupted]
    assert resumed[-1] == uninterrupted[-1]
    assert improvements <= 7
    with pytest.raises(InputError, match="checkpoint: not a page of an enumeration"):
        rounds(Pages(enumerate={"calls": "x"}))
