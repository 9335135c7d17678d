"""Graphs from files, and existing fabrics: ports, attachments, tables, and errors in the files."""

import gzip
import json
from dataclasses import replace

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Design, Network, Site, dual_cube, family_named
from isoplane.models.cabling.cable_list import cable_list, interface_ports
from isoplane.models.failures.node_subsets import with_nodes
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.graph import Graph
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.files.forwarding_tables import add_table_folder, file_name, table_content
from isoplane.models.files.graph_files import read_edges
from isoplane.runs.records import design_content, design_of_record
from tests.cases import for_each, require_refusal
from tests.models.families.members import FABRIC, OTHER_FABRIC, PAIR
from tests.runs.formats.copies import copied_fabric, rows, tables_of

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
    (plane,) = Network(Graph(edges=read_edges(prism), assumed_cable_m=4)).planes
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
        ("a.edges", "0 1\n2 2\n", "line 2: an edge from switch 2 to itself; expected edges between two switches"),
        ("a.edges", "0 1\n1 -2\n", "line 2: switch=-2: expected an integer from 0 to 1048575"),
        ("a.edges", "0 1 -3\n", "line 1: length=-3.0: expected a number of at least 0"),
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


copied_networks = st.sampled_from(
    [
        family_named("torus")(shape=(3, 4), nodes_per_switch=2, node_cable_m=2.0),
        family_named("fat_tree")(switch_ports=4),
        family_named("leaf_spine")(leaf_switches=3, spine_switches=2, nodes_per_leaf=3),
        family_named("dragonfly")(switches_per_group=4, global_ports=1, groups=5, nodes_per_switch=2),
        family_named("xgft")(children=(2, 3), parents=(1, 2)),
        dual_cube(3, (3, 5, 7)).family,
    ]
)


def test_every_cable_has_the_ports_and_the_length_that_the_fabric_states_or_the_given_one():
    plane = replace(FABRIC, lengths_m=(1, None, 2.5, 3))
    cables = rows(Network(Fabric(planes=(plane, OTHER_FABRIC), assumed_cable_m=7, node_cable_m=0.5)))
    assert {row[:3]: ("N" if row[3] else "S", *row[4:]) for row in cables} == {
        (0, 0, 3): ("S", 1, 5, 1000), (0, 1, 2): ("S", 2, 1, 7000), (0, 0, 7): ("S", 2, 9, 2500),
        (0, 0, 4): ("S", 1, 4, 3000), (0, 0, 1): ("N", 0, 1, 500), (0, 1, 1): ("N", 1, 1, 500),
        (0, 2, 3): ("N", 1, 2, 500), (0, 2, 8): ("N", 3, 1, 500), (1, 0, 1): ("S", 1, 1, 7000),
        (1, 0, 2): ("N", 0, 2, 500), (1, 1, 2): ("N", 2, 1, 500),
    }  # fmt: skip


ENDS = st.lists(st.sets(st.tuples(st.integers(1, 3), st.integers(1, 4)), min_size=1), min_size=2, max_size=4)


@given(ENDS, st.randoms())
@settings(max_examples=50)
def test_stated_ports_of_a_node_keep_their_numbers_or_follow_those_of_the_adapter_before(used, rng):
    links = [(node, *end) for node, ends in enumerate(used) for end in ends]
    first = [link for link in links if rng.random() < 0.5] or links
    planes = []
    for chosen in (sorted(first), sorted({*links} - {*first})):
        nodes = tuple((node, 0, port) for port, (node, *_) in enumerate(chosen, start=2))
        ends = tuple((adapter, port) for _, adapter, port in chosen)
        planes.append(FabricPlane(switches=2, cables=((0, 1, 1, 1),), nodes=nodes, adapter_ports=ends))
    cables = cable_list(Network(Fabric(planes=tuple(plane for plane in planes if plane.nodes))).cabling)
    cables = cables.where(cables.to_node)
    ends = zip(cables.other.tolist(), cables.adapter.tolist(), cables.adapter_port.tolist(), strict=True)
    rails = dict(zip(ends, cables.other_port.tolist(), strict=True))
    assert sorted(rails) == sorted(links)
    for node, ends in enumerate(used):
        before, repeats = 0, len({port for _, port in ends}) < len(ends)
        for adapter in (1, 2, 3):
            ports = [port for each, port in ends if each == adapter]
            assert all(rails[node, adapter, port] == port + before * repeats for port in ports)
            before += max(ports, default=0)
        assert len({rails[node, *end] for end in ends}) == len(ends)


