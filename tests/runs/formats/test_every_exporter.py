"""Every exporter: fabrics of one switch, what the page says, and cross-connects of an optical switch."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import Circuits, Design, Hybrid, InputError, Layout, Network, Placement, Site, dual_cube
from isoplane.models.device_names import DeviceNames
from isoplane.models.failures.node_subsets import with_nodes
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.hyperx import HyperX
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.models.routing import ROUTINGS
from isoplane.models.workloads import all_to_all
from isoplane.objectives import metrics_of
from isoplane.objectives.fluid.plane_model import NetworkFluidModel
from isoplane.objectives.reference import reference_metrics
from isoplane.runs.cable_check import check_cables
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import exporter_named, exporter_names
from isoplane.runs.imports.importers.ibnetdiscover import parse_ibnetdiscover
from isoplane.runs.inputs.cross_connects import HEADER, cross_connects, read_cross_connects
from tests.cases import for_each, require_refusal

from .cabling.files_of import contents, rows
from .exported import exported, exported_design, hybrid_design, texts
from .fabrics import discovery_text
from .import_sources import planes_of, source

STAR = [(("S0", node + 1), (f"N{node}", 1)) for node in range(3)]
RAILS = [((f"S{rail}", node + 1), (f"N{node}", rail + 1)) for rail in range(2) for node in range(3)]
REFUSED = {"goal", "tit", "msccl", "phases", "optical_switch", "plane_rule", "program"}  # whatever the switches


def network_of(*texts_of_planes, **options):
    return Network(Fabric(planes=planes_of(*texts_of_planes)[0], **options), Site())


@for_each("text", [discovery_text(STAR).replace("4xSDR", "4xEDR"), "S0 N0\nS0 N1\nS0 N2\n"])
@for_each("routing", ROUTINGS)
def test_a_fabric_of_one_switch_has_metrics_and_times(text, routing):
    network = network_of(text, routing=routing)
    assert network.title == "fabric of 1 switch"
    metrics = metrics_of(Design(network))
    assert metrics == reference_metrics(network)
    assert (metrics["aspl"], metrics["diameter"], metrics["delay_ns"]) == (0, 0, 131)  # the endpoints alone
    times = NetworkFluidModel(network, all_to_all(3, 10**6).message_list()).times()
    assert times.bottleneck_ns == 2 * 8 * 10**6 // 100  # two messages over the link of a node, at 100 Gbit/s


def test_switches_that_share_nodes_only_are_planes():
    listing = discovery_text(RAILS).replace("4xSDR", "4xEDR")
    network = network_of(listing, policy="spray")
    assert [plane.topology.switches for plane in network.planes] == [1, 1]
    times = NetworkFluidModel(network, all_to_all(3, 10**6).message_list()).times()
    assert times.bottleneck_ns == 8 * 10**6 // 100  # half of it over each of two links
    check = check_cables(network, ["x"], [parse_ibnetdiscover(source(listing, "x", "found"))])
    assert check.agrees


def test_every_export_of_one_switch_is_written_or_refused_in_one_line():
    network, written = network_of(discovery_text(STAR)), 0
    for name in exporter_names():
        if name in REFUSED:
            with pytest.raises(InputError, match="expected|allowed") as caught:
                texts(name, exported(network))
            assert "\n" not in str(caught.value)
        else:
            written += len(texts(name, exported(network)))
    assert written > len(exporter_names()) - len(REFUSED)


def test_files_with_some_of_the_nodes_are_those_of_a_network_that_has_no_others():
    switches = HyperX(shape=(3,), nodes_per_switch=2, node_cable_m=2)
    network = Network(MultiPlane(plane=switches, planes=2), Site(Layout(aspects=(), switches_per_rack=2)))
    for name in exporter_names():
        if name not in REFUSED | {"cabling"}:  # whose switches keep ports for others
            files, expected = (
                texts(name, exported(network, nodes=5)),
                texts(name, exported(with_nodes(network, [0, 1, 2, 4, 5]))),
            )
            assert expected == {
                file: text.replace(", with 5 of its 6 nodes, evenly spread", "") for file, text in files.items()
            }
    shift = texts("phases", exported(network, nodes=5, order="shift"))
    assert shift == texts("phases", exported(with_nodes(network, [0, 1, 2, 4, 5]), order="shift"))


def test_nodes_in_switches_nodes_with_circuits_and_nodes_with_names_cannot_be_left_out():
    require_refusal(
        lambda: texts("graphml", exported(Network(Torus(shape=(3,))), nodes=2)),
        "^nodes=2: torus 3 has a node in each switch; expected 3, all of them$",
    )
    named = network_of("S0 N0\nS0 N1\nS0 N2\n", names=DeviceNames((("leaf",),), tuple("xyz")))
    # A node that is left has another number, and would have the name of another.
    require_refusal(lambda: exported(named, nodes=2).wired, "^nodes=2: fabric of 1 switch has 3 nodes with names; exp")
    design = Exported(hybrid_design(), {"id": "0"}, {"nodes": 2})
    require_refusal(lambda: texts("graphml", design), "^network.family=hybrid: circuits between nodes; expected ")


PAGE = Path(__file__).resolve().parents[3] / "docs" / "formats.md"


def documented(heading):
    """The first and last cells of a table, by each format in the first ones."""
    table = PAGE.read_text(encoding="utf-8").split(f"\n| {heading} |")[1].split("\n\n")[0]
    cells = [line.strip("|").split("|") for line in table.splitlines()[2:]]
    return {name: each[-1] for each in cells for name in re.findall(r"`(\w+)`", each[0])}


def test_the_two_classes_of_exports_are_those_of_the_exporters():
    proved, shape_checked = documented("proved in CI"), documented("shape checked")
    assert not proved.keys() & shape_checked.keys()
    assert sorted({*proved, *shape_checked}) == list(exporter_names())
    checked_by = {name: exporter_named(name).checked_by for name in exporter_names()}
    assert proved.keys() == {name for name, program in checked_by.items() if program is not None}
    for name, says in proved.items():
        assert all(program in says for program in checked_by[name].split(", "))


def test_a_format_refuses_designs_of_a_kind_that_it_cannot_express():
    circuits = "booksim evalnet ns3 opensm plane_rule plane_table program simgrid source_routes sst_merlin"
    designs = {
        Design(Network(Torus(shape=(3,)))): ("plane_rule optical_switch", "packet switches"),
        Design(dual_cube(3, (3, 5, 7))): ("optical_switch", "planes of cubes"),
        hybrid_design(): (circuits, "packet switches with circuits of an optical switch"),
    }
    for design, (refusing, what) in designs.items():
        for name in exporter_names():
            if name in refusing.split():
                with pytest.raises(InputError, match=f"^format={name}: .* has {what}; expected "):
                    exporter_named(name).begun(name, exported_design(design))
            else:
                assert design.network.family.kind in exporter_named(name).kinds


@st.composite
def hybrids(draw):
    """Designs of a few groups with circuits, some of them parallel, and any placement."""
    groups, nodes, ports = draw(st.integers(2, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    network = Network(Hybrid(groups, nodes, ports))
    free, pairs = Counter(dict.fromkeys(range(network.nodes), ports)), []
    ends = st.integers(0, network.nodes - 1)
    for a, b in draw(st.lists(st.tuples(ends, ends), max_size=12)):
        if a // nodes != b // nodes and free[a] and free[b]:
            pairs.append((a, b))
            free.subtract((a, b))
    placement = Placement(tuple(draw(st.permutations(range(network.nodes)))))
    return Design(network, Circuits(tuple(pairs)), placement)


@given(hybrids())
@settings(deadline=None, max_examples=60)
def test_light_from_each_end_of_a_circuit_arrives_at_the_other(design):
    files = contents("optical_switch", design)
    placement = {int(row["process"]): int(row["node"]) for row in rows(files["placement.csv"])}
    assert tuple(placement[process] for process in range(len(placement))) == design.placement.nodes
    fibres = [tuple(map(int, row.values())) for row in rows(files["fibres.csv"])]
    duplex = len(fibres)
    assert duplex == design.network.nodes * design.network.family.ports_per_node
    into = {(node, port): ingress for node, port, _, ingress, _ in fibres}
    out_of = {egress: (node, port) for node, port, _, _, egress in fibres}
    assert sorted(into.values()) == list(range(1, duplex + 1))
    assert sorted(out_of) == list(range(duplex + 1, 2 * duplex + 1))
    switch_port = {(node, port): number for node, port, number, *_ in fibres}

    pairs = json.loads(files["polatis.json"])["optical-switch:cross-connects"]["pair"]
    egress = {pair["ingress"]: pair["egress"] for pair in pairs}
    assert len(egress) == len(set(egress.values())) == len(pairs) == 2 * len(design.circuits)

    found = []
    for row in rows(files["cross_connects.csv"]):
        a, b = ((int(row[f"node_{end}"]), int(row[f"node_port_{end}"])) for end in "ab")
        for here, there, end in ((a, b, "a"), (b, a, "b")):
            assert out_of[egress[into[here]]] == there
            assert switch_port[here] == int(row[f"switch_port_{end}"])
            assert placement[int(row[f"process_{end}"])] == here[0]
            assert int(row[f"group_{end}"]) == here[0] // design.network.family.nodes_per_group
        found.append((a[0], b[0]))
    assert tuple(found) == design.circuits.pairs


def read(folder, text):
    path = folder / "given.csv"
    path.write_text(text, encoding="utf-8")
    return read_cross_connects(path)


@for_each("pairs", [(), ((0, 4),), ((0, 4), (0, 5), (3, 6))])
def test_circuits_are_read_back_as_they_were_written(tmp_path, pairs):
    text = cross_connects(Hybrid(2, 4, 2).optical, Circuits(pairs))
    assert read(tmp_path, text) == Circuits(pairs)
    assert read(tmp_path, "node_b,node_a\n4,0\n") == Circuits(((0, 4),))  # two columns are enough


@for_each(
    ("text", "message"),
    [
        ("", "no header; expected columns node_a and node_b"),
        (HEADER.replace("node_b", "to") + "\n0,0,0,4,0,0,1\n", "no header; expected columns node_a and node_b"),
        ("node_a,node_b\n0\n", "no two nodes in a line"),
        ("node_a,node_b\n0,4.5\n", "no two nodes in a line"),
    ],
)
def test_a_file_without_a_header_or_two_nodes_in_a_line_is_rejected(tmp_path, text, message):
    require_refusal(lambda: read(tmp_path, text), f"given.csv: {message}")
