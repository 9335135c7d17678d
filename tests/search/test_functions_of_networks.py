"""Functions of exact metrics as objectives of networks of switches: found by every method, and resumed."""

from itertools import chain, combinations, permutations, product

import igraph
import pytest

from isoplane.models import InputError
from isoplane.models.families.free_graph import FreeGraph
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.families.relabelled import Relabelled
from isoplane.objectives import SWITCHES
from isoplane.objectives.scoring.function_objective import function_objective
from isoplane.objectives.scoring.functions import imported_function
from isoplane.objectives.scoring.worded_objective import limited, worded_objective
from isoplane.search import Anneal, Limits, Portfolio, solve
from isoplane.search.graphs.host_space import HostGraphs
from isoplane.search.graphs.space import RegularGraphs
from isoplane.search.planes.space import Relabellings
from tests.cases import for_each

from .pages import Pages
from .test_planes import cube, torus

MODULE = """
def worst(metrics):
    return round(1000 * metrics["aspl"] * metrics["peak_load"]) - 100_000, metrics["total_hops"]

def fragile(metrics):
    if metrics["diameter"] < 2:
        raise ValueError("too short")
    return metrics["total_hops"]

def far(metrics):
    return metrics["diameter"] ** 2

def long(metrics):
    return -metrics["diameter"], metrics["total_hops"]
"""


@pytest.fixture(autouse=True)
def goals(tmp_path, monkeypatch):
    (tmp_path / "goals_of_networks.py").write_text(MODULE)
    monkeypatch.setattr("isoplane.models.routing.balanced.MIN_MOVES", 1 << 12)  # which takes most of the time of graphs
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("isoplane.search.graphs.measured.CALLS", 4)
    yield
    imported_function.cache_clear()


def stated(name, space, limits=None):
    network = space.baseline.network
    objective = function_objective(f"goals_of_networks:{name}", SWITCHES, network)
    return limited(objective, limits, network) if limits else objective


@for_each("limits", [None, "diameter >= 2", "goals_of_networks:far <= 1"])
def test_relabelled_planes_of_the_least_value_of_a_function_are_found(limits):
    space = Relabellings(Relabelled(plane=torus(5)))
    objective = stated("worst", space, limits)
    least = min(objective.point(space.design((0, *rest))) for rest in permutations(range(1, 5)))
    *_, last = solve(space, objective, Anneal(chains=2), Limits(evaluations=500), seed=1)
    assert last.evaluation.score == least


def cubic_graphs(left):
    """All simple graphs, given the cables that each switch still lacks."""
    first = next((switch for switch, cables in enumerate(left) if cables), None)
    if first is None:
        yield ()
        return
    others = [switch for switch in range(first + 1, len(left)) if left[switch]]
    for chosen in combinations(others, left[first]):
        fewer = [0 if at == first else cables - (at in chosen) for at, cables in enumerate(left)]
        for edges in cubic_graphs(fewer):
            yield (*((first, other) for other in chosen), *edges)


def least_over_cubic_graphs(space, point_of):
    graphs = cubic_graphs([3] * space.family.switches)
    return min(point_of(edges) for edges in graphs if igraph.Graph(edges).is_connected())


@for_each(("switches", "words"), [(6, "max throughput_per_node"), (6, "min aspl * peak_load")])
def test_graphs_of_the_least_load_are_found(switches, words):
    space = RegularGraphs(FreeGraph(switches=switches, degree=3))
    objective = worded_objective(words, SWITCHES, space.baseline.network)
    least = least_over_cubic_graphs(space, lambda edges: objective.point(space.design(tuple(chain(*edges)))))
    *_, last = solve(space, objective, Anneal(chains=2), Limits(evaluations=300), seed=1)
    assert last.evaluation.score == least
    assert all(low is None or low <= part for low, part in zip(last.evaluation.bound, least, strict=True))


def test_a_graph_of_the_least_value_of_a_function_is_found_far_from_short_paths():
    space = RegularGraphs(FreeGraph(switches=8, degree=3))
    distances = (
        igraph.Graph(edges).distances() for edges in cubic_graphs([3] * 8) if igraph.Graph(edges).is_connected()
    )
    least = min((-max(map(max, hops)), sum(map(sum, hops))) for hops in distances)
    *_, last = solve(space, stated("long", space), Anneal(chains=2), Limits(evaluations=500), seed=1)
    assert last.evaluation.score == least


def host_graphs(nodes, ports, switches):
    """All connected graphs of one plane, as candidates."""
    pairs = [*combinations(range(switches), 2)]
    for hosts in product(range(ports + 1), repeat=switches):
        for edges in chain.from_iterable(combinations(pairs, number) for number in range(len(pairs) + 1)):
            graph = igraph.Graph(switches, edges)
            fits = all(map(int.__le__, graph.degree(), [ports - count for count in hosts]))
            if sum(hosts) == nodes and fits and graph.is_connected():
                yield (switches, *hosts, len(edges), *chain(*edges))


@for_each(("words", "nodes", "ports"), [("max throughput_per_node", 5, 4), ("min cables * peak_load", 5, 4)])
def test_graphs_of_nodes_and_ports_of_the_least_load_are_found(words, nodes, ports):
    space = HostGraphs(HostGraph(nodes=nodes, ports=ports), switches=3)
    objective = worded_objective(words, SWITCHES, space.baseline.network)
    least = min(objective.point(space.design(each)) for each in host_graphs(nodes, ports, 3))
    *_, last = solve(space, objective, Anneal(chains=2), Limits(evaluations=300), seed=1)
    assert last.evaluation.score == least


SPACES = {
    "torus": Relabellings(Relabelled(plane=torus(3, 3))),
    "cube": Relabellings(Relabelled(plane=cube(3))),
    "graph": RegularGraphs(FreeGraph(switches=10, degree=3)),
    "hosts": HostGraphs(HostGraph(nodes=12, ports=5, planes=2)),
}
METHODS = [
    ("torus", Anneal(chains=2), True),
    ("cube", Anneal(chains=2, structured=True), True),
    ("cube", Portfolio(chains=2), True),
    ("graph", Anneal(chains=2), True),
    ("graph", Anneal(chains=2), False),
    ("hosts", Anneal(chains=2), False),
]


@for_each(("name", "strategy", "begins"), METHODS)
def test_functions_search_on_after_an_interruption_as_without_one_whatever_the_workers(name, strategy, begins):
    space = SPACES[name]
    objective, start = stated("worst", space), {"warm_start": space.baseline} if begins else {}
    *_, whole = solve(space, objective, strategy, Limits(evaluations=600), seed=1, workers=2, **start)
    pages = Pages()
    list(solve(space, objective, strategy, Limits(evaluations=250), seed=1, checkpoint=pages, **start))
    *_, resumed = solve(space, objective, strategy, Limits(evaluations=600), seed=1, checkpoint=pages, **start)
    assert (resumed.design, resumed.evaluations) == (whole.design, whole.evaluations)
    assert whole.evaluation.score < objective.point(space.baseline)


def test_a_function_that_fails_during_a_search_says_why():
    space = Relabellings(Relabelled(plane=torus(5)))
    with pytest.raises(InputError, match=r"^function goals_of_networks:fragile: ValueError: too short"):
        list(solve(space, stated("fragile", space), Anneal(chains=2), Limits(evaluations=500), seed=1))
