"""There is an experiment for every figure, and every one composes."""

from importlib import resources

import pytest

from isoplane.runs.cli.reproduce import PAPERS
from isoplane.runs.config import setup, strategies
from isoplane.runs.figures.shimizu.exchange_times import WITH_COMPUTING
from isoplane.search import Auto
from tests.runs.cli.conftest import composed_config as composed

CONF = resources.files("isoplane.conf")


def choices(group):
    """The choices of a config group."""
    return sorted(file.name.removesuffix(".yaml") for file in (CONF / group).iterdir() if file.name.endswith(".yaml"))


@pytest.mark.parametrize("paper", PAPERS)
def test_there_is_an_experiment_for_every_figure(paper):
    assert choices(f"experiment/{paper}") == sorted(PAPERS[paper])


@pytest.mark.parametrize("name", choices("experiment/hosomi"))
def test_every_experiment_composes(name):
    config = composed("reproduce", f"experiment=hosomi/{name}")
    assert config["figure"] == name
    assert set(config["sizes"]) <= set(range(2, 13))
    assert setup.limits_of(config).evaluations == 40_000_000
    assert strategies.strategy_of(config) == Auto()


@pytest.mark.parametrize("name", choices("experiment/takizawa"))
def test_every_experiment_of_circuits_composes(name):
    config = composed("reproduce", f"experiment=takizawa/{name}")
    assert (config["paper"], config["figure"]) == ("takizawa", name)
    assert (config["sizes"][-1], setup.limits_of(config).evaluations) == (64, 4000)


@pytest.mark.parametrize("name", choices("experiment/shimizu"))
def test_every_experiment_of_counts_and_exchanges_composes(name):
    config = composed("reproduce", f"experiment=shimizu/{name}")
    assert (config["paper"], config["figure"]) == ("shimizu", name)
    assert config["sizes"] == (list(range(2, 37)) if name == "fig7" else [8, 16, 32])
    assert (config["gflops"] is not None) == (name in WITH_COMPUTING)


@pytest.mark.parametrize("name", choices("experiment/shibamura"))
def test_every_experiment_of_simulations_composes(name):
    config = composed("reproduce", f"experiment=shibamura/{name}")
    assert (config["paper"], config["figure"]) == ("shibamura", name)
    assert (config["sizes"], config["replications"]) == ([4096], 5)
