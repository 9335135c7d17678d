"""A browser for tests of pages, and in it the page with sliders."""

from contextlib import redirect_stdout
from io import StringIO

import pytest

from isoplane.runs.cli.main import main
from tests.tools import require_tools

WORDS = (
    "families=[fat_tree,hyperx,torus,rdt]", "failures=none", "layout.switches_per_rack=2",
    "layout.nodes_per_rack=8", "layout.pitch_across_m=3", "prices.ranges.optics=[0.25,2]",
)  # fmt: skip
PAGE = ("page=interactive", "page.nodes=[20]", "page.ports=[12]", "throughput=[0.9,0.5]")


@pytest.fixture(scope="package")
def browser():
    """The distribution's Chromium."""
    program = require_tools("chromium")["chromium"]
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield launched
        launched.close()


def written(folder, *words):
    """The address of a page, of which the comparison is written into a folder."""
    with redirect_stdout(StringIO()):
        main(["compare", "nodes=24", "ports=8", *WORDS, *words, "workers=1", f"hydra.run.dir={folder}"])
    return (folder / "interactive.html").as_uri()


@pytest.fixture(scope="package")
def address(tmp_path_factory):
    """The address of the page."""
    return written(tmp_path_factory.mktemp("interactive") / "compared", *PAGE)


@pytest.fixture
def tab(browser, address):
    """The page as it begins."""
    opened = browser.new_page()
    opened.goto(address)
    yield opened
    opened.close()
