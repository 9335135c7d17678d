"""The names of the devices of an existing fabric, wherever a page or a result names a switch."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from isoplane.models import Design, InputError, Layout, Network, Site
from isoplane.models.device_names import DeviceNames
from isoplane.models.families.fabric import Fabric
from isoplane.models.families.torus import Torus
from isoplane.models.family_kinds.fabric_plane import FabricPlane
from isoplane.models.routing import describe_cycle
from isoplane.runs.drawing.network_picture import plane_pictures
from isoplane.runs.exports.exporter import Exported
from isoplane.runs.exports.exporters import opensm
from isoplane.runs.report.designs.evaluated import EvaluatedDesign
from isoplane.runs.report.page import render
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.sections.loads import BUSIEST, busiest_links
from isoplane.runs.report.write import described_design
from isoplane.simulator.measure.report import deadlock_line
from tests.cases import for_each

# Switches a - b - c in a line, with one, two and three nodes.
NODES = ((0, 0, 3), (1, 1, 3), (2, 1, 4), (3, 2, 3), (4, 2, 4), (5, 2, 5))
LINE = FabricPlane(switches=3, cables=((0, 1, 1, 1), (1, 2, 2, 2)), nodes=NODES)
NAMES = DeviceNames((("a", "P0-S1", "<c>"),), tuple("uvwxyz"))


def design(names):
    return Design(Network(Fabric(planes=(LINE,), assumed_cable_m=None, names=names), Site(Layout())))


def test_the_busiest_links_carry_the_pairs_of_nodes_on_their_two_sides():
    # Between a and the others 1 * 5 packets in each direction, between c and the others 3 * 3.
    assert busiest_links(EvaluatedDesign("", design(None))) == [
        ["from", "port", "to", "port", "load (packets)"],
        ["P0-S1", "2", "P0-S2", "2", "9"],
        ["P0-S2", "2", "P0-S1", "2", "9"],
        ["P0-S0", "1", "P0-S1", "1", "5"],
        ["P0-S1", "1", "P0-S0", "1", "5"],
    ]
    named = busiest_links(EvaluatedDesign("", design(NAMES)))
    assert [row[::2][:2] for row in named[1:3]] == [["P0-S1", "<c> (P0-S2)"], ["<c> (P0-S2)", "P0-S1"]]
    assert named[3][0] == "a (P0-S0)"


@for_each(("shape", "rows"), [((4,), 0), ((6, 3), 1 + BUSIEST)])
def test_links_of_equal_loads_are_not_listed(shape, rows):
    assert len(busiest_links(EvaluatedDesign("", Design(Network(Torus(shape=shape, ties="parity")))))) == rows


def test_the_page_of_a_record_shows_the_names_in_it():
    page = render(ReportData(described_design(design(NAMES), None, {}), verified_by="command"))
    assert "&lt;c&gt; (P0-S2)" in page
    assert "a (P0-S0)" in page
    assert "(P0-S2)" not in render(ReportData(described_design(design(None), None, {}), verified_by="command"))


def test_pictures_show_the_names_of_switches():
    ((svg, (_, *rows)),) = plane_pictures(design(NAMES).network)
    assert [row[1:3] for row in rows] == [("a (P0-S0)", "P0-S1"), ("P0-S1", "<c> (P0-S2)")]
    assert "<title>P0-S1 – &lt;c&gt; (P0-S2)" in svg


WITH_GUIDS = replace(NAMES, aliases=(("0x1f", "P0-S2"), ("0x2f", "N1"), ("<c>", "P0-S2")))


@for_each(
    ("names", "shown"),
    [(None, "P0-S2:2"), (NAMES, "<c>:2 (P0-S2:2)"), (WITH_GUIDS, "<c>:2 (P0-S2:2, 0x1f)")],
)
def test_a_deadlock_names_its_switches(names, shown):
    simulation = SimpleNamespace(deadlock=[(0, 2, 1, 0)], network=design(names).network)
    assert f": {shown} channel 0" in deadlock_line(simulation)
    assert f": {shown} class 0" in describe_cycle([(2, 1, 0), (0, 1, 0)], names)


def test_routes_that_can_deadlock_are_refused_with_the_names_of_switches():
    cables = tuple((switch, 1, (switch + 1) % 6, 2) for switch in range(6))
    ring = FabricPlane(switches=6, cables=cables, nodes=tuple((node, node, 3) for node in range(6)))
    names = DeviceNames((tuple("abcdef"),), tuple("uvwxyz"), (("0x1f", "P0-S0"),))
    network = Network(Fabric(planes=(ring,), routing="shortest", names=names), Site(Layout()))
    exported = Exported(Design(network), {})
    with pytest.raises(InputError, match=r"packets can deadlock, since .* a:1 \(P0-S0:1, 0x1f\) class 0"):
        list(opensm.files(exported))
