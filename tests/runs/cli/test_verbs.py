"""Evaluate, verify and best; help for all verbs; the start of the program and what it imports, composes and reads."""

import importlib
import inspect
import json
import subprocess
import sys
from functools import cached_property
from importlib.metadata import version
from pathlib import Path

import pytest
from hydra._internal.hydra import Hydra

from isoplane.models import Network
from isoplane.runs import config
from isoplane.runs.cli.main import VERBS
from isoplane.runs.config.config_values import Config
from isoplane.runs.records import files as files_of_records
from tests.cases import for_each

from .conftest import PROGRAM, files

RELABELLED = ("network=relabelled", "network@network.plane=torus")


def test_the_installed_program_ends_with_the_codes_of_its_verbs(tmp_path, record):
    def code(*words):
        return subprocess.run([PROGRAM, *words], cwd=tmp_path, capture_output=True, check=False).returncode

    assert [code("verify", f"record={record}"), code("find")] == [0, 2]
    assert files(tmp_path) == []


@for_each("verb", ["search", "compare", "evaluate"])
@for_each("flags", [(), ("-m",), ("--config-dir", ".")])
def test_an_unexpected_error_is_raised_as_it_is_in_and_outside_a_sweep(isoplane, monkeypatch, verb, flags):
    def fail(_):
        raise RuntimeError("boom")

    monkeypatch.setattr(importlib.import_module(f"isoplane.runs.cli.{verb}"), "run", fail)
    with pytest.raises(RuntimeError, match="^boom$"):
        isoplane(verb, *flags)


@for_each("words", [(), ("--help",), ("-h",), ("help",)])
def test_the_usage_names_every_verb(isoplane, words):
    result = isoplane(*words)
    assert result.code == (0 if words else 2)
    assert all(f"  {verb} " in result.out for verb in VERBS)


@for_each(
    "words",
    [
        ("evaluate", "record=best.json"),
        ("verify", "record=best.json"),
        ("report", "record=best.json"),
        ("export", "record=best.json", "format=[opensm,cabling,json]"),
        ("simulate", "record=best.json", "loads=[0.2]", "saturation=false", "measurement=rough"),
        ("evaluate", "network=torus"),
        ("simulate", "network=torus", "network.shape=[3,3]", "loads=[0.2]", "saturation=false", "measurement=rough"),
        ("search", "network.n=3", "strategy=exact"),
    ],
)
def test_a_record_is_read_once_and_its_planes_are_built_once(isoplane, tmp_path, record, monkeypatch, words):
    (tmp_path / "best.json").write_bytes(record.read_bytes())
    read, built = [], []
    read_input, cabling = files_of_records.read_input, Network.__dict__["_planes_of_family"].func
    counted = cached_property(lambda network: built.append(network) or cabling(network))
    counted.__set_name__(Network, "_planes_of_family")
    with monkeypatch.context() as patch:
        patch.setattr(files_of_records, "read_input", lambda path, *rest: read.append(path) or read_input(path, *rest))
        patch.setattr(Network, "_planes_of_family", counted)
        assert isoplane(*words).code == 0
    assert [str(path) for path in read if path == Path("best.json")] == ["best.json"] * ("record=best.json" in words)
    assert len(built) == len(set(built))


def test_the_run_of_every_verb_is_within_seven_frames_of_our_own_code(isoplane, monkeypatch):
    depths = {}
    for verb in VERBS:
        module = importlib.import_module(f"isoplane.runs.cli.{verb.replace('-', '_')}")
        folder = str(Path(module.__file__).parents[1])

        def run(_, verb=verb, folder=folder):
            frames = inspect.getouterframes(inspect.currentframe())
            depths[verb] = 1 + sum(frame.filename.startswith(folder) for frame in frames)
            return 0

        monkeypatch.setattr(module, "run", run)
        isoplane(verb)
    assert set(depths) == set(VERBS)
    assert max(depths.values()) <= 7, depths


PLANES = "network.generators=[3,5,7],[7,5,3]"  # two values: a sweep of two jobs, or an error in a single run

CONFIG_FOLDER = str(Path(config.__file__).resolve().parent)


@for_each("words", [("-V",), ("search", "network.n=3", "--version")])
def test_the_version_is_one_line_of_standard_output(isoplane, words):
    result = isoplane(*words)
    assert (result.code, result.out, result.err) == (0, f"isoplane {version('isoplane')}\n", "")


