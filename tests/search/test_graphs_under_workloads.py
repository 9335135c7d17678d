"""Regular graphs for the times of a workload: brute force over all small ones, bounds, and resumes."""

from itertools import chain

import igraph
import numpy as np
import pytest

from isoplane.models import Design, InputError, Network
from isoplane.models.families.free_graph import FreeGraph
from isoplane.models.workloads import from_matrix, ring_all_reduce, sparse
from isoplane.objectives import TIMES
from isoplane.objectives.bounds.graph_times import graph_time_bounds
from isoplane.objectives.evaluators import time_objective
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, Limits, solve
from isoplane.search.graphs.space import RegularGraphs
from tests.cases import for_each

from .pages import Pages
from .test_functions_of_networks import cubic_graphs

NAMES = ("completion", "synchronised", "bottleneck", "total")


@pytest.fixture(autouse=True)
def few_moves(monkeypatch):
    monkeypatch.setattr("isoplane.models.routing.balanced.MIN_MOVES", 1 << 12)  # which takes most of the time of graphs
    monkeypatch.setattr("isoplane.search.graphs.measured.CALLS", 4)


def random_workload(nodes, seed):
    random = np.random.default_rng(seed)
    return from_matrix(random.integers(0, 3, (nodes, nodes)) * random.integers(1, 10**6, (nodes, nodes)), "random", 2)


def space_under(workload, switches=6, **options):
    return RegularGraphs(FreeGraph(switches=switches, degree=3, **options), workload=workload)


def all_cubic(space):
    edges = (edges for edges in cubic_graphs([3] * space.family.switches) if igraph.Graph(edges).is_connected())
    return [space.design(tuple(chain(*each))) for each in edges]


@for_each(
    ("words", "limits"),
    [
        ("min completion_ns", None),
        ("min bottleneck_ns, then total_ns", "diameter <= 2"),
        ("min synchronised_ns, then completion_ns", None),
    ],
)
def test_graphs_of_the_least_times_are_found(words, limits):
    space = space_under(random_workload(6, seed=2))
    network = space.baseline.network
    objective = worded_objective(words, TIMES, network, space.workload)
    objective = limited(objective, limits, network) if limits else objective
    least = min(map(objective.point, all_cubic(space)))
    found = []
    for seed in range(1, 4):  # whose cycles end at different graphs
        *_, last = solve(space, objective, Anneal(chains=2), Limits(evaluations=400), seed=seed)
        found.append(last.evaluation.score)
        assert all(low is None or low <= part for low, part in zip(last.evaluation.bound, least, strict=True))
    assert min(found) == least


@for_each("options", [{}, {"node_cable_m": None}, {"nodes_per_switch": 2}])
def test_no_graph_is_faster_than_the_bounds(options):
    nodes = 6 * options.get("nodes_per_switch", 1)
    for workload in (random_workload(nodes, seed=1), sparse(nodes, 2, 10**5, seed=1)):
        space = space_under(workload, **options)
        lows = graph_time_bounds(space.baseline.network, workload, NAMES)
        objective = time_objective("all", NAMES, workload)
        times = np.array([objective.point(design) for design in all_cubic(space)])
        assert (times >= lows).all()


def test_bounds_are_met_where_all_switches_are_neighbours():
    workload = random_workload(4, seed=1)
    complete = Network(FreeGraph(switches=4, degree=3))
    names = ("total",)
    assert graph_time_bounds(complete, workload, names) == time_objective("", names, workload).point(Design(complete))


def test_a_search_under_a_workload_resumes_as_without_an_interruption():
    space = space_under(ring_all_reduce(8, 10**6), switches=8)
    objective = worded_objective("min completion_ns", TIMES, space.baseline.network, space.workload)
    *_, whole = solve(space, objective, Anneal(chains=2), Limits(evaluations=96), seed=1, workers=2)
    pages = Pages()
    list(solve(space, objective, Anneal(chains=2), Limits(evaluations=40), seed=1, checkpoint=pages))
    *_, resumed = solve(space, objective, Anneal(chains=2), Limits(evaluations=96), seed=1, checkpoint=pages)
    assert (resumed.design, resumed.evaluations) == (whole.design, whole.evaluations)


def test_an_objective_without_a_time_is_refused():
    space = space_under(ring_all_reduce(6, 1000))
    objective = worded_objective("min diameter", TIMES, space.baseline.network, space.workload)
    with pytest.raises(InputError, match="has no time of the workload; expected one, or workload=null"):
        space.fitted(objective)
