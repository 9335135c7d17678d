"""Sections of a page: discovered by file name, and shown if the design has the data for them."""

from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import (
    Circuits,
    Design,
    Hybrid,
    InputError,
    Layout,
    Network,
    OpticalOverlay,
    Site,
    dual_cube,
    family_named,
    family_names,
)
from isoplane.models.families.leaf_spine import LeafSpine
from isoplane.models.placement import by_switch
from isoplane.models.workloads import stencil
from isoplane.objectives.general import general_exact
from isoplane.runs.drawing.block import Block
from isoplane.runs.drawing.drawing import drawing_style
from isoplane.runs.report import sections
from isoplane.runs.report.designs.evaluated import EvaluatedDesign, cable_counts
from isoplane.runs.report.kinds import switches
from isoplane.runs.report.page import render
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.sections.comparison import comparison
from isoplane.runs.report.write import described_design
from tests.cases import for_each
from tests.models.families.members import MEMBERS
from tests.tools import install_package

from .cases import record

CUSTOM = """
from isoplane.runs.drawing.block import Block, Text

ORDER = 15


def block(data):
    if data.network.nodes < 16:
        return None
    return Block("custom", "A user's section", [Text(f"{data.network.nodes} nodes & more")])
"""
SMALL_FAMILIES = {
    "hypercube": dual_cube(3, (3, 5, 7)).family,
    "folded_hypercube": dual_cube(3, (3, 5, 7), True).family,
    "torus": family_named("torus")(shape=(3, 4)),
    "mesh": family_named("mesh")(shape=(2, 3)),
    "rdt": family_named("rdt")(side=4),
    "fat_tree": family_named("fat_tree")(switch_ports=4),
    "graph": family_named("graph")(edges=((0, 1), (1, 2), (2, 3), (3, 0))),
    "fabric": family_named("fabric").read(
        {"planes": [{"switches": 2, "cables": [(0, 2, 1, 3)], "nodes": [(0, 1, 1)]}]}
    ),
    "hybrid": Hybrid(2, 4),
    "optical_overlay": OpticalOverlay(packet=LeafSpine(nodes_per_leaf=4, leaf_switches=2, spine_switches=1)),
}


def described(network):
    """The record of a design that was not found by a search."""
    if network.family.kind != "circuits":
        return described_design(Design(network), None, {})
    design = Design(network, Circuits(((0, 4),)), by_switch(network.nodes))
    return described_design(design, stencil((2, 4)), {})


def section_keys(network):
    with drawing_style():
        return [block.key for block in sections.blocks(ReportData(described(network), verified_by="command"))]


@pytest.fixture
def rediscovered():
    """Discover the sections again, in the test and after it."""
    sections._sections.cache_clear()
    yield
    sections._sections.cache_clear()


def test_a_file_in_the_folder_of_sections_is_a_section(tmp_path, monkeypatch, rediscovered, blank_charts):
    (tmp_path / "custom.py").write_text(CUSTOM)
    monkeypatch.setattr(sections, "__path__", [*sections.__path__, str(tmp_path)])
    page = render(ReportData(record(layout=None)))  # 32 nodes
    assert "<h2>A user&#39;s section</h2>\n<p>32 nodes &amp; more</p>" in page
    assert page.index('id="design"') < page.index('id="custom"') < page.index('id="comparison"')  # 10 < 15 < 20
    assert 'id="custom"' not in render(ReportData(record(layout=None, nodes_per_switch=1)))  # 8 nodes


def test_an_installed_package_can_add_a_section(tmp_path, monkeypatch, rediscovered, blank_charts):
    (tmp_path / "section_of_a_test.py").write_text(CUSTOM)
    install_package(tmp_path, monkeypatch, sections.ENTRY_POINTS, custom="section_of_a_test")
    assert 'id="custom"' in render(ReportData(record(layout=None)))


