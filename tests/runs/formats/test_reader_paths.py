"""Files of BookSim2, ns-3, EvalNet and SST merlin, read by small readers, and the paths that these programs compute."""

import heapq
import json
from collections import Counter, deque
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest

from isoplane.models import Layout, Network, Site
from isoplane.models.families.dragonfly import Dragonfly
from isoplane.models.families.graph import Graph
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.polar_fly import PolarFly
from isoplane.models.families.random_regular import RandomRegular
from isoplane.models.families.slim_fly import SlimFly
from isoplane.models.families.torus import Torus
from isoplane.models.planes.link_rates import Timing
from isoplane.models.routing import links_of_route
from isoplane.objectives.general import general_exact
from isoplane.runs.exports.export import export
from isoplane.runs.exports.exporters import exporter_named
from isoplane.runs.exports.reader_paths import most_hops_of_least_latency
from tests.assembled import assembled
from tests.cases import for_each, require_refusal

from .exported import NETWORKS, TORUS, exported, texts

FLOOR = Site(layout=Layout(aspects=(), assignment="in_order", nodes_per_rack=64))
BY_LAYOUT = {"assumed_cable_m": None}
FAMILIES = {
    "slim_fly": SlimFly(q=5, **BY_LAYOUT),
    "dragonfly": Dragonfly(**BY_LAYOUT),
    "polar_fly": PolarFly(q=7, **BY_LAYOUT),
    "hyperx": HyperX(shape=(4, 4, 3), nodes_per_switch=4, **BY_LAYOUT),
    "torus": Torus(shape=(4, 5), nodes_per_switch=2, node_cable_m=2.0, assumed_cable_m=1.0),
    "random_regular": RandomRegular(switches=24, degree=5, nodes_per_switch=3, **BY_LAYOUT),
    "multi_plane": MultiPlane(plane=HyperX(shape=(4, 4), nodes_per_switch=2, **BY_LAYOUT)),
}


def network_of(name):
    return Network(FAMILIES[name], FLOOR)


def aspl(network):
    exact = general_exact(network)
    return exact.total_hops / (exact.hop_parts * network.nodes**2)


def anynet(text):
    """Return the routers of the nodes, and the latency from each router to each neighbour."""
    router_of, latency = {}, {}
    for line in text.splitlines():
        words = line.split()
        router, rest = int(words[1]), words[2:]
        latency[router] = {}
        while rest:
            if rest[0] == "node":
                router_of[int(rest[1])], rest = router, rest[2:]
            else:
                latency[router][int(rest[1])], rest = int(rest[2]), rest[3:]
    return router_of, latency


def dijkstra(latency, source, sign):
    """Return the hops to each router on a path of least latency: of all these the fewest (1) or the most (-1)."""
    best, queue = {}, [(0, 0, source)]
    while queue:
        total, hops, router = heapq.heappop(queue)
        if router in best:
            continue
        best[router] = sign * hops
        for peer, cycles in latency[router].items():
            heapq.heappush(queue, (total + cycles, hops + sign, peer))
    return best


@for_each("sign", [1, -1])
@for_each("name", FAMILIES)
def test_booksim_takes_paths_of_the_fewest_hops(name, sign):
    network = network_of(name)
    found = texts("booksim", exported(network))
    for number in range(len(network.planes)):  # identical ones
        router_of, latency = anynet(found[f"plane{number}.anynet"])
        hops = {source: dijkstra(latency, source, sign) for source in latency}
        total = sum(hops[a][b] for a in router_of.values() for b in router_of.values())
        assert total / network.nodes**2 == pytest.approx(aspl(network))


@for_each("name", sorted(set(FAMILIES) - {"torus"}))
def test_ns3_takes_the_fewest_hops_which_the_manifest_compares_with_the_routes(name, tmp_path):
    network = network_of(name)
    design = exported(network)
    (tmp_path / name).mkdir()
    export(design, {"ns3": exporter_named("ns3")}, tmp_path / name)
    lines = (tmp_path / name / "ns3" / "topology.txt").read_text().splitlines()
    nodes = range(network.nodes)
    peers = {}
    for line in lines[2:]:
        a, b = map(int, line.split()[:2])
        peers.setdefault(a, []).append(b)
        peers.setdefault(b, []).append(a)
    total = 0
    for source in nodes:
        reached, queue = {source: 0}, deque([source])
        while queue:
            device = queue.popleft()
            for peer in peers[device] if device == source or device >= network.nodes else ():
                if peer not in reached:
                    reached[peer] = reached[device] + 1
                    queue.append(peer)
        total += sum(reached[end] - 2 for end in nodes if end != source)  # less the cables of both nodes
    mean = total / network.nodes**2
    (entry,) = json.loads((tmp_path / name / "manifest.json").read_text())["formats"]
    assert entry["paths"]["reader"] == "fewest hops"
    for plane in entry["paths"]["planes"]:
        assert plane["mean_hops"] == pytest.approx(mean)
        assert mean == pytest.approx(aspl(network))
        if name == "dragonfly":  # its routes take a global cable and two local ones in place of two global ones
            assert plane["mean_hops_of_routes"] > mean
        else:
            assert plane["mean_hops_of_routes"] == pytest.approx(mean)


