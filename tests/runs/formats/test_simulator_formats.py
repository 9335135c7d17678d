"""Files of BookSim2, ns-3, EvalNet and SST merlin, read by small readers and compared with the planes."""

import json
from collections import Counter
from dataclasses import replace
from functools import partial
from io import BytesIO
from itertools import pairwise

import numpy as np
import pytest

from isoplane.models import Network
from isoplane.models.families.torus import Torus
from isoplane.models.planes.link_rates import Timing
from isoplane.models.routing import links_of_route
from tests.assembled import assembled
from tests.cases import for_each, require_refusal

from .exported import NETWORKS, TORUS, exported, texts
from .test_reader_paths import anynet


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
