"""Designs without a file: edges as an option of networks, in every form that programs have them in, and `best`."""

from pathlib import Path

import networkx
import numpy as np
import pytest

import isoplane as ip
from isoplane.models.topologies import graph
from isoplane.runs.cli.main import main
from isoplane.runs.cli.typed_words import typed_words
from isoplane.runs.records import read_record
from tests.cases import for_each

PETERSEN = networkx.petersen_graph()
PAIRS = list(PETERSEN.edges)


@for_each(
    "edges",
    [
        PAIRS,
        tuple(PAIRS),
        [list(pair) for pair in PAIRS],
        np.array(PAIRS),
        PETERSEN.edges,
        PETERSEN.edges(),
    ],
)
def test_edges_in_memory_are_those_of_a_file(tmp_path, edges):
    (tmp_path / "petersen.edges").write_text("".join(f"{a} {b}\n" for a, b in PAIRS), encoding="utf-8")
    of_file = ip.evaluate(network="graph", file=tmp_path / "petersen.edges", nodes_per_switch=2, node_cable_m=1)
    in_memory = ip.evaluate(network="graph", edges=edges, nodes_per_switch=2, node_cable_m=1)
    assert in_memory["aspl"] == (9 * 0 + 3 * 1 + 6 * 2) / 10  # 3 switches at one hop, 6 at two
    assert (in_memory.metrics, in_memory.to_dict()["id"]) == (of_file.metrics, of_file.to_dict()["id"])
    assert ip.verify(in_memory) == ()
    words = f"network.edges={[list(map(int, pair)) for pair in PAIRS]}".replace(" ", "")
    assert main(["verify", "network=graph", words]) == 0


@for_each(
    ("edges", "reason"),
    [
        (iter(PAIRS), "expected text, a number, a list or a mapping"),
        (PETERSEN, "expected its edges, as in edges=GRAPH.edges"),
        (networkx.MultiGraph(PAIRS).edges, r"expected edges\(keys=False\)"),
        ([(0, 0)], "expected edges between two switches"),
        (networkx.grid_2d_graph(2, 2).edges, "expected an integer from 0 to 1048575"),
    ],
)
def test_what_is_no_list_of_pairs_of_switches_is_refused(edges, reason):
    with pytest.raises(ip.InputError, match=rf"^(network\.)?edges=.*({reason})"):
        ip.evaluate(network="graph", edges=edges)


def test_triples_have_the_lengths_of_cables():
    assert ip.evaluate(network="graph", edges=[(0, 1, 2.5), (1, 2), (2, 0)])["longest_cable_m"] == 2.5


@for_each(
    ("options", "message"),
    [
        ({}, "network.file=null: expected an edge list or a GraphML file, or network.edges, a list"),
        ({"edges": 5}, "network.edges=5: expected a list of pairs of switches"),
        (
            {"edges": [(0, 1), (1, 0)]},
            "network.edges: every pair in both orders, such as 0 1 and 1 0; expected each cable",
        ),
        (
            {"edges": PAIRS, "file": "a.edges"},
            "network.file=a.edges: network.edges is given, too; expected one of them",
        ),
        (
            {"edges": "a.edges"},
            "network.edges='a.edges': expected a list of pairs of switches; a file is network.file=",
        ),
        ({"edges": []}, r"network\.edges=\[\]: expected a list with at least one edge"),
        ({"edges": [(0, 1), (0, -1)]}, "network.edges=-1: expected an integer from 0 to 1048575"),
        ({"edges": [(0, 1, -2)]}, "network.edges.length=-2: expected a number of at least 0"),
        (
            {"network": {"family": "multi_plane", "plane": {"family": "graph", "edges": [(0, 0)]}}},
            r"network\.plane\.edges=\(0, 0\): expected edges between two switches",
        ),
        ({"edges": [(0, 1), 3]}, r"network\.edges=3: expected \(switch, switch\) or \(switch, switch, metres\)"),
        (
            {"edges": PAIRS, "nodes_per_switch": 2},
            "network.nodes_per_switch=2: expected 1 in a direct network, or cables of nodes, as with ",
        ),
    ],
)
def test_other_edges_are_refused_with_what_is_expected(options, message):
    with pytest.raises(ip.InputError, match=f"^{message}"):
        ip.evaluate(**{"network": "graph", **options})


def test_a_topology_is_no_design_and_says_how_its_edges_are():
    with pytest.raises(ip.InputError, match="design=Topology.*, or none and network='graph', edges=PAIRS"):
        ip.evaluate(graph(PAIRS))


def test_a_search_of_graphs_by_cables_says_that_they_need_lengths():
    with pytest.raises(
        ip.InputError, match=r"network\.assumed_cable_m=5\.0: all cables are as long; expected null for"
    ):
        ip.find(network="free_graph", switches=16, degree=4, objective="aspl", cable_m=5)


def test_a_search_of_relabelled_planes_names_its_objective_and_the_cables_of_nodes():
    plane = {"family": "torus", "shape": [4, 4]}
    with pytest.raises(ip.InputError, match="^objective=min peak_load: relabelled planes expect any but fronts"):
        ip.find(network={"family": "relabelled", "plane": {**plane, "node_cable_m": 2}}, objective="min peak_load")
    with pytest.raises(ip.InputError, match="or cables of nodes, as with network.plane.node_cable_m=2$"):
        ip.find(network={"family": "relabelled", "plane": {**plane, "nodes_per_switch": 2}})


def test_planes_of_a_search_without_sizes_are_those_of_its_network():
    plane = {"family": "torus", "shape": [5], "node_cable_m": 2}
    short = ip.find(network="relabelled", plane=plane, planes=2, layout=None, stop={"evaluations": 1000}).best
    assert (short["switches"], short["total_hops"]) == (10, 20)  # each pair is joined in a plane
    with pytest.raises(ip.InputError, match=r"^nodes=null: expected nodes and ports"):
        ip.find(planes=2)


@for_each(("edges", "said"), [(PAIRS, []), ([*PAIRS, PAIRS[0], PAIRS[0][::-1], PAIRS[5]], ["2 pairs"])])
def test_cables_beside_others_are_said(edges, said):
    notes = ip.evaluate(network="graph", edges=edges, routing="shortest").notes
    assert list(notes) == [f"more than one cable between {pairs} of switches" for pairs in said]


def test_best_known_designs_are_named_as_on_the_command_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    planes = {"network": "relabelled", "plane": {"family": "folded_hypercube", "n": 6}, "planes": 2}
    words = ["network=relabelled", "network@network.plane=folded_hypercube", "network.n=6", "objective=max_traffic"]
    (word,) = typed_words("evaluate", ["record=best", *words])
    record = read_record(word.removeprefix("record="))
    named = {**planes, "objective": "max_traffic"}
    assert ip.load("best", **named).to_dict() == record
    assert ip.evaluate("best", **named).metrics == ip.evaluate(record="best", **named).metrics
    assert ip.evaluate("best", **named).metrics.items() >= record["metrics"].items()
    assert ip.verify("best", n=4) == ip.verify(record="best", n=4) == ()
    edges = ip.export("best", "edges", "out", **named)
    assert [file.name for file in edges] == ["plane0.edges", "plane1.edges", "manifest.json"]
    with pytest.raises(ip.InputError, match="^record=best, network=hypercube, network.n=99: no such record"):
        ip.evaluate("best", n=99)
    Path("best").write_text("{")
    with pytest.raises(ip.InputError, match="^record=best: damaged"):
        ip.evaluate("best")
