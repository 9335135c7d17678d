"""Quality of the searches, measured against known optima and records."""

import pytest

from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Neighbourhood, Portfolio, Temper
from tests.search.cases import OBJECTIVES, search


@pytest.mark.parametrize(
    ("folded", "sum_of_distances", "max_load"), [(False, 800, 100), (True, 693, 77)], ids=["plain", "folded"]
)
def test_annealing_finds_the_best_known_networks_of_n_8(folded, sum_of_distances, max_load):
    # Each of ten seeds needed less than 5 million evaluations; the limit is three times that.
    limits = Limits(target=sum_of_distances * max_load, evaluations=15_000_000)
    run = search(ConnectionSets(8, folded), OBJECTIVES["aspl_and_traffic"], Anneal(), limits, seed=1, workers=2)
    assert run.reason == "target"
    metrics = run.last.evaluation.metrics
    assert (metrics["sum_of_distances"], metrics["max_load"]) == (sum_of_distances, max_load)


@pytest.mark.parametrize("strategy", [Anneal(), Temper(), Neighbourhood(), Portfolio()], ids=lambda s: s.name)
@pytest.mark.parametrize("folded", [False, True], ids=["plain", "folded"])
@pytest.mark.parametrize("name", OBJECTIVES)
def test_every_strategy_reaches_the_optimum_of_small_cubes(name, folded, strategy):
    objective = OBJECTIVES[name]
    for n in (2, 3, 4, 5):
        space = ConnectionSets(n, folded)
        optimum = search(space, objective, Exact(head_start=4096)).last
        assert optimum.status == "optimal"
        found = search(space, objective, strategy, Limits(evaluations=100_000))
        assert found.last.evaluation.score == optimum.evaluation.score


@pytest.mark.parametrize("n", [9, 10])
@pytest.mark.parametrize("folded", [False, True], ids=["plain", "folded"])
def test_annealing_beats_the_identical_planes_in_large_cubes_at_once(n, folded):
    space, objective = ConnectionSets(n, folded), OBJECTIVES["delay_and_traffic"]
    run = search(space, objective, Anneal(), Limits(evaluations=50_000))
    reference = objective(space.design(tuple(1 << i for i in range(n)))).metrics
    improved = run.last.evaluation.metrics
    assert improved["delay_ns"] < reference["delay_ns"]
    assert improved["max_traffic"] > reference["max_traffic"]
