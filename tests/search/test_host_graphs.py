"""The search for graphs of nodes and ports: all small ones by brute force, the distances of igraph, and prices."""

from itertools import combinations, product

import igraph
import numpy as np
import pytest

from isoplane.models import Design, InputError, Layout, Network, Site
from isoplane.models.families.host_graph import HostGraph
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.host_sizes import evenly, least_switches
from isoplane.models.network import NO_SITE
from isoplane.objectives import SWITCHES, Lexicographic
from isoplane.objectives.bounds.distance_bound import least_host_hops
from isoplane.objectives.scoring.worded_objective import limited
from isoplane.search import Anneal, Auto, Exact, Limits, solve, space_of
from isoplane.search.graphs.host_members import best_member, cabled_pairs
from isoplane.search.graphs.host_space import HostGraphs

ASPL = Lexicographic("aspl", (("total_hops",),), SWITCHES)
COST = Lexicographic("cost", (("cost",),), SWITCHES)


def graphs_within(switches):
    """All connected graphs of some switches, as distances and degrees."""
    found, pairs = [], list(combinations(range(switches), 2))
    for chosen in product((False, True), repeat=len(pairs)):
        graph = igraph.Graph(switches, [pair for pair, is_edge in zip(pairs, chosen, strict=True) if is_edge])
        if graph.is_connected():
            found.append((np.array(graph.distances(), dtype=np.int64), np.array(graph.degree())))
    return found


def hosts_within(nodes, switches, ports):
    """All numbers of nodes at switches with a port for a cable at each, descending: the others are relabelled."""
    return [
        np.array(hosts)
        for hosts in product(range(ports), repeat=switches)
        if sum(hosts) == nodes and list(hosts) == sorted(hosts, reverse=True)
    ]


def fewest_hops(nodes, ports, switches, planes):
    """The least sum of distances over all pairs of nodes, of every graph."""
    graphs = graphs_within(switches)
    least = None
    for hosts in hosts_within(nodes, switches, ports):
        fitting = [distances for distances, degrees in graphs if (degrees + hosts <= ports).all()]
        for chosen in product(fitting, repeat=planes):
            hops = int((np.minimum.reduce(chosen) * np.outer(hosts, hosts)).sum())
            least = hops if least is None else min(least, hops)
    return least


SMALL = [
    (nodes, ports, switches, 1)
    for nodes, ports in ((4, 3), (5, 3), (6, 3), (5, 4), (6, 4))
    for switches in range(least_switches(nodes, ports), 6)
]


@pytest.mark.parametrize(("nodes", "ports", "switches", "planes"), [*SMALL, (6, 4, 4, 2), (5, 4, 4, 2)])
def test_the_search_finds_the_best_of_all_small_graphs(nodes, ports, switches, planes):
    space = HostGraphs(HostGraph(nodes=nodes, ports=ports, planes=planes), switches)
    *_, last = solve(space, ASPL, Anneal(chains=2), Limits(evaluations=40_000), seed=1)
    least = fewest_hops(nodes, ports, switches, planes)
    assert last.evaluation.score == (least,)
    assert least_host_hops(nodes, ports, planes) <= least


