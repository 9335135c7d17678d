"""Functions of exact metrics as objectives of networks of switches: found by every method, and resumed."""

from itertools import permutations

import pytest

from isoplane.models import InputError
from isoplane.models.families.relabelled import Relabelled
from isoplane.objectives import SWITCHES
from isoplane.objectives.scoring.function_objective import function_objective
from isoplane.objectives.scoring.functions import imported_function
from isoplane.objectives.scoring.worded_objective import limited
from isoplane.search import Anneal, Limits, Portfolio, solve
from isoplane.search.planes.space import Relabellings
from tests.cases import for_each

from .pages import Pages
from .test_planes import cube, torus

MODULE = """
def worst(metrics):
    return round(1000 * metrics["aspl"] * metrics["peak_load"]) - 100_000, metrics["total_hops"]

def fragile(metrics):
    if metrics["diameter"] < 2:
        raise ValueError("too short")
    return metrics["total_hops"]

def far(metrics):
    return metrics["diameter"] ** 2
"""


@pytest.fixture(autouse=True)
def goals(tmp_path, monkeypatch):
    (tmp_path / "goals_of_networks.py").write_text(MODULE)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    imported_function.cache_clear()


def stated(name, space, limits=None):
    network = space.baseline.network
    objective = function_objective(f"goals_of_networks:{name}", SWITCHES, network)
    return limited(objective, limits, network) if limits else objective


@for_each("limits", [None, "diameter >= 2", "goals_of_networks:far <= 1"])
def test_relabelled_planes_of_the_least_value_of_a_function_are_found(limits):
    space = Relabellings(Relabelled(plane=torus(5)))
    objective = stated("worst", space, limits)
    least = min(objective.point(space.design((0, *rest))) for rest in permutations(range(1, 5)))
    *_, last = solve(space, objective, Anneal(chains=2), Limits(evaluations=500), seed=1)
    assert last.evaluation.score == least


SPACES = {"torus": Relabellings(Relabelled(plane=torus(3, 3))), "cube": Relabellings(Relabelled(plane=cube(3)))}
METHODS = [("torus", Anneal(chains=2)), ("cube", Anneal(chains=2, structured=True)), ("cube", Portfolio(chains=2))]


@for_each(("name", "strategy"), METHODS)
def test_functions_search_on_after_an_interruption_as_without_one_whatever_the_workers(name, strategy):
    space = SPACES[name]
    objective, start = stated("worst", space), {"warm_start": space.baseline}
    *_, whole = solve(space, objective, strategy, Limits(evaluations=600), seed=1, workers=2, **start)
    pages = Pages()
    list(solve(space, objective, strategy, Limits(evaluations=250), seed=1, checkpoint=pages, **start))
    *_, resumed = solve(space, objective, strategy, Limits(evaluations=600), seed=1, checkpoint=pages, **start)
    assert (resumed.design, resumed.evaluations) == (whole.design, whole.evaluations)
    assert whole.evaluation.score < objective.point(space.baseline)


def test_a_function_that_fails_during_a_search_says_why():
    space = Relabellings(Relabelled(plane=torus(5)))
    with pytest.raises(InputError, match=r"^function goals_of_networks:fragile: ValueError: too short"):
        list(solve(space, stated("fragile", space), Anneal(chains=2), Limits(evaluations=500), seed=1))
