"""Settings for all tests."""

import copy
import gc
import importlib
import multiprocessing
import pickle
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from pathlib import Path

import absl.logging
import pytest
from hydra._internal import config_loader_impl, defaults_list
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import CachingConfigRepository, ConfigRepository, IConfigRepository
from hydra._internal.defaults_list import DefaultsList, Overrides, create_defaults_list
from hydra._internal.hydra import Hydra
from hydra.core.config_store import ConfigStore
from hydra.core.default_element import InputDefault, ResultDefault
from hydra.core.object_type import ObjectType
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Override
from hydra.plugins.config_source import ConfigResult
from hydra.types import RunMode
from hypothesis import settings
from matplotlib.figure import Figure
from omegaconf import DictConfig, OmegaConf

from tests.blank_charts import write_blank

# The same examples in every run, so that a failure is due to a change and not to chance.
settings.register_profile("isoplane", deadline=None, derandomize=True, max_examples=25)
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


# Figures of papers, certificates, Ray, and programs of their own that are killed, interrupted, raced or cut off from
# their terminal. CI runs them, too; `make test` does with ARGS='-m ""'. A single long test is marked where it stands.
LONG = (
    "tests/runs/figures/",
    "tests/runs/test_best.py",
    "tests/search/test_resume.py",
    *(f"tests/runs/cli/test_{name}.py" for name in ("fleet", "interruption", "pipe", "processes_launcher", "races")),
    *(f"tests/runs/cli/test_{name}.py" for name in ("resume", "resumed_sweep")),
)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the pages of the documentation, each a single test and the longest of all; mark the long tests."""
    items.sort(key=lambda item: not item.nodeid.startswith("tests/docs/"))
    for item in items:
        if item.nodeid.startswith(LONG) or "[ray" in item.nodeid:
            item.add_marker("long")


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
    """Read and compose each choice of the project's YAML files once: that takes most of the time of a small command.

    Hydra sets values in a copy. Nothing is kept of compositions with a user's own files.
    """
    loaded: dict[tuple[str, ...], bytes] = {}
    listed: dict[object, DefaultsList] = {}
    embedded: dict[tuple[str | None, str | None], bytes] = {}  # files, each under the keys of its package
    composed: dict[int, bytes] = {}
    parsed: dict[str, Override] = {}
    load = ConfigRepository.load_config
    compose = ConfigLoaderImpl._compose_config_from_defaults_list
    no_choices = OmegaConf.create()
    embed = ConfigLoaderImpl._load_single_config
    map_choices = defaults_list._create_interpolation_map
    process_path = ConfigLoaderImpl._process_config_searchpath
    parse = OverridesParser.parse_overrides
    compose_mode = Hydra.get_mode

    def has_files_of_users(repo: IConfigRepository) -> bool:
        return any(source.scheme() == "file" for source in repo.get_sources())

    def process_path_of_users(
        self: ConfigLoaderImpl, config_name: str, overrides: list[Override], repo: CachingConfigRepository
    ) -> None:
        # Hydra reads a whole YAML file to find a path, which no file of the project has.
        if has_files_of_users(repo) or any(each.key_or_group == "hydra.searchpath" for each in overrides):
            process_path(self, config_name, overrides, repo)

    def load_once(self: ConfigRepository, config_path: str) -> ConfigResult | None:
        key = config_path, *(each.path for each in self.get_sources())
        if key not in loaded:
            source = self._find_object_source(config_path, ObjectType.CONFIG)
            if source is None or (source.scheme() != "pkg" and not config_path.startswith("hydra/")):
                return load(self, config_path)
            loaded[key] = pickle.dumps(load(self, config_path))
        return pickle.loads(loaded[key])  # Hydra merges others into what it has read

    def list_once(
        repo: IConfigRepository, config_name: str | None, overrides_list: list[Override], **more: bool
    ) -> DefaultsList:
        values = Overrides(repo, overrides_list).config_overrides
        choices = [each for each in overrides_list if each not in values]
        installed = [str(ConfigStore.instance().repo.get(group)) for group in ("network", "workload")]
        key = config_name, *(each.input_line for each in choices), *installed, more["prepend_hydra"]
        if has_files_of_users(repo):
            return create_defaults_list(repo, config_name, overrides_list, **more)
        if key not in listed:
            listed[key] = create_defaults_list(repo, config_name, choices, **more)
        return replace(listed[key], config_overrides=values)

    def compose_once(self: ConfigLoaderImpl, defaults: list[ResultDefault], repo: IConfigRepository) -> DictConfig:
        if has_files_of_users(repo):
            return compose(self, defaults, repo)
        if id(defaults) not in composed:
            # Hydra's own files come first, and are the same for all verbs: as if they were a single one.
            own = list(takewhile(lambda each: str(each.config_path).startswith("hydra/"), defaults))
            joined = ResultDefault(config_path="+".join(str(each.config_path) for each in own))
            if (joined.config_path, None) not in embedded:
                result = ConfigResult("hydra", "", compose(self, own, repo), {})
                embedded[joined.config_path, None] = pickle.dumps(result)
            composed[id(defaults)] = pickle.dumps(compose(self, [joined, *defaults[len(own) :]], repo))
        return pickle.loads(composed[id(defaults)])  # a third of the time of a deep copy

    def embed_once(self: ConfigLoaderImpl, default: ResultDefault, repo: IConfigRepository) -> ConfigResult:
        key = default.config_path, default.package
        if has_files_of_users(repo):
            return embed(self, default, repo)
        if key not in embedded:
            embedded[key] = pickle.dumps(embed(self, default, repo))
        return pickle.loads(embedded[key])

    def map_if_needed(overrides: Overrides, defaults: list[InputDefault], self_added: bool) -> DictConfig:
        needed = any(each.is_interpolation() for each in defaults)
        return map_choices(overrides, defaults, self_added) if needed else no_choices

    def parse_once(self: OverridesParser, overrides: list[str]) -> list[Override]:
        for word in overrides:
            if word not in parsed:
                (parsed[word],) = parse(self, [word])
        found = [copy.copy(parsed[word]) for word in overrides]
        for each in found:
            each.config_loader = self.config_loader
        return found

    def mode_of_users(self: Hydra, config_name: str | None, overrides: list[str]) -> RunMode | None:
        # Hydra composes a whole config to find a mode, which no file of the project has.
        given = any(word.lstrip("+").startswith(("hydra=", "hydra.mode", "hydra.searchpath")) for word in overrides)
        users = has_files_of_users(self.config_loader.repository)
        return compose_mode(self, config_name, overrides) if given or users else None

    def share_repository(self: CachingConfigRepository, repository: IConfigRepository) -> None:
        self.delegate, self.cache = repository, {}  # of this command alone, so it needs no copy

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(config_loader_impl, "create_defaults_list", list_once)
        patched.setattr(ConfigLoaderImpl, "_compose_config_from_defaults_list", compose_once)
        patched.setattr(ConfigLoaderImpl, "_load_single_config", embed_once)
        patched.setattr(defaults_list, "_create_interpolation_map", map_if_needed)
        patched.setattr(ConfigLoaderImpl, "_process_config_searchpath", process_path_of_users)
        patched.setattr(OverridesParser, "parse_overrides", parse_once)
        patched.setattr(Hydra, "get_mode", mode_of_users)
        patched.setattr(CachingConfigRepository, "__init__", share_repository)
        patched.setattr(ConfigRepository, "load_config", load_once)
        yield


@pytest.fixture(autouse=True)
def without_installed_choices() -> Iterator[None]:
    """Forget the choices of packages that a test installed."""
    yield
    for group in ("network", "workload"):
        ConfigStore.instance().repo.pop(group, None)


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