def test_copies_of_a_plane_have_ports_of_their_own_at_each_node():
    plane = replace(PAIR, adapter_ports=((1, 2), (1, 2)))
    copies = Network(MultiPlane(plane=Fabric(planes=(plane,)), planes=2))
    for network, ports in ((Network(Fabric(planes=(plane,))), [[2, 2]]), (copies, [[1, 1], [2, 2]])):
        assert [each.tolist() for each in interface_ports(network.cabling)] == ports


def test_a_fabric_of_some_nodes_keeps_their_ports():
    planes = (
        replace(FABRIC, adapter_ports=((1, 2), (1, 1), (2, 1), (1, 4))),
        replace(OTHER_FABRIC, adapter_ports=((1, 1), (1, 3))),
    )
    whole = Network(Fabric(planes=planes))
    assert [ports.tolist() for ports in interface_ports(whole.cabling)] == [[2, 1, 2, 4], [1, 3]]
    assert [ports.tolist() for ports in interface_ports(with_nodes(whole, [1, 2, 3]).cabling)] == [[1, 2, 4], [3]]


def test_a_fabric_is_read_back_from_a_record():
    plane = replace(FABRIC, lengths_m=(1, None, 2.5, 3), adapter_ports=((1, 2), (1, 1), (2, 1), (1, 4)))
    other = replace(OTHER_FABRIC, adapter_ports=((1, 1), (1, 1)))
    fabric = Fabric(planes=(plane, other), routing="shortest", policy="spray")
    assert fabric.description == "fabric of 3 + 2 switches, 4 nodes"
    content = json.loads(json.dumps(design_content(Design(Network(fabric)))))
    assert design_of_record(content).network.family == fabric


@pytest.fixture(scope="module")
def table_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    add_table_folder(folder)
    return folder


def with_tables(fabric, tables, folder):
    """The fabric with tables in files."""
    planes = []
    for plane, table in zip(fabric.planes, tables, strict=True):
        sha256, content = table_content(table)
        (folder / file_name(sha256)).write_bytes(content)
        planes.append(replace(plane, tables=sha256))
    return Fabric(planes=tuple(planes))


@given(copied_networks)
@settings(max_examples=8)
def test_a_copy_with_the_tables_of_a_network_loads_every_link_alike(table_folder, family):
    network = Network(family, Site(layout=None))
    copy = Network(with_tables(copied_fabric(network, "up_down"), tables_of(network), table_folder))
    assert copy.family.routing == "tables"
    rng = np.random.default_rng(1)
    for number, (plane, copied) in enumerate(zip(network.planes, copy.planes, strict=True)):
        assert np.array_equal(plane.topology.peer, copied.topology.peer)
        assert np.array_equal(plane.topology.peer_port, copied.topology.peer_port)
        source, destination = rng.integers(0, len(plane.node_switch), (2, 200))
        start, link = network.route_links(source, destination, number)
        copied_start, copied_link = copy.route_links(source, destination, number)
        assert np.array_equal(start, copied_start)
        assert np.array_equal(link, copied_link)


def test_an_altered_or_missing_file_of_tables_is_rejected(table_folder):
    network = Network(family_named("fat_tree")(switch_ports=4), Site(layout=None))
    fabric = with_tables(copied_fabric(network, "up_down"), tables_of(network), table_folder)
    file = table_folder / file_name(fabric.planes[0].tables)
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    message = "its SHA-256 is not that of its name; expected an unaltered file"
    require_refusal(lambda: Network(fabric).planes, message)
    file.unlink()
    message = f"network.planes.tables={fabric.planes[0].tables}: no file "
    require_refusal(lambda: Fabric(planes=fabric.planes), message)
    assert Fabric(planes=fabric.planes, routing="up_down").routing == "up_down"  # needs no file


def test_rates_and_delays_of_cables_reach_the_plane():
    rates = {"rates_gbps": (100, 50, 50, 100), "node_rates_gbps": (200,) * 4}
    plane = replace(FABRIC, **rates, delays_ns=(1, 2, 3, 0.5), node_delays_ns=(0,) * 4)
    other = replace(OTHER_FABRIC, rates_gbps=(100,), node_rates_gbps=(100, 100))
    timing = Network(Fabric(planes=(plane, other))).planes[0].timing
    assert timing.rate_mbps[0].tolist() == [0, 0, 100_000, 100_000, 0, 0, 50_000, 0, 0]
    assert timing.delay_ps[1].tolist() == [0, 2000, 0, 500, 1000, 0, 0, 0, 0]
    assert timing.node_rate_mbps.tolist() == [200_000] * 4
    assert timing.node_delay_ps.tolist() == [0] * 4
