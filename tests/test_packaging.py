"""What the package says of itself: extras, and how to cite it."""

import re
import tomllib
from pathlib import Path

import yaml

from isoplane.models.errors import not_installed
from isoplane.runs.cli.errors import LAUNCHERS

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = SETTINGS["project"]


def test_a_message_about_a_missing_package_names_an_extra_that_there_is():
    sources = (
        path.read_text(encoding="utf-8")
        for room in ("fleet", "runs", "search")
        for path in ROOT.glob(f"{room}/**/*.py")
    )
    calls = [
        extra
        for text in sources
        for extra in re.findall(r"""not_installed\(["'][\w.]+["'], ["']([\w-]+)["']\)""", text)
    ]
    assert {"ray", "gurobi"} <= set(calls)
    assert {*calls, *(extra for _, extra in LAUNCHERS.values())} <= set(PROJECT["optional-dependencies"])
    assert "pip install 'isoplane[ray]'" in not_installed("Ray", "ray")


def test_the_citation_names_the_package_and_its_licence():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert citation["cff-version"] == "1.2.0"
    assert {"message", "authors"} <= set(citation)
    assert (citation["title"], citation["license"]) == (PROJECT["name"], PROJECT["license"])
    cited = citation["preferred-citation"]
    assert cited["version"] == citation["version"] == SETTINGS["tool"]["setuptools_scm"]["fallback_version"]
    page = (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")
    assert all(f"{{{cited[key]}}}" in page for key in ("title", "year", "license"))
