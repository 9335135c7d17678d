"""Enumeration of all assignments, parallel circuits and overlays: their number, and the optimum with its proof."""

from itertools import islice, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid, InputError, Network, OpticalOverlay, Placement
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.planes import PlanesFamily
from isoplane.models.workloads import dense, from_matrix, sparse, stencil
from isoplane.objectives import CIRCUITS, Lexicographic
from isoplane.runs.records import record_of, verify
from isoplane.search import Anneal, Auto, BoundSource, CircuitSpace, Enumerate, Limits, solve
from isoplane.search.circuits.all_assignments import all_circuits, count_assignments
from isoplane.search.core.methods import methods_of
from isoplane.search.core.strategy import Task
from isoplane.search.strategies.enumerate import MAX_CANDIDATES
from tests.cases import for_each
from tests.runs.records.samples import ORIGIN

from .assigned import BOTTLENECK, COMPLETION, EIGHT_NODES, WORKLOAD, best, brute_force, objective_for, workloads
from .pages import Pages
from .programs.brute_force import all_circuits as all_sets

FOUR_NODES = Hybrid(2, 2, up_gbps=10)
WORK = sparse(8, 2, message_bytes=1_000_000, seed=3)
TIMES = Lexicographic("completion", (("completion",), ("completion_by_packets",), ("total",)), CIRCUITS, WORK)
# Circuits and uplinks so slow that traffic relayed through two nodes needs several circuits between them.
SLOW = Hybrid(2, 2, 3, node_gbps=100, up_gbps=1, circuit_gbps=2)
TRAFFIC = np.array([[0, 1, 1, 1], [2, 0, 1, 1], [1, 2, 0, 1], [1, 2, 2, 0]])
PARALLEL = CircuitSpace(SLOW, from_matrix(TRAFFIC * 100_000), 3, "by_switch")


@given(st.sampled_from([(2, 3), (3, 2), (2, 4), (4, 2), (3, 3), (5, 1)]), st.integers(1, 2), st.integers(0, 5))
def test_the_number_of_assignments_matches_brute_force(shape, ports, circuits):
    hybrid = Hybrid(*shape, ports)
    circuits = min(circuits, hybrid.max_circuits)
    expected = sorted(tuple(sorted(pairs)) for pairs in all_sets(hybrid, circuits))
    assert sorted(all_circuits(hybrid, circuits)) == expected
    space = CircuitSpace(hybrid, sparse(hybrid.nodes, 1), circuits, "by_switch")
    assert count_assignments(space, 10**6) == len(expected)


def test_counting_needs_no_recursion():
    space = CircuitSpace(Hybrid(4, 512, 2), sparse(2048, 1), placement="by_switch")
    assert space.max_circuits == 2048
    assert count_assignments(space, MAX_CANDIDATES) == MAX_CANDIDATES + 1
    parallel = CircuitSpace(Hybrid(2, 1, 64), sparse(2, 1), placement="by_switch")
    assert count_assignments(parallel, 100) == 65  # two nodes with 64 ports: 0 to 64 parallel circuits


def test_counting_stops_once_there_are_too_many():
    space = CircuitSpace(Hybrid(256, 16), sparse(4096, 1), placement="by_switch")
    assert count_assignments(space, MAX_CANDIDATES) == MAX_CANDIDATES + 1
    assert count_assignments(CircuitSpace(Hybrid(2, 16, 2), sparse(32, 1)), 50) == 51


@settings(deadline=None, max_examples=8)
@given(workloads(8), st.sampled_from([COMPLETION, BOTTLENECK, ("completion_by_packets",), ("total", "completion")]))
def test_the_optimum_over_circuits_is_proven_for_every_objective(workload, components):
    space, objective = CircuitSpace(EIGHT_NODES, workload, 2, "by_switch"), objective_for(workload, components)
    found = best(space, Enumerate(), components=components)
    designs = [Design(Network(EIGHT_NODES), Circuits(pairs), space.placements[0]) for pairs in all_sets(EIGHT_NODES, 2)]
    assert found.evaluation.score == min(objective.point(design) for design in designs)
    assert found.evaluation.bound == found.evaluation.score
    assert (found.status, found.proof.source) == ("optimal", BoundSource("enumeration", 2, "given"))


def test_the_optimum_over_placements_is_proven():
    workload = sparse(4, 2, 1_000_000, seed=3)
    space, objective = CircuitSpace(FOUR_NODES, workload, 1), objective_for(workload)
    found = best(space, Enumerate())
    designs = [
        Design(Network(FOUR_NODES), Circuits(pairs), Placement(nodes))
        for nodes in permutations(range(4))
        for pairs in all_sets(FOUR_NODES, 1)
    ]
    assert found.evaluation.score == min(objective.point(design) for design in designs)
    assert (found.status, found.proof.source) == ("optimal", BoundSource("enumeration", 1, "free"))


