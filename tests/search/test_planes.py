"""The search for relabelled planes: what it finds, by igraph and by all permutations, and what is proven."""

from dataclasses import replace
from itertools import combinations_with_replacement, permutations, product

import igraph
import numpy as np
import pytest

from isoplane.models import Design, InputError, Network, dual_cube
from isoplane.models.families._dual_cube import cube_planes
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.families.mesh import Mesh
from isoplane.models.families.relabelled import Relabelled
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.objectives import SWITCHES, Lexicographic, metrics_of
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, Auto, Limits, solve, space_of
from isoplane.search.planes.space import Relabellings

ASPL = Lexicographic("aspl", (("total_hops",),), SWITCHES)
WALKS = Anneal(chains=2)


def torus(*shape):
    return Torus(shape=shape, nodes_per_switch=1, node_cable_m=2.0)


def cube(n, folded=False):
    return cube_planes(dual_cube(n, [1 << i for i in range(n)], folded).family.planes[:1], nodes_per_switch=1)


def found(plane, planes=2, evaluations=3_000_000, strategy=WALKS, objective=ASPL, folded=None, rates=None, **more):
    space = Relabellings(Relabelled(plane=plane, planes=planes, folded=folded, rates_gbps=rates))
    *_, last = solve(space, objective, strategy, Limits(evaluations=evaluations), seed=1, **more)
    return last


def in_words(words, space):
    """An objective in words, perhaps with limits."""
    text, _, limits = words.partition(" subject to ")
    network = space.baseline.network
    objective = worded_objective(text, SWITCHES, network)
    return limited(objective, limits, network) if limits else objective


def linear(columns):
    """The places M x of all x, as columns of M give them."""
    places = [0]
    for column in columns:
        places += [place ^ column for place in places]
    return places


def all_linear(n):
    """The places of every matrix."""
    columns = product(range(1, 1 << n), repeat=n)
    return [places for each in columns if len(set(places := linear(each))) == 1 << n]


def hops_of(design):
    """The sum of distances over the nearest plane, by igraph."""
    network = design.network
    all_hops = []
    for plane in network.planes:
        peer = plane.topology.peer
        cables = [(s, int(t)) for s, ends in enumerate(peer) for t in ends if t >= 0]
        between, at = igraph.Graph(len(peer), cables).distances(), plane.node_switch.tolist()
        all_hops.append([[between[s][t] for t in at] for s in at])
    return sum(min(hops) for rows in zip(*all_hops, strict=True) for hops in zip(*rows, strict=True))


@pytest.mark.parametrize(
    ("plane", "planes"),
    [
        (HyperX(shape=(4, 4), nodes_per_switch=2), 2),
        (torus(5, 4), 3),
        (cube(4, folded=True), 2),
        (cube(5), 3),
        (cube(4, folded=True), 5),
        (SlimFly(q=3), 2),
    ],
)
def test_the_score_of_what_is_found_is_the_sum_of_distances_by_igraph(plane, planes):
    last = found(plane, planes, evaluations=50_000)
    assert last.evaluation.score == (hops_of(last.design),)
    assert hops_of(last.design) < hops_of(Relabellings(Relabelled(plane=plane, planes=planes)).baseline)


@pytest.mark.parametrize(
    "plane", [torus(6), torus(7), torus(4, 2), HyperX(shape=(3, 2), nodes_per_switch=2), cube(2), cube(2, True)]
)
def test_small_networks_reach_the_least_of_all_permutations_and_none_is_below_the_bound(plane):
    space = Relabellings(Relabelled(plane=plane))
    hops, nodes = space.distances, int(space.node_counts.max())
    switches = range(len(hops))
    # Any switch can have the place of switch 0: all networks here look the same from each.
    places = ((0, *others) for others in permutations(switches[1:]))
    least = min(sum(min(hops[x][y], hops[p[x]][p[y]]) for x in switches for y in switches) for p in places)
    assert space.least_hops <= nodes**2 * least == found(plane).evaluation.score[0]


