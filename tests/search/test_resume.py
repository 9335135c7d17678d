"""A search resumed from its checkpoint has the same result as an uninterrupted one."""

import random
from dataclasses import replace
from itertools import groupby

import pytest

from isoplane.models import InputError, Layout, Network, Site, dual_cube
from isoplane.models.families._dual_cube import cube_planes
from isoplane.models.families.free_graph import FreeGraph
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.torus import Torus
from isoplane.models.workloads import all_to_all
from isoplane.objectives import SWITCHES, TIMES, Lexicographic
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import (
    Anneal,
    Auto,
    ConnectionSets,
    Exact,
    Limits,
    Pareto,
    Portfolio,
    solve,
)
from isoplane.search.core.chains import chains_of
from isoplane.search.graphs.host_space import HostGraphs
from isoplane.search.graphs.space import RegularGraphs
from isoplane.search.planes.space import Relabellings
from tests.cases import for_each
from tests.search.cached import HOLDING, MISSING, cache, space_with
from tests.search.cases import FRONTS, OBJECTIVES, Run

from .pages import Pages

EXCHANGE = all_to_all(16, 1000)
ASPL_AND_TRAFFIC, FRONT = OBJECTIVES["aspl_and_traffic"], FRONTS["delay", "max_load"]
PLACED = RegularGraphs(FreeGraph(switches=48, degree=4, assumed_cable_m=None), site=Site(Layout(aspects=())))
CASES = [
    pytest.param(ConnectionSets(9), ASPL_AND_TRAFFIC, Anneal(chains=3), 40 * 3 * 2048 + 7, id="anneal"),
    pytest.param(
        ConnectionSets(11, True, site=Site(layout=None)),
        OBJECTIVES["aspl"],
        Anneal(chains=2),
        70 * 2 * 512,
        id="no-layout",
    ),
    pytest.param(ConnectionSets(10), FRONT, Pareto(chains=2), 66 * 2 * 1024 + 1, id="pareto"),
    pytest.param(ConnectionSets(10, True), ASPL_AND_TRAFFIC, Portfolio(chains=3), 40 * 3 * 1024 + 5, id="portfolio"),
    pytest.param(
        ConnectionSets(5), ASPL_AND_TRAFFIC, Exact(1 << 20, everything=True), (1 << 20) + (1 << 19) + 700, id="exact"
    ),
    pytest.param(ConnectionSets(5, True), FRONT, Exact(head_start=64), 5000, id="exact-front"),
    pytest.param(
        ConnectionSets(4, nodes_per_switch=1).with_workload(EXCHANGE),
        Lexicographic("completion", (("completion",), ("total",)), TIMES, EXCHANGE),
        Anneal(chains=3),
        20 * 3 * 68 + 5,
        id="workload",
    ),
    pytest.param(
        RegularGraphs(FreeGraph(switches=64, degree=8)),  # which begins at a construction, and at random
        Lexicographic("aspl", (("total_hops",),), SWITCHES),
        Anneal(chains=3, first_leg=100),
        22 * 3 * (1 << 10) + 5,
        id="graphs",
    ),
    pytest.param(
        PLACED,
        worded_objective("min cable_length_m, then aspl", SWITCHES, PLACED.baseline.network),
        Anneal(chains=2, first_leg=500),
        22 * 2 * (1 << 10) + 5,
        id="placed-graphs",
    ),
    pytest.param(
        HostGraphs(HostGraph(nodes=60, ports=8)),
        Lexicographic("aspl", (("total_hops",),), SWITCHES),
        Anneal(chains=3, first_leg=100),
        22 * 3 * (1 << 10) + 5,
        id="hosts",
    ),
    pytest.param(
        HostGraphs(HostGraph(nodes=24, ports=8, planes=2), site=Site()),
        limited(
            Lexicographic("cost", (("cost",),), SWITCHES),
            "throughput_per_node >= 1",
            Network(HostGraph(nodes=24, planes=2)),
        ),
        Anneal(first_leg=30),
        3_000,
        id="prices",
    ),
    pytest.param(
        Relabellings(Relabelled(plane=Torus(shape=(6, 5), node_cable_m=2.0), planes=3)),
        Lexicographic("aspl", (("total_hops",),), SWITCHES),
        Anneal(chains=3, first_leg=1000),
        28 * 3 * (1 << 13) + 5,
        id="planes",
    ),
    pytest.param(
        Relabellings(Relabelled(plane=cube_planes(dual_cube(6, (1, 2, 4, 8, 16, 32)).family.planes[:1]), planes=3)),
        Lexicographic("aspl", (("total_hops",),), SWITCHES),
        Portfolio(chains=4),
        20 * 4 * (1 << 12) + (1 << 16) + 5,
        id="linear-planes",
    ),
    pytest.param(
        Relabellings(
            Relabelled(plane=Torus(shape=(3, 2), node_cable_m=2.0, assumed_cable_m=None)),
            Site(layout=Layout(switches_per_rack=2, aspects=())),
        ),
        Lexicographic("short", (("total_hops", "cable_length"),), SWITCHES),
        Anneal(chains=2, first_leg=100),
        18 * 2 * (1 << 3) + 5,
        id="planes-in-racks",
    ),
    pytest.param(
        Relabellings(Relabelled(plane=cube_planes(dual_cube(6, (1, 2, 4, 8, 16, 32)).family.planes[:1]), planes=3)),
        Lexicographic("both", (("peak_load",), ("total_hops",)), SWITCHES),
        Anneal(chains=2, first_leg=1000, structured=True),
        36 * 2 * (1 << 9) + 5,
        id="loads-of-linear-planes",
    ),
]  # designs are exchanged after 8, 16, 32, 64 rounds