def test_small_spaces_are_enumerated_and_others_are_not():
    assert Auto().choose(CircuitSpace(EIGHT_NODES, WORKLOAD, 3, "by_switch"), objective_for()) == Enumerate()
    assert Auto().choose(CircuitSpace(EIGHT_NODES, WORKLOAD, 3), objective_for()) == Anneal(chains=4)  # 8! placements
    large = CircuitSpace(Hybrid(4, 4), stencil((4, 4)), 8, "by_switch")
    with pytest.raises(InputError, match="strategy=enumerate: more than 200000 designs"):
        best(large, Enumerate())


@pytest.mark.parametrize("components", [COMPLETION, BOTTLENECK])
def test_workers_do_not_change_an_enumeration(monkeypatch, components):
    monkeypatch.setattr("isoplane.search.strategies.enumerate._CALL_US", 1000)
    space = CircuitSpace(EIGHT_NODES, WORKLOAD, 4, "by_switch")
    one, two = (best(space, Enumerate(), workers=workers, components=components) for workers in (1, 2))
    assert (one.design, one.evaluation, one.evaluations) == (two.design, two.evaluation, two.evaluations)


def test_an_evaluation_limit_ends_an_enumeration_without_a_proof():
    space = CircuitSpace(EIGHT_NODES, WORKLOAD, 4, "by_switch")
    rule_evaluations = best(space, Anneal(chains=4), Limits(evaluations=1)).evaluations
    *_, found = solve(space, objective_for(), Enumerate(), Limits(evaluations=rule_evaluations + 5), 1)
    assert found.status == "feasible"
    assert found.evaluations <= rule_evaluations + 5


def test_an_enumeration_resumes_where_it_was_interrupted(monkeypatch):
    monkeypatch.setattr("isoplane.search.strategies.enumerate._CALL_US", 2000)
    space, pages = CircuitSpace(EIGHT_NODES, WORKLOAD, 3, "by_switch"), Pages()

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


@for_each("placement", ["by_switch", "free"])
@for_each("ports", [1, 2])
def test_walks_over_the_planes_of_a_tree_find_the_same_designs_as_in_the_tree(placement, ports):
    tree = Hybrid(2, 4, ports, up_gbps=10)
    packet = PlanesFamily("tree", Network(tree).planes)
    overlay = OpticalOverlay(packet=packet, group_size=4, ports_per_node=ports, circuit_gbps=32, circuit_ns=80)
    found = []
    for hybrid in (tree, overlay):
        space = CircuitSpace(hybrid, WORK, 3, placement)
        start = space.baseline  # the same start: the rule `balanced` is for trees only
        setup = methods_of(space).chain_setup(TIMES, [Anneal(chains=1)], (space.candidate(start),))
        walk = setup.searcher(0, setup.first(1, 0, None))
        walk.run(300)
        found.append((walk.designs(), walk.state()))
    assert found[0] == found[1]


def test_an_enumeration_over_a_ring_finds_the_best_circuits_and_respects_the_bound():
    space = CircuitSpace(OpticalOverlay(packet=Torus(shape=(4, 2))), WORK, 1, "by_switch")
    *_, best = solve(space, TIMES, Enumerate(), Limits(), seed=1)
    assert best.status == "optimal"
    assert best.evaluation.score == brute_force(space, TIMES)
    assert space.bounds(TIMES)[0] <= best.evaluation.score[0]


@for_each("components", [COMPLETION, BOTTLENECK])
@for_each("strategy", [Anneal(chains=4), Enumerate()])
def test_searches_find_parallel_circuits_if_they_are_optimal(strategy, components):
    objective = objective_for(PARALLEL.workload, components)
    found = best(PARALLEL, strategy, Limits(evaluations=3000), components=components)
    assert found.evaluation.score == brute_force(PARALLEL, objective)
    assert len(set(found.design.circuits.pairs)) < len(found.design.circuits)


def test_a_record_of_parallel_circuits_is_verified():
    hybrid = Hybrid(2, 4, 2, up_gbps=10)
    space = CircuitSpace(hybrid, dense(8, seed=2), 2, "by_switch")
    objective = objective_for(space.workload)
    design = space.design((*range(8), 0, 4, 0, 4))
    assert design.circuits == Circuits(((0, 4), (0, 4)))
    record = record_of(
        design,
        objective(design),
        objective=objective.name,
        status="feasible",
        provenance=ORIGIN,
        workload=space.workload,
    )
    assert record["circuits"] == [[0, 4], [0, 4]]
    assert verify(record) == []
