"""Bounds that records state: recomputed by formula, unless a complete search or a solver proved more."""

from abc import ABC
from dataclasses import replace
from itertools import combinations, permutations

import numpy as np

from isoplane.models import ConnectionSet, Design, InputError, Network, dual_cube
from isoplane.models.families.free_graph import FreeGraph
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import ring_all_reduce
from isoplane.objectives import CUBES, SWITCHES, TIMES, Lexicographic
from isoplane.runs.records import Difference, record_of, verified_bounds, verify
from isoplane.runs.records.bound_verification import proof_in
from isoplane.search.core.chain_strategy import ChainStrategy
from tests.cases import for_each

from .samples import ORIGIN

DISTANCES = Lexicographic("aspl", (("sum_of_distances",),), CUBES)
HOPS = Lexicographic("aspl", (("total_hops",),), SWITCHES)


def stating(network, objective, bound, strategy="anneal", **fields):
    """The record of a network that states a bound, feasible unless it is said to be optimal."""
    found = replace(objective(Design(network)), bound=tuple(bound))
    provenance = ORIGIN | {"strategy": strategy}
    record = record_of(
        Design(network),
        found,
        objective=objective.name,
        status=fields.pop("status", "feasible"),
        provenance=provenance,
        workload=objective.workload,
    )
    return record | fields


def too_high(bound, right, index=0):
    return [Difference(f"bound[{index}]", bound, f"at most {right}, the bound by formula")]


def weights(n, generators):
    """The number of generators on the shortest path to every offset of a plane."""
    hops = {0: 0}
    for count in range(1, n + 1):
        for chosen in combinations(generators, count):
            hops.setdefault(int(np.bitwise_xor.reduce(chosen)), count)
    return np.array([hops[offset] for offset in range(1 << n)])


def is_basis(n, generators):
    try:
        ConnectionSet.basis(n, generators)
    except InputError:
        return False
    return True


def test_the_bound_of_a_cube_is_recomputed():
    # Over all bases of plane 1 the least sum of distances is that of the bound, so that a higher one is false.
    first = weights(4, (1, 2, 4, 8))
    bases = [basis for basis in combinations(range(1, 16), 4) if is_basis(4, basis)]
    assert len(bases) == 15 * 14 * 12 * 8 // 24
    least = min(int(np.minimum(first, weights(4, basis)).sum()) for basis in bases)
    identical = dual_cube(4, (1, 2, 4, 8))
    assert int(first.sum()) > least + 1
    assert verified_bounds(stating(identical, DISTANCES, [least])) == ([], "bound: recomputed by formula")
    assert verify(stating(identical, DISTANCES, [least - 1])) == []  # from a weaker formula
    assert verify(stating(identical, DISTANCES, [least + 1])) == too_high(least + 1, least)
    # Exact search proves nothing before its end.
    assert verify(stating(identical, DISTANCES, [least + 1], "exact")) == too_high(least + 1, least)
    # A walk does not prove the score that it found optimal.
    score = int(first.sum())
    assert verify(stating(identical, DISTANCES, [score], status="optimal")) == too_high(score, least)


def test_what_only_a_complete_search_has_proven_is_named():
    both = Lexicographic("both", (("sum_of_distances",), ("max_load",)), CUBES)
    network = dual_cube(4, (1, 2, 4, 8))
    score = both(Design(network)).score
    record = stating(network, both, score, "exact", status="optimal")
    taken = "taken from the search (strategy=exact), which is not repeated"
    assert verified_bounds(record) == ([], f"bound: {taken}")
    # The load of a link is at least the mean: 22 hops of 16 offsets over 2 * 4 links, half of it in each direction.
    known = stating(network, both, [22, 6])
    assert verified_bounds(known) == ([], "bound: recomputed by formula")
    assert verify(known | {"bound": [22, 7]}) == too_high(7, 6, 1)
    partial = record | {"bound": [22, 7], "front": "complete", "status": "feasible"}
    assert verified_bounds(partial)[1] == f"bound: ASPL recomputed by formula; load {taken}"


