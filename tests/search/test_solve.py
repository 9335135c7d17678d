"""`solve`: warm starts, and inconsistent arguments."""

import pytest

from isoplane.models import Design, InputError, Layout, PriceList, Site, dual_cube, port_aggregate
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Neighbourhood, Pareto, Portfolio, Temper, solve
from tests.search.cases import FRONTS, OBJECTIVES, generators, search
from tests.strategies import random_basis

ASPL_AND_TRAFFIC = OBJECTIVES["aspl_and_traffic"]
FRONT = FRONTS["delay", "max_load"]
SPACE = ConnectionSets(8)


# Warm starts


@pytest.mark.parametrize("folded", [False, True], ids=["plain", "folded"])
@pytest.mark.parametrize("seed", range(5))
def test_a_search_never_ends_worse_than_its_start(seed, folded):
    space = ConnectionSets(7, folded)
    start = space.design(random_basis(7, seed).generators)
    for evaluations in (1, 50, 5000):
        run = search(space, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=evaluations), seed, warm_start=start)
        assert run.last.evaluation.score <= ASPL_AND_TRAFFIC(start).score


def test_a_search_that_begins_with_the_best_design_keeps_it():
    space = ConnectionSets(5)
    best = search(space, ASPL_AND_TRAFFIC, Exact(head_start=1024)).last.design
    run = search(space, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=100_000), seed=9, warm_start=best)
    assert [generators(solution.design) for solution in run.solutions] == [generators(best)]
    exact = search(space, ASPL_AND_TRAFFIC, Exact(head_start=1024), seed=9, warm_start=best)
    assert {solution.evaluation.score for solution in exact.solutions} == {ASPL_AND_TRAFFIC(best).score}


def test_a_front_keeps_a_non_dominated_start():
    space = ConnectionSets(6)
    start = search(space, FRONT, Pareto(), Limits(evaluations=50_000), seed=1).last.design
    run = search(space, FRONT, Pareto(), Limits(evaluations=8), seed=2, warm_start=start)
    assert start in run.last.kept


def test_a_start_may_have_another_site():
    start = Design(dual_cube(8, random_basis(8, 1).generators, layout=None))
    assert search(SPACE, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=1), warm_start=start).solutions


@pytest.mark.parametrize(
    ("network", "description"),
    [
        (dual_cube(7, tuple(1 << i for i in range(7))), "2 planes, hypercube of n=7"),
        (dual_cube(8, tuple(1 << i for i in range(8)), True), "2 planes, folded_hypercube of n=8"),
        (port_aggregate(dual_cube(7, tuple(1 << i for i in range(7)))), "1 planes, hypercube of n=8"),
    ],
)
def test_a_start_of_another_dimension_or_family_is_rejected(network, description):
    message = f"warm_start: {description}; expected 2 planes, hypercube of n=8"
    with pytest.raises(InputError, match=message):
        next(solve(SPACE, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=1), 1, warm_start=Design(network)))


# Invalid input


@pytest.mark.parametrize("seed", [-1, 2**64, 1.0, True])
def test_seeds_are_64_bit_integers(seed):
    with pytest.raises(InputError, match=f"seed={seed}: expected an integer from 0 to 18446744073709551615"):
        next(solve(SPACE, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=1), seed))


def test_at_least_one_worker_is_required():
    with pytest.raises(InputError, match="workers=0: expected an integer of at least 1"):
        next(solve(SPACE, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=1), 1, workers=0))


def test_pareto_chains_require_a_front():
    with pytest.raises(InputError, match="strategy=pareto: objective=aspl_and_traffic is one score"):
        next(solve(SPACE, ASPL_AND_TRAFFIC, Pareto(), Limits(evaluations=1), 1))


def test_exact_search_is_limited_to_small_n():
    with pytest.raises(InputError, match=r"network.n=11: strategy=exact expects an integer from 2 to 10"):
        next(solve(ConnectionSets(11, site=Site(layout=None)), ASPL_AND_TRAFFIC, Exact(), Limits(), 1))


def test_without_a_layout_cables_break_no_ties_and_cable_objectives_are_rejected():
    without_layout = ConnectionSets(6, site=Site(layout=None))
    solution = search(without_layout, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=1000)).last
    assert solution.evaluation.score_names == ("sum_of_distances*max_load",)
    assert solution.evaluation.metrics["delay_ns"] is None
    for objective in (OBJECTIVES["delay"], FRONT):
        with pytest.raises(InputError, match="needs a layout"):
            next(solve(without_layout, objective, Anneal(), Limits(evaluations=1), 1))


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ({"n": 1}, "network.n=1: expected an integer from 2 to 16"),
        ({"n": 17, "site": Site(layout=None)}, "network.n=17"),
        ({"n": 8, "folded": 1}, "network.folded=1: expected true or false"),
        ({"n": 8, "nodes_per_switch": 0}, "network.nodes_per_switch=0"),
        ({"n": 13}, r"a cable of 129.9 m: the longest in prices=infiniband_edr is 100 m"),
        ({"n": 8, "site": Site(Layout(racks_across=8, racks_deep=7))}, "too few racks; expected at least 64"),
        ({"n": 3, "site": Site(prices=PriceList(nics_usd={3: 100}))}, "none with 2 ports"),
    ],
)
def test_spaces_that_cannot_be_built_are_rejected(space, message):
    with pytest.raises(InputError, match=message):
        ConnectionSets(**space)


