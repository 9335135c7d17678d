"""The page of `isoplane serve` in a browser: it fits every screen, renews itself, and keeps the focus."""

import json
import re
from itertools import count
from pathlib import Path

import pytest

from isoplane.runs.server import server
from tests.cases import for_each
from tests.runs.server.browsers import SUMMARY, make_run, served
from tests.tools import HANG_S

from .browser import LAYOUT
from .test_pages import WIDTHS

CARD = "article:has(> h3 > a:text-is('going'))"


@pytest.fixture
def port(tmp_path, monkeypatch):
    """The port of a server of two runs, one of which goes on between any two requests."""
    make_run(tmp_path / "ended", stopped_by="seconds", printed_title="x" * 300)
    (tmp_path / "ended" / "report.html").write_text("<script>document.title = 'a report'</script>", encoding="utf-8")
    run, steps, listed_runs = make_run(tmp_path / "going", ".lock"), count(13), server.listed_runs

    def later_runs(*words):
        (run / "summary.json").write_text(json.dumps(SUMMARY | {"seconds": next(steps)}))
        return listed_runs(*words)

    monkeypatch.setattr(server, "listed_runs", later_runs)
    with served(tmp_path) as port:
        yield port


@for_each("settings", [{}, {"color_scheme": "dark"}])
def test_the_page_fits_every_screen_and_can_be_read(browser, port, settings):
    axe_playwright_python = pytest.importorskip("axe_playwright_python")
    axe = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
    for width in WIDTHS:
        context = browser.new_context(viewport={"width": width, "height": 900}, **settings)
        tab, asked, problems = context.new_page(), [], []
        tab.on("request", lambda request, asked=asked: asked.append(request.url))
        tab.on("console", lambda message, problems=problems: problems.append(message.text))
        for path in ("/", "/files/going/"):
            tab.goto(f"http://localhost:{port}{path}")
            if path == "/":
                tab.wait_for_selector(CARD, timeout=1000 * HANG_S)
            assert tab.evaluate(LAYOUT) == {"excess": 0, "cut": [], "unmarked": 0}
            tab.evaluate(axe)
            found = tab.evaluate("() => axe.run()")["violations"]
            assert [(each["id"], each["nodes"]) for each in found if each["impact"] in ("serious", "critical")] == []
        assert {re.match("[^/]*//[^/]*", url)[0] for url in asked} == {f"http://localhost:{port}"}
        assert [problem for problem in problems if "favicon" not in problem] == []  # such as breaches of the policy
        context.close()


def test_it_renews_itself_and_keeps_the_focus_and_its_links_lead_to_reports(browser, port):
    tab = browser.new_page()
    tab.goto(f"http://localhost:{port}/")
    tab.wait_for_selector(CARD, timeout=1000 * HANG_S)
    assert tab.text_content("#title") == "2 runs, 1 running"
    tab.keyboard.press("Tab")
    tab.keyboard.press("Tab")
    before = tab.text_content(f"{CARD} .progress")
    assert re.fullmatch(r"\d\d of 50 s, 1,200 evaluations", before)
    changed = "text => document.querySelector('.running .progress').textContent !== text"
    tab.wait_for_function(changed, arg=before, timeout=1000 * HANG_S)
    assert tab.evaluate("document.activeElement.textContent") == "going"
    links = tab.eval_on_selector_all(".links a", "links => links.filter(a => !a.hidden).map(a => a.textContent)")
    assert links == ["Records", "Files", "Report", "Records", "Files"]
    tab.click("text=Report >> visible=true")
    tab.wait_for_function("() => document.title === 'a report'", timeout=1000 * HANG_S)  # its scripts run
    asked = "() => fetch('/runs.json').then(() => 'read', () => 'refused')"
    assert tab.evaluate(asked) == "refused"  # but read nothing beside it
    tab.close()
