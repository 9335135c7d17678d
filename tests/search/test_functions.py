"""Functions of exact metrics as objectives: found by name, in every strategy, and again by verify and resume."""

import sys

import pytest

from isoplane.models import Design, InputError, dual_cube, port_aggregate
from isoplane.objectives import CUBES, metrics_of
from isoplane.objectives.scoring.function_objective import function_objective
from isoplane.objectives.scoring.functions import function_named, imported_function, is_function
from isoplane.objectives.scoring.own_metrics import objective_values
from isoplane.objectives.scoring.worded_objective import limited, unmet_limits, worded_objective
from isoplane.runs.config.setup import objective_of
from isoplane.search import Anneal, ConnectionSets, Exact, Limits, Neighbourhood, Pareto, Portfolio, Temper, solve
from isoplane.search.cubes.all_bases import all_bases
from isoplane.search.cubes.basis_chains import _arguments, basis_chains
from tests.cases import for_each

MODULE = '''
"""Goals."""

def wear(metrics):
    return round(1000 * metrics["delay_ns"] ** 2 / metrics["max_traffic"]), metrics["sum_of_distances"]

def broken(metrics):
    return metrics["delay_ns"] / 7

def other(values, /):
    return 1

def load(values):
    return values["max_load"]

def pair(values, others):
    return 1

def misspelt(metrics):
    return metrics["dely_ns"]

def nothing(metrics):
    return ()

def drop(metrics):
    return round(10 * metrics["delay_ns"] * metrics["max_load"]) - 30000

def truth(metrics):
    return metrics["max_load"] > 3

def scaled(metrics):
    return tuple(round(1_000_000 * metrics[name]) for name in ("aspl", "delay_ns", "cost_usd_per_node"))

CALLS = []

def counted(metrics):
    CALLS.append(tuple(metrics.values()))
    return metrics["max_load"]
'''


