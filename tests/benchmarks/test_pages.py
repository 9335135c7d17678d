"""Pages in a browser and on paper: nothing is cut, nothing is loaded, and tables sort and filter."""

import csv
import json
import re
import subprocess
from collections import Counter
from contextlib import redirect_stdout
from html import escape, unescape
from io import StringIO
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from isoplane.runs.cli.main import main
from tests.cases import for_each
from tests.runs.pages import page_of
from tests.tools import HANG_S, require_tools

WIDTHS = (390, 768, 1280)
COMMANDS = {
    "comparison": ("compare", "nodes=64", "ports=24", "families=[fat_tree,hyperx,slim_fly,torus,full_mesh]"),
    "front": ("search", "objective=front", "objective.metrics=[cost,delay]", "network.n=6", "stop.evaluations=20000"),
    "search": ("search", "network.n=5", "stop.evaluations=20000"),
}
# Shows a page in frames of some widths, runs a function in each of them, and writes what they return into this page.
PROBE = """<!DOCTYPE html><meta charset="utf-8"><pre id="results"></pre>{frames}<script>
addEventListener("load", () => {{
  const results = [...document.querySelectorAll("iframe")].map((frame) => ({body})(frame.contentWindow));
  document.getElementById("results").textContent = JSON.stringify(results);
}});
</script>"""
LAYOUT = """(page) => ({
  requests: page.performance.getEntriesByType("resource").map((entry) => entry.name),
  width: page.innerWidth,
  excess: page.document.documentElement.scrollWidth - page.document.documentElement.clientWidth,
  unmarked: [...page.document.querySelectorAll(".wide, .panels")].filter((box) =>
    box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box.previousElementSibling).display === "none").length,
})"""
TABLES = """(page) => [...page.document.querySelectorAll("table.rows")].map((table) => {
  const text = (cells) => [...cells].map((cell) => cell.textContent.trim());
  const rows = () => [...table.tBodies[0].rows].map((row) => text(row.cells));
  const before = rows(), heads = [...table.tHead.rows[0].cells];
  const sorted = heads.map((head, column) => {
    const button = head.querySelector("button");
    if (!button) return null;
    button.focus();
    const focused = page.document.activeElement === button;
    return { focused, orders: ["ascending", "descending"].map((order) => {
      button.click();
      return { announced: head.getAttribute("aria-sort") === order, values: rows().map((row) => row[column]) };
    })};
  });
  return { before, after: rows(), sorted, scopes: heads.map((head) => head.scope) };
})"""
FILTER = """(page) => [...page.document.querySelectorAll("label.filter")].map((label) => {
  const field = label.querySelector("input");
  let box = label;
  while (!box.matches(".wide")) box = box.nextElementSibling;
  const rows = [...box.querySelectorAll("tbody tr")], word = rows[0].cells[0].textContent.trim();
  field.value = word;
  field.dispatchEvent(new page.Event("input"));
  const shown = rows.filter((row) => row.getClientRects().length).map((row) => row.textContent);
  return { word, shown, all: rows.map((row) => row.textContent) };
})"""


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """The folder of a run of each kind."""
    root = tmp_path_factory.mktemp("pages")
    for kind, words in COMMANDS.items():
        with redirect_stdout(StringIO()):
            assert main([*words, f"hydra.run.dir={root / kind}"]) == 0
    return {kind: root / kind for kind in COMMANDS}


def report_in(folder):
    return next(path for path in (folder / "report.html", folder / "comparison.html") if path.exists())


def chromium(*words):
    browser = require_tools("chromium")["chromium"]
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", *words]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=HANG_S).stdout


def in_browser(page, body, widths):
    """What a function returns that runs in a page, for each width of the window."""
    text = escape(page.read_text(encoding="utf-8"))
    frames = "".join(
        f'<iframe srcdoc="{text}" style="width: {width}px; height: 900px; border: 0"></iframe>' for width in widths
    )
    probe = page.parent / "probe.html"
    probe.write_text(PROBE.format(frames=frames, body=body), encoding="utf-8")
    shown = chromium("--window-size=1400,1000", "--dump-dom", probe.as_uri())
    return json.loads(unescape(re.search(r'<pre id="results">(.*?)</pre>', shown, re.DOTALL)[1]))


