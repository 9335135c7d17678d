"""Every kind of page in a browser and on paper: nothing is cut or loaded, all can be read, and values are shown."""

import csv
import re
from collections import Counter, defaultdict
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from isoplane.runs.cli.main import main
from tests.runs.pages import in_order, page_of, printed
from tests.tools import require_tools

from .browser import FAINT_TEXTS, FILTER, LAYOUT, MARK_ROWS, TABLES

WIDTHS = (390, 768, 1280)
SVG = "{http://www.w3.org/2000/svg}"
SIZE = ("network.groups=2", "network.nodes_per_group=4", "network.up_gbps=10")
HYBRID = ("network=hybrid", *SIZE, "workload=stencil", "workload.shape=[2,4]", "workload.message_bytes=1000000")
CIRCUITS = "network.circuits=[[0,4],[1,5]]"
SLIDERS = ("families=[hyperx,torus]", "failures=none", "page=interactive", "page.nodes=[20]", "page.ports=[8]")
FEW = "stop.evaluations=2000"
COMMANDS = {  # of each kind of page, the last of which writes it
    "cube": [("search", "network.n=5", "stop.evaluations=20000")],
    "front": [
        ("search", "objective=front", "objective.metrics=[cost,delay]", "network.n=6", "stop.evaluations=20000"),
    ],
    "hybrid": [("search", *HYBRID, "network.circuits=2", "stop.evaluations=200")],
    "packets": [("simulate", *HYBRID, CIRCUITS)],
    "simulation": [("simulate", "network=torus", "network.shape=[4,4]", "measurement=rough", "loads=[0.2,0.5]")],
    "workload": [("simulate", "network=full_mesh", "workload=all_to_all", "workload.processes=32")],
    "interactive": [("compare", "nodes=24", "ports=8", *SLIDERS)],
    "comparison": [("compare", "nodes=64", "ports=24", "families=[fat_tree,hyperx,slim_fly,torus,full_mesh]")],
    "sweep": [("search", "--multirun", "network.n=3,4", "seed=1,2", FEW), ("report", "sweep={folder}")],
    "reproduction": [("reproduce", "experiment=shimizu/fig7")],
}
HEADINGS = {  # the question that a page answers first: in its headline, and in its first section
    "cube": ("ASPL", "Design"),
    "front": ("A front of", "Cost per node against delay"),
    "hybrid": ("takes", "Design"),
    "packets": ("takes", "Simulation results"),
    "simulation": ("saturates at", "Simulation results"),
    "workload": ("takes", "Workload"),
    "interactive": ("The cheapest design", "Sliders"),
    "comparison": ("The cheapest design", "Designs"),
    "sweep": ("4 designs", "Runs"),
    "reproduction": ("numbers of the paper", "Figure"),
}


def drawn(kind, folder):
    """The page of a kind."""
    for verb, *words in COMMANDS[kind]:
        where = "hydra.sweep.dir" if "--multirun" in words else "hydra.run.dir"
        folders = [] if verb == "report" else [f"{where}={folder}"]
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            assert main([verb, *(word.format(folder=folder) for word in words), *folders]) == 0
    return next(
        path for path in (folder / "interactive.html", folder / "report.html", *folder.glob("*.html")) if path.exists()
    )


@pytest.fixture(scope="module", params=COMMANDS)
def kind(request):
    return request.param


@pytest.fixture(scope="module")
def page(kind, tmp_path_factory):
    """The file of a page of each kind."""
    return drawn(kind, tmp_path_factory.mktemp(kind))


@pytest.fixture
def shown(browser, page):
    """A function that opens the page in a window, with the addresses that it loads in ``requests``."""
    contexts = []

    def opened(width=1280, **settings):
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, **settings))
        tab = contexts[-1].new_page()
        tab.requests = []
        tab.on("request", lambda request: tab.requests.append(request.url))
        tab.goto(page.as_uri())
        return tab

    yield opened
    for context in contexts:
        context.close()


def test_without_a_browser_ci_fails_and_other_machines_skip(monkeypatch):
    monkeypatch.setattr("tests.tools.PATH", "")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="chromium not installed"):
        require_tools("chromium")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="chromium not installed"):
        require_tools("chromium")
    with pytest.raises(pytest.skip.Exception):
        require_tools("opensm")  # of which CI does without


def test_the_question_that_a_page_answers_comes_first(kind, shown):
    tab = shown()
    headline, section = HEADINGS[kind]
    assert headline in tab.inner_text("h1").replace("\u2011", "-")
    assert tab.locator("h2").first.inner_text().startswith(section)
    assert tab.title() == tab.inner_text("header .kind")


