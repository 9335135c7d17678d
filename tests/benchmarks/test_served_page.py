"""The page of `isoplane serve` in a browser: it fits every screen, renews itself, and keeps the focus."""

import json
import re
from html import unescape
from itertools import count

import pytest

from isoplane.runs.server import server
from tests.runs.server.browsers import SUMMARY, make_run, served

from .test_pages import WIDTHS, chromium

# Shows the served page in frames, focuses a link in each, and says after some renewals what each has become.
PROBE = """<!DOCTYPE html><meta charset="utf-8"><pre id="results"></pre>{frames}<script>
const frames = [...document.querySelectorAll("iframe")].map((frame) => frame.contentWindow);
const first = (page) => page.document.querySelector(".run .links a:last-child");
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
addEventListener("load", async () => {{
  while (!frames.every(first)) await wait(100);
  for (const page of frames) {{ // only one has the focus at a time
    const link = first(page), before = page.document.querySelector(".run .progress").textContent;
    link.focus();
    while (page.document.querySelector(".run .progress").textContent === before) await wait(100);
    page.kept = page.document.activeElement === link;
  }}
  document.getElementById("results").textContent = JSON.stringify(frames.map((page) => ({{
    width: page.innerWidth,
    excess: page.document.documentElement.scrollWidth - page.document.documentElement.clientWidth,
    elsewhere: page.performance.getEntriesByType("resource").filter((entry) => !entry.name.startsWith(origin)).length,
    title: page.document.getElementById("title").textContent,
    progress: page.document.querySelector(".run .progress").textContent,
    keeps_focus: page.kept,
    unlabelled: page.document.querySelectorAll("progress:not([aria-label]), svg:not([aria-label])").length,
    links: [...page.document.querySelectorAll(".run .links a:not([hidden])")].map((link) => link.textContent),
  }})));
}});
</script>"""


@pytest.fixture
def seen(tmp_path, monkeypatch):
    """What a browser shows of two runs, one of which goes on between any two requests."""
    # The probe, and only it, may have the page in frames.
    monkeypatch.setattr(server, "FILE_POLICY", "frame-src 'self'; script-src 'unsafe-inline'")
    monkeypatch.setattr(server, "CLOSED", "")
    monkeypatch.setattr(server, "SCAN_S", 0.0)
    monkeypatch.setattr(server, "SCAN_SHARE", 1e9)
    frames = "".join(
        f'<iframe src="/" style="width: {width}px; height: 900px; border: 0"></iframe>' for width in WIDTHS
    )
    (tmp_path / "probe.html").write_text(PROBE.format(frames=frames), encoding="utf-8")
    make_run(tmp_path / "ended", "report.html", stopped_by="seconds", printed_title="x" * 300)
    run, steps, listed_runs = make_run(tmp_path / "going", ".lock"), count(13), server.listed_runs

    def later_runs(*words):
        (run / "summary.json").write_text(json.dumps(SUMMARY | {"seconds": next(steps)}))
        return listed_runs(*words)

    monkeypatch.setattr(server, "listed_runs", later_runs)
    with served(tmp_path) as port:
        shown = chromium("--window-size=1400,1000", "--dump-dom", f"http://localhost:{port}/files/probe.html")
    return json.loads(unescape(re.search(r'<pre id="results">(.*?)</pre>', shown, re.DOTALL)[1]))


def test_the_page_fits_every_screen_renews_itself_and_keeps_the_focus(seen):
    assert [page["width"] for page in seen] == list(WIDTHS)
    for page in seen:
        assert (page["excess"], page["elsewhere"], page["unlabelled"]) == (0, 0, 0)
        assert page["title"] == "2 runs, 1 running"
        assert re.fullmatch(r"\d\d of 50 s, 1,200 evaluations", page["progress"])
        assert page["keeps_focus"]
        assert page["links"] == ["Records", "Files", "Report", "Records", "Files"]
