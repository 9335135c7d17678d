"""Exact search: it visits every class once, its counts prove that, and how the work is distributed does not matter."""

from dataclasses import replace

import pytest

from isoplane.models import Site
from isoplane.models.mathematics.gf2 import independent_sets
from isoplane.search import ConnectionSets, Exact, Limits
from isoplane.search.cubes.exact_proof import SHARDS, ProofCounts, proof_of
from isoplane.search.cubes.exact_units import ExactPlan, search_chunk, search_of
from tests.cases import for_each
from tests.objectives.everything import all_bases, exact_of_everything
from tests.search.cases import FRONTS, OBJECTIVES, search

# Number of classes of bases under permutations of generators and of coordinates, by n.
CLASSES = {2: 2, 3: 7, 4: 51, 5: 885, 6: 44206}
UNPRUNED = Exact(head_start=64, everything=True)


def plan(n, folded=False, everything=True):
    return ExactPlan(ConnectionSets(n, folded, site=Site(layout=None)), OBJECTIVES["aspl"], everything, ())


def proof(n, folded=False, strategy=UNPRUNED):
    run = search(ConnectionSets(n, folded, site=Site(layout=None)), OBJECTIVES["aspl"], strategy)
    assert run.last.status == "optimal"
    return run.progress[-1].counts


@for_each("folded", [False, True])
@for_each("n", CLASSES)
def test_a_search_without_pruning_counts_the_classes_of_bases(n, folded):
    counts = proof(n, folded)
    assert counts["sets"][n] == CLASSES[n]
    assert sum(counts["histogram"].values()) == CLASSES[n]


@for_each("n", CLASSES)
def test_orbits_add_up_to_all_independent_sets_of_every_size(n):
    # |GL(n,2)| / n! bases: 3, 28, 840, 83328, 27998208.
    assert proof(n)["labelled"] == [independent_sets(n, size) for size in range(n + 1)]


@for_each("n", [2, 3, 4])
def test_the_number_of_independent_sets_matches_brute_force(n):
    assert independent_sets(n, n) == len(all_bases(n))


@for_each("folded", [False, True])
def test_the_histogram_has_exactly_the_sums_that_occur(folded):
    sums = set(exact_of_everything(4, folded)["sum_of_distances"].tolist())
    assert {int(key) for key in proof(4, folded)["histogram"]} == sums


def test_shards_of_a_proof_add_up_to_its_levels():
    for strategy in (UNPRUNED, Exact(head_start=64)):
        counts = proof(6, strategy=strategy)
        assert len(counts["shards"]) == SHARDS
        total = ProofCounts(sum(shard["units"] for shard in counts["shards"]), search_of(plan(6)).above)
        for name in ("sets", "cut"):
            by_level = [sum(column) for column in zip(*(shard[name] for shard in counts["shards"]), strict=True)]
            assert all(part <= whole for part, whole in zip(by_level, counts[name], strict=True))
            assert by_level[5:] == counts[name][5:]
        assert total.units == sum(shard["units"] for shard in counts["shards"])


def test_a_proof_with_a_missing_unit_is_rejected():
    unpruned = plan(5)
    counts = ProofCounts(search_of(unpruned).units, search_of(unpruned).above)
    for first in range(counts.units - 1):
        outcome = search_chunk((unpruned, first, first + 1))
        counts.add(first, 1, outcome.counts)
    with pytest.raises(ArithmeticError, match="orbits add up to"):
        proof_of(unpruned, counts, search_of(unpruned).most, [])


def test_shards_partition_the_units():
    for units in (1, 5, 255, 256, 257, 1000):
        counts = ProofCounts(units, {})
        ends = sorted({counts.end_of_shard(unit) for unit in range(units)})
        assert ends[-1] == units
        assert len(ends) == min(SHARDS, units)
        assert all(counts.end_of_shard(unit) > unit for unit in range(units))


@for_each("name", ["aspl", "aspl_and_traffic"])
def test_workers_change_neither_designs_nor_counts(name):
    one, three = (search(ConnectionSets(6), OBJECTIVES[name], Exact(head_start=64), workers=w) for w in (1, 3))
    assert three.outcome == one.outcome
    assert three.progress[-1].counts == one.progress[-1].counts


@for_each("evaluations", [100, 5000, 20_000])
def test_an_evaluation_limit_ends_at_the_same_unit_for_any_number_of_workers(evaluations):
    space, limits = ConnectionSets(6), Limits(evaluations=evaluations)
    runs = [search(space, OBJECTIVES["delay"], Exact(head_start=64), limits, workers=w) for w in (1, 3)]
    assert runs[0].outcome == runs[1].outcome
    assert runs[0].progress[-1].evaluations == runs[1].progress[-1].evaluations >= evaluations


ROUND = 8 * 65536  # evaluations of the chains in a round, for n <= 8


def test_chains_continue_between_parts_of_the_units():
    space, objective = ConnectionSets(7, site=Site(layout=None)), OBJECTIVES["aspl_and_traffic"]
    found = search(space, objective, Exact(head_start=2 * ROUND))
    proof = found.progress[-1].counts
    incumbents = tuple(map(tuple, proof["incumbents"]))
    exact_plan = ExactPlan(space, space.fitted(objective), False, incumbents)
    units = search_chunk((exact_plan, 0, search_of(exact_plan).units))
    # Two more rounds, spread over eight parts: the third round comes after four parts, and a fourth would come after
    # the last one.
    assert found.progress[-1].evaluations == 3 * ROUND + sum(units.evaluations)
    half = sum(units.evaluations[: len(units.evaluations) // 2])
    reported = [p.evaluations for p in found.progress]
    assert reported.index(2 * ROUND + half) < reported.index(3 * ROUND + half)
    # A limit inside that round of the chains is kept exactly.
    limits = Limits(evaluations=2 * ROUND + half + 1000)
    assert search(space, objective, Exact(head_start=2 * ROUND), limits).progress[-1].evaluations == limits.evaluations


def test_improvements_on_the_worst_incumbents_are_found():
    space = ConnectionSets(5)
    identical = space.generators(space.design(tuple(1 << i for i in range(5))))
    for objective in (OBJECTIVES["delay"], FRONTS["sum_of_distances", "max_load"]):
        exact_plan = ExactPlan(space, objective, False, (identical,))
        outcome = search_chunk((exact_plan, 0, search_of(exact_plan).units))
        assert outcome.designs
        best = tuple(design for _, design in outcome.designs)
        repeated = search_chunk((replace(exact_plan, incumbents=best), 0, search_of(exact_plan).units))
        assert not repeated.designs
