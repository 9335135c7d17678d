"""A single run composes its config once; where the config may set `hydra.mode`, Hydra finds out."""

import pytest
from hydra._internal.hydra import Hydra

from tests.cases import for_each

PLANES = "network.generators=[3,5,7],[7,5,3]"  # two values: a sweep of two jobs, or an error in a single run


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


@for_each("word", ["hydra.mode=MULTIRUN", "++hydra.mode=MULTIRUN", "hydra={mode:MULTIRUN}"])
def test_an_override_of_the_mode_makes_a_sweep(isoplane, word):
    result = isoplane("evaluate", "network.n=3", PLANES, word)
    assert (result.code, result.out.count("hypercube n=3")) == (0, 2)


@pytest.mark.parametrize("words", [("--config-dir", "own"), ("hydra.searchpath=[file://own]",)])
def test_a_config_of_the_user_may_set_the_mode(isoplane, tmp_path, words):
    (tmp_path / "own" / "network").mkdir(parents=True)
    own = "# @package _global_\ndefaults: [/network/hypercube@network]\nhydra: {mode: MULTIRUN}\n"
    (tmp_path / "own" / "network" / "swept.yaml").write_text(own, encoding="utf-8")
    words = [word.replace("own", str(tmp_path / "own")) for word in words]
    result = isoplane("evaluate", *words, "network=swept", "network.n=3", PLANES)
    assert (result.code, result.out.count("hypercube n=3")) == (0, 2), result.err
