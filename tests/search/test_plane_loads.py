"""The search for linear planes by loads: what it finds, by definition and by all matrices."""

from itertools import product
from math import lcm

import numpy as np
import pytest

from isoplane.models import InputError, Network
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.site.layout import Layout
from isoplane.models.site.site import Site
from isoplane.objectives import SWITCHES, Lexicographic
from isoplane.search import Anneal, Auto, Limits, solve, space_of
from isoplane.search.planes.space import Relabellings

from .test_planes import WALKS, cube, found, in_words, linear, torus

LOAD = Lexicographic("max_traffic", (("peak_load",),), SWITCHES)


def peak_of(space, *permutations):
    """The load of the busiest link, by the definition: packets take all nearest planes in equal parts of 1 / lcm.

    They take longer on slower links.
    """
    places = np.array([range(len(space.node_switches)), *permutations])
    rows = range(len(places))
    hops = np.array([space.distances_of_places(plane)[0][places[plane]] for plane in rows])
    nearest = hops == hops.min(axis=0)
    parts = np.where(nearest, lcm(*range(1, len(places) + 1)) // nearest.sum(axis=0), 0)
    links = np.array(space.links, dtype=np.int64).reshape(-1, places.shape[1])
    taken = [links[plane % len(links)][places[plane]] for plane in rows]
    rates = space.family.rates_gbps or [1] * len(places)
    return max(
        int((part * (links >> bit & 1)).sum()) * max(rates) // rate
        for part, links, rate in zip(parts, taken, rates, strict=True)
        for bit in range(16)
    )


@pytest.mark.parametrize(
    ("plane", "planes", "folded", "rates"),
    [
        (cube(5), 2, None, None),
        (cube(5), 4, None, None),
        (cube(4, folded=True), 3, None, None),
        (cube(5, folded=True), 3, None, (100, 100, 400)),
        (HyperX(shape=(4, 8), nodes_per_switch=2), 3, None, None),
        (cube(5), 2, None, (400, 200)),
        (cube(4), 2, (1,), None),
        (cube(5), 3, (2,), (100, 200, 200)),
        (cube(5), 3, (1, 2), None),
    ],
)
def test_the_load_that_is_found_is_that_of_the_busiest_link(plane, planes, folded, rates):
    last = found(plane, planes, 50_000, Anneal(chains=2, structured=True), LOAD, folded, rates)
    space = Relabellings(Relabelled(plane=plane, planes=planes, folded=folded, rates_gbps=rates))
    peak = int(space.node_counts.max()) ** 2 * peak_of(space, *last.design.network.family.permutations[1:])
    assert last.evaluation.score == (peak,) < LOAD.point(space.baseline)
    assert last.evaluation.bound[0] <= peak


@pytest.mark.parametrize(
    ("plane", "mixed", "rates"),
    [
        (cube(3), None, None),
        (cube(3, folded=True), None, None),
        (cube(3), (1,), None),
        (cube(3), (1,), (400, 200)),
        (cube(3), None, (200, 400)),
    ],
)
def test_loads_reach_the_least_of_all_matrices_and_none_is_below_the_bound(plane, mixed, rates):
    space = Relabellings(Relabelled(plane=plane, folded=mixed, rates_gbps=rates))
    matrices = [places for columns in product(range(1, 8), repeat=3) if len(set(places := linear(columns))) == 8]
    least = min(peak_of(space, places) for places in matrices)
    assert found(plane, 2, 300_000, Auto(), LOAD, mixed, rates).evaluation.score == (least,)
    assert space.least_load <= least


# Of two planes as `Hypercube` has them, ties in halves.
@pytest.mark.parametrize(("n", "load", "status"), [(4, 6, "optimal"), (6, 24, "optimal"), (7, 50, "feasible")])
def test_loads_of_two_linear_planes_are_those_of_the_best_basis(n, load, status):
    last = found(cube(n), 2, 1_000_000, Auto(), LOAD)
    assert (last.evaluation.score, last.status) == ((load,), status)


# That of linear planes is 100.
def test_planes_over_z4_meet_the_bound_of_loads_at_eight_dimensions():
    last = found(cube(8), 2, 1 << 20, Auto(), LOAD)
    assert (last.evaluation.score, last.status) == ((98,), "optimal")


# In all planes together, of 128: 3 planes share a packet in sixths, 4 in twelfths.
@pytest.mark.parametrize(("planes", "load", "parts"), [(3, 91, 6), (4, 81, 12)])
def test_loads_of_several_planes_of_a_large_cube_are_as_low_as_known(planes, load, parts):
    last = found(cube(8), planes, 100_000, Anneal(chains=1, structured=True), LOAD)
    assert planes * last.evaluation.score[0] <= parts * load


def test_loads_and_distances_are_minimised_one_after_the_other_and_as_a_product():
    hops, load, product = (("total_hops",), ("peak_load",), ("total_hops", "peak_load"))
    scores = {}
    for components in ((hops, load), (load, hops), (product, load)):
        objective = Lexicographic("both", components, SWITCHES)
        last = found(cube(5), 3, 100_000, Auto(), objective)
        scores[components[0]] = last.evaluation.score
    assert scores[hops][0] < scores[load][1]
    assert scores[load][0] < scores[hops][1]
    assert scores[product][0] <= min(scores[hops][0] * scores[hops][1], scores[load][0] * scores[load][1])


def test_cables_choose_among_planes_of_equal_loads():
    space = space_of(network := Network(Relabelled(plane=cube(4))), network.variables)
    objective = Lexicographic("both", (("peak_load",), ("cable_length",)), SWITCHES)
    assert space.fitted(objective) == objective
    assert space.bounds(objective) == (6, None)


def test_loads_are_those_of_linear_planes_with_routes_that_look_alike():
    for family in (Relabelled(plane=torus(4, 4)), Relabelled(plane=cube(4), routing="planned")):
        with pytest.raises(InputError, match=r"relabelled planes expect any but fronts; max_traffic"):
            Relabellings(family).fitted(LOAD)
    with pytest.raises(InputError, match=r"strategy\.structured=false: objective=max_traffic is that of linear planes"):
        found(cube(4), strategy=WALKS, objective=LOAD)


# Cables choose among equals, and vary places in racks only where they are measured.
def test_a_search_by_loads_and_then_cables_begins_at_a_start():
    space = Relabellings(Relabelled(plane=cube(4)), Site(layout=Layout(switches_per_rack=2, aspects=())))
    objective = Lexicographic("both", (("total_hops", "peak_load"), ("cable_length",)), SWITCHES)
    assert space.varies_stacks(Lexicographic("cables", (("cable_length",),), SWITCHES))
    assert not space.varies_stacks(objective)

    def scores(evaluations, **start):
        search = space, objective, Anneal(chains=1, structured=True), Limits(evaluations=evaluations)
        *_, last = solve(*search, seed=1, **start)
        return last.evaluation.score, last.design

    score, design = scores(50_000)
    assert scores(100, warm_start=design)[0] <= score


def test_a_search_by_loads_is_not_worse_than_a_start_that_is_not_linear():
    first = found(cube(8), 2, 2_000_000, Auto())
    space = Relabellings(first.design.network.family)
    *_, last = solve(space, LOAD, Auto(), Limits(evaluations=1000), seed=1, warm_start=first.design)
    assert LOAD.point(first.design) < LOAD.point(space.baseline)
    assert last.evaluation.score <= LOAD.point(first.design)


@pytest.mark.parametrize("words", ["throughput_per_node >= 0.5", "cost_usd_per_node <= 1000000"])
@pytest.mark.parametrize("plane", [torus(4, 5), cube(4)])
def test_a_limit_that_does_not_bind_leaves_the_planes_of_short_paths(plane, words):
    space = Relabellings(Relabelled(plane=plane), Site(layout=Layout(switches_per_rack=2, aspects=())))
    shortest = found(plane, evaluations=400_000).evaluation.score
    *_, last = solve(space, in_words(f"min aspl subject to {words}", space), WALKS, Limits(evaluations=1), seed=1)
    assert last.evaluation.score == (0, *shortest)
