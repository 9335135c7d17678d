"""Search of connection sets under a workload: native loads, bounds, optima of small cubes, and rejected tasks."""

from fractions import Fraction
from itertools import combinations
from math import floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import ConnectionSet, InputError, Network
from isoplane.models.families.hypercube import Hypercube
from isoplane.models.workloads import (
    PhasedWorkload,
    WorkloadMix,
    all_to_all,
    recursive_doubling,
    ring_all_reduce,
    sparse,
)
from isoplane.objectives import TIMES, Lexicographic
from isoplane.search import (
    Anneal,
    ConnectionSets,
    Exact,
    Limits,
    Pareto,
    Portfolio,
    Temper,
    solve,
    space_of,
)
from isoplane.search.cubes.level_task import distinct_levels, level_task
from isoplane.search.cubes.workload_starts import ASPL_AND_TRAFFIC
from tests.cases import for_each, require_refusal

NAMES = ("completion", "synchronised", "bottleneck", "total")
WORKLOADS = {
    "all_to_all": all_to_all(8, 1001),
    "ring": ring_all_reduce(8, 8008),
    "doubling": recursive_doubling(8, 777),
    "sparse": sparse(8, 2, 5001, seed=3, iterations=2),
}


def bases(n):
    """Yield every basis of GF(2)^n with ascending generators."""
    for generators in combinations(range(1, 1 << n), n):
        if ConnectionSet(n, generators).is_basis:
            yield generators


def random_basis(n, rng):
    while True:
        generators = tuple(sorted(int(each) for each in rng.choice(np.arange(1, 1 << n), n, replace=False)))
        if ConnectionSet(n, generators).is_basis:
            return generators


def random_workload(processes, rng):
    messages = int(rng.integers(1, 60))
    source = rng.integers(0, processes, messages)
    destination = (source + rng.integers(1, processes, messages)) % processes
    phase, length = rng.integers(0, 4, messages), rng.integers(1, 10**6, messages)
    return PhasedWorkload("random", processes, phase, source, destination, length, iterations=int(rng.integers(1, 3)))


def space_for(workload, n=3, folded=False, per_switch=1):
    return ConnectionSets(n, folded, per_switch, workload=workload)


def times_of(space):
    return Lexicographic("", [(name,) for name in NAMES], TIMES, space.workload)


def search(space, names, evaluations=20000, strategy=None, workers=1):
    objective = Lexicographic(names[0], [(name,) for name in names], TIMES, space.workload)
    strategy = strategy or Anneal(chains=3)
    *_, last = solve(space, objective, strategy, Limits(evaluations=evaluations), seed=1, workers=workers)
    return last


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32 - 1))
def test_native_totals_equal_the_times_of_the_fluid_model(seed):
    rng = np.random.default_rng(seed)
    n, folded, per_switch = int(rng.integers(2, 5)), bool(rng.integers(2)), int(rng.integers(1, 4))
    space = space_for(random_workload(per_switch << n, rng), n, folded, per_switch)
    generators = random_basis(n, rng)
    task = level_task(space, distinct_levels(space, space.workload.message_list()))
    rows = np.array([rng.permutation(generators), random_basis(n, rng)], dtype=np.uint32)
    native = task.totals(rows)[0].tolist()
    times = Lexicographic("", [(name,) for name in NAMES[1:]], TIMES, space.workload).point(space.design(generators))
    assert tuple(floor(Fraction(8 * each, 100) + Fraction(1, 2)) for each in native) == times


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32 - 1))
def test_bounds_hold_for_random_designs_and_workloads(seed):
    rng = np.random.default_rng(seed)
    n, folded, per_switch = int(rng.integers(2, 5)), bool(rng.integers(2)), int(rng.integers(1, 4))
    space = space_for(random_workload(per_switch << n, rng), n, folded, per_switch)
    objective = times_of(space)
    point = objective.point(space.design(random_basis(n, rng)))
    assert all(low <= value for low, value in zip(space.bounds(objective), point, strict=True))


@for_each("names", [("synchronised", "total"), ("bottleneck", "total"), ("total",), ("completion",)])
@for_each("name", WORKLOADS)
def test_the_best_basis_of_a_small_cube_is_found(name, names):
    space = space_for(WORKLOADS[name])
    objective = Lexicographic(names[0], [(name,) for name in names], TIMES, space.workload)
    best = min(objective.point(space.design(generators)) for generators in bases(3))
    found = search(space, names)
    assert found.evaluation.score[0] == best[0]
    assert found.evaluation.score == objective.point(found.design)


