"""The notebooks run, and show what their files say."""

import importlib.util
import json
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def notebooks():
    """The program that runs them."""
    spec = importlib.util.spec_from_file_location("notebooks", DOCS / "notebooks.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def texts(notebook):
    return [
        "".join(output.get("text") or output["data"]["text/plain"])
        for cell in notebook["cells"]
        for output in cell.get("outputs", ())
    ]


@pytest.mark.parametrize("name", sorted(path.stem for path in (DOCS / "notebooks").glob("*.ipynb")))
def test_a_notebook_shows_what_its_file_says(notebooks, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.figure()  # as another program of the same process may leave one open
    path = DOCS / "notebooks" / f"{name}.ipynb"
    found = notebooks.executed(path)
    assert texts(found) == texts(json.loads(path.read_text(encoding="utf-8"))), "stale: python docs/notebooks.py"
    assert not list(tmp_path.iterdir())  # nothing is written unless asked
    assert f"]({name}.ipynb)" in notebooks.page(path)


def test_there_are_six(notebooks):
    assert len(notebooks.notebooks()) == 6
