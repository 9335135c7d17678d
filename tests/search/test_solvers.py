"""Strategies compared with each other and with brute force."""

from itertools import pairwise

from isoplane.models import Layout, Site
from isoplane.objectives import CUBES, Lexicographic, exact_metric, exact_metrics
from isoplane.objectives.bounds import score_bounds
from isoplane.objectives.general import GeneralExact
from isoplane.search import Anneal, Auto, ConnectionSets, Exact, Limits, Neighbourhood, Pareto, Portfolio, Temper
from tests.cases import for_each
from tests.objectives.everything import all_bases, best_score, front
from tests.search.cases import FRONTS, OBJECTIVES, search

FAMILIES = for_each("folded", [False, True])
EXACT = Exact(head_start=1024)
ASPL_AND_TRAFFIC = OBJECTIVES["aspl_and_traffic"]


@FAMILIES
@for_each("name", OBJECTIVES)
@for_each("n", [2, 4])
def test_every_strategy_finds_the_best_of_all_bases(n, name, folded):
    space, objective = ConnectionSets(n, folded), OBJECTIVES[name]
    expected = best_score(n, folded, objective.components)
    exact = search(space, objective, EXACT).last
    assert (exact.evaluation.score, exact.status) == (expected, "optimal")
    status = "optimal" if score_bounds(objective, space.identical) == expected else "feasible"
    for strategy in (Anneal(), Temper(), Neighbourhood(), Portfolio()):
        found = search(space, objective, strategy, Limits(evaluations=30_000)).last
        assert (found.evaluation.score, found.status) == (expected, status), strategy


@FAMILIES
@for_each("n", [2, 3, 4])
def test_the_best_of_all_bases_after_the_loss_of_a_cable_is_found(n, folded):
    components = (("cable_fault_diameter",), ("cable_fault_hops", "max_load"), ("cable_length",))
    space, objective = ConnectionSets(n, folded), Lexicographic("losses", components, CUBES)
    expected = best_score(n, folded, components)
    exact = search(space, objective, EXACT).last
    assert (exact.evaluation.score, exact.status) == (expected, "optimal")
    assert all(low <= part for low, part in zip(score_bounds(objective, space.identical), expected, strict=True))
    assert search(space, objective, Portfolio(), Limits(evaluations=30_000)).last.evaluation.score == expected


@FAMILIES
@for_each(("n", "per_rack"), [(2, 1), (3, 2), (3, 3), (4, 4)])
def test_the_best_of_all_bases_after_the_loss_of_a_rack_is_found(n, per_rack, folded):
    space = ConnectionSets(n, folded, site=Site(layout=Layout(switches_per_rack=per_rack, aspects=())))
    components = (("rack_fault_aspl",), ("rack_fault_diameter", "sum_of_distances"), ("cable_length",))
    objective = Lexicographic("racks", components, CUBES)
    expected = None
    for basis in all_bases(n).tolist():
        network = space.design(basis).network
        lost, cube = GeneralExact(network), exact_metrics(network)
        score = (
            lost.rack_fault_aspl_nhops,
            lost.rack_fault_diameter * cube.sum_of_distances,
            cube.cable_length_mm,
        )
        expected = score if expected is None else min(score, expected)
    exact = search(space, objective, EXACT).last
    assert (exact.evaluation.score, exact.status) == (expected, "optimal")
    assert all(low <= part for low, part in zip(score_bounds(objective, space.identical), expected, strict=True))
    for strategy in (Portfolio(), Temper()):
        assert search(space, objective, strategy, Limits(evaluations=20_000)).last.evaluation.score == expected


@for_each(("folded", "sum_of_distances", "max_load"), [(False, 800, 100), (True, 693, 77)])
def test_annealing_finds_the_best_known_networks_of_n_8(folded, sum_of_distances, max_load):
    # Each of ten seeds needed less than 5 million evaluations; the limit is three times that.
    limits = Limits(target=sum_of_distances * max_load, evaluations=15_000_000)
    run = search(ConnectionSets(8, folded), ASPL_AND_TRAFFIC, Anneal(), limits, seed=1, workers=2)
    assert run.reason == "target"
    metrics = run.last.evaluation.metrics
    assert (metrics["sum_of_distances"], metrics["max_load"]) == (sum_of_distances, max_load)


@FAMILIES
@for_each("name", ["aspl", "max_traffic", "aspl_and_traffic"])
def test_exact_search_and_annealing_agree_for_n_6(name, folded):
    space = ConnectionSets(6, folded, site=Site(layout=None if name == "aspl" else Layout()))
    exact = search(space, OBJECTIVES[name], Exact())
    annealed = search(space, OBJECTIVES[name], Anneal(), Limits(evaluations=6_000_000))
    assert annealed.last.evaluation.score == exact.last.evaluation.score
    assert exact.last.status == "optimal"


