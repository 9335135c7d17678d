"""The seed determines the result, for any number of workers."""

from itertools import groupby

import pytest

from isoplane.models import Site
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Neighbourhood, Pareto, Portfolio, Temper
from tests.cases import for_each
from tests.search.cases import FRONTS, OBJECTIVES, search

ASPL_AND_TRAFFIC, DELAY_AND_TRAFFIC = OBJECTIVES["aspl_and_traffic"], OBJECTIVES["delay_and_traffic"]
DELAY_FRONT = FRONTS["delay", "max_load"]
SEARCHES = [
    pytest.param(ConnectionSets(8), ASPL_AND_TRAFFIC, Anneal(), 300_001, id="anneal"),
    pytest.param(ConnectionSets(9, True), DELAY_AND_TRAFFIC, Anneal(chains=3), 100_000, id="anneal-delay"),
    pytest.param(
        ConnectionSets(8, site=Site(layout=None)),
        OBJECTIVES["aspl"],
        Anneal(first_leg=64),
        200_000,
        id="anneal-no-layout",
    ),
    pytest.param(ConnectionSets(7), OBJECTIVES["cost"], Anneal(), 200_000, id="anneal-cost"),
    pytest.param(ConnectionSets(8), ASPL_AND_TRAFFIC, Temper(chains=3), 200_001, id="temper"),
    pytest.param(ConnectionSets(8, True), DELAY_AND_TRAFFIC, Neighbourhood(chains=3), 50_001, id="neighbourhood"),
    pytest.param(ConnectionSets(9, site=Site(layout=None)), OBJECTIVES["aspl"], Portfolio(), 600_001, id="portfolio"),
    pytest.param(ConnectionSets(8, True), DELAY_FRONT, Pareto(), 200_003, id="pareto"),
    pytest.param(ConnectionSets(5), ASPL_AND_TRAFFIC, Exact(head_start=64), None, id="exact"),
    pytest.param(ConnectionSets(7), ASPL_AND_TRAFFIC, Exact(), None, id="exact-chains"),
    pytest.param(ConnectionSets(5), DELAY_FRONT, Exact(head_start=64), None, id="exact-front"),
]


@pytest.mark.parametrize(("space", "objective", "strategy", "evaluations"), SEARCHES)
def test_one_seed_gives_the_same_solutions_with_1_and_3_workers(space, objective, strategy, evaluations):
    limits = Limits(evaluations=evaluations)
    runs = [search(space, objective, strategy, limits, seed=3, workers=workers) for workers in (1, 3)]
    assert runs[0].outcome
    assert runs[0].outcome == runs[1].outcome
    # Repeated rounds only show that the search is running.
    progress = [[k for k, _ in groupby((p.evaluations, p.improved_at, p.score) for p in run.progress)] for run in runs]
    assert progress[0] == progress[1]


@for_each(
    ("objective", "strategy"),
    [
        (ASPL_AND_TRAFFIC, Anneal()),
        (ASPL_AND_TRAFFIC, Temper()),
        (ASPL_AND_TRAFFIC, Neighbourhood()),
        (ASPL_AND_TRAFFIC, Portfolio()),
        (DELAY_FRONT, Pareto()),
    ],
)
def test_different_seeds_give_different_results(objective, strategy):
    limits = Limits(evaluations=2_000)  # too few to reach the optimum, which every seed finds eventually
    outcomes = [search(ConnectionSets(8), objective, strategy, limits, seed=seed).outcome for seed in (0, 1, 2**64 - 1)]
    assert outcomes[0] != outcomes[1] != outcomes[2] != outcomes[0]


def test_a_longer_search_continues_a_shorter_one():
    # Whole rounds of 8 x 65536 evaluations; the second run has the first one's rounds and two more.
    space, objective = ConnectionSets(8), DELAY_AND_TRAFFIC
    short = search(space, objective, Anneal(), Limits(evaluations=2 * 8 * 65536))
    long = search(space, objective, Anneal(), Limits(evaluations=4 * 8 * 65536))
    assert long.outcome[: len(short.outcome)] == short.outcome
