"""Parallel circuits in searches: enumerated, found and proven optimal if ports allow them."""

from itertools import product

import numpy as np
from hypothesis import given, settings

from isoplane.models import Circuits, Hybrid
from isoplane.models.workloads import dense, from_matrix
from isoplane.objectives.fluid import FluidModel
from isoplane.runs.records import record_of, verify
from isoplane.search import Anneal, Assignments, Enumerate, Limits
from isoplane.search.programs import assign_circuits
from tests.cases import for_each
from tests.runs.records.samples import ORIGIN

from .assigned import BOTTLENECK, COMPLETION, best, brute_force, objective_for, workloads
from .programs.brute_force import all_circuits, least_times

# Circuits and uplinks so slow that traffic relayed through two nodes needs several circuits between them.
SLOW = Hybrid(2, 2, 3, node_gbps=100, up_gbps=1, circuit_gbps=2)
TRAFFIC = np.array([[0, 1, 1, 1], [2, 0, 1, 1], [1, 2, 0, 1], [1, 2, 2, 0]])
SPACE = Assignments(SLOW, from_matrix(TRAFFIC * 100_000), 3, "by_switch")


def test_all_multisets_of_circuits_are_enumerated():
    # Numbers of circuits for each of 2 x 2 pairs, at most 3 in all: C(3 + 4, 4) if ports do not limit them.
    sets = sorted(all_circuits(SLOW, 3))
    numbers = [counts for counts in product(range(4), repeat=4) if sum(counts) <= 3]
    assert len(sets) == len(set(sets)) == len(numbers) == 35


@for_each("components", [COMPLETION, BOTTLENECK])
@for_each("strategy", [Anneal(chains=4), Enumerate()])
def test_searches_find_parallel_circuits_if_they_are_optimal(strategy, components):
    objective = objective_for(SPACE.workload, components)
    found = best(SPACE, strategy, Limits(evaluations=3000), components=components)
    assert found.evaluation.score == brute_force(SPACE, objective)
    assert len(set(found.design.circuits.pairs)) < len(found.design.circuits)


@settings(deadline=None, max_examples=10)
@given(workloads(4))
def test_programs_prove_the_best_of_all_sets_with_parallel_circuits(workload):
    messages = workload.message_list()
    assignment = assign_circuits(SLOW, messages, 2)
    assert (assignment.bottleneck_ns, assignment.total_ns) == least_times(FluidModel(SLOW, messages), 2)
    assert assignment.bound_ns == assignment.bottleneck_ns


def test_a_record_of_parallel_circuits_is_verified():
    hybrid = Hybrid(2, 4, 2, up_gbps=10)
    space = Assignments(hybrid, dense(8, seed=2), 2, "by_switch")
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