@for_each("kind", COMMANDS)
def test_a_page_loads_nothing_and_fits_every_screen(kind, folders):
    found = in_browser(report_in(folders[kind]), LAYOUT, WIDTHS)
    assert [layout["requests"] for layout in found] == [[]] * len(WIDTHS)
    assert [layout["width"] for layout in found] == list(WIDTHS)
    assert [layout["excess"] for layout in found] == [0] * len(WIDTHS)
    assert [layout["unmarked"] for layout in found] == [0] * len(WIDTHS)  # boxes that scroll without a hint


def key_of(text):
    number = re.match(r"[+−-]?\d[\d,]*(\.\d+)?", text)
    return float(number[0].replace(",", "").replace("−", "-")) if number else text


def in_order(values, descending):
    present = [value for value in values if value not in ("", "–")]
    keys = [key_of(value) for value in present]
    is_last = values == present + [value for value in values if value in ("", "–")]
    if not all(isinstance(key, float) for key in keys):
        return is_last  # the order of texts is that of the language
    return is_last and keys == sorted(keys, reverse=descending)


@for_each("kind", ("comparison", "front"))
def test_tables_sort_by_every_column_by_click_and_keyboard(kind, folders):
    (tables,) = in_browser(report_in(folders[kind]), TABLES, (1280,))
    sorts = [column for table in tables for column in table["sorted"] if column is not None]
    assert sorts
    for column in sorts:
        assert column["focused"]
        for order, descending in zip(column["orders"], (False, True), strict=True):
            assert order["announced"]
            assert in_order(order["values"], descending), order["values"]
    for table in tables:
        assert sorted(table["before"]) == sorted(table["after"])
        assert set(table["scopes"]) == {"col"}


def test_a_filter_leaves_the_rows_that_have_its_words(folders):
    (filters,) = in_browser(report_in(folders["comparison"]), FILTER, (1280,))
    assert filters
    for found in filters:
        words = found["word"].lower().split()
        assert found["shown"] == [row for row in found["all"] if all(word in row.lower() for word in words)]
        assert 0 < len(found["shown"]) < len(found["all"])


@for_each("kind", COMMANDS)
def test_the_printed_page_has_every_cell_of_every_table(kind, folders):
    page, pdf, words = (report_in(folders[kind]), folders[kind] / "page.pdf", folders[kind] / "words.html")
    pdftotext = require_tools("chromium", "pdftotext")["pdftotext"]
    chromium("--no-pdf-header-footer", f"--print-to-pdf={pdf}", page.as_uri())
    subprocess.run([pdftotext, "-bbox", pdf, words], check=True, timeout=HANG_S)
    printed = Counter()
    for sheet in ElementTree.parse(words).iter("{http://www.w3.org/1999/xhtml}page"):
        for word in sheet:
            assert 0 <= float(word.get("xMin")) <= float(word.get("xMax")) <= float(sheet.get("width")), word.text
            printed[word.text] += 1
    text = [cell.text for table in page_of(page).tables for row in table for cell in row]
    missing = Counter(word for cell in text for word in cell.split()) - printed
    assert not missing


def test_the_data_of_a_chart_are_those_of_the_file_beside_the_page(folders):
    folder = folders["comparison"]
    links = re.findall(
        r'download="pareto.csv" href="data:text/csv;charset=utf-8,([^"]*)"', report_in(folder).read_text()
    )
    charted = list(csv.DictReader(unquote(links[0]).splitlines()))
    columns = ("design", "cost_usd_per_node", "delay_ns", "throughput")
    known = {tuple(row[name] for name in columns) for row in csv.DictReader((folder / "comparison.csv").open())}
    assert {tuple(row[name] for name in columns) for row in charted} <= known
    overview = page_of(report_in(folder)).tables[0][1:]
    assert [f"{row['number']} {row['design']}" for row in charted] == [row[0].text for row in overview]
