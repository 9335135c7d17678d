"""The search for regular graphs: what it finds, by the distances of igraph, and what is proven."""

import random
from itertools import chain, combinations, product

import igraph
import pytest

from isoplane.models import Design, InputError, Layout, Network, Site
from isoplane.models.families.free_graph import FreeGraph
from isoplane.models.families.torus import Torus
from isoplane.objectives import SWITCHES, Lexicographic
from isoplane.objectives.reference import reference_exact
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, Auto, Limits, _native, solve, space_of
from isoplane.search.graphs.groups import groups_of
from isoplane.search.graphs.placed import placed_task
from isoplane.search.graphs.space import RegularGraphs
from tests.cases import for_each

ASPL = Lexicographic("aspl", (("total_hops",),), SWITCHES)
DIAMETER = Lexicographic("diameter", (("diameter",), ("total_hops",)), SWITCHES)


def found(switches, degree, objective=ASPL, symmetry="auto", evaluations=60_000, **more):
    space = RegularGraphs(FreeGraph(switches=switches, degree=degree), symmetry)
    *_, last = solve(space, objective, Anneal(chains=2), Limits(evaluations=evaluations), seed=1, **more)
    return last


@pytest.mark.parametrize(
    ("switches", "degree", "hops"), [(10, 3, 150), (14, 3, 14 * 27), (16, 5, 400), (8, 7, 56), (9, 4, 9 * 12)]
)
def test_graphs_that_reach_the_moore_bound_are_found_and_called_optimal(switches, degree, hops):
    last = found(switches, degree)
    assert (last.evaluation.score, last.status) == ((hops,), "optimal")


@pytest.mark.parametrize("symmetry", ["auto", "cyclic", "none"])
@pytest.mark.parametrize("objective", [ASPL, DIAMETER], ids=["aspl", "diameter"])
def test_designs_are_regular_graphs_with_the_distances_of_their_score(symmetry, objective):
    last = found(60, 5, objective, symmetry)
    family = last.design.network.family
    graph = igraph.Graph(60, family.edges)
    assert graph.is_simple()
    assert set(graph.degree()) == {5}
    hops = sum(map(sum, graph.distances()))
    assert last.evaluation.score == ((hops,) if objective == ASPL else (graph.diameter(), hops))
    random = family.baseline
    assert hops < sum(map(sum, igraph.Graph(60, random.edges).distances()))


def test_the_first_of_two_objectives_decides():
    least = {objective.name: found(48, 3, objective, evaluations=100_000).evaluation for objective in (ASPL, DIAMETER)}
    assert least["diameter"].metrics["diameter"] <= least["aspl"].metrics["diameter"]
    assert least["aspl"].metrics["aspl"] <= least["diameter"].metrics["aspl"]


def test_a_start_is_where_a_search_begins():
    best = found(40, 4, evaluations=1000)
    again = found(40, 4, evaluations=1 << 15, symmetry="none", warm_start=best.design)
    assert again.evaluation.score < best.evaluation.score
    assert found(40, 4, evaluations=4, warm_start=best.design).evaluation.score == best.evaluation.score


def test_a_start_of_another_family_is_refused_by_the_name_of_its_key():
    with pytest.raises(InputError, match="^warm_start: a record of network=torus: expected free_graph$"):
        found(9, 4, evaluations=4, warm_start=Design(Network(Torus(shape=(3, 3)), Site(layout=None))))


@pytest.mark.parametrize(("switches", "degree"), [(200, 100), (64, 62), (13, 12), (31, 6)])
def test_dense_graphs_and_those_without_symmetries_are_searched(switches, degree):
    assert found(switches, degree, evaluations=200).evaluation.metrics["diameter"] <= 4