@pytest.mark.parametrize(("nodes", "ports", "switches"), [(128, 24, 8), (12, 7, 2), (24, 9, 4)])
def test_full_meshes_are_found(nodes, ports, switches):
    """K8 with 16 nodes at each: 112 of the 128 nodes are a hop away from each, and no ports are left."""
    space = HostGraphs(HostGraph(nodes=nodes, ports=ports))
    *_, last = solve(space, ASPL, Anneal(chains=2), Limits(evaluations=200_000), seed=1)
    family = last.design.network.family
    assert len(family.hosts) == switches
    assert last.evaluation.metrics["diameter"] == 1
    assert last.evaluation.score[0] <= nodes * (nodes - nodes // switches)


@pytest.mark.parametrize(("nodes", "ports", "switches"), [(1024, 24, 79), (300, 16, 33)])
def test_members_of_families_are_starts_of_nearly_the_shortest_paths(nodes, ports, switches):
    """PolarFly of 73 and of 31 switches, with six and two more: all nodes are within two hops of each other."""
    space = HostGraphs(HostGraph(nodes=nodes, ports=ports))
    family = space.family_of(best_member(space, seed=1))
    hops, pairs = hops_by_igraph(family), nodes * (nodes - 1)
    assert len(family.hosts) == switches
    assert 0 <= hops - least_host_hops(nodes, ports, 1) < pairs // 1000
    assert hops_by_igraph(space.family_of(best_member(HostGraphs(space.family, len(family.hosts) + 1), seed=1))) > hops


def hops_by_igraph(family):
    distances = [
        np.array(igraph.Graph(len(family.hosts), [list(pair) for pair in pairs]).distances()) for pairs in family.edges
    ]
    return int((np.minimum.reduce(distances) * np.outer(family.hosts, family.hosts)).sum())


@pytest.mark.parametrize(
    ("nodes", "ports", "planes", "switches"), [(300, 16, 1, None), (90, 9, 2, 20), (64, 6, 3, None)]
)
def test_designs_have_the_distances_of_their_score(nodes, ports, planes, switches):
    space = HostGraphs(HostGraph(nodes=nodes, ports=ports, planes=planes), switches)
    *_, last = solve(space, ASPL, Anneal(chains=2), Limits(evaluations=60_000), seed=1)
    family = last.design.network.family
    assert last.evaluation.score == (hops_by_igraph(family),)
    assert least_host_hops(nodes, ports, planes) <= last.evaluation.score[0] < hops_by_igraph(family.baseline)
    assert switches in (None, len(family.hosts))
    assert space.candidate(space.design(space.candidate(last.design))) == space.candidate(last.design)


def test_a_start_is_where_a_search_begins_and_may_be_of_another_number_of_switches():
    family = HostGraph(nodes=60, ports=10)
    space = HostGraphs(family)
    *_, best = solve(HostGraphs(family, 9), ASPL, Anneal(chains=2), Limits(evaluations=20_000), seed=1)
    *_, again = solve(space, ASPL, Anneal(chains=2), Limits(evaluations=4), seed=1, warm_start=best.design)
    assert again.evaluation.score == best.evaluation.score
    with pytest.raises(
        InputError, match=r"^warm_start: host_graph 60/10, 9 switches; expected nodes=60, .*8 switches$"
    ):
        next(solve(HostGraphs(family, 8), ASPL, Anneal(), Limits(evaluations=4), seed=1, warm_start=best.design))
    with pytest.raises(InputError, match="^warm_start: a record of network=torus: expected host_graph$"):
        space.candidate(Design(Network(Torus(shape=(3, 3)), Site(layout=None))))


LAID_OUT = Site(layout=Layout(switches_per_rack=4, aspects=(), nodes_per_rack=20))


def cheapest(switches=None, evaluations=10_000, least="1.2", **more):
    family = HostGraph(nodes=30, ports=10, planes=2, assumed_cable_m=None)
    objective = limited(COST, f"throughput_per_node >= {least}", Network(family, LAID_OUT))
    space = HostGraphs(family, switches, LAID_OUT)
    *_, last = solve(space, objective, Anneal(first_leg=100), Limits(evaluations=evaluations), seed=1, **more)
    return last


@pytest.fixture
def short_balancing(monkeypatch):
    """Balance routes with fewer moves, which takes most of the time of a scan by price."""
    monkeypatch.setattr("isoplane.models.routing.balanced.MIN_MOVES", 1 << 16)


@pytest.mark.usefixtures("short_balancing")
def test_the_cheapest_graph_within_limits_has_no_more_switches_and_cables_than_it_needs():
    last = cheapest()
    family = last.design.network.family
    assert last.evaluation.score[0] == 0
    assert last.evaluation.metrics["throughput_per_node"] >= 1.2
    of_switches = {switches: cheapest(switches, evaluations=3000) for switches in range(4, len(family.hosts) + 2)}
    assert all(other.evaluation.score >= last.evaluation.score for other in of_switches.values())
    fewer = of_switches[len(family.hosts) - 1]
    assert fewer.evaluation.score[0] > 0 or fewer.evaluation.score[1] >= last.evaluation.score[1]
    ports = family.switches * family.ports
    assert 2 * family.cables + 2 * family.nodes < ports  # that are left free


@pytest.mark.usefixtures("short_balancing")
def test_a_scan_by_price_depends_neither_on_workers_nor_on_how_its_evaluations_are_limited():
    assert cheapest(workers=1, evaluations=3000).evaluation == cheapest(workers=2, evaluations=3000).evaluation
    assert cheapest(evaluations=1).evaluations in (0, 2)  # at a member, or of the first pair of trials
    nothing = cheapest(6, least="100", evaluations=1000)
    assert nothing.evaluation.score[0] > 0


def test_other_objectives_and_strategies_are_refused():
    network = Network(HostGraph(nodes=20, ports=8))
    space = space_of(network, network.variables)
    front = Lexicographic("front", (("peak_load",),), SWITCHES, front=("peak_load", "total_hops"))
    with pytest.raises(InputError, match="objective=front: graphs of nodes and ports expect any objective but a front"):
        space.fitted(front)
    with pytest.raises(InputError, match="network.policy=spray: graphs of nodes and ports expect nearest"):
        HostGraphs(HostGraph(planes=2, policy="spray")).fitted(ASPL)
    with pytest.raises(InputError, match="strategy=exact: has no searchers for graphs of nodes and ports by price"):
        next(solve(space, COST, Exact(), Limits(evaluations=10), seed=1))
    assert Auto().choose(space, ASPL) == Anneal(chains=2)


def first_by_price(nodes, ports, planes, throughput, switches=None):
    """The objective, and the design at which a search by price begins, before any trial."""
    family = HostGraph(nodes=nodes, ports=ports, planes=planes, assumed_cable_m=None)
    objective = limited(COST, f"throughput_per_node >= {throughput}", Network(family, LAID_OUT))
    space = HostGraphs(family, switches, LAID_OUT)
    return objective, next(solve(space, objective, Anneal(), Limits(evaluations=1), seed=1))


def small_members(nodes, ports):
    """Grids, full meshes among them, and random regular graphs of all sides and degrees, as hosts and pairs."""
    for switches in range(2, 17):
        hosts = -(-nodes // switches)
        shapes = [(switches,), *((side, switches // side) for side in range(2, switches) if switches % side == 0)]
        members = [HyperX(shape=shape, nodes_per_switch=hosts) for shape in shapes]
        members += [Torus(shape=shape, nodes_per_switch=hosts, node_cable_m=2.0) for shape in shapes]
        members += [
            RandomRegular(switches=switches, degree=degree, nodes_per_switch=hosts)
            for degree in range(3, min(switches, ports))
            if switches * degree % 2 == 0
        ]
        for member in members:
            pairs = cabled_pairs(member.build(NO_SITE)[0].topology)
            if hosts + 2 * member.cables / switches <= ports and len(pairs) == member.cables:
                yield evenly(nodes, switches), tuple(map(tuple, pairs.tolist()))


@pytest.mark.usefixtures("short_balancing")
@pytest.mark.parametrize(
    ("nodes", "ports", "planes", "throughput"),
    [(24, 8, 1, "0.5"), (24, 8, 2, "1"), (30, 10, 1, "0.9"), (16, 6, 2, "2")],
)
def test_a_search_by_price_begins_no_higher_than_any_small_member(nodes, ports, planes, throughput):
    objective, first = first_by_price(nodes, ports, planes, throughput)
    points = []
    for hosts, pairs in small_members(nodes, ports):
        member = HostGraph(
            nodes=nodes, ports=ports, planes=planes, hosts=hosts, edges=(pairs,) * planes, assumed_cable_m=None
        )
        points.append(objective.point(Design(Network(member, LAID_OUT))))
    assert len(points) > 10
    assert first.evaluations == 0
    assert first.evaluation.metrics["throughput_per_node"] >= float(throughput)
    assert first.evaluation.score <= min(points)


@pytest.mark.usefixtures("short_balancing")
def test_a_search_by_price_keeps_the_moore_graph_that_annealing_does_not_find():
    """Slim Fly of q = 5, the Hoffman-Singleton graph: two hops between all switches, at the fewest that 200/11 has."""
    objective, first = first_by_price(200, 11, 1, "0.9")
    family = first.design.network.family
    graph = igraph.Graph(50, [list(pair) for pair in family.edges[0]])
    assert (set(graph.degree()), graph.girth(), graph.diameter()) == ({7}, 5, 2)
    space, stop = HostGraphs(family, site=LAID_OUT), Limits(evaluations=4000)
    from_random = space.design(space.candidate(Design(Network(family.baseline, LAID_OUT))))
    *_, other = solve(space, objective, Anneal(first_leg=100), stop, seed=1, warm_start=from_random)
    *_, last = solve(space, objective, Anneal(first_leg=100), stop, seed=1)
    assert last.evaluation == first.evaluation
    assert other.evaluation.score > first.evaluation.score
