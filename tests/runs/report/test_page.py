"""The page as a whole: complete, self-contained and reproducible."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import matplotlib as mpl
import pytest

from isoplane.runs.report import HistoryRow, render
from tests.cases import for_each

from .cases import BEST_OF_8, record

HISTORY = (HistoryRow(0.1, 1000, (81805, 1), (79000, 1)), HistoryRow(30.0, 2000000, (80000, 1), (79500, 1)))
SUMMARY = {"evaluations": 3000000, "seconds": 45.0, "stopped_by": "seconds"}
VOID = {"meta", "link", "br", "img", "input", "hr", "wbr"}


def page_of_8(**options):
    others = [record(8, tuple(1 << i for i in range(8)))]
    return render(record(8, BEST_OF_8), history=HISTORY, others=others, summary=SUMMARY, **options)


@pytest.fixture(scope="module")
def page():
    return page_of_8()


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


def svgs(text):
    return re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)


def test_the_sections_come_in_order(page):
    found = [attributes["id"] for tag, attributes in Tags(page).found if tag == "section"]
    assert found == [
        "design",
        "comparison",
        "convergence",
        "front",
        "loads",
        "distances",
        "floor",
        "cables",
        "costs",
        "provenance",
    ]


def test_the_page_loads_nothing_from_elsewhere(page):
    tags = Tags(page)
    assert tags.open == []
    assert not {tag for tag, _ in tags.found} & {"script", "link", "img", "iframe", "object"}
    for tag, attributes in tags.found:
        for name in ("src", "href", "action", "data"):
            assert attributes.get(name, "#").startswith("#"), (tag, attributes)
    assert not re.search(r"https?://|@import|url\((?!#)", page)


def test_every_picture_is_well_formed_and_labelled_and_has_a_caption(page):
    pictures = svgs(page)
    assert len(pictures) == page.count("<figcaption>") == 7
    for picture in pictures:
        root = ElementTree.fromstring(picture)
        assert root.get("aria-label")
        texts = [element.text or "" for element in root.iter("text")]
        assert any(re.search(r"\((s|ns|hops|m|decimal)\)", text) or "US$" in text for text in texts), texts


def test_identifiers_are_unique_and_every_reference_has_its_target(page):
    identifiers = re.findall(r' id="([^"]+)"', page)
    assert len(identifiers) == len(set(identifiers))
    assert set(re.findall(r'(?:url\(#|href="#)([^")]+)', page)) <= set(identifiers)


def test_charts_use_the_colours_of_the_page(page):
    assert "prefers-color-scheme: dark" in page
    fixed = {colour for picture in svgs(page) for colour in re.findall(r"#[0-9a-f]{6}\b", picture)}
    assert fixed <= {"#000000"}  # only matplotlib's default outline, of elements that are not drawn


def test_the_same_record_gives_the_same_bytes_whatever_the_users_style(page):
    with mpl.rc_context({"font.size": 20, "axes.grid": True, "svg.fonttype": "path"}):
        assert page_of_8() == page
        assert mpl.rcParams["font.size"] == 20


def test_the_page_shows_the_connection_set_the_command_and_the_run(page):
    assert "[7, 11, 28, 44, 112, 176, 193, 194]" in page
    assert "<code>11000010</code>" in page  # 194
    assert "isoplane verify record=hypercube-n8-aspl_and_traffic-" in page
    assert "3,000,000" in page
    assert "Hosomi et al." in page


def test_without_history_and_layout_the_page_leaves_them_out_and_says_so():
    page = render(record(3, layout=None))
    found = [attributes["id"] for tag, attributes in Tags(page).found if tag == "section"]
    assert found == ["design", "comparison", "front", "loads", "distances", "layout", "provenance"]
    assert "no layout, so there are no racks" in page


@for_each(
    ("n", "generators", "folded"),
    [(2, (1, 3), False), (4, (3, 5, 9, 14), True), (9, tuple(1 << i for i in range(9)), True)],
)
def test_other_sizes_render(n, generators, folded):
    options = {"layout": None} if n == 9 else {}
    page = render(record(n, generators, folded, **options), switch_id=1)
    assert ("folded" in page) == folded
    assert Tags(page).open == []


def test_names_from_a_file_cannot_become_markup():
    hostile = record(layout=None)
    hostile["objective"] = "<script>alert(1)</script>"
    hostile["provenance"] = hostile["provenance"] | {"config": {"x": "</pre><script>"}}
    assert "<script" not in render(hostile)


def test_a_record_that_disagrees_with_its_network_gets_a_warning():
    changed = record(layout=None)
    changed["metrics"] = changed["metrics"] | {"aspl": 0.5}
    assert "other values than are computed here for aspl" in render(changed)


def test_a_record_that_agrees_gets_no_warning(page):
    assert "other values" not in page
