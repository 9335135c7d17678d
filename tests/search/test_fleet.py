"""Fleets: threads, processes and Ray behave alike."""

import time
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from isoplane.fleet import Processes
from isoplane.models import Hybrid, InputError
from isoplane.models.workloads import sparse
from isoplane.objectives import CIRCUITS, CUBES, Lexicographic
from isoplane.objectives.scoring.function_objective import function_objective
from isoplane.search import Anneal, CircuitSpace, ConnectionSets, Limits, Threads, solve
from tests.cases import for_each
from tests.search.cases import OBJECTIVES, Run, search

SPACE, ASPL_AND_TRAFFIC = ConnectionSets(9), OBJECTIVES["aspl_and_traffic"]
CHAIN_EVALUATIONS = 1 << 15  # evaluations of a chain in a round: 2^24 / 2^9


@pytest.fixture(scope="module", autouse=True)
def goals(tmp_path_factory):
    """A function in a folder of this process's path, where workers must find it too."""
    folder = tmp_path_factory.mktemp("goals")
    text = "def wear(metrics):\n    return metrics['sum_of_distances'] * metrics['max_load'] ** 2\n"
    (folder / "goals_of_fleets.py").write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(folder)
        yield "goals_of_fleets:wear"


@pytest.fixture(scope="module")
def ray_fleet():
    pytest.importorskip("ray", reason="the extra isoplane[ray] is not installed")
    from isoplane.fleet.ray import RayFleet

    with RayFleet(2) as fleet:
        yield fleet


@pytest.fixture(scope="module")
def process_fleet():
    with Processes(2) as fleet:
        yield fleet


@pytest.fixture(params=["one thread", "two threads", "processes", "ray"])
def fleet(request):
    if request.param in ("processes", "ray"):
        return request.getfixturevalue("process_fleet" if request.param == "processes" else "ray_fleet")
    return Threads(1 if request.param == "one thread" else 2)


def wait_for_file(path):
    """Wait for a file."""
    while not Path(path).exists():
        time.sleep(0.02)
    return path


def reject(item):
    raise InputError(f"item={item}: expected none")


def test_a_function_as_the_objective_is_found_by_every_worker(fleet, goals):
    space = ConnectionSets(5)
    objective = function_objective(goals, CUBES, space.identical)
    found = list(solve(space, objective, Anneal(chains=2), Limits(evaluations=4000), seed=1, fleet=fleet))
    alone = list(solve(space, objective, Anneal(chains=2), Limits(evaluations=4000), seed=1))
    assert [solution.evaluation.score for solution in found] == [solution.evaluation.score for solution in alone]


def test_the_function_is_called_once_for_every_item(fleet):
    results = [result for result in fleet.map(abs, range(-20, 0)) if result]
    assert sorted(results) == [(index, 20 - index) for index in range(20)]
    assert list(fleet.map(abs, [])) == []


def test_an_error_in_a_call_is_raised_by_the_map(fleet):
    with pytest.raises(InputError, match=r"^item=3: expected none$"):
        list(fleet.map(reject, [3]))


def test_items_are_drawn_only_when_a_worker_is_free(fleet):
    drawn = []

    def items():
        for number in count():
            drawn.append(number)
            yield number

    calls = fleet.map(abs, items())
    results = [next(call for call in calls if call) for _ in range(3)]
    calls.close()
    assert all(index == value for index, value in results)
    assert len(drawn) <= 3 + fleet.workers


def test_a_fleet_yields_before_the_calls_of_several_workers_end(fleet, tmp_path):
    calls = fleet.map(wait_for_file, [str(tmp_path / "go")] * 2)
    assert next(calls) is None
    (tmp_path / "go").touch()
    assert sorted(index for index, _ in filter(None, calls)) == [0, 1]


def test_a_search_is_the_same_on_every_fleet(fleet):
    limits, run = Limits(evaluations=400_000), Run([], [], None)

    def watch(progress):
        run.progress.append(progress)

    run.solutions += solve(SPACE, ASPL_AND_TRAFFIC, Anneal(chains=3), limits, seed=5, fleet=fleet, watch=watch)
    expected = search(SPACE, ASPL_AND_TRAFFIC, Anneal(chains=3), limits, seed=5)
    assert run.outcome == expected.outcome
    # A round is repeated while no call has ended, also on one thread of a busy machine.
    steps, expected_steps = (dict.fromkeys((p.evaluations, p.score) for p in each.progress) for each in (run, expected))
    assert list(steps) == list(expected_steps)


@for_each(
    ("placement", "components"),
    [("free", ("completion", "bottleneck", "total")), ("by_switch", ("bottleneck", "total"))],
)
def test_circuits_are_the_same_on_every_fleet(fleet, placement, components):
    workload = sparse(8, 2, 1_000_000, seed=5)
    space = CircuitSpace(Hybrid(2, 4, up_gbps=10), workload, 2, placement)
    objective = Lexicographic(components[0], [(name,) for name in components], CIRCUITS, workload)
    strategy = Anneal(chains=3)

    def outcome(**fleet_option):
        return [
            (found.evaluation, found.design, found.evaluations, found.status)
            for found in solve(space, objective, strategy, Limits(evaluations=20_000), seed=5, **fleet_option)
        ]

    assert outcome(fleet=fleet) == outcome()


@dataclass
class RecordingFleet:
    """A fleet of one worker without a preferred call length, which records the rounds of each call."""

    workers: int = 1
    target_call_seconds: float = 1e9
    calls: list = field(default_factory=list)

    def map(self, function, items):
        for index, job in enumerate(items):
            *_, rounds = job
            self.calls.append(rounds)
            yield index, function(job)


def test_a_time_limit_loses_at_most_a_fifth_of_a_search_for_any_preferred_call_length():
    fleet, chains, rounds = RecordingFleet(), 2, 70
    limits = Limits(evaluations=chains * rounds * CHAIN_EVALUATIONS)
    for _ in solve(SPACE, ASPL_AND_TRAFFIC, Anneal(chains=chains), limits, seed=5, fleet=fleet):
        pass
    calls, rounds_done = fleet.calls[::chains], 0
    for call in calls:
        assert call == 1 or call <= rounds_done / 4  # calls in progress at the time limit are lost
        rounds_done += call
    assert rounds_done == rounds
    # Calls end at the exchanges after 8, 16, 32 and 64 rounds, and are at most four times as long as the last one.
    assert calls == [1] * 8 + [2, 2, 3, 1] + [4, 5, 6, 1] + [4, 9, 11, 8] + [6]


@for_each(
    ("address", "parts"),
    [
        ("host:6379", ("host", "6379")),
        ("ray://host:10001", ("host", "10001")),
        ("[::1]:6379", ("::1", "6379")),
        ("host", ("", "host")),
    ],
)
def test_an_address_has_a_host_and_a_port(address, parts):
    from isoplane.fleet.ray import _host_and_port

    assert _host_and_port(address) == parts
