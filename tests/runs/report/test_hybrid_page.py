"""The page of a hybrid network: complete, self-contained and reproducible."""

import json
import re

import matplotlib as mpl
import numpy as np
import pytest

from isoplane.models import Circuits, Hybrid
from isoplane.models.placement import by_switch
from isoplane.models.workloads import from_matrix, sparse, stencil
from isoplane.runs.records import write_record
from isoplane.runs.report import HistoryRow, render, write_report
from isoplane.search.circuits.rules import round_robin

from .hybrid_cases import record
from .test_page import Tags, svgs

HISTORY = (HistoryRow(0.1, 10, (9_000_000, 1)), HistoryRow(3.0, 200, (6_002_000, 1), (5_000_000, None)))
SUMMARY = {"evaluations": 300, "seconds": 4.5, "stopped_by": "seconds"}
SECTIONS = ["design", "comparison", "convergence", "traffic", "circuits", "links", "course", "provenance"]


@pytest.fixture(scope="module")
def page():
    return render(record(), history=HISTORY, summary=SUMMARY)


def sections(page):
    return [attributes["id"] for tag, attributes in Tags(page).found if tag == "section"]


def test_the_sections_come_in_order(page):
    assert sections(page) == SECTIONS
    assert len(svgs(page)) == page.count("<figcaption>") == 5


def test_the_page_loads_nothing_from_elsewhere(page):
    tags = Tags(page)
    assert tags.open == []
    assert not {tag for tag, _ in tags.found} & {"script", "link", "img", "image", "iframe", "object"}
    assert not re.search(r"https?://|@import|url\((?!#)", page)
    identifiers = re.findall(r' id="([^"]+)"', page)
    assert len(identifiers) == len(set(identifiers))
    assert set(re.findall(r'(?:url\(#|href="#)([^")]+)', page)) <= set(identifiers)


def test_charts_use_the_colours_of_the_page(page):
    fixed = {colour for picture in svgs(page) for colour in re.findall(r"#[0-9a-f]{6}\b", picture)}
    assert fixed <= {"#000000"}  # only matplotlib's default outline, of elements that are not drawn


def test_the_same_record_gives_the_same_bytes_whatever_the_users_style(page):
    with mpl.rc_context({"font.size": 20, "axes.grid": True}):
        assert render(record(), history=HISTORY, summary=SUMMARY) == page


def test_the_page_has_the_design_the_command_and_the_sources(page):
    assert "[[0,4],[1,5]]" in page
    assert "isoplane verify record=hybrid-8-completion-" in page
    assert "Takizawa, Endo and Matsuoka" in page
    assert "Bertsekas and Gallager" in page
    assert "<dt>Class</dt>" not in page
    assert "other values" not in page


def test_without_history_and_circuits_the_page_leaves_them_out_and_says_so():
    page = render(record(circuits=Circuits()))
    assert sections(page) == [key for key in SECTIONS if key != "convergence"]
    assert "No circuits are set up" in page
    assert len(svgs(page)) == 3


def test_the_smallest_network_renders():
    work = from_matrix(np.array([[0, 1250], [7, 0]]))
    for circuits in (Circuits(), Circuits(((0, 1),))):
        page = render(record(Hybrid(2, 1), work, circuits), history=HISTORY)
        assert Tags(page).open == []
        assert "2 groups of 1 node:" in page


def test_sixteen_groups_render():
    hybrid, work = Hybrid(16, 4, 2), sparse(64, 4)
    page = render(record(hybrid, work, round_robin(hybrid, work, by_switch(64), 40)))
    assert Tags(page).open == []
    assert "group 15" in page


def test_a_thousand_nodes_are_shown_in_blocks_and_the_page_stays_small():
    hybrid, work = Hybrid(32, 32, 4), stencil((32, 32), iterations=1)
    page = render(record(hybrid, work, round_robin(hybrid, work, by_switch(1024), 1100), allowed=1100))
    assert "By block of 8 nodes" in page
    assert "Only the 1,024 most heavily loaded circuits are drawn. The first 64 of 1,100 circuits" in page
    assert len(page) < 2_000_000


def test_names_from_a_file_cannot_become_markup():
    hostile = record(work=from_matrix(np.ones((8, 8), dtype=int) - np.eye(8, dtype=int), "<script>$x_1$</script>"))
    hostile["objective"] = "<script>alert(1)</script>"
    hostile["provenance"] = hostile["provenance"] | {"config": {"network": None, "x": "</pre><script>"}}
    assert "<script" not in render(hostile, history=HISTORY)


def test_a_record_that_disagrees_with_its_design_gets_a_warning():
    changed = record()
    changed["metrics"] = changed["metrics"] | {"bottleneck_ns": 5}
    assert "other values than are computed here for bottleneck_ns" in render(changed)


def test_a_report_is_written_next_to_the_records_of_a_run(tmp_path):
    best = write_record(tmp_path / "records", record()).name
    summary = SUMMARY | {"best": best, "records": [best]}
    (tmp_path / "summary.json").write_text(json.dumps(summary), encoding="utf-8")
    (tmp_path / "history.csv").write_text("seconds,evaluations,score,bound\n0.1,10,6002000 1,\n", encoding="utf-8")
    text = write_report(tmp_path).read_text(encoding="utf-8")
    assert sections(text) == SECTIONS
    assert f"isoplane verify record=records/{best}" in text