@pytest.mark.parametrize(("sides", "n"), [(1, 2), (2, 4), (3, 6)])
def test_a_torus_of_sides_4_has_the_bound_of_the_cube_that_it_is(sides, n):
    grid, same = (Relabellings(Relabelled(plane=plane)) for plane in (torus(*[4] * sides), cube(n)))
    assert grid.distances.sum() == same.distances.sum()
    assert grid.least_hops == same.least_hops


def test_the_bound_of_a_torus_is_higher_than_by_counting_pairs_and_not_taken_where_distances_differ():
    space = Relabellings(Relabelled(plane=torus(8, 8)))
    identical = int(space.distances.sum())
    within = [int((space.distances <= hops).sum()) - 64 for hops in range(9)]
    counted = sum(max(0, 64 * 63 - 2 * pairs) for pairs in within)
    assert (round(1 - counted / identical, 3), round(1 - space.least_hops / identical, 3)) == (0.328, 0.283)
    mesh = Relabellings(Relabelled(plane=Mesh(shape=(3, 3), nodes_per_switch=1, node_cable_m=2.0)))
    within = [int((mesh.distances <= hops).sum()) - 9 for hops in range(5)]
    assert mesh.least_hops == sum(max(0, 72 - 2 * pairs) for pairs in within)


@pytest.mark.parametrize(("plane", "hops"), [(cube(7), 128 * 336), (cube(4), 16 * 22), (SlimFly(q=5), None)])
def test_planes_that_reach_their_bound_are_called_optimal(plane, hops):
    last = found(plane, evaluations=20_000_000)
    assert last.status == "optimal"
    assert hops is None or last.evaluation.score == (hops,)


def test_no_linear_second_plane_of_a_cube_is_below_the_bound_of_all_permutations():
    for n, generators in [(4, (7, 11, 13, 14)), (5, (7, 11, 19, 29, 30))]:
        linear = metrics_of(Design(dual_cube(n, generators, nodes_per_switch=1, layout=None)))
        assert Relabellings(Relabelled(plane=cube(n))).least_hops <= linear["sum_of_distances"] << n


@pytest.mark.parametrize(("planes", "folded"), [(3, False), (3, True), (4, False)])
def test_planes_that_are_found_are_not_below_the_bound_of_several(planes, folded):
    plane = cube(7, folded)
    assert Relabellings(Relabelled(plane=plane, planes=planes)).least_hops <= found(plane, planes).evaluation.score[0]


@pytest.mark.parametrize("words", ["min plane_fault_aspl", "min aspl subject to plane_fault_aspl <= 1.1"])
def test_three_small_planes_are_the_best_of_all_permutations_after_the_loss_of_any_one(words):
    space = Relabellings(Relabelled(plane=torus(5), planes=3))
    hops, objective = space.distances, in_words(words, space)
    planes = [hops[np.ix_(at, at)] for at in (np.array((0, *rest)) for rest in permutations(range(1, 5)))]
    points = []
    for one, other in product(planes, repeat=2):
        pairs = ((hops, one), (hops, other), (one, other))
        lost, intact = (
            max(int(np.minimum(*pair).sum()) for pair in pairs),
            int(np.minimum(np.minimum(hops, one), other).sum()),
        )
        points.append(objective.point_of({"plane_fault_hops": lost, "total_hops": intact}))
    last = found(torus(5), 3, 3000, objective=objective)
    assert last.evaluation.score == min(points) == objective.point(last.design)
    assert all(low <= part for low, part in zip(space.bounds(objective), min(points), strict=True))


@pytest.mark.parametrize("words", ["min cable_fault_aspl", "min switch_fault_diameter, then cable_fault_diameter"])
def test_two_small_planes_are_the_best_of_all_permutations_after_the_loss_of_a_cable_or_switch(words):
    space = Relabellings(Relabelled(plane=torus(5)))
    objective = in_words(words, space)
    least = min(objective.point(space.design((0, *rest))) for rest in permutations(range(1, 5)))
    assert found(torus(5), evaluations=500, objective=objective).evaluation.score == least


