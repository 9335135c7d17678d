"""Settings for all tests."""

import gc
import importlib
import multiprocessing
import sys
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

import absl.logging
import pytest
from hydra._internal.sources_registry import SourcesRegistry
from hydra.core.plugins import Plugins
from hydra.plugins.config_source import ConfigResult, ConfigSource
from hypothesis import settings
from matplotlib.figure import Figure

from tests.blank_charts import write_blank

# The same examples in every run, so that a failure is due to a change and not to chance.
settings.register_profile("isoplane", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("isoplane")

# OR-Tools imports absl. As soon as Hydra sets up logging, absl's log handler closes the stream that was standard error
# when the handler was created. Under pytest that stream is a capture buffer; the real one is never closed.
absl.logging.get_absl_handler().python_handler.setStream(sys.__stderr__)

# What processes that tests fork from a clean one need, workers of comparisons too: each would import it for a second.
PRELOADED = (
    *(f"isoplane.runs.cli.{name}" for name in ("compare", "job", "search", "simulate")),
    *("isoplane.objectives.failures.losses", "isoplane.objectives.scale.growth", "isoplane.runs.report.write"),
    *("hypothesis.strategies", "igraph", "jsonschema", "ortools.sat.python.cp_model", "pymetis", "pytest"),
)
multiprocessing.set_forkserver_preload(list(PRELOADED))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the pages of the documentation: each is a single test, and the longest of all."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/test_docs.py"))


def pytest_collection_finish() -> None:
    """Spare the garbage collector the thousands of collected tests and the imported modules, which last to the end."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 10)  # at Python's 700, the collector takes a tenth of the time of a command


def pytest_unconfigure() -> None:
    """Let the interpreter free everything at its end, or nanobind reports leaks."""
    gc.unfreeze()


@pytest.fixture(scope="session", autouse=True)
def packaged_configs() -> Iterator[None]:
    """Read each of the project's YAML files once: to parse them takes a quarter of the time of a small command."""
    Plugins.instance()  # registers the sources
    source = SourcesRegistry.instance().types["pkg"]
    load, configs = source.load_config, {}

    def load_once(self: ConfigSource, config_path: str) -> ConfigResult:
        key = self.provider, self.path, config_path
        if key not in configs:
            configs[key] = load(self, config_path)
        return deepcopy(configs[key])

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(source, "load_config", load_once)
        yield


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
