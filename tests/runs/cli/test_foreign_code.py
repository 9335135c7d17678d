"""No file can make the program import or call what the file names; the command line can."""

import sys

import pytest
import yaml

from tests.cases import for_each

from .conftest import files
from .test_resume import bytes_of

RUN = ("network.n=4", "strategy=anneal", "seed=3", "stop.evaluations=1000")
CANARY = """
from pathlib import Path
from isoplane.search import Anneal

Path("imported").touch()

def sing(*_, **__):
    Path("called").touch()

class Mine(Anneal):
    pass
"""


@pytest.fixture
def canary(tmp_path, monkeypatch):
    """A module that leaves a file behind when it is imported, and another one when it is called."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "canary.py").write_text(CANARY, encoding="utf-8")
    monkeypatch.syspath_prepend(str(folder))
    yield
    sys.modules.pop("canary", None)


def alter_strategy(run, **strategy):
    """Rewrite the strategy in the config of a run."""
    path = run / "config.yaml"
    config = yaml.safe_load(path.read_text())
    config["strategy"] |= strategy
    path.write_text(yaml.safe_dump(config), encoding="utf-8")


@for_each(
    ("strategy", "message"),
    [
        ({"_target_": "canary.sing"}, "resume=run: strategy._target_='canary.sing': named in a file; expected"),
        ({"_target_": "os.system", "command": "touch called"}, "strategy._target_='os.system'"),
        ({"_target_": "isoplane.search.strategies.anneal.canary.sing"}, "strategy._target_='isoplane.search.strat"),
        ({"_target_": ["canary.sing"]}, "strategy._target_=['canary.sing']"),
        ({"chains": {"_target_": "canary.sing"}}, "strategy.chains={'_target_': 'canary.sing'}: expected an integer"),
        ({"_target_": "isoplane.search.Portfolio", "coolest": {"_target_": "canary"}}, "strategy.coolest: unknown"),
        ({"_args_": [{"_target_": "canary.sing"}]}, "strategy._args_: unknown; expected chains"),
        ({"chains": "${oc.env:HOME}"}, "strategy.chains='${oc.env:HOME}': expected an integer"),
    ],
)
def test_what_a_saved_config_names_is_neither_imported_nor_called(
    isoplane, ended_search, tmp_path, canary, strategy, message
):
    ended_search(*RUN)
    alter_strategy(tmp_path / "run", **strategy)
    before = files(tmp_path)
    result = isoplane("search", "resume=run", "stop.evaluations=2000")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert message in result.err
    assert "canary" not in sys.modules
    assert files(tmp_path) == before


@for_each("name", ["network", "objective", "stop"])
def test_no_other_group_of_a_saved_config_is_instantiated_either(isoplane, ended_search, tmp_path, canary, name):
    ended_search(*RUN)
    path = tmp_path / "run" / "config.yaml"
    config = yaml.safe_load(path.read_text())
    config[name]["_target_"] = "canary.sing"
    path.write_text(yaml.safe_dump(config), encoding="utf-8")
    result = isoplane("search", "resume=run", "stop.evaluations=2000")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "_target_" in result.err
    assert "canary" not in sys.modules


@for_each("tag", ["!!python/object/apply:canary.sing []", "!mine 3"])
def test_a_tag_in_a_saved_config_is_reported(isoplane, ended_search, tmp_path, canary, tag):
    ended_search(*RUN)
    path = tmp_path / "run" / "config.yaml"
    path.write_text(path.read_text().replace("seed: 3", f"seed: {tag}"), encoding="utf-8")
    result = isoplane("search", "resume=run", "stop.evaluations=2000")
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "resume=run: config.yaml is damaged (run/config.yaml, line " in result.err
    assert "tag " in result.err
    assert "canary" not in sys.modules


def test_a_user_defined_strategy_resumes_if_given_again(isoplane, tmp_path, no_drawing, canary):
    (tmp_path / "mine" / "strategy").mkdir(parents=True)
    (tmp_path / "mine" / "strategy" / "own.yaml").write_text("_target_: canary.Mine\nchains: 4\n", encoding="utf-8")
    user_strategy = ("strategy=own", "--config-dir", "mine")
    words = ("search", "network.n=6", "seed=3", *user_strategy)
    assert isoplane(*words, "stop.evaluations=100000", "hydra.run.dir=run").code == 0
    assert isoplane(*words, "stop.evaluations=200000", "hydra.run.dir=uninterrupted").code == 0
    result = isoplane("search", "resume=run", "stop.evaluations=200000")
    assert result.code == 2
    assert "or strategy=NAME given again for a user-defined one" in result.err
    assert isoplane("search", "resume=run", "stop.evaluations=200000", *user_strategy).code == 0
    assert bytes_of(tmp_path / "run") == bytes_of(tmp_path / "uninterrupted")
    result = isoplane("search", "resume=run", "stop.evaluations=300000", *user_strategy, "strategy.chains=5")
    assert result.code == 2
    assert "strategy._target_='canary.Mine'" in result.err


def test_the_same_strategy_may_be_stated_again_but_no_other(isoplane, ended_search, no_drawing):
    ended_search(*RUN)
    assert isoplane("search", "resume=run", "strategy=anneal", "stop.evaluations=2000").code == 0
    result = isoplane("search", "resume=run", "strategy=temper")
    assert result.code == 2
    assert "strategy=temper: fixed by the run; expected" in result.err