def test_the_manifest_and_the_options_of_booksim_state_the_latencies_and_both_numbers_of_hops(tmp_path):
    network = network_of("dragonfly")
    export(exported(network), {"booksim": exporter_named("booksim")}, tmp_path)
    options = (tmp_path / "booksim" / "plane0.config").read_text()
    assert "network_file = plane0.anynet;\nrouting_function = min;\nrouting_delay = 0;" in options
    (entry,) = json.loads((tmp_path / "manifest.json").read_text())["formats"]
    (stated,), (plane,) = entry["paths"]["planes"], network.planes
    routes = [
        len(links_of_route(plane.topology, plane.routes, a, b)) if a != b else 0 for a in range(36) for b in range(36)
    ]
    assert stated["mean_hops"] == pytest.approx(aspl(network))
    assert stated["mean_hops_of_routes"] == pytest.approx(sum(routes) / 36**2)  # as many nodes at each switch
    assert f"cycles of 1 ns: {stated['latencies']}\n" in options
    assert f"takes: {stated['mean_hops']:.6g}; of the routes of the design: {sum(routes) / 36**2:.6g}\n" in options


def test_a_long_cable_gets_the_latency_of_the_others_where_packets_would_go_around_it():
    edges = ((0, 1, 100.0), (1, 2, 1.0), (2, 0, 1.0))  # 500 ns, but 2 x 5 ns and a switch of 90 ns around
    network = Network(Graph(edges=edges, nodes_per_switch=1, routing="shortest"))
    found = texts("booksim", exported(network))
    _, latency = anynet(found["plane0.anynet"])
    mean = round((590 + 95 + 95) / 3)
    assert {cycles for peers in latency.values() for cycles in peers.values()} == {mean}
    assert "cycles of 1 ns: equal" in found["plane0.config"]


@for_each("seed", range(3))
def test_the_most_hops_of_paths_of_least_latency_are_those_of_dijkstra(seed):
    rng = np.random.default_rng(seed)
    topology = Network(RandomRegular(switches=16, degree=4, nodes_per_switch=1, seed=seed)).planes[0].topology
    latency = np.ones(topology.peer.shape, dtype=np.int64)
    for switch, port in np.argwhere(topology.peer > np.arange(16)[:, None]).tolist():
        peer, peer_port = topology.peer[switch, port], topology.peer_port[switch, port]
        latency[switch, port] = latency[peer, peer_port] = rng.integers(1, 5)
    listed = {
        switch: dict(zip(topology.peer[switch].tolist(), latency[switch].tolist(), strict=True)) for switch in range(16)
    }
    hops = most_hops_of_least_latency(topology, latency)
    for source in range(16):
        assert dict(enumerate(hops[source].tolist())) == dijkstra(listed, source, -1)


def neighbours(plane) -> list[list[int]]:
    """The neighbours of each switch, sorted."""
    return [sorted(peer for peer in row if peer >= 0) for row in plane.topology.peer.tolist()]


