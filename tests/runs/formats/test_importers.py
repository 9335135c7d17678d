"""Importers: what they find, and how they name the line of a damaged or contradictory file."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Network, Site, dual_cube, family_named
from isoplane.models.cabling.cable_list import interface_ports
from isoplane.models.families.fabric import Fabric
from isoplane.runs.imports.given_devices import GivenDevices
from isoplane.runs.imports.import_fabric import FABRIC, imported, write_fabric
from isoplane.runs.imports.imported_tables import with_tables
from isoplane.runs.imports.importer import Source
from isoplane.runs.imports.importers import importer_named, importer_names
from tests.cases import for_each, require_refusal

from .copies import cable_ends, copied_fabric, dump_lines, graphml_text, rows, tables_of
from .exported import exported, texts
from .fabrics import discovery_text, dump_text, guids
from .import_sources import ASTRA, GRAPHML, LISTED, planes_of, source
from .test_fabric_reader import linkinfo_text

NETWORKS = (
    family_named("torus")(shape=(3, 4), nodes_per_switch=2, node_cable_m=2.0),
    family_named("fat_tree")(switch_ports=4),
    family_named("dragonfly")(switches_per_group=4, global_ports=1, groups=5, nodes_per_switch=2),
    dual_cube(3, (3, 5, 7)).family,
)
networks = st.sampled_from([Network(family, Site(layout=None)) for family in NETWORKS])


def cables(plane):
    """The cables of a plane as sets of ends."""
    return {frozenset(((a, p), (b, q))) for a, p, b, q in plane.cables}


def assert_same(planes, family):
    """The planes are those of a copy with the same ports."""
    for plane, copy in zip(planes, family.planes, strict=True):
        assert (plane.switches, plane.nodes, cables(plane)) == (copy.switches, copy.nodes, cables(copy))
        assert plane.adapter_ports is None  # ports are numbered as in the copy


@given(networks, st.booleans(), st.sampled_from([("source_port", "target_port"), ("port_a", "port_b")]))
@settings(max_examples=8)
def test_graphml_with_ports_is_the_same_fabric_whether_planes_are_in_one_file_or_several(network, in_one, ports):
    planes = range(len(network.planes))
    chosen = [None] if in_one else [{plane} for plane in planes]
    texts = [graphml_text(network, each, port_names=ports) for each in chosen]
    found, fabric = planes_of(*texts)
    assert_same(found, copied_fabric(network, "up_down"))
    assert fabric.nodes == tuple(f"N{node}" for node in range(network.nodes))
    expected = {(0, row[1], row[2]): row[6] for row in rows(network) if row[0] == 0 and not row[3]}
    lengths = {(0, a, p): mm * 1000 for (a, p, _, _), mm in zip(found[0].cables, found[0].lengths_m or (), strict=True)}
    assert lengths == expected


@given(networks)
@settings(max_examples=4)
def test_graphml_and_edge_lists_without_ports_have_the_same_cables_at_free_ports(network):
    edges = "".join(f"{a[0]} {b[0]}\n" for plane in range(len(network.planes)) for a, b in cable_ends(network, plane))
    for text in (graphml_text(network, with_ports=False), edges):
        found, _ = planes_of(text)
        for plane, copy in zip(found, copied_fabric(network, "up_down").planes, strict=True):
            assert sorted((min(a, b), max(a, b)) for a, _, b, _ in plane.cables) == sorted(
                (min(a, b), max(a, b)) for a, _, b, _ in copy.cables
            )
            assert [each[:2] for each in plane.nodes] == [each[:2] for each in copy.nodes]


def test_cables_within_a_device_and_loopback_plugs_are_left_out_with_their_lines():
    whole, _ = planes_of(discovery_text(LISTED))
    lines = discovery_text([*LISTED, (("S1", 3), ("S1", 4)), (("N0", 2), ("N0", 3))]).split("\n")
    plug = lines.index('Switch\t64 "S-0000000000100010"\t\t# "S1" base port 0 lid 3 lmc 0') + 1
    lines.insert(plug, '[9]\t"S-0000000000100010"[9]\t\t# "S1" lid 7 4xSDR')
    found, fabric = planes_of("\n".join(lines))
    assert found == whole
    assert fabric.notes == (
        f"fabric.txt: 1 loopback plug left out: port 9 of S1 (line {plug + 1})",
        "fabric.txt: 2 cables between two ports of one device left out: S1 (line 21), N0 (line 30); these ports count "
        "as free",
    )
    with_spare, fabric = planes_of("a b\na N0\nspare spare\nb N1\nN1 N1\n", kind="edges")
    assert fabric.parts[0].switches == ("a", "b")
    assert with_spare == planes_of("a b\na N0\nb N1\n", kind="edges")[0]


@given(networks)
@settings(max_examples=4)
def test_infiniband_listings_and_tables_are_the_same_fabric(network):
    planes = range(len(network.planes))
    ends = [cable_ends(network, plane) for plane in planes]
    tables = [source("\n".join(dump_lines(network, plane)), "lfts", "tables") for plane in planes]
    for listing in (discovery_text, dump_text):
        found, fabric = planes_of(*(listing(each) for each in ends))
        assert_same(found, copied_fabric(network, "up_down"))
        for order in (tables, tables[::-1]):
            for plane, expected in zip(with_tables(fabric, order).tables, tables_of(network), strict=True):
                assert plane.tolist() == expected.tolist()


def test_the_adapters_of_a_host_are_one_node():
    listed = [(("S0", 1), ("S1", 1)), (("S0", 2), ("Na", 1)), (("S0", 3), ("Nb", 1)), (("S1", 2), ("Nb", 2))]
    listed.append((("S1", 3), ("Nc", 1)))
    names = {"Na": "host1 mlx5_0", "Nb": "host1 mlx5_1", "Nc": "host2 HCA-1"}
    planes, fabric = planes_of(discovery_text(listed, names=names))
    assert fabric.nodes == ("host1", "host2")
    assert planes[0].nodes == ((0, 0, 2), (0, 0, 3), (0, 1, 2), (1, 1, 3))
    assert planes[0].adapter_ports == ((1, 1), (2, 1), (2, 2), (1, 1))
    assert [ports.tolist() for ports in interface_ports(Network(Fabric(planes=planes)).cabling)] == [[1, 2, 3, 1]]
    assert dict(fabric.named_devices()) == {"S0": "P0-S0", "0x100000": "P0-S0", "S1": "P0-S1", "0x100010": "P0-S1"} | {
        "host1": "N0", "host1 mlx5_0": "N0:1", "0x100020": "N0:1", "host1 mlx5_1": "N0:2", "0x100030": "N0:2",
        "host2": "N1", "host2 HCA-1": "N1", "0x100040": "N1",
    }  # fmt: skip
    by_adapters = {name: device for name, device in fabric.named_devices() if name != "host1"}
    given = GivenDevices(Path("names.csv"), by_adapters)
    assert imported([source(discovery_text(listed, names=names))], None, None, given).nodes == fabric.nodes


def test_tables_of_a_host_with_several_adapters_are_found_by_the_guids_of_ports_and_skip_aggregation_nodes(tmp_path):
    listed = [(("S0", 1), ("S1", 1)), (("S0", 2), ("Na", 2)), (("S1", 2), ("Nb", 2)), (("S1", 3), ("Nc", 1))]
    listed.append((("S0", 9), ("Nd", 1)))
    names = {"Na": "host1 mlx5_0", "Nb": "host1 mlx5_1", "Nc": "host2", "Nd": "Mellanox Technologies Aggregation Node"}
    planes, fabric = planes_of(discovery_text(listed, names=names))
    assert fabric.nodes == ("host1", "host2")
    assert planes[0].adapter_ports == ((1, 2), (2, 2), (1, 1))
    guid = guids(["S0", "S1", "Na", "Nb", "Nc", "Nd"])
    lines = []
    for switch, ports in (("S0", (2, 1, 1, 9)), ("S1", (1, 2, 3, 1))):
        lines.append(f"Unicast lids [0-4] of switch Lid 9 guid {guid[switch]:#x} ('{switch}'):")
        for lid, (device, port) in enumerate([("Na", 2), ("Nb", 2), ("Nc", 1), ("Nd", 1)], start=1):
            own = f"portguid {guid[device] + port:#x}: '{names[device]}'"
            lines.append(f"0x{lid:04x} {ports[lid - 1]:03d} # Channel Adapter {own}")
    routed = with_tables(fabric, [source("\n".join(lines), "lfts", "tables")])
    (table,) = routed.tables
    assert table.tolist() == [[2, 1, 1], [1, 2, 3]]
    write_fabric(routed, tmp_path)
    assert Network(Fabric.read({"file": tmp_path / FABRIC})).family.routing == "tables"


def test_a_cable_list_is_the_edge_list_of_its_columns_at_the_ports_that_it_states():
    edges = "a b 2.5\na N0\nb N1 2\n"
    head = "remark;From;from port;To device;To_port;length_m\n"
    stated = planes_of(f"{head}x;a;7;b;3;2.5\n;a;;N0;;\n# y\n\n;b;9;N1;1;2\n")
    assert stated[1].notes == ("fabric.txt: columns that are not read: remark",)
    (plane,), (listed,) = stated[0], planes_of(edges, kind="edges")[0]
    assert (plane.cables, plane.nodes) == (((0, 7, 1, 3),), ((0, 0, 1), (1, 1, 9)))
    assert plane.lengths_m == listed.lengths_m
    assert planes_of("source,target,length_m\n" + edges.replace(" ", ",").replace("N0", "N0,"))[0] == (listed,)


def test_the_cabling_schedule_of_a_design_is_a_cable_list_of_it():
    network = Network(NETWORKS[3], Site())
    (schedule,) = (text for name, text in texts("cabling", exported(network)).items() if name == "schedule.csv")
    found, _ = planes_of(schedule)
    for plane, copy in zip(found, copied_fabric(network, "up_down").planes, strict=True):
        assert (plane.nodes, cables(plane)) == (copy.nodes, cables(copy))


def test_evalnet_lists_links_at_both_ends_or_at_one():
    ring = ((0, 1), (1, 2), (2, 3), (0, 3))
    for text in ("4 4 \n1 3 \n0 2 \n1 3 \n0 2 \n", "4 4\n1 3\n2\n3\n\n"):
        planes, _ = planes_of(text, kind="evalnet", nodes_per_switch=2)
        assert sorted((min(a, b), max(a, b)) for a, _, b, _ in planes[0].cables) == sorted(ring)
        assert [each[1] for each in planes[0].nodes] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_an_astra_sim_network_is_the_product_of_its_dimensions(tmp_path):
    file = tmp_path / "network.yml"
    text = "topology: [Ring, FullyConnected, Switch]\nnpus_count: [4, 3, 2]\nbandwidth: [200, 100.5, 50]\n"
    file.write_text(text + "latency: [50, 500.0, 2000]\n", encoding="utf-8")
    fabric = imported([Source(file, file.read_bytes())], None, None)
    plane, names = fabric.planes[0], fabric.parts[0].switches
    found = {}
    for (a, _, b, _), rate, delay in zip(plane.cables, plane.rates_gbps, plane.delays_ns, strict=True):
        found[frozenset((names[a], names[b]))] = (rate, delay)
    expected = {}
    for npu in range(24):
        x, y, z = npu % 4, npu // 4 % 3, npu // 12
        expected[frozenset((f"npu{npu}", f"npu{(x + 1) % 4 + 4 * y + 12 * z}"))] = (1600, 50)
        for other in range(y):
            expected[frozenset((f"npu{npu}", f"npu{x + 4 * other + 12 * z}"))] = (804, 500)
        expected[frozenset((f"npu{npu}", f"switch2-{x + 4 * y}"))] = (400, 2000)
    assert found == expected
    assert plane.node_rates_gbps == (2 * 1600 + 2 * 804 + 400,) * 24
    assert [names[switch] for _, switch, _ in plane.nodes] == [f"npu{npu}" for npu in range(24)]


EDGE, EDGE_BACK = '<edge source="a" target="b"/>', '<edge source="b" target="a"/>'
BOTH = GRAPHML.replace("<graph>", '<graph edgedefault="directed">').replace("</graph>", EDGE_BACK + "</graph>")
PORTS = GRAPHML.replace(EDGE, EDGE.replace("/>", ">%s</edge>") + EDGE_BACK.replace("/>", ">%s</edge>"))
PORT = '<data key="p">%s</data>'
DIRECTED = PORTS.replace("<graph>", '<key id="q" for="edge" attr.name="target_port"/><graph edgedefault="directed">')
BOTH_ORDERS = "every pair in both orders, such as"
DIFFERENT = "line 5: the edges between "


def test_a_directed_graph_has_each_cable_in_both_directions_or_in_one_and_parallel_cables_are_several():
    one = GRAPHML.replace("<graph>", '<graph edgedefault="directed">')
    assert planes_of(one)[0] == planes_of(BOTH)[0] == planes_of(GRAPHML)[0]
    assert planes_of(DIRECTED % (PORT % 1, '<data key="q">1</data>'))[0][0].cables == ((0, 1, 1, 1),)
    assert len(planes_of("A B\nB A\nB C\n", nodes_per_switch=1)[0][0].cables) == 3
    assert len(planes_of(PORTS % (PORT % 1, PORT % 7))[0][0].cables) == 2


@for_each(
    ("text", "message"),
    [
        (
            BOTH.replace("</graph>", EDGE_BACK + "</graph>"),
            "line 5: 1 edges from a to b, but 2 back; expected all edges",
        ),
        *((DIRECTED % (PORT % 1, back), DIFFERENT) for back in ("", '<data key="q">2</data>', PORT % 1)),
        ("A B\nB C\nC B\nB A\n", f"^file=fabric.txt: {BOTH_ORDERS} A B and B A; expected"),
        (PORTS % ("", ""), f"^file=fabric.txt: {BOTH_ORDERS} a b and b a; expected"),
    ],
)
def test_directions_that_contradict_each_other_are_refused(text, message):
    require_refusal(lambda: planes_of(text), message)


@for_each(
    ("text", "misnamed"),
    [("node1 sw1\nNode-2 sw1\nN0 sw1\n", ["2 devices such as Node-2"]), ("leaf1 sw1\nN0 sw1\nN1 leaf1\n", [])],
)
def test_switches_of_an_edge_list_with_names_of_nodes_are_warned_of(text, misnamed):
    notes = planes_of(text)[1].notes
    assert [note.split(" taken as switches")[0] for note in notes] == [f"fabric.txt: warning: {m}" for m in misnamed]


def test_nodes_are_matched_by_name_over_planes_and_a_node_may_lack_one():
    planes, fabric = planes_of("A B\nA N2\nB N10\n", "x y\ny N10\nx N1\nx N10\n")
    assert fabric.nodes == ("N1", "N2", "N10")
    assert planes[0].nodes == ((1, 0, 2), (2, 1, 2))
    assert planes[1].nodes == ((0, 0, 2), (2, 1, 2), (2, 0, 3))  # in the order of its links
    assert Fabric(planes=planes).nodes == 3


def test_the_format_is_guessed_and_ambiguity_is_an_error():
    short = 'Switch 2 "a"\n[1] "b"[1]\n[2] "h"[1]\nSwitch 2 "b"\n[1] "a"[1]\nCa 1 "h"\n[1] "a"[2]\n'
    files = (
        ("astra_sim", "x.yml", ASTRA),
        ("edges", "x.edges", "0 1\n"),
        ("cable_list", "x.csv", "from,to\na,b\n"),
        ("evalnet", "x.adj", "2 1\n1\n0\n"),
        ("graphml", "x", GRAPHML),
        ("iblinkinfo", "x", linkinfo_text(LISTED)),
        ("ibnetdiscover", "x", discovery_text(LISTED)),
        ("ibnetdiscover", "x.txt", short),
        ("opensm_subnet", "x.lst", dump_text(LISTED)),
    )
    assert {name for name, *_ in files} == {*importer_names()}
    for name, path, text in files:
        assert [kind for kind in importer_names() if importer_named(kind).accepts(source(text, path))] == [name]
    message = "file=x: of no known format; expected kind=, one of astra_sim, cable_list, edges"
    require_refusal(lambda: planes_of("hello", name="x"), message)
    message = "file=x.json: a fabric of isoplane import; expected isoplane evaluate network=fabric network.file=x.json"
    require_refusal(lambda: planes_of('{"planes": [{}]}', name="x.json"), message)
    message = "file=x.json: a record; expected isoplane evaluate record=x.json"
    require_refusal(lambda: planes_of('{"schema": 2}', name="x.json"), message)
    message = "file=x.txt: may be edges or evalnet; expected kind="
    require_refusal(lambda: planes_of("1 1\n0 1\n", name="x.txt"), message)
