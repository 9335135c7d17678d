"""Paths that BookSim2, ns-3 and EvalNet compute by themselves, recomputed from the files alone."""

import heapq
import json
from collections import deque

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
from isoplane.models.routing import links_of_route
from isoplane.objectives.general import general_exact
from isoplane.runs.exports.export import export
from isoplane.runs.exports.exporters import exporter_named
from isoplane.runs.exports.reader_paths import most_hops_of_least_latency
from tests.cases import for_each

from .exported import exported, texts

FLOOR = Site(layout=Layout(aspects=(), assignment="in_order", nodes_per_rack=64))
BY_LAYOUT = {"cable_m": None}
FAMILIES = {
    "slim_fly": SlimFly(q=5, **BY_LAYOUT),
    "dragonfly": Dragonfly(**BY_LAYOUT),
    "polar_fly": PolarFly(q=7, **BY_LAYOUT),
    "hyperx": HyperX(shape=(4, 4, 3), nodes_per_switch=4, **BY_LAYOUT),
    "torus": Torus(shape=(4, 5), nodes_per_switch=2, node_cable_m=2.0, cable_m=1.0),
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