@for_each("name", ["cube", "direct", "torus", "tree"])
def test_anynet_files_have_every_node_and_every_cable_from_both_ends_with_its_delay(name):
    network = NETWORKS[name]
    found = texts("booksim", exported(network))
    assert len(found) == 2 * len(network.planes)
    for number, plane in enumerate(network.planes):
        nodes, delays = anynet(found[f"plane{number}.anynet"])
        assert nodes == dict(enumerate(plane.node_switch.tolist()))
        assert {(a, b): cycles for a, peers in delays.items() for b, cycles in peers.items()} == {
            (switch, int(plane.topology.peer[switch, port])): 90 - (-5 * int(plane.cable_mm[switch, port]) // 1000)
            for switch, port in np.argwhere(plane.topology.peer >= 0).tolist()
        }  # 90 ns a switch, 5 ns a metre, a cycle a nanosecond


@for_each("name", ["cube", "torus", "tree"])
def test_ns3_files_count_right_and_the_delays_on_a_route_add_up_to_cables_and_switches(name):
    network = NETWORKS[name]
    (text,) = texts("ns3", exported(network)).values()
    lines = text.splitlines()
    total, switches, links = map(int, lines[0].split())
    assert switches == sum(plane.topology.switches for plane in network.planes)
    assert total == network.nodes + switches
    assert list(map(int, lines[1].split())) == list(range(network.nodes, total))
    assert len(lines) - 2 == links
    delay = {}
    for line in lines[2:]:
        source, target, rate, time, error_rate = line.split()
        assert (rate, error_rate, time[-2:]) == ("100Gbps", "0", "ns")
        assert frozenset((int(source), int(target))) not in delay
        delay[frozenset((int(source), int(target)))] = float(time[:-2])
    first = network.nodes
    for plane in network.planes:
        ends = plane.node_switch
        for source, target in ((0, network.nodes - 1), (1, network.nodes // 2)):
            column = int(plane.routes.targets(ends)[target])
            hops = list(links_of_route(plane.topology, plane.routes, int(ends[source]), column))
            path = [source, first + ends[source], *(first + plane.topology.peer[s, p] for s, p, _ in hops), target]
            cables_mm = 2 * plane.node_cable_mm + sum(plane.cable_mm[s, p] for s, p, _ in hops)
            expected = 5 * cables_mm / 1000 + 90 * (len(hops) + 1)  # a switch delays by 90 ns, a metre by 5 ns
            assert sum(delay[frozenset(map(int, link))] for link in pairwise(path)) == pytest.approx(expected, abs=1e-9)
        first += plane.topology.switches


@for_each("name", NETWORKS)
def test_evalnet_files_have_the_neighbours_of_each_router_and_a_final_blank(name):
    network = NETWORKS[name]
    found = texts("evalnet", exported(network))
    for number, plane in enumerate(network.planes):
        first, *rows = found[f"plane{number}.adj"].splitlines()
        assert [sorted(map(int, row.split())) for row in rows] == neighbours(plane)
        assert all(row.endswith(" ") for row in rows)
        assert first == f"{plane.topology.switches} {sum(map(len, neighbours(plane))) // 2}"


@for_each("name", ["cube", "direct", "torus", "tree", "rails", "ring"])
def test_merlin_reads_the_graph_and_the_routing_table_has_the_routes_of_all_endpoints(name):
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    network = {**NETWORKS, "ring": two_links()}[name]
    found = texts("sst_merlin", exported(network))
    for number, plane in enumerate(network.planes):
        graph = networkx.read_graphml(BytesIO(found[f"plane{number}.graphml"].encode()))
        assert not graph.is_directed()
        assert list(graph) == [str(switch) for switch in range(plane.topology.switches)]  # merlin numbers them anew
        assert [sorted(map(int, graph[vertex])) for vertex in graph] == neighbours(plane)
        endpoints = json.loads(found[f"plane{number}-endpoints.json"])
        router_of = [int(vertex) for vertex in graph for _ in range(graph.nodes[vertex]["endpoints"])]
        attached = Counter(zip(router_of, endpoints, strict=True))
        assert attached == Counter(zip(plane.node_switch.tolist(), plane.node.tolist(), strict=True))
        table = json.loads(found[f"plane{number}-routing_table.json"])
        targets = plane.routes.targets(plane.node_switch)
        for source in set(router_of):
            shares = Counter()
            for link, destination in enumerate(plane.node_switch.tolist()):
                hops = links_of_route(plane.topology, plane.routes, source, int(targets[link]))
                path = tuple(int(plane.topology.peer[switch, port]) for switch, port, _ in hops)
                shares[destination, path] += 1 / router_of.count(destination)
            read = {
                (int(destination), tuple(path)): weight
                for destination, ways in table[str(source)].items()
                for weight, path in ways
            }
            assert read == pytest.approx(dict(shares))


@for_each(
    ("name", "formats", "message"),
    [
        ("direct", ("ns3",), "nodes are part of their switches; expected nodes with cables"),
        ("rails", ("ns3",), "cables between P0-S0 and N0: 2; expected at most one between two different devices"),
        ("rails", ("booksim",), "cables between P0-S0 and N0: 2; expected at most one"),
        ("parallel", ("ns3", "booksim", "sst_merlin"), "cables between P0-S0 and P0-S1: 2; expected at most one"),
        ("ring", ("booksim",), "N0 has 2 links in plane 0; expected one in each plane"),
    ],
)
def test_networks_that_a_simulator_would_misread_are_refused_before_the_first_file(name, formats, message):
    networks = {**NETWORKS, "ring": two_links()}
    for format_name in formats:
        files = exported(networks[name])
        require_refusal(partial(texts, format_name, files), f"^format={format_name}: {message}")


def two_links() -> Network:
    """A ring of three switches, and nodes with links to two of them each."""
    plane = Network(Torus(shape=(3,), nodes_per_switch=2, node_cable_m=2.0)).planes[0]
    twice = replace(plane, node_switch=np.array([0, 1, 1, 2, 2, 0]), node_start=np.array([0, 2, 4, 6]))
    return assembled("ring", (twice,))


def test_stated_rates_and_delays_replace_those_of_the_site():
    plane = Network(TORUS).planes[0]
    cabled = plane.topology.peer >= 0
    timing = Timing(
        rate_mbps=np.where(cabled, 40_000, 0),
        node_rate_mbps=np.full(24, 12_500),
        delay_ps=np.where(cabled, 7_000, 0),
        node_delay_ps=np.full(24, 3_000),
        switch_delay_ps=np.full(12, 501),
    )
    (text,) = texts("ns3", exported(assembled("timed", (replace(plane, timing=timing),)))).values()
    assert Counter(tuple(line.split()[2:]) for line in text.splitlines()[2:]) == {
        ("40Gbps", "7.501ns", "0"): 24,  # half of both switches
        ("12.5Gbps", "3.251ns", "0"): 24,  # half of one, rounded to a picosecond
    }
