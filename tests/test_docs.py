"""The pages of the documentation: their lengths, links and names of files; and the examples of docstrings."""

import doctest
import importlib
import linecache
import pkgutil
import re
from pathlib import Path

import isoplane.face
import isoplane.models
import isoplane.objectives
import isoplane.runs
import isoplane.search
import isoplane.simulator
from tests.cases import for_each

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
# A fenced block; a comment in the line before it states the exit code of its commands: <!-- exit code 2 -->
BLOCK = re.compile(r"(?:^<!-- exit code (\d+) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^]]*\]\(([^)\s]+)\)")


def test_the_first_pages_are_short():
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(readme) <= 120
    assert [line for line in readme if len(line) > 120] == []
    assert len((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split()) <= 1500


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@for_each("page", [*PAGES, *sorted(ROOT.glob("[a-z]*/README.md")), ROOT / "benchmarks" / "instances" / "README.md"])
def test_every_link_of_a_page_has_a_target(page):
    # Without blocks: a change that a page shows has the links of another page.
    for link in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


MODULES = [
    module.name
    for package in (
        isoplane.face,
        isoplane.models,
        isoplane.objectives,
        isoplane.search,
        isoplane.simulator,
        isoplane.runs,
    )
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@for_each("name", MODULES)
def test_docstring_examples_give_the_output_shown(name, monkeypatch):
    monkeypatch.setattr(linecache, "checkcache", lambda *_: None)  # asks the disk for every file at every docstring
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_every_source_file_that_a_page_names_exists():
    files = ["/" + path.relative_to(ROOT).as_posix() for path in ROOT.glob("[a-z]*/**/*.py")]
    names = {
        (page.name, name)
        for page in PAGES
        if page.name not in ("CHANGELOG.md", "adding.md")  # what was once, and files of examples
        for name in re.findall(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.py)`", page.read_text(encoding="utf-8"))
    }
    assert len(names) > 20
    assert [entry for entry in sorted(names) if not any(file.endswith("/" + entry[1]) for file in files)] == []
