"""Graphs in GraphML, DOT and JSON, compared with the planes of the network, and imported again."""

import json
import subprocess
from collections import Counter
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Network, OpticalOverlay, Placement, Site, SwitchModel, dual_cube
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.objectives import metrics_of
from isoplane.runs.exports.link_times import link_times
from tests.cases import for_each
from tests.tools import require_tools

from .copies import copied_fabric
from .exported import NETWORKS, exported, exported_design, hybrid_design, texts
from .import_sources import planes_of


def expected_cables(network: Network) -> Counter:
    """Count cables by (plane, end, port, end, port, length in millimetres), from the ports of the planes."""
    found, rails = Counter(), [0] * network.nodes
    for number, plane in enumerate(network.planes):
        peer, peer_port = plane.topology.peer, plane.topology.peer_port
        for switch, port in np.argwhere(peer >= 0):
            ends = sorted([(switch, port + 1), (peer[switch, port], peer_port[switch, port] + 1)])
            row = [(f"P{number}-S{end}", int(its_port)) for end, its_port in ends]
            found[number, *row[0], *row[1], int(plane.cable_mm[switch, port])] += 1
        rows = plane.topology.peer.tolist()
        next_port = [2 + max((port for port, peer in enumerate(row) if peer >= 0), default=-1) for row in rows]
        length = 0 if plane.node_cable_mm is None else plane.node_cable_mm
        for link, switch in enumerate(plane.node_switch.tolist()):
            node = int(np.searchsorted(plane.starts, link, side="right")) - 1
            rails[node] += 1
            found[number, f"P{number}-S{switch}", next_port[switch], f"N{node}", rails[node], length] += 2
            next_port[switch] += 1
    return Counter({key: count // 2 for key, count in found.items()})  # each end of a cable counts it


def expected_vertices(network: Network) -> dict[str, dict]:
    """Attributes by name, without places."""
    switches = {
        f"P{plane}-S{index}": {"kind": "switch", "plane": plane, "index": index}
        for plane, each in enumerate(network.planes)
        for index in range(each.topology.switches)
    }
    return switches | {f"N{index}": {"kind": "node", "index": index} for index in range(network.nodes)}


def cable_key(source: str, target: str, data: dict) -> tuple:
    ports = data["source_port"], data["target_port"]
    return data["plane"], source, ports[0], target, ports[1], round(1000 * data["length_m"])


def without_place(data: dict) -> dict:
    return {key: value for key, value in data.items() if key not in ("rack", "x_m", "y_m")}


@for_each("name", NETWORKS)
def test_networkx_reads_every_vertex_edge_and_attribute_of_graphml(name):
    networkx = pytest.importorskip("networkx", reason="networkx is not installed")
    network = NETWORKS[name]
    text = texts("graphml", exported(network))["network.graphml"]
    graph = networkx.read_graphml(BytesIO(text.encode()))
    assert graph.graph["title"] == network.title
    assert {vertex: without_place(data) for vertex, data in graph.nodes(data=True)} == expected_vertices(network)
    assert Counter(cable_key(*edge) for edge in graph.edges(data=True)) == expected_cables(network)
    kinds = Counter(data["kind"] for _, _, data in graph.edges(data=True))
    assert kinds["internal"] == (network.nodes if network.node_cable_mm is None else 0)
    assert all("name" not in data for _, data in graph.nodes(data=True))  # readers of DOT take it for the id
    assert networkx.is_connected(graph)


@for_each("name", NETWORKS)
def test_json_has_the_same_vertices_and_edges(name):
    network = NETWORKS[name]
    given = exported(network)
    data = json.loads(texts("json", given)["network.json"])
    assert (data["record"], data["nodes"]) == (given.content["id"], network.nodes)
    assert {each.pop("id"): without_place(each) for each in data["vertices"]} == expected_vertices(network)
    links = (cable_key(each["source"], each["target"], each) for each in data["links"])
    assert Counter(links) == expected_cables(network)


@for_each("name", NETWORKS)
def test_graphviz_reads_and_draws_every_vertex_and_edge_of_dot(name, tmp_path):
    programs = require_tools("dot", "neato")
    network = NETWORKS[name]
    path = tmp_path / "network.dot"
    path.write_text(texts("dot", exported(network))["network.dot"], encoding="utf-8")
    expected = Counter(tuple(sorted((key[1], key[3]))) for key in expected_cables(network).elements())
    for program in programs.values():  # layers and springs
        plain = subprocess.run([program, "-Tplain", path], capture_output=True, text=True, check=True)
        assert plain.stderr == ""
        rows = [line.replace('"', "").split() for line in plain.stdout.splitlines()]
        assert sorted(row[1] for row in rows if row[0] == "node") == sorted(expected_vertices(network))
        assert Counter(tuple(sorted(row[1:3])) for row in rows if row[0] == "edge") == expected
    read = subprocess.run([programs["dot"], "-Tdot_json", path], capture_output=True, text=True, check=True).stdout
    data = json.loads(read)
    names = [each["name"] for each in data["objects"]]
    values = {each["name"]: numbers(each) for each in data["objects"]}
    assert values == expected_vertices(network)
    edges = (cable_key(names[each["tail"]], names[each["head"]], numbers(each)) for each in data["edges"])
    assert Counter(edges) == expected_cables(network)


def numbers(row: dict) -> dict:
    """The kind, and the attributes that tell a vertex or an edge, as numbers."""
    kept = ("plane", "index", "source_port", "target_port", "length_m")
    return {key: float(value) for key, value in row.items() if key in kept} | {"kind": row["kind"]}


def test_circuits_are_edges_between_nodes_with_ports_of_their_own():
    links = json.loads(texts("json", exported_design(hybrid_design()))["network.json"])["links"]
    circuits = [
        (each["source"], each["source_port"], each["target"], each["target_port"])
        for each in links
        if each["kind"] == "circuit"
    ]  # port 1 of each node leads to its edge switch
    assert circuits == [("N0", 2, "N2", 2), ("N0", 3, "N2", 3), ("N1", 2, "N3", 2)]
    assert all("length_m" not in each and "plane" not in each for each in links if each["kind"] == "circuit")
    (optical,) = hybrid_design().network.optical_switches
    times = {(each["rate_gbps"], each["delay_ns"]) for each in links if each["kind"] == "circuit"}
    assert times == {(optical.gbps, optical.delay_ns)}


def test_circuits_have_ports_above_those_that_a_fabric_states():
    plane = FabricPlane(
        switches=2, cables=((0, 1, 1, 1),), nodes=((0, 0, 2), (1, 1, 2)), adapter_ports=((1, 3), (1, 1))
    )
    network = Network(OpticalOverlay(packet=Fabric(planes=(plane,)), group_size=1))
    design = Design(network, Circuits(((0, 1),)), Placement((0, 1)))
    links = json.loads(texts("json", exported_design(design))["network.json"])["links"]
    (circuit,) = [each for each in links if each["kind"] == "circuit"]
    assert [circuit[key] for key in ("source", "source_port", "target", "target_port")] == ["N0", 4, "N1", 2]


@for_each("name", NETWORKS)
def test_routes_in_json_lead_along_its_links_to_the_switch_of_every_node(name):
    network = NETWORKS[name]
    data = json.loads(texts("json", exported(network, routes=True))["network.json"])
    ends = {}
    for link in data["links"]:
        a, b = (link["source"], link["source_port"]), (link["target"], link["target_port"])
        ends |= {a: b, b: a}
    followed = 0
    for row in data["routes"]:
        for nodes, ports in zip(data["targets"][row["plane"]], row["ports"], strict=True):
            at = row["source"]
            for port in ports:
                at, _ = ends[at, port]
            neighbours = {other for (device, _), (other, _) in ends.items() if device == at}
            assert set(nodes) <= neighbours
            followed += len(set(nodes))
    sources = sum(len(set(plane.node_switch.tolist())) for plane in network.planes)
    assert followed == sources // len(network.planes) * network.nodes * len(network.planes)


SITE = Site(switch=SwitchModel(delay_ns=70, cable_delay_ns_per_m=4.3, link_gbps=40))
COPIED = [dual_cube(3, (3, 5, 7)), *(NETWORKS[name] for name in ("torus", "tree", "rails", "parallel"))]


def again(network, **options):
    """The network with the same nodes that an import finds in the exported GraphML, on the same site."""
    planes, _ = planes_of(texts("graphml", exported(network))["network.graphml"])
    return Network(Fabric(planes=tuple(planes), **options), network.site)


@st.composite
def rated_fabrics(draw):
    """Copies of networks whose cables have random lengths, rates and delays; rates of nodes are equal."""
    family = copied_fabric(draw(st.sampled_from(COPIED)), "shortest")
    random = np.random.default_rng(draw(st.integers(0, 999)))

    def values(links, low, high, unit):
        return tuple((random.integers(low, high, size=len(links)) * unit / 1000).tolist())

    planes = [
        replace(
            plane,
            lengths_m=values(plane.cables, 1, 9, 500),
            rates_gbps=values(plane.cables, 1, 5, 25_781),
            delays_ns=values(plane.cables, 0, 90_000, 1),
            node_rates_gbps=(50,) * len(plane.nodes),
            node_delays_ns=values(plane.nodes, 0, 90_000, 1),
        )
        for plane in family.planes
    ]
    return Network(replace(family, planes=tuple(planes)), SITE)


@given(rated_fabrics())
@settings(max_examples=20, deadline=None)
def test_stated_lengths_rates_and_delays_come_back(network):
    copy = again(network, routing="shortest")
    for plane, other in zip(network.planes, copy.planes, strict=True):
        assert np.array_equal(plane.topology.peer, other.topology.peer)
        assert np.array_equal(plane.cable_mm, other.cable_mm)
        for name in ("rate_mbps", "node_rate_mbps", "delay_ps", "node_delay_ps"):
            assert np.array_equal(getattr(plane.timing, name), getattr(other.timing, name))
    assert metrics_of(Design(copy)) == metrics_of(Design(network))


def links_of(given_design):
    return json.loads(texts("json", given_design)["network.json"])["links"]


@for_each("name", NETWORKS)
def test_json_has_the_rate_and_the_delay_of_every_cable_and_none_within_nodes(name):
    case = exported(replace(NETWORKS[name], site=replace(NETWORKS[name].site, switch=SITE.switch)))
    links = links_of(case)
    cables = [each for each in links if each["kind"] == "cable"]
    assert [each["rate_gbps"] for each in cables] == [40] * len(case.cables)
    assert [each["delay_ns"] for each in cables] == pytest.approx(link_times(case)[1])
    assert all("rate_gbps" not in each and "delay_ns" not in each for each in links if each["kind"] == "internal")


def test_lengths_and_delays_that_would_follow_from_a_layout_are_unknown_without_one():
    network = Network(Torus(shape=(3, 3), assumed_cable_m=None, node_cable_m=2.0), Site(layout=None))
    links = links_of(exported(network))
    between = [each for each in links if each["target"].startswith("P")]
    assert len(between) == 18
    assert all("length_m" not in each and "delay_ns" not in each and each["rate_gbps"] == 100 for each in between)
    assert {(each["length_m"], each["delay_ns"]) for each in links if each not in between} == {(2, 10)}


def test_graphs_of_an_imported_fabric_have_the_names_of_its_devices():
    names = DeviceNames((('leaf "a"', "<b> & c"),), ("host7",))
    plane = FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=((0, 0, 2),))
    given = exported(Network(Fabric(planes=(plane,), names=names)))
    (graphml,) = texts("graphml", given).values()
    root = ElementTree.fromstring(graphml)
    data = {element.get("id"): element for element in root.iter("{http://graphml.graphdrawing.org/xmlns}node")}
    labels = {name: [each.text for each in element if each.get("key") == "n_label"] for name, element in data.items()}
    assert labels == {device: [name] for device, name in names.by_device().items()}
    vertices = json.loads(texts("json", given)["network.json"])["vertices"]
    assert {each["id"]: each["label"] for each in vertices} == names.by_device()
    assert r'"P0-S0" [kind="switch", plane="0", index="0", label="leaf \"a\"",' in texts("dot", given)["network.dot"]
    lines = texts("edges", given)["plane0.edges"].splitlines()
    assert lines[1:] == ['# 0: leaf "a"', "# 1: <b> & c", "0 1 1"]
