"""The pages of a dual cube and of a hybrid network as a whole: complete, self-contained and reproducible."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest

from isoplane.models import Circuits, Hybrid
from isoplane.models.placement import by_switch
from isoplane.models.workloads import from_matrix, stencil
from isoplane.objectives.reference.metrics import reference_exact, requested_metrics
from isoplane.runs.records import network_of
from isoplane.runs.report import sections
from isoplane.runs.report.history import HistoryRow
from isoplane.runs.report.page import render
from isoplane.runs.report.report_data import ReportData
from isoplane.search.circuits.rules import round_robin
from tests.cases import for_each

from . import hybrid_cases
from .cases import BEST_OF_8, record

HISTORY = (HistoryRow(0.1, 1000, (81805, 1), (79000, 1)), HistoryRow(30.0, 2000000, (80000, 1), (79500, 1)))
SUMMARY = {"evaluations": 3000000, "seconds": 45.0, "stopped_by": "seconds"}
VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}
KINDS = ("cubes", "hybrid")
SHOWN = {  # among others
    "cubes": {"design", "convergence", "front", "loads", "distances", "cables", "costs", "provenance"},
    "hybrid": {"design", "convergence", "traffic", "circuits", "links", "course", "provenance"},
}


def data_of(kind):
    if kind == "hybrid":
        return ReportData(hybrid_cases.record(), history=HISTORY, summary=SUMMARY)
    others = [record(8, tuple(1 << i for i in range(8)))]
    return ReportData(record(8, BEST_OF_8), history=HISTORY, others=others, summary=SUMMARY)


def drawn(kind):
    return render(data_of(kind))


def places_of(data):
    """The places of the sections that a page has, from their modules."""
    kind = data.network.family.kind
    modules = [module for module in sections._sections() if kind in getattr(module, "KINDS", (kind,))]
    blocks = [(module.block(data), module.ORDER) for module in modules]
    return {block.key: place for block, place in blocks if block is not None}


@pytest.fixture(scope="module")
def pages():
    """A page of each kind, drawn once."""
    return {kind: drawn(kind) for kind in KINDS}


class Tags(HTMLParser):
    """All tags with their attributes, and those that are still open; asserts that tags are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.found, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    @property
    def sections(self):
        return [attributes["id"] for tag, attributes in self.found if tag == "section"]


def svgs(text):
    return re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)


@for_each("kind", KINDS)
def test_a_page_has_the_sections_of_all_modules_in_their_order(kind, pages, blank_charts):
    shown, places = Tags(pages[kind]).sections, places_of(data_of(kind))
    assert shown == sorted(places, key=places.get)
    assert set(shown) >= SHOWN[kind]


@for_each("kind", KINDS)
def test_a_page_closes_its_tags_and_loads_nothing_from_elsewhere(kind, pages):
    page = pages[kind]
    tags = Tags(page)
    assert tags.open == []
    assert not {tag for tag, _ in tags.found} & {"link", "img", "iframe", "object"}
    assert [attributes for tag, attributes in tags.found if tag == "script"] == [{}]  # inline
    for tag, attributes in tags.found:
        for name in ("src", "href", "action", "data"):
            assert attributes.get(name, "#").startswith(("#", "data:text/csv;charset=utf-8,")), (tag, attributes)
    assert not re.search(r"https?://|@import|url\((?!#)", page)
    identifiers = re.findall(r' id="([^"]+)"', page)
    assert len(identifiers) == len(set(identifiers))
    assert set(re.findall(r'(?:url\(#|href="#)([^")]+)', page)) <= set(identifiers)


@for_each("kind", KINDS)
def test_every_picture_is_labelled_has_a_caption_and_the_colours_of_the_page(kind, pages):
    pictures, figures = svgs(pages[kind]), re.findall(r"<figure>.*?</figure>", pages[kind], flags=re.DOTALL)
    # A figure may have several pictures, such as the racks of two planes.
    assert [picture for figure in figures for picture in svgs(figure)] == pictures
    assert all(svgs(figure) and figure.count("<figcaption>") == 1 for figure in figures)
    assert all(ElementTree.fromstring(picture).get("aria-label") for picture in pictures)
    charts = [picture for picture in pictures if " network" not in picture.partition(">")[0]]
    for picture in charts if kind == "cubes" else ():
        texts = [element.text or "" for element in ElementTree.fromstring(picture).iter("text")]
        assert any(re.search(r"\((s|ns|hops( · packets)?|m|decimal)\)", text) or "US$" in text for text in texts), texts
    assert "prefers-color-scheme: dark" in pages[kind]
    fixed = {colour for picture in pictures for colour in re.findall(r"#[0-9a-f]{6}\b", picture)}
    assert fixed <= {"#000000"}  # only matplotlib's default outline, of elements that are not drawn


