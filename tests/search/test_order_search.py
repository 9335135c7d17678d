"""Search for orders: valid, repeatable, optimal on small graphs, and close to the bound on 64 nodes."""

import sys

import igraph
import numpy as np
import pytest

from isoplane.models import InputError, Network
from isoplane.models.families.direct_hypercube import DirectHypercube
from isoplane.models.families.full_mesh import FullMesh
from isoplane.models.families.graph import Graph
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.objectives.exchanges import check_order, free_routing_bound
from isoplane.search.orders import Exchange, search_order
from isoplane.search.programs.phase_program import assign_phases
from tests.cases import for_each, require_refusal

SMALL = [
    graph for graph in map(igraph.Graph.Atlas, range(209)) if graph.vcount() > 1 and graph.is_connected()
]  # all connected graphs of 2 to 6 nodes


def network_of(graph):
    """Return a direct network with one node per vertex."""
    return Network(Graph(edges=tuple(graph.get_edgelist()), routing="shortest", nodes_per_switch=1, node_cable_m=None))


def conflicts(exchange):
    """Return, for each message, the set of those with which it shares something."""
    sets = [set(part.tolist()) for part in np.split(exchange.resource, exchange.start[1:-1].astype(int))]
    return [{other for other, used in enumerate(sets) if other != own and used & mine} for own, mine in enumerate(sets)]


def colourable(neighbours, colours, colour):
    """Whether a partial colouring can be completed, by trying the vertex with the fewest choices first."""
    left = [vertex for vertex in range(len(neighbours)) if vertex not in colour]
    if not left:
        return True
    taken = {vertex: {colour[other] for other in neighbours[vertex] if other in colour} for vertex in left}
    vertex = max(left, key=lambda each: (len(taken[each]), len(neighbours[each])))
    used = max(colour.values(), default=-1)
    for choice in range(min(colours, used + 2)):
        if choice not in taken[vertex] and colourable(neighbours, colours, {**colour, vertex: choice}):
            return True
    return False


def test_there_are_142_connected_graphs_of_2_to_6_nodes():
    assert len(SMALL) == 1 + 2 + 6 + 21 + 112


def test_the_last_order_on_every_graph_of_up_to_6_nodes_is_optimal():
    for graph in SMALL:
        network = network_of(graph)
        *_, best = search_order(network)
        checked = check_order(network, best.order)
        assert checked.contention_free
        assert best.is_optimal
        assert checked.bound <= best.bound


def test_bounds_on_small_graphs_agree_with_an_exhaustive_search():
    """On one graph of 4 nodes, no order has as few phases as the heaviest link has messages."""
    raised = []
    for graph in SMALL:
        network = network_of(graph)
        if network.nodes > 5:
            continue
        *_, best = search_order(network)
        exchange = Exchange.of(network)
        assert not colourable(conflicts(exchange), best.phases - 1, {})
        raised += [graph.vcount()] if best.bound > exchange.bound else []
    assert raised == [4]


def test_the_constraint_program_agrees_with_an_exhaustive_search():
    for graph in SMALL[:25]:
        exchange = Exchange.of(network_of(graph))
        for phases in (exchange.bound - 1, exchange.bound):
            found = assign_phases(exchange.start, exchange.resource, phases)
            assert (found is not None) == colourable(conflicts(exchange), phases, {})
            if found is not None:
                assert check_order(network_of(graph), exchange.order(found)).contention_free


def test_the_evaluations_decide_the_orders():
    network = Network(Torus(shape=(4, 4)))
    runs = [list(search_order(network, evaluations=3000, seed=5)) for _ in range(2)]
    assert len(runs[0]) == len(runs[1])
    for one, other in zip(*runs, strict=True):
        assert one.order.destination.tobytes() == other.order.destination.tobytes()
        assert (one.evaluations, one.bound) == (other.evaluations, other.bound)
    assert runs[0][-1].evaluations <= 3000


def test_orders_get_shorter_and_stay_free_of_contention():
    network = Network(Torus(shape=(4, 4), ties="parity"))
    found = list(search_order(network, evaluations=20000))
    phases = [each.phases for each in found]
    assert phases == sorted(set(phases), reverse=True)
    for each in found:
        assert check_order(network, each.order).contention_free
        assert each.gap == pytest.approx(1 - 15 / each.phases)


def test_known_orders_are_starts():
    """E-cube takes the XOR order, and a mesh the one of its family, before any evaluation."""
    for family, phases in ((DirectHypercube(n=6), 63), (FullMesh(), 31)):
        (only,) = search_order(Network(family))
        assert (only.phases, only.bound, only.evaluations) == (phases, phases, 0)


def test_jobs_on_some_nodes():
    network, job = Network(Torus(shape=(4, 4))), [3, 0, 9, 14, 6]
    *_, best = search_order(network, job, evaluations=20000)
    assert best.order.nodes.tolist() == job
    assert check_order(network, best.order).contention_free
    assert best.bound == check_order(network, best.order).bound == 4


@for_each(("degree", "goal"), [(4, 1.10), (6, 1.05), (8, 1.05)])
def test_orders_of_64_nodes_are_close_to_the_bound(degree, goal):
    """A fifth of a second here; `benchmarks/orders.py` searches for longer."""
    network = Network(RandomRegular(switches=64, degree=degree, nodes_per_switch=1, node_cable_m=None))
    *_, best = search_order(network, evaluations=12000)
    assert check_order(network, best.order).contention_free
    assert best.phases <= goal * best.bound


def test_the_bound_for_free_routes_is_at_most_that_of_given_routes():
    for family in (Torus(shape=(4, 4)), Torus(shape=(3, 5)), RandomRegular(switches=10, degree=3, nodes_per_switch=1)):
        network = Network(family)
        assert network.nodes - 1 <= free_routing_bound(network) <= Exchange.of(network).bound


def test_the_bound_for_free_routes_of_a_ring_is_the_load_of_its_links():
    """N³/4 hops over 2N links, for even N: N²/8 messages over a link, above N - 1 from N = 8 on."""
    assert free_routing_bound(Network(Torus(shape=(12,)))) == 12**2 // 8


@for_each(
    ("options", "message"),
    [
        ({"evaluations": 0}, "evaluations=0: expected an integer of at least 1"),
        ({"seconds": 0}, "seconds=0: expected a number above 0"),
        ({"seed": -1}, "seed=-1"),
        ({"nodes": [1]}, "processes=1"),
        ({"nodes": [1, 1]}, "expected different ones from 0 to 63"),
        ({"nodes": [1, 64]}, "expected different ones from 0 to 63"),
    ],
)
def test_arguments_out_of_range_are_refused(options, message):
    require_refusal(lambda: next(search_order(Network(Torus()), **options)), message)


def test_routes_that_a_search_cannot_hold_are_refused_in_one_line(monkeypatch):
    ring = Network(Torus(shape=(512,)))
    with pytest.raises(InputError, match="^order: links of the longest route=256: expected an integer from 1 to 253$"):
        next(search_order(ring, [0, 256], evaluations=1))
    monkeypatch.setattr(sys.modules[search_order.__module__], "PhaseSearch", lambda *_: int("loads"))
    with pytest.raises(InputError, match="^order: 2 processes, 1 messages over the busiest link: .*by name$"):
        next(search_order(ring, [0, 9], evaluations=1))