def test_the_bound_of_a_regular_graph_is_recomputed():
    # Of 16 switches with 4 cables each, 4 are a hop away from any one, and the other 11 at least 2 hops.
    bound = 16 * (4 * 1 + 11 * 2)
    network = Network(FreeGraph(switches=16, degree=4).baseline)
    score = HOPS(Design(network)).score[0]
    assert score > bound + 2
    assert verified_bounds(stating(network, HOPS, [bound])) == ([], "bound: recomputed by formula")
    assert verify(stating(network, HOPS, [bound + 2])) == too_high(bound + 2, bound)
    assert verify(stating(network, HOPS, [score], status="optimal")) == too_high(score, bound)


def test_the_bound_of_relabelled_planes_is_recomputed():
    ring = np.minimum((apart := np.abs(np.subtract.outer(range(5), range(5)))), 5 - apart)
    least = min(int(np.minimum(ring, ring[np.ix_(order, order)]).sum()) for order in permutations(range(5)))
    network = Network(Relabelled(plane=Torus(shape=(5,), node_cable_m=2.0)).baseline)
    score = HOPS(Design(network)).score[0]
    assert score == ring.sum() > least + 2
    assert verified_bounds(stating(network, HOPS, [least])) == ([], "bound: recomputed by formula")
    assert verify(stating(network, HOPS, [least + 2])) == too_high(least + 2, least)
    assert verify(stating(network, HOPS, [score], status="optimal")) == too_high(score, least)


def test_the_bound_of_a_time_is_recomputed():
    # A node sends 7/8 of the bytes twice, half of it over each of two links of 100 Gbit/s.
    work, right = ring_all_reduce(8, 1_000_000), 1_000_000 * 7 // 8 * 2 // 2 * 8 // 100
    time = Lexicographic("bottleneck", (("bottleneck",),), TIMES, work)
    network = dual_cube(3, (1, 2, 5), nodes_per_switch=1)
    assert time(Design(network)).score[0] > right + 1
    assert verified_bounds(stating(network, time, [right])) == ([], "bound: recomputed by formula")
    assert verify(stating(network, time, [right + 1])) == too_high(right + 1, right)


def test_a_bound_of_a_network_that_no_search_varies_is_null():
    network = Network(Torus(shape=(5,), node_cable_m=2.0))
    expected = [Difference("bound[0]", 20, "null, because no formula bounds it")]
    assert verify(stating(network, HOPS, [20])) == expected
    assert verified_bounds(stating(network, HOPS, [None])) == ([], "")


@for_each(
    ("strategy", "status", "is_proof"),
    [("exact", "optimal", True), ("exact", "feasible", False), ("one_of_mine", "optimal", True)]
    + [(name, "optimal", False) for name in ("anneal", "neighbourhood", "pareto", "portfolio", "temper", None)],
)
def test_chains_and_incomplete_searches_prove_nothing(strategy, status, is_proof):
    record = {"circuits": None, "status": status, "provenance": {"strategy": strategy, "config": {}}}
    assert bool(proof_in(record)) == is_proof


def test_chains_of_a_class_below_one_whose_name_is_that_of_an_instance_prove_nothing():
    class Nameless(ChainStrategy, ABC):
        @property
        def name(self):
            raise AssertionError("asked of no instance")

    class Named(Nameless):
        name = "named_of_test"

    record = {"circuits": None, "status": "optimal", "provenance": {"strategy": Named.name, "config": {}}}
    assert not proof_in(record)
    assert proof_in({**record, "provenance": {"strategy": "other_of_test", "config": {}}})


def test_a_search_through_one_of_several_caches_may_have_raised_a_bound():
    config = {"switch": {"cache": {"entries": [64, 2048]}}}
    record = {"circuits": None, "status": "feasible", "provenance": {"strategy": "exact", "config": config}}
    assert proof_in(record)
    config["switch"]["cache"]["entries"] = 64
    assert not proof_in(record)