def test_groups_act_freely_on_graphs_of_their_sizes():
    for switches, degree in [(64, 8), (96, 3), (50, 7), (21, 4)]:
        for a, c, b, *_ in groups_of(switches, degree):
            assert switches % (a * c * b) == 0
            assert (switches // (a * c * b) * degree) % 2 == 0 or a * c * b % 2 == 0
        assert groups_of(switches, degree, "none") == [(1, 1, 1, 1, 0, 0, 1)]
        assert set(groups_of(switches, degree, "cyclic")) <= set(groups_of(switches, degree))


def product_of(group, one, other):
    """The product of two elements ((i, l), j), by its definition."""
    a, c, b, p, q, r, s = group
    (i, l), j = one  # noqa: E741
    (x, y), k = other
    for _ in range(j):
        x, y = (p * x + q * y) % a, (r * x + s * y) % c
    return ((i + x) % a, (l + y) % c), (j + k) % b


# Numbers of groups of the orders from 1 (OEIS A000001).
# Quaternions, for one, are no semidirect product.
GROUPS = [1, 1, 1, 2, 1, 2, 1, 5, 2, 2, 1, 5, 1, 2, 1, 14, 1, 5, 1, 5, 2, 2, 1, 15]


def test_groups_are_groups_of_which_no_two_are_isomorphic():
    groups = [group for group in groups_of(24, 2) + groups_of(16, 2) if group[0] * group[1] * group[2] > 1]
    for group in groups:
        a, c, b = group[:3]
        elements = [((x, y), z) for x, y, z in product(range(a), range(c), range(b))]
        some = random.Random(1).choices(elements, k=60)
        for x, y, z in zip(some, some[1:], some[2:], strict=False):
            assert product_of(group, product_of(group, x, y), z) == product_of(group, x, product_of(group, y, z))
        assert sorted(product_of(group, some[0], other) for other in elements) == sorted(elements)
    for order, count in enumerate(GROUPS, start=1):
        found = [group for group in groups_of(order, 2) if group[0] * group[1] * group[2] == order]
        assert (len(found) == count) if order not in (8, 16, 24) else (len(found) < count)


SITED = {"assumed_cable_m": None, "nodes_per_switch": 2}


def sited(text, subject_to=None, symmetry="auto", site=None, **fields):
    """A space of graphs in racks, and an objective in words."""
    network = Network(FreeGraph(**({"switches": 64, "degree": 6} | SITED | fields)), site or Site())
    objective = worded_objective(text, SWITCHES, network)
    objective = objective if subject_to is None else limited(objective, subject_to, network)
    return RegularGraphs(network.family, symmetry, network.site), objective


@pytest.mark.parametrize(
    ("text", "subject_to"),
    [
        ("min cable_length_m", "aspl <= 2.45"),
        ("min cost_usd_per_node", "diameter <= 3"),
        ("min aspl", "longest_cable_m <= 5"),
        ("min aspl, then cable_length_m", None),
        ("min delay_ns", None),
    ],
)
def test_cables_become_shorter_within_limits_by_the_numbers_of_the_reference(text, subject_to):
    space, objective = sited(text, subject_to)
    *_, last = solve(space, objective, Anneal(chains=2), Limits(evaluations=60_000), seed=1)
    assert last.evaluation.score < objective.point(space.baseline)
    assert objective.meets_limits(last.evaluation.score)
    exact, random_graph = reference_exact(last.design.network), reference_exact(space.baseline.network)
    assert last.evaluation.score == objective.point_of(exact)
    assert exact["cable_length"] < random_graph["cable_length"]
    assert igraph.Graph(64, last.design.network.family.edges).is_simple()


@for_each("name", ["cable_fault_diameter", "switch_fault_diameter"])
def test_graphs_are_searched_for_their_diameter_after_the_worst_loss(name):
    space, objective = sited(f"min {name}, then aspl", assumed_cable_m=5.0, switches=24, degree=4)
    *_, last = solve(space, objective, Anneal(chains=1), Limits(evaluations=3000), seed=1)
    exact = reference_exact(last.design.network, after_losses=True)
    assert last.evaluation.score == objective.point_of(exact) < objective.point(space.baseline)
    assert all(low <= part for low, part in zip(space.bounds(objective), last.evaluation.score, strict=True))
    assert last.evaluation.metrics[name] == exact[name]


@pytest.mark.parametrize("text", ["min rack_fault_aspl", "min rack_fault_diameter, then cable_length_m"])
def test_graphs_are_searched_for_what_the_loss_of_a_rack_leaves(text):
    site = Site(Layout(switches_per_rack=5, aspects=()))  # of 26 switches: the last rack has one
    space, objective = sited(text, switches=26, degree=4, site=site)
    *_, last = solve(space, objective, Anneal(chains=1), Limits(evaluations=3000), seed=1)
    exact = reference_exact(last.design.network, of_racks=True)
    assert last.evaluation.score == objective.point_of(exact) < objective.point(space.baseline)
    assert all(low <= part for low, part in zip(space.bounds(objective), last.evaluation.score, strict=True))


def placed(space, objective):
    return placed_task(space.baseline.network, _native.GraphTask(64, 6, groups_of(64, 6), False), objective)


def test_native_scores_are_those_of_the_design_whatever_is_exchanged():
    space, objective = sited("min 3*aspl + cable_length_m, then cost_usd_per_node", "longest_cable_m <= 10")
    walk = _native.PlacedWalk(placed(space, objective), 1, 0, space.candidate(space.baseline), 0.05, 0.005, 500, 1.5)
    better = space.baseline
    for _ in range(5):
        walk.run(400)
        best = space.design(space.canonical(tuple(walk.designs()[0])))
        assert objective.point(best) <= objective.point(better)
        better = best
    again = _native.PlacedWalk(placed(space, objective), 2, 0, space.candidate(better), 0.05, 0.005, 500, 1.5)
    again.offer(space.candidate(space.baseline))  # which is worse
    assert objective.point(space.design(tuple(again.designs()[0]))) == objective.point(better)


@pytest.mark.parametrize(
    ("text", "subject_to"),
    [
        ("min cable_length_m, then aspl", None),
        ("min cost_usd_per_node", "diameter <= 2"),
        ("min longest_cable_m, then aspl, then cable_length_m", None),
        ("min aspl", "cable_length_m <= 3"),
        ("min cable_fault_diameter * cable_fault_aspl, then switch_fault_diameter", None),
        ("min cable_length_m", "switch_fault_diameter <= 2, cable_fault_aspl <= 1.25"),
        ("min rack_fault_aspl, then rack_fault_diameter, then cable_fault_aspl", None),
        ("max rack_fault_diameter", "rack_fault_aspl >= 1.6"),  # some racks leave parts without a path
        ("min cable_length_m", "rack_fault_diameter <= 2, rack_fault_aspl <= 1"),
    ],
)
def test_walks_find_the_best_of_all_graphs_of_six_switches_which_bounds_do_not_exceed(text, subject_to):
    layout = Layout(switches_per_rack=2, aspects=())
    family = FreeGraph(switches=6, degree=3, assumed_cable_m=None)
    space = RegularGraphs(family, site=Site(layout))
    objective = worded_objective(text, SWITCHES, space.baseline.network)
    objective = objective if subject_to is None else limited(objective, subject_to, space.baseline.network)
    graphs = [igraph.Graph(6, edges) for edges in combinations(list(combinations(range(6), 2)), 9)]
    regular = [graph.get_edgelist() for graph in graphs if set(graph.degree()) == {3}]
    assert len(regular) == 70  # labelled cubic graphs of six vertices (OEIS A002829), which are all connected
    best = min(objective.point(space.design(tuple(chain(*edges)))) for edges in regular)
    *_, last = solve(space, objective, Anneal(chains=2, first_leg=200), Limits(evaluations=4000), seed=1)
    assert last.evaluation.score == best
    bound = space.bounds(objective)
    assert all(low is None or low <= part for low, part in zip(bound[:1], best[:1], strict=True))


def test_cables_of_neighbouring_racks_reach_their_bound():
    """Two racks of four switches: full meshes in both, as long as a rack cable, need one cable to the other rack."""
    space = RegularGraphs(FreeGraph(switches=8, degree=4, assumed_cable_m=None), site=Site(Layout(aspects=())))
    network = space.baseline.network
    objective = worded_objective("min cable_length_m", SWITCHES, network)
    *_, last = solve(space, objective, Anneal(chains=2), Limits(evaluations=3000), seed=1)
    between = network.site.prices.cable_for_mm(network.site.layout.cable_mm(0, 4, 8))[0]
    assert (last.evaluation.score, last.status) == ((12 * 1000 + 4 * between,), "optimal")


@pytest.mark.parametrize(
    ("fields", "symmetry", "message"),
    [
        ({"assumed_cable_m": 5.0}, "auto", r"network\.assumed_cable_m=5\.0: all cables are as long; expected null for"),
        ({}, "cyclic", r"network\.symmetry=cyclic: has no effect with objective=.*; expected auto, none"),
        (
            {"site": Site(layout=Layout(assignment="search"))},
            "auto",
            r"layout\.assignment=search: .*; expected in_order for",
        ),
        ({"site": Site(layout=None)}, "auto", "objective=min cable_length_m: needs a layout"),
    ],
)
def test_what_leaves_no_cables_to_shorten_is_refused(fields, symmetry, message):
    space, objective = sited("min cable_length_m", symmetry=symmetry, **fields)
    with pytest.raises(InputError, match=f"^{message}"):
        space.fitted(objective)


def test_other_objectives_and_variables_are_refused():
    network = Network(FreeGraph(switches=12, degree=3))
    with pytest.raises(InputError, match=r"network\.symmetry=mirror: expected auto, cyclic, none"):
        network.variables["symmetry"].within("symmetry", "mirror")
    space = space_of(network, network.variables)
    front = Lexicographic("front", (("peak_load",),), SWITCHES, front=("peak_load", "total_hops"))
    with pytest.raises(InputError, match="objective=front: regular graphs expect any objective but a front"):
        space.fitted(front)
    with pytest.raises(InputError, match=r"strategy.structured=true: has no effect on a search of graphs"):
        next(iter(solve(space, ASPL, Anneal(structured=True), Limits(evaluations=10), seed=1)))
    assert Auto().choose(space, ASPL) == Anneal(chains=2)
