"""Settings for all tests."""

import gc
import importlib
import sys
from pathlib import Path

import absl.logging
import pytest
from hypothesis import settings
from matplotlib.figure import Figure

from tests.blank_charts import write_blank

# The same examples in every run, so that a failure is due to a change and not to chance.
settings.register_profile("isoplane", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("isoplane")

# OR-Tools imports absl. As soon as Hydra sets up logging, absl's log handler closes the stream that was standard error
# when the handler was created. Under pytest that stream is a capture buffer; the real one is never closed.
absl.logging.get_absl_handler().python_handler.setStream(sys.__stderr__)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the pages of the documentation: each is a single test, and the longest of all."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/test_docs.py"))


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of collected tests and the imported modules, which last to the end."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure() -> None:
    """Let the interpreter free everything at its end, or nanobind reports leaks."""
    gc.unfreeze()


@pytest.fixture
def blank_charts(monkeypatch) -> None:
    """Write an empty picture for each chart."""
    monkeypatch.setattr(Figure, "savefig", write_blank)


@pytest.fixture(scope="module")
def import_script():
    """Return a function that imports a script of `benchmarks/`, which is not a package."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(Path(__file__).parents[1] / "benchmarks"))
        names = set(sys.modules)
        yield importlib.import_module
        for name in set(sys.modules) - names:
            if not name.startswith("isoplane"):
                patched.delitem(sys.modules, name)
