"""Graphs from files: edge lists and GraphML, every routing, and errors in the files."""

import json

import igraph
import numpy as np
import pytest
from hypothesis import given

from isoplane.models import Design, InputError, Network, Site, family_named
from isoplane.models.families.graph import Graph
from isoplane.models.graph_files import read_edges
from isoplane.models.routing import ROUTINGS, hops
from isoplane.objectives import metrics_of
from isoplane.objectives.reference import reference_metrics
from tests.models.graphs import distances
from tests.strategies import connected_edges

PRISM = "0 1\n1 2 2.5 # longer\n\n# the other triangle\n2 0\n3 4\n4 5\n5 3\n0 3\n1 4\n2 5\n"


@pytest.fixture
def prism(tmp_path):
    path = tmp_path / "prism.edges"
    path.write_text(PRISM)
    return path


@given(connected_edges(10))
def test_formulas_match_the_plane_and_a_written_graph_is_read_back(edges):
    family = Graph(edges=tuple(edges), nodes_per_switch=2, node_cable_m=1)
    (plane,) = Network(family, Site()).planes
    assert family.nodes == len(plane.node_switch)
    assert family.switches == plane.topology.switches
    assert family.cables == (plane.topology.peer >= 0).sum() // 2
    assert family.ports == plane.ports_used.max()
    written = json.loads(json.dumps(family.write()))
    keys = {**written["network"], "nodes_per_switch": written["nodes_per_switch"]}
    assert family_named(keys.pop("family")).read(keys) == family


@pytest.mark.parametrize("routing", ROUTINGS)
def test_every_routing_arrives_and_the_reference_agrees(prism, routing):
    network = Network(Graph(edges=read_edges(prism), routing=routing))
    (plane,) = network.planes
    lengths = hops(plane.topology, plane.routes)
    assert (lengths >= distances(plane.topology)).all()
    assert routing == "up_down" or np.array_equal(lengths, distances(plane.topology))
    assert metrics_of(Design(network)) == reference_metrics(network)


def test_lengths_in_a_file_override_the_default(prism):
    (plane,) = Network(Graph(edges=read_edges(prism), cable_m=4)).planes
    lengths = plane.cable_mm[plane.topology.peer >= 0]
    assert sorted(lengths.tolist()) == [2500] * 2 + [4000] * 16


def test_graphml_has_the_same_edges(prism, tmp_path):
    edges = read_edges(prism)
    graph = igraph.Graph(n=6, edges=[edge[:2] for edge in edges])
    graph.es["length_m"] = [edge[2] if len(edge) == 3 else float("nan") for edge in edges]
    graph.write_graphml(str(tmp_path / "prism.graphml"))
    found = read_edges(tmp_path / "prism.graphml")
    assert [(*sorted(edge[:2]), *edge[2:]) for edge in found] == [(*sorted(edge[:2]), *edge[2:]) for edge in edges]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.edges", "0 1\n1 x\n", "line 2 is '1 x'; expected two switches and, optionally, a length"),
        ("a.edges", "0\n", "line 1 is '0'"),
        ("a.edges", "# nothing\n", "no edges; expected"),
        ("a.graphml", "<graphml", "igraph cannot read it"),
        ("b.edges", None, "No such file"),
    ],
)
def test_an_invalid_file_is_reported_in_one_line(tmp_path, name, text, message):
    if text is not None:
        (tmp_path / name).write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_edges(tmp_path / name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({}, "network.file=null: expected an edge list or a GraphML file"),
        ({"edges": [[0, 1], [2, 3]]}, "no cables lead from switch 0 to switch 2"),
        ({"edges": [[0, 1]], "routing": "x"}, "network.routing='x': expected up_down, shortest, hop_classes"),
        ({"edges": [[0, 0]]}, "expected edges between two switches"),
        ({"edges": [[0, 1, 2, 3]]}, "expected"),
        ({"edges": [3]}, "expected"),
    ],
)
def test_an_invalid_graph_is_rejected(keys, message):
    with pytest.raises(InputError, match=message):
        Graph.read(keys)