@for_each("kind", KINDS)
def test_the_same_record_gives_the_same_bytes_whatever_the_users_style(kind, pages):
    with mpl.rc_context({"font.size": 20, "axes.grid": True, "svg.fonttype": "path"}):
        assert drawn(kind) == pages[kind]
        assert mpl.rcParams["font.size"] == 20


def test_a_page_shows_the_design_the_command_the_run_and_the_sources(pages):
    shown = {
        "cubes": ("[7, 11, 28, 44, 112, 176, 193, 194]", "<code>11000010</code>", "3,000,000", "Hosomi et al."),
        "hybrid": ("[[0,4],[1,5]]", "Takizawa, Endo and Matsuoka", "Bertsekas and Gallager"),
    }
    commands = {"cubes": "hypercube-n8-aspl_and_traffic-", "hybrid": "hybrid-8-completion-"}
    for kind, page in pages.items():
        assert [words for words in shown[kind] if words not in page] == []
        assert f"isoplane verify record={commands[kind]}" in page
        assert "other values" not in page
    assert "<dt>Class</dt>" not in pages["hybrid"]


def test_without_history_layout_and_circuits_a_page_leaves_them_out_and_says_so(blank_charts):
    page = render(ReportData(record(3, layout=None)))
    assert SHOWN["cubes"] - set(Tags(page).sections) == {"convergence", "cables", "costs"}
    assert "no layout, so there are no racks" in page
    page = render(ReportData(hybrid_cases.record(circuits=Circuits())))
    assert SHOWN["hybrid"] - set(Tags(page).sections) == {"convergence"}
    circuits = page.partition('<section id="circuits"')[2].partition("</section>")[0]
    assert "No circuits are set up" in circuits
    assert svgs(circuits) == []


@for_each(
    ("n", "generators", "folded"),
    [(2, (1, 3), False), (4, (3, 5, 9, 14), True), (9, tuple(1 << i for i in range(9)), True)],
)
def test_other_sizes_of_cubes_render(blank_charts, n, generators, folded):
    options = {"layout": None} if n == 9 else {}
    page = render(ReportData(record(n, generators, folded, **options)))
    assert ("folded" in page) == folded
    assert Tags(page).open == []


@pytest.mark.long
def test_the_smallest_hybrid_network_and_a_thousand_nodes_in_blocks_render():
    work = from_matrix(np.array([[0, 1250], [7, 0]]))
    page = render(ReportData(hybrid_cases.record(Hybrid(2, 1), work, Circuits(((0, 1),))), history=HISTORY))
    assert Tags(page).open == []
    assert "2 groups of 1 node:" in page
    hybrid, work = Hybrid(32, 32, 4), stencil((32, 32), iterations=1)
    circuits = round_robin(hybrid, work, by_switch(1024), 1100)
    page = render(ReportData(hybrid_cases.record(hybrid, work, circuits, allowed=1100)))
    assert "By block of 8 nodes" in page
    assert "Only the 1,024 most heavily loaded circuits are drawn." in page
    assert "The first 64 of 1,100 circuits" in page
    assert len(page) < 2_000_000


def test_names_from_a_file_cannot_become_markup():
    work = from_matrix(np.ones((8, 8), dtype=int) - np.eye(8, dtype=int), "<script>$x_1$</script>")
    for hostile in (record(layout=None), hybrid_cases.record(work=work)):
        hostile["objective"] = "<script>alert(1)</script>"
        hostile["provenance"] = hostile["provenance"] | {"config": {"network": None, "x": "</pre><script>"}}
        assert render(ReportData(hostile)).count("<script") == 1  # that of every page


def test_a_record_that_disagrees_with_its_network_gets_a_warning(blank_charts):
    changed = record(layout=None)
    changed["metrics"] = changed["metrics"] | {"aspl": 0.5}
    assert "other values than are computed here for aspl" in render(ReportData(changed))
    stated = record()
    stated["metrics"] |= requested_metrics(reference_exact(network := network_of(stated)), network)
    assert ReportData(stated).disagreements() == []