def test_three_linear_planes_are_the_best_of_all_matrices_after_the_loss_of_any_one():
    space = Relabellings(Relabelled(plane=cube(3), planes=3))
    hops, words = space.distances[0], "min plane_fault_diameter, then plane_fault_aspl, then aspl"
    ways = {tuple(hops[list(places)]) for places in all_linear(3)}
    points = []
    for one, other in combinations_with_replacement([np.array(way) for way in ways], 2):
        left = [np.minimum(*pair) for pair in ((hops, one), (hops, other), (one, other))]
        least = np.minimum(np.minimum(hops, one), other)
        points.append((max(each.max() for each in left), 8 * max(each.sum() for each in left), 8 * least.sum()))
    last = found(cube(3), 3, 4000, Anneal(chains=1, structured=True), in_words(words, space), warm_start=space.baseline)
    assert last.evaluation.score == min(points)


def test_what_is_left_of_two_planes_is_proven_to_be_one_of_them():
    last = found(torus(6), objective=in_words("min plane_fault_aspl", Relabellings(Relabelled(plane=torus(6)))))
    assert (last.evaluation.score, last.status) == ((6 * (1 + 1 + 2 + 2 + 3),), "optimal")


def test_a_start_is_where_a_search_begins():
    best = found(torus(4, 4), evaluations=100_000)
    again = found(torus(4, 4), evaluations=16, warm_start=best.design)
    assert again.evaluation.score == best.evaluation.score


def test_switches_without_nodes_keep_their_places():
    space = Relabellings(Relabelled(plane=LeafSpine(leaf_switches=6, spine_switches=2, nodes_per_leaf=2)))
    assert space.node_switches.tolist() == [0, 1, 2, 3, 4, 5]
    family = space.design((5, 4, 3, 2, 1, 0)).network.family
    assert family.places == ((5, 4, 3, 2, 1, 0, 6, 7),)
    assert space.candidate(space.design((5, 4, 3, 2, 1, 0))) == (5, 4, 3, 2, 1, 0)


def test_other_objectives_policies_and_values_are_refused():
    network = Network(Relabelled(plane=torus(4, 4)))
    with pytest.raises(InputError, match=r"network\.places=\[\[0, 1\]\]: the search determines them; expected null"):
        network.variables["places"].within("places", [[0, 1]])
    space = space_of(network, network.variables)
    with pytest.raises(InputError, match="objective=both: relabelled planes expect any but fronts"):
        space.fitted(replace(ASPL, name="both", front=("total_hops", "diameter")))
    with pytest.raises(InputError, match=r"network\.policy=spray: relabelled planes expect nearest"):
        Relabellings(Relabelled(plane=torus(4, 4), policy="spray")).fitted(ASPL)
    with pytest.raises(InputError, match=r"strategy.fall=2.0: has no effect on a search of relabelled planes"):
        next(iter(solve(space, ASPL, Anneal(fall=2), Limits(evaluations=10), seed=1)))


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("planes", [2, 3])
def test_linear_planes_reach_the_least_of_all_matrices(planes, folded):
    plane = cube(3, folded)
    (hops, *_) = Relabellings(Relabelled(plane=plane)).distances
    matrices = all_linear(3)
    assert len(matrices) == (8 - 1) * (8 - 2) * (8 - 4)
    of_matrices = {tuple(hops[places]) for places in matrices}
    choices = combinations_with_replacement(of_matrices, planes - 1)
    least = min(int(np.minimum.reduce([hops, *others]).sum()) for others in choices)
    last = found(plane, planes, 50_000, Anneal(chains=1, structured=True))
    assert last.evaluation.score == (8 * least,) == (hops_of(last.design),)