@pytest.mark.parametrize(
    ("verb", "slow"),
    [
        ("best", {"igraph", "matplotlib", "numpy", "ortools", "ray"}),
        ("evaluate", {"igraph", "isoplane.models.family_kinds.routed", "matplotlib", "ortools", "pandas", "ray"}),
    ],
)
def test_verbs_that_read_records_run_without_libraries_that_are_slow_to_import(verb, slow):
    command = f"import sys; from isoplane.runs.cli.main import main; main(['{verb}']); print({slow} & set(sys.modules))"
    result = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert result.stdout.splitlines()[-1] == "set()"


@pytest.fixture
def compositions(monkeypatch):
    """The config names of all compositions so far."""
    names, compose = [], Hydra.compose_config

    def counted(self, config_name, *words, **options):
        names.append(config_name)
        return compose(self, config_name, *words, **options)

    monkeypatch.setattr(Hydra, "compose_config", counted)
    return names


def test_a_single_run_composes_its_config_once(isoplane, compositions):
    assert isoplane("evaluate", "network.n=3", "network.generators=[3,5,7]").code == 0
    assert compositions == ["evaluate"]


@for_each("word", ["++hydra.mode=MULTIRUN", "hydra={mode:MULTIRUN}"])
def test_an_override_of_the_mode_makes_a_sweep(isoplane, word):
    result = isoplane("evaluate", "network.n=3", PLANES, word)
    assert (result.code, result.out.count("hypercube n=3")) == (0, 2)


@for_each("words", [("--config-dir", "own"), ("hydra.searchpath=[file://own]",)])
def test_a_config_of_the_user_may_set_the_mode(isoplane, tmp_path, words):
    (tmp_path / "own" / "network").mkdir(parents=True, exist_ok=True)
    own = "# @package _global_\ndefaults: [/network/hypercube@network]\nhydra: {mode: MULTIRUN}\n"
    (tmp_path / "own" / "network" / "swept.yaml").write_text(own, encoding="utf-8")
    words = [word.replace("own", str(tmp_path / "own")) for word in words]
    result = isoplane("evaluate", *words, "network=swept", "network.n=3", PLANES)
    assert (result.code, result.out.count("hypercube n=3")) == (0, 2), result.err


@pytest.mark.parametrize(
    "words",
    [
        ("network.n=3", "stop.evaluations=2000"),
        (
            *("network=hybrid", "network.groups=2", "network.nodes_per_group=2", "objective=bottleneck"),
            *("workload=all_to_all", "workload.processes=4", "stop.evaluations=50"),
        ),
    ],
    ids=["cubes", "hybrid"],
)
def test_nothing_reads_the_config_after_the_setup(isoplane, words):
    calls, setups = [], []

    def watch(frame, event, _):
        if event == "return" and frame.f_code is Config.require_effects.__code__:
            setups.append(True)
        elif event == "call" and setups and frame.f_code.co_filename.startswith(CONFIG_FOLDER):
            calls.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_name}")

    sys.setprofile(watch)
    try:
        result = isoplane("search", *words, "hydra.run.dir=run")
    finally:
        sys.setprofile(None)
    assert result.code == 0
    assert setups
    assert calls == []


@for_each(
    ("words", "step"),
    [
        (("network=free_graph", "network.switches=16", "network.degree=4"), 2),
        ((*RELABELLED, "network.plane.shape=[7]", "network.plane.node_cable_m=2"), 2),
        (("network=hypercube", "network.n=4", "objective=aspl", "strategy=anneal"), 1),
    ],
)
def test_a_bound_above_the_formula_is_an_error_of_one_line_that_names_both(ended_search, isoplane, words, step):
    assert ended_search(*words, "layout=none", "stop.evaluations=1", "stop.seconds=null").code == 0
    (path,) = Path("run", "records").glob("*.json")
    found = isoplane("verify", f"record={path}")
    agrees = f"{path}: every number agrees with the reference"
    assert (found.code, found.out.splitlines()) == (0, [agrees, "bound: recomputed by formula"])
    record = json.loads(path.read_text(encoding="utf-8"))
    (bound,) = record["bound"]
    assert bound + step <= record["score"][0]
    path.write_text(json.dumps(record | {"bound": [bound + step]}), encoding="utf-8")
    found = isoplane("verify", f"record={path}")
    line = f'bound[0]: recorded {bound + step}, recomputed "at most {bound}, the bound by formula"'
    assert (found.code, found.out.splitlines()) == (5, [line, f"{path}: 1 number differs"])
    # Programs get the differences alone on standard output.
    assert json.loads(isoplane("verify", f"record={path}", "format=json").out)[0]["recorded"] == bound + step