@pytest.fixture
def short_rounds(monkeypatch):
    """Give rounds a 16th of their evaluations, and routes and linear planes fewer: what matters is how many rounds."""
    for room in ("core.chains", "cubes.exact_search"):
        monkeypatch.setattr(
            f"isoplane.search.{room}.chains_of",
            lambda setup, *more: chains_of(replace(setup, share=setup.share // 16), *more),
        )
    few = {"LinearAnnealing": (1 << 15, 1 << 15), "AdditiveAnnealing": (1 << 8, 1 << 22)}
    monkeypatch.setattr("isoplane.search.planes.walked_starts.EVALUATIONS", few)
    monkeypatch.setattr("isoplane.search.planes.walked_starts.CALLS", 2)  # starts begin anew until a page is saved
    monkeypatch.setattr("isoplane.models.routing.balanced.MIN_MOVES", 1 << 16)


def run(space, objective, strategy, limits, checkpoint=None, rounds=None):
    """Search until a limit is reached, or for a number of rounds that are not replayed."""
    result, new_rounds = Run([], [], None), []

    def watch(progress):
        result.progress.append(progress)
        if not progress.replayed:
            new_rounds.append(progress)
        result.reason = limits(objective, progress)
        return result.reason or ("killed" if rounds is not None and len(new_rounds) >= rounds else None)

    result.solutions += solve(space, objective, strategy, limits, 3, checkpoint=checkpoint, watch=watch)
    return result


def distinct_rounds(result):
    """The rounds, without those that only repeat the one before."""
    return [key for key, _ in groupby((p.evaluations, p.improved_at, p.score, p.network) for p in result.progress)]


def require_same_after_kills(uninterrupted, has_ended, most, *search):
    """Kill a search after 1 to `most` rounds again and again until it has ended, and return its last run."""
    checkpoint, rng, kills, previous_pages = Pages(), random.Random(1), 0, {}
    while not has_ended(result := run(*search, checkpoint, rng.randint(1, most))):
        kills += 1
        if rng.random() < 0.3:  # killed before these pages were saved
            checkpoint.clear()
            checkpoint.update(previous_pages)
        previous_pages = dict(checkpoint)
    assert kills > 2
    assert result.outcome == uninterrupted.outcome
    assert distinct_rounds(result) == distinct_rounds(uninterrupted)
    return result


@pytest.mark.parametrize(("space", "objective", "strategy", "evaluations"), CASES)
@pytest.mark.usefixtures("short_rounds")
def test_a_search_killed_repeatedly_at_any_round_has_the_same_result(space, objective, strategy, evaluations):
    limits = Limits(evaluations=evaluations)
    uninterrupted = run(space, objective, strategy, limits)
    most = min(20, len(distinct_rounds(uninterrupted)) // 3)
    require_same_after_kills(
        uninterrupted, lambda run: run.reason is not None, most, space, objective, strategy, limits
    )


@for_each(
    ("space", "strategy", "most"),
    [
        (space_with(4, (cache(128, 4), cache(256, 3))), Exact(head_start=1 << 9), 20),
        (space_with(3, (MISSING, HOLDING)), Auto(), 4),  # an enumeration, then an exact search
    ],
)
def test_a_proof_over_several_caches_killed_repeatedly_is_the_same(space, strategy, most):
    search = space, OBJECTIVES["delay"], strategy, Limits()
    uninterrupted = run(*search)
    assert uninterrupted.last.complete
    result = require_same_after_kills(uninterrupted, lambda run: run.last.complete, most, *search)
    assert result.progress[-1].counts == uninterrupted.progress[-1].counts


@pytest.mark.usefixtures("short_rounds")
@pytest.mark.parametrize(("space", "objective", "strategy", "evaluations"), [CASES[0], CASES[5]])
def test_a_search_with_a_larger_limit_resumes_where_the_smaller_one_ended(space, objective, strategy, evaluations):
    checkpoint = Pages()
    run(space, objective, strategy, Limits(evaluations=evaluations // 2), checkpoint)
    longer = run(space, objective, strategy, Limits(evaluations=evaluations), checkpoint)
    assert any(p.replayed for p in longer.progress)
    uninterrupted = run(space, objective, strategy, Limits(evaluations=evaluations))
    assert (longer.outcome, distinct_rounds(longer)) == (uninterrupted.outcome, distinct_rounds(uninterrupted))


def test_limits_end_a_resumed_search_at_the_same_round():
    space, objective, strategy = ConnectionSets(10, site=Site(layout=None)), OBJECTIVES["aspl"], Anneal(chains=2)
    for limits in (Limits(stalled=300_000), Limits(target=4.04)):
        checkpoint = Pages()
        uninterrupted = run(space, objective, strategy, limits)
        for _ in range(2):
            run(space, objective, strategy, limits, checkpoint, rounds=1)
        assert distinct_rounds(run(space, objective, strategy, limits, checkpoint)) == distinct_rounds(uninterrupted)
        repeated = run(space, objective, strategy, limits, checkpoint)
        assert (distinct_rounds(repeated), repeated.progress[-1].replayed) == (distinct_rounds(uninterrupted), True)


def test_the_time_of_a_resumed_search_continues():
    checkpoint = Pages(clock={"seconds": 1000.0})
    result = run(ConnectionSets(9), ASPL_AND_TRAFFIC, Anneal(), Limits(seconds=999), checkpoint)
    assert len(result.progress) == 1
    assert 1000 < result.progress[0].seconds < 3000


@for_each("page", [3, {}, {"share": 1}, {"share": 1, "rounds": 1, "found": [], "chains": [[1, 2]]}])
def test_a_malformed_page_of_chains_is_rejected(page):
    checkpoint = Pages(anneal=page)
    with pytest.raises(InputError, match=r"^checkpoint: .*; expected"):
        run(ConnectionSets(9), ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=10), checkpoint)


@for_each("strategy", [Anneal(chains=3), Anneal(chains=1), Anneal(chains=2, structured=True)])
def test_a_page_of_other_chains_is_rejected(strategy):
    checkpoint = Pages()
    run(ConnectionSets(9), ASPL_AND_TRAFFIC, Anneal(chains=2), Limits(evaluations=100_000), checkpoint)
    with pytest.raises(InputError, match=f"for 2 chains; expected one for {strategy.chains}"):
        run(ConnectionSets(9), ASPL_AND_TRAFFIC, strategy, Limits(evaluations=10), checkpoint)