@pytest.fixture
def goals(tmp_path, monkeypatch):
    (tmp_path / "goals_of_test.py").write_text(MODULE)
    (tmp_path / "damaged_of_test.py").write_text("def goal(metrics: return 1")
    (tmp_path / "needy_of_test.py").write_text("import absent_of_test\n\ndef goal(metrics): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield "goals_of_test:wear"
    imported_function.cache_clear()


def test_every_strategy_finds_the_least_value_of_a_function(goals):
    space = ConnectionSets(4)
    objective = function_objective(goals, CUBES, space.identical)
    assert objective.score_names == (goals, f"{goals}[1]")
    designs = [objective(space.design(basis)) for basis in all_bases(4)]
    least = min(round(1000 * found.metrics["delay_ns"] ** 2 / found.metrics["max_traffic"]) for found in designs)
    for strategy in (Exact(head_start=1 << 12), Anneal(chains=2), Temper(chains=2), Neighbourhood(), Portfolio()):
        *_, best = solve(space, objective, strategy, Limits(evaluations=30_000), seed=1, workers=2)
        assert best.evaluation.score == min(found.score for found in designs)
        assert best.evaluation.score[0] == least
        assert (best.status == "optimal") == (strategy.name == "exact")


def test_a_worker_without_the_module_names_it_and_not_the_state_that_it_got(goals, monkeypatch):
    space = ConnectionSets(4)
    setup = basis_chains(space, function_objective(goals, CUBES, space.identical), [Anneal()])
    state = setup.first(1, 0, None)
    imported_function.cache_clear()
    _arguments.cache_clear()  # as in another process
    monkeypatch.setattr("sys.path", [])
    monkeypatch.delitem(sys.modules, "goals_of_test")
    with pytest.raises(InputError, match=f"^function {goals}: no module goals_of_test; expected one in PYTHONPATH"):
        setup.searcher(0, state).run(10)


def test_a_function_under_a_limit_equals_brute_force(goals):
    space = ConnectionSets(3)
    objective = function_objective(goals, CUBES, space.identical)
    objective = limited(objective, "max_traffic <= 4", space.identical)
    *_, best = solve(space, objective, Exact(head_start=1 << 12), Limits(), seed=1)
    assert best.evaluation.score == min(objective.point(space.design(basis)) for basis in all_bases(3))
    assert best.evaluation.metrics["max_traffic"] <= 4


@for_each(
    ("objective", "limits"),
    [
        ("min aspl + 3*goals_of_test:load, then delay_ns", "max_traffic >= 3"),
        ("min delay_ns", "goals_of_test:load <= 3, aspl <= 2"),
        ("goals_of_test:wear", "goals_of_test:load >= 4"),
        ("goals_of_test:load", "goals_of_test:load >= 4"),
    ],
)
def test_functions_in_words_equal_brute_force(goals, objective, limits):
    space = ConnectionSets(3)
    make = function_objective if is_function(objective) else worded_objective
    stated = limited(make(objective, CUBES, space.identical), limits, space.identical)
    *_, best = solve(space, stated, Exact(head_start=1 << 10), Limits(), seed=1)
    scores = [stated.point(space.design(basis)) for basis in all_bases(3)]
    assert (best.status, best.evaluation.score) == ("optimal", min(scores))
    evaluated = CUBES.exact(best.design, stated.metrics)
    assert bool(unmet_limits(stated, evaluated, best.evaluation.metrics)) == (min(scores)[0] > 0)


@for_each("strategy", [Exact(head_start=1 << 10), Pareto(chains=2)])
def test_a_front_of_a_function_equals_brute_force(goals, strategy):
    space = ConnectionSets(3)
    front = {"name": "front", "metrics": ["cost_usd_per_node", "goals_of_test:drop"]}
    objective = objective_of(front, CUBES, network=space.identical)
    points = {objective.point(space.design(basis)) for basis in all_bases(3)}
    *_, last = solve(space, objective, strategy, Limits(evaluations=20_000), seed=1)
    assert {objective.point(design) for design in last.kept} == {
        point for point in points if not any(a <= point[0] and b <= point[1] for a, b in points - {point})
    }


@for_each(
    ("name", "message"),
    [
        ("goals_of_test:broken", "expected an integer, or a tuple of 1 to 3 integers, as from round"),
        ("goals_of_test:pair", r"pair\(values, others\) in .*goals_of_test.py; expected a function of one positional"),
        ("goals_of_test:misspelt", "no metric 'dely_ns' here; expected aspl, sum_of_distances, diameter, "),
        ("goals_of_test:nothing", r"returned \(\); expected an integer, or a tuple of 1 to 3 integers"),
        ("goals_of_test:truth", "returned (False|True); expected an integer, or a tuple"),
        ("damaged_of_test:goal", r"damaged_of_test.py, line 1: .*; expected Python"),
        ("needy_of_test:goal", r"No module named 'absent_of_test' \(.*line 1\); expected no error"),
        (
            "goals_of_test:none",
            r"no none in .*goals_of_test.py; expected a function of one positional parameter, as def",
        ),
        (
            "shutil:rmtree",
            "shutil is a module of Python itself; expected one of another name",
        ),
        ("no_such_module.at.all:wear", "no module no_such_module.at.all; expected one in PYTHONPATH"),
    ],
)
def test_functions_that_are_none_are_refused(goals, name, message):
    space = ConnectionSets(3)
    with pytest.raises(InputError, match=f"^function {name}: .*{message}") as caught:
        function_objective(name, CUBES, space.identical)
    assert caught.type is InputError  # the name that notebooks show is that of docs
    with pytest.raises(InputError, match=f"^function {name}: "):  # and not objective=, which is not to blame
        limited(worded_objective("min aspl", CUBES, space.identical), f"{name} <= 3", space.identical)


def test_a_function_with_a_limit_is_called_once_for_each_combination_of_metrics(goals):
    space = ConnectionSets(4)
    objective = function_objective("goals_of_test:counted", CUBES, space.identical)
    objective = limited(objective, "max_traffic >= 4", space.identical)
    list(solve(space, objective, Anneal(chains=2), Limits(evaluations=20_000), seed=1, workers=1))
    calls = sys.modules["goals_of_test"].CALLS
    assert 100 < len(set(calls)) <= len(calls) < len(set(calls)) + 10  # some more before the search, and for solutions


def test_a_module_without_the_function_is_not_imported(tmp_path, monkeypatch):
    (tmp_path / "canary_of_test.py").write_text("raise SystemExit\n\ndef score(values): ...\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InputError, match="expected a function of one positional"):
        function_named("canary_of_test:absent")


def test_the_parameter_of_a_function_may_have_any_name(goals):
    objective = function_objective("goals_of_test:other", CUBES, ConnectionSets(3).identical)
    assert objective.point(ConnectionSets(3).baseline) == (1,)


@for_each("folded", [False, True])
def test_the_value_of_another_network_is_that_of_its_own_metrics(goals, folded):
    network = dual_cube(4, (3, 5, 9, 14), folded=folded)
    other = Design(port_aggregate(network))
    values = objective_values(function_objective("goals_of_test:scaled", CUBES, network), other)
    shown = metrics_of(other)
    scaled = [round(1_000_000 * shown[name]) for name in ("aspl", "delay_ns", "cost_usd_per_node")]
    assert list(values.values()) == scaled


def test_limits_behind_an_objective_are_told_their_option():
    with pytest.raises(InputError, match="expected objective='min aspl' subject_to='max_load <= 4'"):
        objective_of({"name": "min aspl subject to max_load <= 4"}, network=dual_cube(3, (3, 5, 7)))
