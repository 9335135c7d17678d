"""Graphs from files: edge lists and GraphML, every routing, and errors in the files."""

import gzip

import igraph
import pytest

from isoplane.models import Network
from isoplane.models.families.graph import Graph
from isoplane.models.files.graph_files import read_edges
from tests.cases import for_each, require_refusal

PRISM = "0 1\n1 2 2.5 # longer\n\n# the other triangle\n2 0\n3 4\n4 5\n5 3\n0 3\n1 4\n2 5\n"
PATH = (
    '<graphml><key id="k" for="node" attr.name="kind"/><key id="r" for="edge" attr.name="rate_gbps"/>'
    '<graph edgedefault="directed"><node id="0"/><node id="1"/><node id="2"/><edge source="0" target="1"/>'
    '<edge source="1" target="0"/>%s</graph></graphml>'
)
PORTED = (
    '<graphml><key id="p" for="edge" attr.name="source_port"/><graph><node id="0"/><node id="1"/><node id="2"/>'
    '<edge source="0" target="1"><data key="p">%s</data></edge>'
    '<edge source="1" target="2"><data key="p">%s</data></edge></graph></graphml>'
)


@pytest.fixture
def prism(tmp_path):
    path = tmp_path / "prism.edges"
    path.write_text(PRISM)
    return path


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


def test_a_directed_file_with_both_directions_has_each_cable_once_in_every_encoding(tmp_path):
    text = PATH.replace("%s", '<edge source="1" target="2"/><edge source="2" target="1"/>')
    declared = {"utf-8": "", "utf-16": "", "latin-1": '<?xml version="1.0" encoding="ISO-8859-1"?>'}
    for encoding, head in declared.items():
        file = tmp_path / f"{encoding}.graphml"
        file.write_bytes((head + text.replace('"2"', '"\xfc"')).encode(encoding))
        assert read_edges(file) == ((0, 1), (1, 2))
    with gzip.open(tmp_path / "path.graphml.gz", "wb") as compressed:
        compressed.write(text.encode())
    assert read_edges(tmp_path / "path.graphml.gz") == ((0, 1), (1, 2))


@for_each("content", [b"\xfc", b'<?xml version="1.0" encoding="\xff"?><a/>', b"<graphml>\xfc</graphml>"])
@for_each("encoding", ["utf-8", "klingon", "utf-7", "big5", "idna"])
def test_graphml_that_is_no_utf8_is_an_error_of_one_line(tmp_path, content, encoding):
    (tmp_path / "a.graphml").write_bytes(f'<?xml version="1.0" encoding="{encoding}"?>'.encode() + content)
    for says in ("^network.file=", "a.graphml: line 1: ", "; expected GraphML"):
        require_refusal(lambda: read_edges(tmp_path / "a.graphml"), says)


def test_edge_lists_may_have_semicolons_and_comments_and_graphml_ports_in_the_order_of_edges(tmp_path):
    (tmp_path / "path.graphml").write_text(PORTED % ("1", "2"))
    assert read_edges(tmp_path / "path.graphml") == ((0, 1), (1, 2))
    (tmp_path / "a.edges").write_text("// ring\n0;1;2.5\n1; 2\n2,0 # last\n0 2\n")
    assert read_edges(tmp_path / "a.edges") == ((0, 1, 2.5), (1, 2), (2, 0), (0, 2))


UNDIRECTED = PATH.replace('"directed">', '"undirected">').replace("%s", "")
RATED = PATH.replace('rate_gbps"/>', 'rate_gbps"><default>4</default></key>').replace("%s", "")


@for_each(
    ("name", "text", "message"),
    [
        ("a.edges", "0 1\n1 x\n", "line 2 is '1 x'; expected two switches and, optionally, a length"),
        ("a.edges", "0\n", "line 1 is '0'"),
        ("a.edges", "# nothing\n", "no edges; expected"),
        ("a.edges", "0 1\n1 0\n", "every pair in both orders, such as 0 1 and 1 0; expected each cable once"),
        ("a.edges", "0 " + "9" * 5000, "line 1 is '0 9999"),
        ("a.edges", "0 1\n1 2#3\n", "line 2 is '1 2#3'"),
        ("a.gml", "graph [\n node [ id 0 ]\n]", "GML; expected GraphML, for example by igraph"),
        ("a.dot", "strict graph {\n0 -- 1\n}", "DOT; expected GraphML, or an edge list"),
        ("a.edges.gz", "0 1\n", "not a whole gzip file"),
        ("a.graphml", "<graphml", "line 1: unclosed token; expected GraphML"),
        ("a.graphml", UNDIRECTED, "every pair in both orders, such as"),
        ("a.graphml", PATH.replace("%s", '<edge source="1" target="2"/>'), "line 1: 1 edges from 1 to 2, but 0 back"),
        (
            "a.graphml",
            PATH.replace("%s", '<node id="9"><data key="k">node</data></node>'),
            "vertex 9 of kind node; exp",
        ),
        ("a.graphml", RATED, "line 1: rate_gbps=4; expected a graph"),
        ("a.graphml", PORTED % ("1", "7"), "line 1: source_port=7 at edge 2 of 1; expected 2, the ports"),
        ("b.edges", None, "No such file"),
    ],
)
def test_an_invalid_file_is_reported_in_one_line(tmp_path, name, text, message):
    if text is not None:
        (tmp_path / name).write_text(text)
    require_refusal(lambda: read_edges(tmp_path / name), message)