@pytest.mark.parametrize("strategy", [Anneal, Pareto])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chains": 0}, "strategy.chains=0: expected an integer from 1 to 1024"),
        ({"first_leg": 15}, "strategy.first_leg=15: expected an integer of at least 16"),
        ({"coolest": 0}, "strategy.coolest=0: expected a number above 0"),
        ({"hottest": -1}, "strategy.hottest=-1"),
        ({"fall": 0.5}, "strategy.fall=0.5: expected a number of at least 1"),
        ({"growth": "fast"}, "strategy.growth='fast'"),
        ({"structured": 1}, "strategy.structured=1: expected true or false"),
    ],
)
def test_options_of_annealing_out_of_range_are_rejected(strategy, options, message):
    with pytest.raises(InputError, match=message):
        strategy(**options)


@pytest.mark.parametrize(("objective", "strategy"), [(ASPL_AND_TRAFFIC, Anneal), (FRONT, Pareto)])
def test_annealing_cycles_over_bases_have_a_minimum_length(objective, strategy):
    with pytest.raises(InputError, match="strategy.first_leg=63: expected an integer of at least 64"):
        next(solve(SPACE, objective, strategy(first_leg=63), Limits(evaluations=1), 1))


@pytest.mark.parametrize(
    ("strategy", "options", "message"),
    [
        (Temper, {"chains": 0}, "strategy.chains=0: expected an integer from 1 to 1024"),
        (Temper, {"replicas": 1}, "strategy.replicas=1: expected an integer from 2 to 256"),
        (Temper, {"coldest": 0}, "strategy.coldest=0: expected a number above 0"),
        (Temper, {"hottest": "x"}, "strategy.hottest='x'"),
        (
            Temper,
            {"coldest": 0.2, "hottest": 0.1},
            "hottest=0.1: expected coldest to be at most hottest",
        ),
        (Neighbourhood, {"chains": 1025}, "strategy.chains=1025: expected an integer from 1 to 1024"),
        (Neighbourhood, {"most": 4}, "strategy.most=4: expected an integer from 1 to 3"),
        (Neighbourhood, {"temperature": -1}, "strategy.temperature=-1"),
        (Portfolio, {"chains": 0}, "strategy.chains=0: expected an integer from 1 to 1024"),
        (
            Portfolio,
            {"mix": ["anneal", "exact"]},
            "strategy.mix=exact: expected anneal, structured, temper, neighbourhood",
        ),
        (Portfolio, {"mix": "anneal"}, "strategy.mix=anneal: expected a list of"),
        (Portfolio, {"mix": 3}, "strategy.mix=3: expected a list of"),
        (Portfolio, {"mix": []}, r"strategy.mix=\[\]: expected a list of anneal, structured, temper, neighbourhood"),
    ],
)
def test_options_of_the_other_heuristics_out_of_range_are_rejected(strategy, options, message):
    with pytest.raises(InputError, match=message):
        strategy(**options)


@pytest.mark.parametrize("strategy", [Temper(), Neighbourhood(), Portfolio()], ids=lambda s: s.name)
def test_other_heuristics_reject_fronts(strategy):
    with pytest.raises(InputError, match=f"strategy={strategy.name}: objective=front is a front; expected one score"):
        next(solve(SPACE, FRONT, strategy, Limits(evaluations=1), 1))


# Properties of all designs


@pytest.mark.parametrize("n", [2, 3, 9, 12, 16])
def test_designs_are_bases_of_the_space_on_its_site(n):
    # Networks check that their planes are bases when they are built.
    space = ConnectionSets(n, True, nodes_per_switch=2, site=Site(layout=None if n > 12 else Layout()))
    objective = OBJECTIVES["aspl"]
    for solution in search(space, objective, Anneal(first_leg=64), Limits(evaluations=4000)).solutions:
        network = solution.design.network
        assert (network.family.n, network.family.folded, network.family.nodes_per_switch, network.site.layout) == (
            n,
            True,
            2,
            space.site.layout,
        )
        assert network.family.planes[0] == space.identical.family.planes[0]
