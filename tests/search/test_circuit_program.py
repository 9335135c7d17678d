"""Circuits by integer programming: proofs for a space, and errors."""

from threading import Event
from time import sleep

import numpy as np
import pytest

from isoplane.models import Hybrid, InputError
from isoplane.models.workloads import from_matrix, sparse
from isoplane.search import Assignments, Limits, ProgramCircuits, solve

from .assigned import EIGHT_NODES, WORKLOAD, best, objective_for


def test_no_total_is_proven_if_times_are_fractions_of_nanoseconds():
    hybrid = Hybrid(2, 2, node_gbps=40, circuit_gbps=100)
    matrix = np.array([[0, 9, 0, 13], [3, 0, 5, 0], [0, 7, 0, 2], [11, 0, 4, 0]])
    space = Assignments(hybrid, from_matrix(matrix), 1, "by_switch")
    *_, found = solve(space, objective_for(space.workload, ("bottleneck", "total")), ProgramCircuits(), Limits(), 1)
    assert found.evaluation.bound[1] is None


def test_a_program_proves_nothing_about_other_placements():
    space = Assignments(EIGHT_NODES, sparse(8, 2, 1_000_000, seed=1), 3, "free")
    objective = objective_for(space.workload, ("bottleneck", "total"))
    *_, found = solve(space, objective, ProgramCircuits(), Limits(), 1)
    assert found.evaluation.bound == space.bounds(objective)


def test_an_error_in_one_placement_ends_the_others(monkeypatch):
    space, started, ended = Assignments(EIGHT_NODES, WORKLOAD, 3, "free"), Event(), Event()

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