@for_each("value", ["missing_module_of_a_test", "json"])
def test_a_bad_entry_point_is_reported_in_one_line(tmp_path, monkeypatch, rediscovered, value):
    install_package(tmp_path, monkeypatch, sections.ENTRY_POINTS, custom=value)
    with pytest.raises(InputError, match="section=custom: ") as caught:
        render(ReportData(record(layout=None)))
    assert "\n" not in str(caught.value)


@for_each(
    ("name", "site"),
    [*product(family_names(), [Site()]), *product(("hypercube", "relabelled", "torus"), [Site(layout=None)])],
)
def test_the_sections_of_every_family_are_blocks(blank_charts, name, site):
    family = SMALL_FAMILIES[name] if name in SMALL_FAMILIES else family_named(name)()
    data = ReportData(described(Network(family, site)), verified_by="command")
    with drawing_style():
        blocks = sections.blocks(data)
    assert all(isinstance(block, Block) for block in blocks)
    shown = [block.key for block in blocks]
    assert len(shown) == len(set(shown))
    assert (shown[:2], shown[-1]) == (["design", "comparison"], "provenance")


def test_a_node_with_two_links_counts_once_at_its_switch():
    plane = family_named("hyperx")(shape=(3,), nodes_per_switch=6)
    network = Network(family_named("multi_plane")(plane=plane, planes=1, links_per_node=2))
    assert ("Nodes", "9, 3 per switch") in switches.facts(ReportData(described(network)))


@for_each(("assumed_cable_m", "fact", "unit", "kind"), [
    (2.5, ("Cable lengths", "assumed 2.5 m each"), "m, assumed", "Cables by assumed length"),
    (None, None, "m", "Cables by catalogue length"),
])  # fmt: skip
def test_a_page_says_where_lengths_are_assumed(blank_charts, assumed_cable_m, fact, unit, kind):
    torus = replace(SMALL_FAMILIES["torus"], assumed_cable_m=assumed_cable_m)
    site = Site(layout=Layout(aspects=()))
    data = ReportData(described(Network(torus, site)), verified_by="command")
    assert [each for each in switches.facts(data) if each[0] == "Cable lengths"] == ([] if fact is None else [fact])
    _, rows = comparison(data)
    assert [row[1] for row in rows if row[0].startswith("Mean length")] == [unit]
    with drawing_style():
        assert [block.title for block in sections.blocks(data) if block.key == "cables"] == [kind]


def test_networks_show_the_sections_that_they_have_data_for(blank_charts):
    links, flows = {"loads", "distances"}, {"traffic", "circuits", "links", "course"}
    torus = SMALL_FAMILIES["torus"]
    for network, keys in (
        (Network(torus), {*links, "cables", "costs"}),
        (Network(torus, Site(layout=None)), {*links, "layout"}),
        (Network(SMALL_FAMILIES["optical_overlay"]), flows),
    ):
        shown = section_keys(network)
        assert keys == {*links, *flows, "cables", "costs", "layout"} & set(shown)


def test_the_page_of_three_planes_shows_generators_a_baseline_and_a_histogram_of_each_plane():
    planes = dual_cube(4, (3, 5, 9, 14), layout=None).family.planes
    network = Network(family_named("hypercube")((*planes, planes[1])), Site(layout=None))
    page = render(ReportData(described(network), verified_by="command"))
    assert "Triple-plane isomorphic hypercube, n = 4" in page
    assert "[[3, 5, 9, 14], [3, 5, 9, 14]]" in page
    assert "identical planes" in page
    assert page.count("alone: mean") == 3


@settings(deadline=None, max_examples=25)
@given(st.one_of(*(MEMBERS[name] for name in ("torus", "mesh", "rdt", "direct_hypercube", "hypercube"))))
def test_cost_parts_and_cable_lengths_add_up_to_the_totals_of_the_general_evaluator(family):
    network = Network(family, Site())
    exact = general_exact(network)
    assert sum(EvaluatedDesign("", Design(network)).cost_cents()) == exact.cost_cents
    lengths = [mm * count for counts in cable_counts(network) for mm, count in counts.items()]
    assert sum(lengths) == exact.cable_length_mm