@for_each("names", [("synchronised", "total"), ("completion", "total")])
def test_the_number_of_workers_does_not_change_the_result(names):
    space = space_for(all_to_all(16, 1000), 4)
    one, two = (search(space, names, 8_000, workers=workers) for workers in (1, 2))
    assert (one.design, one.evaluation, one.evaluations) == (two.design, two.evaluation, two.evaluations)


def test_the_search_begins_with_the_design_of_the_best_distances_and_loads():
    space = space_for(all_to_all(16, 1000), 4)
    *_, nearest = solve(space.with_workload(None), ASPL_AND_TRAFFIC, Exact(), Limits(), seed=1)
    completion = Lexicographic("completion", (("completion",),), TIMES, space.workload)
    seen = []

    class Watched(Lexicographic):
        def point(self, design):
            seen.append(design)
            return completion.point(design)

    watched = Watched("completion", (("completion",),), TIMES, space.workload)
    *_, _ = solve(space, watched, Anneal(chains=1), Limits(evaluations=2), seed=1)
    assert space.design(space.canonical(space.candidate(nearest.design))) in seen


def test_a_portfolio_consists_of_annealing_walks():
    space = space_for(WORKLOADS["ring"])
    one, other = (search(space, ("synchronised",), strategy=each(chains=2)) for each in (Anneal, Portfolio))
    assert one.design == other.design


def test_the_workload_selects_the_space():
    network = Network(Hypercube.read({"n": 3, "planes": 2, "nodes_per_switch": 1, **Hypercube.search_start}))
    variables = network.family.variables
    assert space_of(network, variables).subject == "connection sets of cubes"
    assert space_of(network, variables, WORKLOADS["ring"]).subject == "connection sets of cubes under a workload"


@for_each("strategy", [Exact(), Temper(), Pareto(), Anneal(structured=True)])
def test_strategies_of_other_spaces_are_rejected(strategy):
    space = space_for(WORKLOADS["ring"])
    require_refusal(lambda: search(space, ("synchronised",), strategy=strategy), "strategy")


def test_a_workload_of_another_size_is_rejected():
    require_refusal(lambda: space_for(all_to_all(16)), "workload.processes=16: expected one for each of 8 nodes")


def test_objectives_of_cubes_and_of_other_workloads_are_rejected():
    space = space_for(WORKLOADS["ring"])
    with pytest.raises(InputError, match=r"aspl_and_traffic: expected completion, throughput, bottleneck"):
        space.fitted(ASPL_AND_TRAFFIC)
    with pytest.raises(InputError, match=r"for another workload"):
        space.fitted(Lexicographic("throughput", (("synchronised",),), TIMES, WORKLOADS["sparse"]))


def test_more_bytes_than_sums_can_hold_are_rejected():
    space = space_for(WORKLOADS["ring"])
    levels = distinct_levels(space, space.workload.message_list())
    with pytest.raises(InputError, match=r"expected fewer than 2\^61"):
        level_task(space, tuple((level, count << 44) for level, count in levels))
    with pytest.raises(InputError, match=r"expected some to other nodes"):
        level_task(space, ())


def test_times_and_bounds_of_a_mix_are_the_weighted_sums_of_its_parts():
    ring, exchange = WORKLOADS["ring"], WORKLOADS["all_to_all"]
    mix = space_for(WorkloadMix(((3, ring), (2, exchange))))
    parts = [(3, space_for(ring)), (2, space_for(exchange))]
    for generators in list(bases(3))[::5]:
        sums = [0] * len(NAMES)
        for weight, space in parts:
            point = times_of(space).point(space.design(generators))
            sums = [total + weight * each for total, each in zip(sums, point, strict=True)]
        assert times_of(mix).point(mix.design(generators)) == tuple(sums)
    bounds = [(weight, space.bounds(times_of(space))) for weight, space in parts]
    expected = tuple(sum(weight * low[i] for weight, low in bounds) for i in range(len(NAMES)))
    assert mix.bounds(times_of(mix)) == expected


@for_each(
    ("parts", "message"),
    [
        ((), "workload.parts=[]: expected at least one"),
        (((0, WORKLOADS["ring"]),), "workload.parts.weight=0: expected"),
        (((1, WORKLOADS["ring"]), (1, all_to_all(16))), "all_to_all of 16 processes; expected 8, as in ring"),
        (((1, WorkloadMix(((1, WORKLOADS["ring"]),))),), "a mix; expected workloads of other kinds"),
    ],
)
def test_mixes_that_do_not_fit_together_are_rejected(parts, message):
    require_refusal(lambda: WorkloadMix(parts), message)


def test_a_mix_has_no_single_list_of_messages():
    require_refusal(WorkloadMix(((1, WORKLOADS["ring"]),)).message_list, "expected a single workload")
