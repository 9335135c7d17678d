"""Enumeration of small spaces: by default, for every objective, with a proof that brute force confirms."""

from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest

from isoplane.models import InputError, OpticalOverlay
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import WorkloadMix, all_to_all, ring_all_reduce, sparse
from isoplane.objectives import CIRCUITS, TIMES, Lexicographic, SimulatedTimes
from isoplane.search import (
    Anneal,
    Auto,
    BoundSource,
    CircuitSpace,
    ConnectionSets,
    Enumerate,
    Exact,
    Limits,
    solve,
)
from isoplane.search.core.strategy import Task
from isoplane.search.cubes.all_bases import AllBases, all_bases
from isoplane.search.strategies.enumerate import _best_of, _Call, may_enumerate
from tests.cases import for_each
from tests.search.cases import OBJECTIVES

from .pages import Pages

COMPLETION, THROUGHPUT = ("completion", "bottleneck", "total"), ("synchronised", "total")


def space_of(workload, n, per_switch=1):
    return ConnectionSets(n, nodes_per_switch=per_switch).with_workload(workload)


def objective_of(space, components, evaluator=TIMES):
    return Lexicographic(components[0], [(name,) for name in components], evaluator, space.workload)


@for_each("number", range(2))
@for_each("kind", ["cube_case", "workload_case", "circuit_case"])
def test_default_searches_of_small_spaces_are_proven_and_equal_brute_force(import_script, kind, number):
    """Some of the cases of `benchmarks/small_spaces.py`."""
    script = import_script("small_spaces")
    assert script.problem(getattr(script, kind)(np.random.default_rng([7, number]))) is None


def test_every_basis_is_listed_once(import_script):
    brute_force = import_script("small_spaces").bases
    for n, number in ((2, 3), (3, 28), (4, 840)):
        assert list(all_bases(n)) == list(brute_force(n))
        assert AllBases(space_of(all_to_all(1 << n), n), None).count(1000) == number == len(list(all_bases(n)))


@for_each("folded", [False, True])
@for_each("name", OBJECTIVES)
def test_enumerations_of_cubes_equal_exact_searches(name, folded):
    space = ConnectionSets(3, folded)
    enumerated, searched = (
        list(solve(space, OBJECTIVES[name], strategy, Limits(), seed=1))[-1]
        for strategy in (Enumerate(), Exact(head_start=64))
    )
    assert enumerated.evaluation.score == searched.evaluation.score
    assert enumerated.status == searched.status == "optimal"


@for_each("components", [THROUGHPUT, ("bottleneck", "total"), ("total", "bottleneck")])
def test_times_without_completions_follow_from_loads_for_every_basis(components):
    work = WorkloadMix(((3, ring_all_reduce(8, 1_000_003)), (5, sparse(8, 3, 77_777, seed=2, iterations=2))))
    space = space_of(work, 3)
    objective = objective_of(space, components)
    found = AllBases(space, objective).least(list(all_bases(3)))
    assert list(found) == [(objective.point(space.design(basis)), True) for basis in all_bases(3)]


def test_the_record_of_an_enumeration_of_bases_has_their_number_as_its_source():
    space = space_of(ring_all_reduce(8, 1_000_000), 3)
    *_, best = solve(space, objective_of(space, COMPLETION), Auto(), Limits(), seed=1)
    assert (best.status, best.complete, best.proof.source) == ("optimal", True, BoundSource("enumeration", bases=28))


def test_a_proof_for_a_given_placement_does_not_claim_to_hold_for_all_placements():
    """The bound by formula of an overlay holds for all placements, the enumeration only for those of the space."""
    work = sparse(4, 2, 1_000_000, seed=3)
    space = CircuitSpace(OpticalOverlay(packet=Torus(shape=(4,))), work, 1, "by_switch")
    *_, best = solve(
        space, Lexicographic("completion", [(name,) for name in COMPLETION], CIRCUITS, work), Auto(), Limits(), seed=1
    )
    assert (best.status, best.proof.source) == ("optimal", BoundSource("enumeration", 1, "given"))


def test_spaces_that_take_seconds_are_enumerated_by_default_and_others_are_not():
    for n, per_switch, components, expected in (
        (3, 4, COMPLETION, True),
        (4, 1, COMPLETION, True),
        (4, 4, THROUGHPUT, True),
        (5, 1, THROUGHPUT, True),
        (5, 1, COMPLETION, False),  # 83,328 runs of the fluid model
        (6, 1, THROUGHPUT, False),  # 28 million bases
    ):
        space = space_of(all_to_all(per_switch << n, 1000), n, per_switch)
        assert may_enumerate(space, objective_of(space, components)) == expected
        chosen = Auto().choose(space, objective_of(space, components))
        assert chosen == (Enumerate() if expected else Anneal())


def test_a_bound_equal_to_the_best_score_excludes_no_design():
    candidates = SimpleNamespace(
        least=lambda candidates: [((3,), False)],
        space=SimpleNamespace(design=str),
        objective=SimpleNamespace(point={"better": (3, 5)}.get),
    )
    assert _best_of(_Call(candidates, (3, 9), ("better",))) == ((3, 5), "better")


def test_designs_that_a_simulation_judges_are_not_enumerated():
    space = space_of(ring_all_reduce(8, 1_000_000), 3)
    judged = objective_of(space, ("simulated", *COMPLETION), SimulatedTimes(lambda *_: 7, 1))
    assert Auto().choose(space, judged) == Anneal()
    with pytest.raises(InputError, match="strategy=enumerate: cannot list connection sets of cubes under a workload"):
        list(solve(space, judged, Enumerate(), Limits(), seed=1))


@pytest.mark.parametrize("components", [COMPLETION, THROUGHPUT])
def test_an_enumeration_of_bases_resumes_and_does_not_depend_on_the_workers(monkeypatch, components):
    monkeypatch.setattr("isoplane.search.strategies.enumerate._CALL_US", 5)
    space, pages = space_of(sparse(8, 2, 5001, seed=3), 3), Pages()
    objective = objective_of(space, components)
    one, two = ([*solve(space, objective, Enumerate(), Limits(), 1, workers)][-1] for workers in (1, 2))
    assert (one.design, one.evaluation, one.evaluations) == (two.design, two.evaluation, two.evaluations)
    task = Task(space, objective, 1, checkpoint=pages)
    list(islice(Enumerate().rounds(task), 12))
    assert 0 < pages["enumerate"]["calls"] < 28
    *_, last = Enumerate().rounds(task)
    assert (last.complete, last.evaluations) == (True, one.evaluations)
    other_version = Pages(pages, enumerate={"share": 9, "calls": 1, "found": []})
    with pytest.raises(InputError, match="checkpoint: calls of 9 designs"):
        list(Enumerate().rounds(Task(space, objective, 1, checkpoint=other_version)))
