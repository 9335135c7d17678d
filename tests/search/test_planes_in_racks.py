"""The search for relabelled planes by cables, which also places switches in racks, by all their permutations."""

from itertools import permutations, product

import igraph
import numpy as np
import pytest

from isoplane.models import Site
from isoplane.models.families.graph import Graph
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.torus import Torus
from isoplane.models.site.layout import Layout
from isoplane.models.site.prices import PriceList
from isoplane.search import Limits, solve
from isoplane.search.planes.space import Relabellings

from .test_planes import WALKS, in_words


@pytest.mark.parametrize(
    ("words", "racks"),
    [
        ("min aspl * cable_length_m", {"switches_per_rack": 1, "racks_across": 5, "racks_deep": 1}),
        ("min longest_cable_m, then aspl", {"switches_per_rack": 1, "racks_across": 5, "racks_deep": 1}),
        ("min cable_length_m subject to aspl <= 1", {"switches_per_rack": 2}),
    ],
)
def test_two_small_planes_and_the_racks_of_their_switches_are_the_best_of_all_by_the_cables_of_a_layout(words, racks):
    edges = ((0, 2), (2, 4), (4, 1), (1, 3), (3, 0))
    ring = Graph(edges=edges, nodes_per_switch=1, node_cable_m=2.0, assumed_cable_m=None)
    layout, catalogue = Layout(aspects=(), **racks), PriceList()
    space = Relabellings(Relabelled(plane=ring), Site(layout=layout))
    objective = in_words(words, space)
    lengths = np.array([[catalogue.cable_for_mm(layout.cable_mm(x, y, 5))[0] for y in range(5)] for x in range(5)])
    hops, points = np.array(igraph.Graph(5, edges).distances()), []
    for one, other in product([hops[np.ix_(at, at)] for at in permutations(range(5))], repeat=2):
        cables, both = [lengths[plane == 1] for plane in (one, other)], np.minimum(one, other)
        integers = {"cable_length": int(np.sum(cables)) // 2, "longest_cable": max(2000, int(np.max(cables)))}
        points.append(objective.score({"total_hops": int(both.sum()), **integers}))
    *_, last = solve(space, objective, WALKS, Limits(evaluations=600), seed=1)
    assert last.evaluation.score == min(points) == objective.point(last.design)
    assert last.evaluation.score < min(objective.point(space.design(places)) for places in permutations(range(5)))
    assert space.design(space.candidate(last.design)) == last.design


@pytest.mark.parametrize(("shape", "nodes"), [((5,), 1), ((6,), 2), ((3, 2), 1)])
@pytest.mark.parametrize("rates", [None, (400, 200)])
def test_with_cables_of_one_length_no_permutation_has_less_delay_than_the_bound_that_follows_from_hops(
    shape, nodes, rates
):
    plane = Torus(shape=shape, nodes_per_switch=nodes, node_cable_m=2.0, assumed_cable_m=5)
    space = Relabellings(Relabelled(plane=plane, rates_gbps=rates), Site(layout=Layout()))
    objective, hops = in_words("min delay_ns", space), in_words("min aspl", space)
    designs = [space.design((0, *rest)) for rest in permutations(range(1, plane.switches))]
    (bound,), (least,) = space.bounds(objective), min(map(objective.point, designs))
    assert 0 < bound <= least
    # Delays reach their bound where hops reach theirs.
    assert (bound == least) == (space.bounds(hops) == min(map(hops.point, designs)))
    *_, last = solve(space, objective, WALKS, Limits(evaluations=2000), seed=1)
    assert (last.evaluation.score, last.evaluation.bound) == ((least,), (bound,))
