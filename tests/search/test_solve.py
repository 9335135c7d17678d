"""`solve`: warm starts, and inconsistent arguments."""

import pytest

from isoplane.models import Design, InputError, Layout, PriceList, Site, dual_cube, port_aggregate
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Neighbourhood, Pareto, Portfolio, Temper, solve
from tests.cases import for_each, require_refusal
from tests.search.cases import FRONTS, OBJECTIVES, generators, search
from tests.strategies import random_basis

ASPL_AND_TRAFFIC = OBJECTIVES["aspl_and_traffic"]
FRONT = FRONTS["delay", "max_load"]
SPACE = ConnectionSets(8)


# Warm starts


@for_each("folded", [False, True])
@for_each("seed", range(5))
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


@for_each(
    ("network", "description"),
    [
        (dual_cube(7, tuple(1 << i for i in range(7))), "2 planes, hypercube of n=7"),
        (dual_cube(8, tuple(1 << i for i in range(8)), True), "2 planes, folded_hypercube of n=8"),
        (port_aggregate(dual_cube(7, tuple(1 << i for i in range(7)))), "1 plane, hypercube of n=8"),
    ],
)
def test_a_start_of_another_dimension_or_family_is_rejected(network, description):
    message = f"warm_start: {description}; expected 2 planes, hypercube of n=8"
    with pytest.raises(InputError, match=message):
        next(solve(SPACE, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=1), 1, warm_start=Design(network)))


# Invalid input


def begin(space=SPACE, objective=ASPL_AND_TRAFFIC, strategy=None, limits=None, seed=1, **options):
    """Begin a search."""
    return next(solve(space, objective, strategy or Anneal(), limits or Limits(evaluations=1), seed, **options))


BARE = Site(layout=None)
CALLS = [
    *((lambda seed=seed: begin(seed=seed), f"seed={seed}: expected an integer from 0") for seed in (-1, 2**64, 1.0)),
    (lambda: begin(workers=0), "workers=0: expected an integer of at least 1"),
    (lambda: begin(strategy=Pareto()), "strategy=pareto: objective=aspl_and_traffic is one score"),
    (lambda: begin(ConnectionSets(11, site=BARE), strategy=Exact()), "network.n=11: strategy=exact expects an integer"),
    *(
        (lambda each=each: begin(objective=FRONT, strategy=each), "objective=front is a front; expected one score")
        for each in (Temper(), Neighbourhood(), Portfolio())
    ),
    (lambda: begin(strategy=Anneal(first_leg=63)), "strategy.first_leg=63: expected an integer of at least 64"),
    (lambda: begin(objective=FRONT, strategy=Pareto(first_leg=63)), "strategy.first_leg=63: expected an integer of at"),
]
SPACES = [
    ({"n": 1}, "network.n=1: expected an integer from 2 to 16"),
    ({"n": 17, "site": BARE}, "network.n=17"),
    ({"n": 8, "folded": 1}, "network.folded=1: expected true or false"),
    ({"n": 8, "nodes_per_switch": 0}, "network.nodes_per_switch=0"),
    ({"n": 13}, "a cable of 129.9 m: the longest in prices=infiniband_edr is 100 m"),
    ({"n": 8, "site": Site(Layout(racks_across=8, racks_deep=7))}, "too few racks; expected at least 64"),
    ({"n": 3, "site": Site(prices=PriceList(nics_usd={3: 100}))}, "none with 2 ports"),
]
OPTIONS = [
    (Anneal, {"chains": 0}, "strategy.chains=0: expected an integer from 1 to 1024"),
    (Anneal, {"first_leg": 15}, "strategy.first_leg=15: expected an integer from 16 to 1099511627776"),
    (Anneal, {"coolest": 0}, "strategy.coolest=0: expected a number above 0"),
    (Anneal, {"hottest": -1}, "strategy.hottest=-1"),
    (Pareto, {"fall": 0.5}, "strategy.fall=0.5: expected a number of at least 1"),
    (Pareto, {"growth": "fast"}, "strategy.growth='fast'"),
    (Pareto, {"structured": 1}, "strategy.structured=1: expected true or false"),
    (Temper, {"chains": 0}, "strategy.chains=0: expected an integer from 1 to 1024"),
    (Temper, {"replicas": 1}, "strategy.replicas=1: expected an integer from 2 to 256"),
    (Temper, {"coldest": 0}, "strategy.coldest=0: expected a number above 0"),
    (Temper, {"hottest": "x"}, "strategy.hottest='x'"),
    (Temper, {"coldest": 0.2, "hottest": 0.1}, "hottest=0.1: expected coldest to be at most hottest"),
    (Neighbourhood, {"chains": 1025}, "strategy.chains=1025: expected an integer from 1 to 1024"),
    (Neighbourhood, {"most": 4}, "strategy.most=4: expected an integer from 1 to 3"),
    (Neighbourhood, {"temperature": -1}, "strategy.temperature=-1"),
    (Portfolio, {"chains": 0}, "strategy.chains=0: expected an integer from 1 to 1024"),
    (Portfolio, {"mix": ["anneal", "exact"]}, "strategy.mix=exact: expected anneal, structured, temper, neighbourhood"),
    (Portfolio, {"mix": "anneal"}, "strategy.mix=anneal: expected a list of"),
    (Portfolio, {"mix": 3}, "strategy.mix=3: expected a list of"),
    (Portfolio, {"mix": []}, "strategy.mix=[]: expected a list of anneal, structured, temper, neighbourhood"),
]


@for_each(
    ("call", "message"),
    [
        *CALLS,
        *((lambda keys=keys: ConnectionSets(**keys), message) for keys, message in SPACES),
        *((lambda kind=kind, keys=keys: kind(**keys), message) for kind, keys, message in OPTIONS),
    ],
)
def test_what_cannot_be_searched_is_refused(call, message):
    require_refusal(call, message)


def test_without_a_layout_cables_break_no_ties_and_cable_objectives_are_rejected():
    without_layout = ConnectionSets(6, site=BARE)
    solution = search(without_layout, ASPL_AND_TRAFFIC, Anneal(), Limits(evaluations=1000)).last
    assert solution.evaluation.score_names == ("sum_of_distances*max_load",)
    assert solution.evaluation.metrics["delay_ns"] is None
    for objective in (OBJECTIVES["delay"], FRONT):
        with pytest.raises(InputError, match="needs a layout"):
            begin(without_layout, objective)


# Properties of all designs


@for_each("n", [2, 3, 9, 12, 16])
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