def test_a_page_loads_nothing_and_fits_every_screen(page, shown):
    for width in WIDTHS:
        tab = shown(width)
        assert tab.requests == [page.as_uri()]
        assert tab.evaluate(LAYOUT) == {"excess": 0, "cut": [], "unmarked": 0}


@pytest.mark.parametrize(("scheme", "rules"), [("light", {}), ("dark", {"runOnly": ["color-contrast"]})])
def test_nothing_bars_readers_in_light_or_dark(scheme, rules, shown):
    import axe_playwright_python

    tab = shown(color_scheme=scheme)  # in the dark only colours differ
    tab.evaluate((Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8"))
    report = tab.evaluate("rules => axe.run({resultTypes: ['violations'], ...rules})", rules)
    grave = [each for each in report["violations"] if each["impact"] in ("serious", "critical")]
    assert [(each["id"], each["nodes"][0]["html"][:120]) for each in grave] == []
    tab.set_viewport_size({"width": 1280, "height": tab.evaluate("document.documentElement.scrollHeight")})
    assert tab.evaluate(FAINT_TEXTS) == []


def test_charts_show_their_values_to_pointers_fingers_and_keys(shown):
    tab = shown(width=768, has_touch=True)
    tip = tab.locator(".tip")
    charts = tab.locator(".panels").all()
    for chart in charts:
        shapes = chart.locator("svg.chart .named")
        assert shapes.count() > 0
        described = "".join(svg.get_attribute("aria-label") for svg in chart.locator("svg.chart").all())
        is_listed = chart.locator("svg.chart .value").count() == shapes.count()
        chart.focus()
        chart.press("ArrowRight")
        first = tip.inner_text()
        assert not is_listed or first.split("\n")[0] in described
        chart.press("ArrowRight")
        chart.press("ArrowLeft")
        assert tip.inner_text() == first
        chart.press("Escape")
        assert tip.is_hidden()
        shapes.first.hover(force=True)
        assert first in tip.inner_text() or "more here" in tip.inner_text()
        tab.mouse.move(1, 1)
        assert tip.is_hidden()
        shapes.first.tap(force=True)
        assert first in tip.inner_text() or "more here" in tip.inner_text()
        assert re.search(r"\d", first)


def test_the_data_of_every_chart_are_behind_a_link_and_its_drawing_becomes_a_file_in_the_light_colours(shown, tmp_path):
    tab = shown(color_scheme="dark")
    ground = tab.evaluate("document.styleSheets[0].cssRules[0].style.getPropertyValue('--surface')")
    names = []
    for figure in tab.locator("figure").all():
        link, button = figure.locator("a.data"), figure.locator("button.data")
        assert link.get_attribute("download").endswith(".csv")
        text = unquote(link.get_attribute("href").partition(",")[2])
        header, *rows = csv.reader(text.splitlines())
        assert rows
        assert {len(row) for row in rows} == {len(header)}
        button.focus()
        with tab.expect_download() as saving:
            button.press("Enter")
        names.append(saving.value.suggested_filename)
        assert button.get_attribute("aria-label") == f"{button.inner_text()}: {names[-1]}"
        saving.value.save_as(tmp_path / names[-1])
        saved = (tmp_path / names[-1]).read_text(encoding="utf-8")
        drawn = ElementTree.fromstring(saved)  # well-formed without the page
        shapes = [shape for shape in drawn.iter() if shape.tag != f"{SVG}title"]
        legend = figure.locator(".mark").count()  # each a text with a part in colour
        charts = "charts => charts.reduce((sum, chart) => sum + 1 + chart.querySelectorAll('*').length, 0)"
        assert len(shapes) == figure.locator("svg.chart").evaluate_all(charts) + 2 * legend + 3  # file, style, ground
        assert len(list(drawn.iter(f"{SVG}title"))) >= figure.locator(".named").count() > 0
        assert drawn.find(f"{SVG}rect").get("fill") == ground
        assert "var(" not in saved
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("kind", ["front"], indirect=True)
def test_every_design_of_a_front_has_a_page_that_leads_back(page, shown):
    tab = shown()
    records = {path.stem for path in (page.parent / "records").glob("*.json")}
    links = [link.get_attribute("href") for link in tab.locator("#front tbody th a").all()]
    assert len(links) == len(records)
    (own,) = records - {Path(link).stem for link in links}
    assert links.count("#design") == 1
    assert f"record=records/{own}.json" in tab.inner_text("#provenance")
    tab.locator("#front tbody th a:not([href='#design'])").first.click()
    assert tab.locator("#design").count() == 1
    tab.click("header a")
    assert tab.url == page.as_uri()


def test_tables_sort_by_every_column_by_click_and_keyboard_and_filter(shown):
    tab = shown()
    for found in tab.evaluate(FILTER):
        words = found["word"].lower().split()
        assert found["shown"] == [row for row in found["all"] if all(word in row.lower() for word in words)]
        assert found["shown"]
    for table in tab.evaluate(TABLES):
        for column in filter(None, table["sorted"]):
            assert column["focused"]
            for order, descending in zip(column["orders"], (False, True), strict=True):
                assert order["announced"]
                assert in_order(order["values"], descending), order["values"]
        assert sorted(table["before"]) == sorted(table["after"])
        assert set(table["scopes"]) == {"col"}


def test_the_printed_page_has_every_cell_of_every_table_and_no_empty_sheet(page, shown, tmp_path):
    tab = shown()
    headings = tab.locator("h2").all_inner_texts()
    sheets = printed(tab, tmp_path / "page.pdf")
    for width, height, words in sheets:
        for text, left, right, _ in words:
            assert 0 <= left <= right <= width, text
        is_last = words is sheets[-1][2]
        lowest = max(low for *_, low in words)
        assert is_last or lowest > height / 2
        assert " ".join(text for text, *_, low in words if low > lowest - 2) not in headings
    on_paper = Counter(text for _, _, words in sheets for text, *_ in words)
    cells = [cell.text for table in page_of(page).tables for row in table for cell in row]
    assert not Counter(word for cell in cells for word in cell.split()) - on_paper


def test_no_row_of_a_table_is_divided_between_sheets_and_each_sheet_with_rows_has_the_head(shown, tmp_path):
    tab = shown()
    rows = tab.evaluate(MARK_ROWS, 60)  # more of them than fit a sheet, with the table of each
    found = defaultdict(set)
    for number, (_, _, words) in enumerate(printed(tab, tmp_path / "page.pdf")):
        for row in (match[0] for text, *_ in words if (match := re.search(r"(row|head)\d+\.", text))):
            found[row].add(number)
    with_rows = defaultdict(set)
    for number, table in enumerate(rows):
        assert len(found[f"row{number}."]) == 1
        with_rows[f"head{table}."] |= found[f"row{number}."]
    assert all(len(sheets) > 1 for sheets in with_rows.values())
    assert {head: found[head] for head in with_rows} == with_rows


@pytest.mark.parametrize("kind", ["comparison"], indirect=True)
def test_the_charted_designs_of_a_comparison_are_those_of_its_file(page):
    links = re.findall(r'download="pareto.csv" href="data:text/csv;charset=utf-8,([^"]*)"', page.read_text())
    charted = list(csv.DictReader(unquote(links[0]).splitlines()))
    columns = ("design", "cost_usd_per_node", "delay_ns", "throughput")
    with (page.parent / "comparison.csv").open() as file:
        known = {tuple(row[name] for name in columns) for row in csv.DictReader(file)}
    assert {tuple(row[name] for name in columns) for row in charted} <= known


@pytest.mark.parametrize("kind", ["cube", "hybrid"], indirect=True)
def test_a_switch_marks_its_cables(shown):
    tab = shown()
    assert tab.locator("svg.network").count() >= 2
    for picture in tab.locator("svg.network").all():
        ends = [link.get_attribute("data-ends").split() for link in picture.locator(".links [data-ends]").all()]
        device = picture.locator("[data-device]").first
        number = device.get_attribute("data-device")
        device.hover(force=True)
        marked = [link.get_attribute("data-ends").split() for link in picture.locator(".links .marked").all()]
        assert sorted(marked) == sorted(pair for pair in ends if number in pair)
        tab.mouse.move(1, 1)


@pytest.mark.parametrize("kind", ["comparison", "sweep"], indirect=True)
def test_a_line_of_a_design_marks_its_row_and_a_row_its_line(shown):
    tab = shown()
    assert tab.locator("section:has([data-row])").count() == 1
    for section in tab.locator("section:has([data-row])").all():
        design = section.locator("[data-row]").last
        number = design.get_attribute("data-row")
        design.locator("circle").first.hover(force=True)
        rows = [row.inner_text() for row in section.locator("tbody tr.marked th").all()]
        assert rows
        assert {re.split(r"\s", text)[0] for text in rows} == {number}
        section.locator("tbody tr").first.hover()
        first = re.split(r"\s", section.locator("tbody tr th").first.inner_text())[0]
        assert section.locator(".design.marked").get_attribute("data-row") == first