@FAMILIES
def test_exact_search_is_exact_for_an_uncommon_layout(folded):
    # Racks of three switches break the symmetry of the coordinates differently from racks of four.
    layout = Layout(switches_per_rack=3, racks_across=6, racks_deep=1, pitch_across_m=1.7)
    space, objective = ConnectionSets(4, folded, site=Site(layout=layout)), OBJECTIVES["delay_and_traffic"]
    expected = min(objective(space.design(row)).score for row in all_bases(4).tolist())
    assert search(space, objective, EXACT).last.evaluation.score == expected
    assert search(space, objective, Anneal(), Limits(evaluations=100_000)).last.evaluation.score == expected


# Fronts


def points(run, metrics):
    kept = run.last.kept
    exact = [exact_metrics(design.network) for design in kept]
    found = [tuple(exact_metric(values, metric) for metric in metrics) for values in exact]
    assert len(set(found)) == len(found)  # one design per point
    return set(found)


@FAMILIES
@for_each("metrics", FRONTS)
@for_each("n", [2, 3, 4])
def test_exact_search_and_pareto_chains_find_the_front_of_all_bases(n, metrics, folded):
    space, objective = ConnectionSets(n, folded), FRONTS[metrics]
    expected = front(n, folded, metrics)
    assert points(search(space, objective, EXACT), metrics) == expected
    assert points(search(space, objective, Pareto(), Limits(evaluations=100_000)), metrics) == expected


@FAMILIES
@for_each("metrics", FRONTS)
def test_kept_designs_are_non_dominated_and_sorted_by_score(metrics, folded):
    run = search(ConnectionSets(8, folded), FRONTS[metrics], Pareto(chains=2), Limits(evaluations=20_000))
    for solution in run.solutions:
        found = [FRONTS[metrics].point(design) for design in solution.kept]
        assert solution.design in solution.kept
        assert not any(p != q and p[0] <= q[0] and p[1] <= q[1] for p in found for q in found)
        scores = [x * y for x, y in found]
        assert scores == sorted(scores)


# Status


@FAMILIES
def test_a_complete_search_proves_its_score_as_the_bound(folded):
    run = search(ConnectionSets(4, folded), ASPL_AND_TRAFFIC, EXACT)
    *feasible, optimal = run.solutions
    assert optimal.evaluation.bound == optimal.evaluation.score
    known_bound = score_bounds(ASPL_AND_TRAFFIC, ConnectionSets(4, folded).identical)
    assert {solution.evaluation.bound for solution in feasible} == {known_bound}
    assert {solution.status for solution in feasible} == {"feasible"}
    assert run.reason is None  # no limit was needed


def test_a_complete_front_proves_its_smallest_score_as_a_lower_bound():
    metrics = ("cost", "delay_paper")
    run = search(ConnectionSets(4), FRONTS[metrics], EXACT)
    known_bound = score_bounds(FRONTS[metrics], ConnectionSets(4).identical)
    proven = [solution for solution in run.solutions if solution.evaluation.bound != known_bound]
    lowest = min(solution.evaluation.score for solution in proven)
    assert len(proven) == len(front(4, False, metrics)) == 2
    assert {solution.evaluation.bound for solution in proven} == {lowest}
    assert [solution.evaluation.score for solution in proven if solution.status == "optimal"] == [lowest]
    assert {solution.design for solution in proven} == set(run.last.kept)


def test_a_stopped_exact_search_proves_nothing():
    run = search(ConnectionSets(5), OBJECTIVES["delay"], EXACT, Limits(evaluations=1024))
    assert {solution.status for solution in run.solutions} == {"feasible"}
    assert run.progress[-1].evaluations == 1024


def test_a_chain_of_solutions_improves_at_every_step():
    run = search(ConnectionSets(12), OBJECTIVES["delay_and_traffic"], Anneal(chains=1), Limits(evaluations=40_000))
    scores = [solution.evaluation.score for solution in run.solutions]
    assert len(scores) > 3
    assert all(later < earlier for earlier, later in pairwise(scores))


# The default strategy


@for_each(
    ("objective", "max_n"),
    [
        (ASPL_AND_TRAFFIC, 8),
        (OBJECTIVES["max_traffic"], 8),
        (OBJECTIVES["cost"], 7),
        (OBJECTIVES["delay_and_traffic"], 7),
        (OBJECTIVES["delay"], 7),
        (FRONTS["delay", "max_load"], 7),
        (FRONTS["sum_of_distances", "max_load"], 8),
    ],
)
def test_the_default_is_exact_for_small_n_and_uses_chains_above(objective, max_n):
    assert Auto().choose(ConnectionSets(2), objective) == Auto().choose(ConnectionSets(max_n), objective) == Exact()
    assert Auto().choose(ConnectionSets(max_n + 1), objective) == (Portfolio() if objective.front is None else Pareto())


def test_the_default_proves_the_first_example_optimal():
    found = search(ConnectionSets(8, folded=True), ASPL_AND_TRAFFIC, Auto())
    # 693 hops x 77 packets, and the shortest cables among the classes with these values.
    score = (53361, 38160000)
    assert (found.last.evaluation.score, found.last.status) == (score, "optimal")
    assert found.progress[-1].counts["survivors"] == []
    # Chains find the score in their first round, long before it is proven.
    first = found.progress[0]
    assert (first.score[0], first.searched, first.complete) == (score[0], 0.0, False)