# Of two planes as `Hypercube` finds and proves them among linear ones, and of Z4^4, below 800.
@pytest.mark.parametrize(("n", "hops"), [(4, 22), (6, 144), (8, 784)])
def test_two_structured_planes_of_a_cube_are_as_good_as_any_basis(n, hops):
    strategy = Anneal(chains=1, structured=True)
    assert found(cube(n), 2, 1_000_000, strategy).evaluation.score == (hops << n,)


def test_structured_planes_add_as_digits_of_four_and_two():
    gray, x = np.array([0, 1, 3, 2]), np.arange(1 << 6)  # each its own inverse

    def sums(digits):
        """The sum of every two vertices, of which some pairs of coordinates are digits of four in Gray code."""
        places = x[:, None] ^ x
        for shift in range(0, 2 * digits, 2):
            digit = gray[x >> shift & 3]
            places = places & ~(3 << shift) | gray[(digit[:, None] + digit) % 4] << shift
        return places

    def adds(places):
        return any(np.array_equal(places[of], of[np.ix_(places, places)]) for of in map(sums, range(4)))

    permutations = found(cube(6), 3, 200_000, Anneal(chains=1, structured=True)).design.network.family.permutations
    assert all(map(adds, permutations))
    assert not adds(np.roll(permutations[0], 1))


def test_planes_of_a_large_cube_are_as_short_as_known():
    assert found(cube(8), 4, 4_000_000, Anneal(chains=2, structured=True)).evaluation.score[0] <= 612 << 8


# Counting: 4 planes have 24 of 63 switches within 1 hop, and all others within 2.
@pytest.mark.parametrize(
    ("plane", "planes", "hops"),
    [(cube(6), 4, (24 + 39 * 2) << 6), (cube(6, True), 3, None), (HyperX(shape=(16, 16), nodes_per_switch=1), 2, None)],
)
def test_linear_planes_that_reach_the_counting_bound_are_called_optimal(plane, planes, hops):
    last = found(plane, planes, 2_000_000, Auto())
    assert last.status == "optimal"
    assert hops is None or last.evaluation.score == (hops,)


# Exchanges of places reach 784; at n = 9 and 10, from products of smaller planes, 1808 and 4120.
@pytest.mark.parametrize(("n", "hops"), [(8, 784), (9, 1808), pytest.param(10, 4096, marks=pytest.mark.long)])
def test_two_large_planes_are_found_over_z4_at_once(n, hops):
    last = found(cube(n), 2, (1 << 19) + (1 << 12 + n), Auto())
    assert last.evaluation.score == (hops << n,) == (hops_of(last.design),)


@pytest.mark.parametrize("plane", [torus(4, 3), torus(8), SlimFly(q=3)])
def test_planes_without_linear_places_refuse_structured_walks(plane):
    with pytest.raises(InputError, match="strategy.structured=true: has no effect on a search of relabelled planes"):
        found(plane, strategy=Anneal(structured=True))


def test_a_folded_cube_beside_a_cube_reaches_the_least_of_all_permutations():
    space = Relabellings(Relabelled(plane=cube(3), folded=(1,)))
    hops, others = space.distances, space.distances_of_places(1)
    places = (np.array((0, *rest)) for rest in permutations(range(1, 8)))
    least = min(int(np.minimum(hops, others[np.ix_(at, at)]).sum()) for at in places)
    last = found(cube(3), folded=(1,))
    assert last.evaluation.score == (least,) == (hops_of(last.design),)
    assert space.least_hops <= least


# Of a plane, 63 switches: 6 and 7 within 1 hop, 21 and 28 within 2.
def test_a_folded_cube_beside_a_cube_reaches_the_counting_bound():
    last = found(cube(6), folded=(1,))
    hops = 63 + (63 - 6 - 7) + (63 - 21 - 28)
    assert (last.evaluation.score, last.status) == ((hops << 6,), "optimal")
    linear = found(cube(6), 3, 200_000, Anneal(chains=1, structured=True), folded=(2,))
    assert linear.evaluation.score == (hops_of(linear.design),)
