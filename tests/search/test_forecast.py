"""The run through the units of an exact search, and estimates of its remaining computation."""

from statistics import fmean, stdev
from threading import Event

import pytest

from isoplane.models import Site
from isoplane.search import ConnectionSets, Exact, Limits, Threads
from isoplane.search.core.forecast import ENOUGH_UNITS, Forecast, Pace
from isoplane.search.core.strategy import Task
from isoplane.search.cubes.exact_run import ExactRun
from isoplane.search.cubes.exact_search import probe_plan
from isoplane.search.cubes.exact_units import ExactPlan, search_chunk, search_of
from tests.search.cases import OBJECTIVES, search


def test_random_paths_estimate_the_number_of_sets_of_a_proof():
    space = ConnectionSets(8, site=Site(layout=None))
    optimum = (7, 11, 28, 44, 112, 176, 193, 194)
    plan = ExactPlan(space, OBJECTIVES["max_traffic"], False, (optimum,))
    visited = sum(search_chunk((plan, 0, search_of(plan).units)).counts["sets"])
    sets = [sets for _, sets in search_of(plan).probe(1, 2048)]
    error = stdev(sets) / len(sets) ** 0.5
    assert error < 0.2 * visited
    assert abs(fmean(sets) - visited) < 3 * error


def test_a_probe_without_units_gives_no_estimate():
    space = ConnectionSets(4, site=Site(layout=None))
    (optimum,) = search(space, OBJECTIVES["aspl"], Exact(head_start=4096)).progress[-1].counts["incumbents"]
    plan = ExactPlan(space, OBJECTIVES["aspl"], False, (tuple(optimum),))
    assert (search_of(plan).units == 0) == (probe_plan((plan, 1)) is None)


def test_completed_units_estimate_the_remaining_ones():
    # 300 calls of 2 units each, of 1 or 3 s in turn: 1 s per unit, with a deviation of 1 s per call.
    pace = Pace()
    for index in range(300):
        pace.add(2, 1.0 + 2 * (index % 2))
    forecast = pace.left(1200)
    assert forecast.core_seconds == pytest.approx(1200)
    # Twice 1200 · sqrt(300 · 1 · 300 / 299) / 600, and sqrt(1 + 600 / 1200) for the remaining units.
    assert forecast.spread == pytest.approx(2 * 1200 * (300 * 300 / 299) ** 0.5 / 600 * 1.5**0.5)
    assert pace.left(0) == Forecast(0.0, 0.0)


def test_too_few_units_give_no_estimate():
    pace = Pace()
    for _ in range(ENOUGH_UNITS - 1):
        pace.add(1, 1.0)
    assert pace.left(10) is None
    pace.add(1, 1.0)
    assert pace.left(10) == Forecast(10.0, 0.0)


def test_a_forecast_is_printed_in_core_hours():
    assert Forecast(1_800_000.0, 720_000.0).text == "about 500 core-hours left (300 to 700)"
    assert Forecast(17_388_000.0, 8_719_200.0).text == "about 4800 core-hours left (2400 to 7300)"  # 4830, 2408, 7252
    assert Forecast(360.0, 720.0).text == "about 0.1 core-hours left (0 to 0.3)"
    assert Forecast(20.0, 10.0).text == "less than 0.01 core-hours left"  # at most 30 s of 36 s
    assert Forecast(3600.0, 0.0).part(0.25) == Forecast(900.0, 0.0)


def test_a_search_estimates_its_proof_early():
    # For n = 9 a round of chains has 8 x 32768 evaluations, the default head start 64 rounds; the estimate needs eight.
    run = search(ConnectionSets(9), OBJECTIVES["aspl_and_traffic"], Exact(), Limits(evaluations=9 * 8 * 32768))
    last = run.progress[-1]
    assert last.searched == 0
    hours, low, high = last.left.core_hours
    assert 0 <= low < hours < high


HANG_S = 60  # a run that waits for its call before cancelling would hang


def test_closing_a_run_cancels_its_call_before_waiting_for_it(monkeypatch):
    cancelled, started, was_cancelled = Event(), Event(), []

    class Search:
        def cancel(self):
            cancelled.set()

    def search_until_cancelled(chunk):
        started.set()
        was_cancelled.append(cancelled.wait(HANG_S))

    monkeypatch.setattr("isoplane.search.cubes.exact_run.search_chunk", search_until_cancelled)
    space, aspl = ConnectionSets(7, site=Site(layout=None)), OBJECTIVES["aspl"]
    run = ExactRun(ExactPlan(space, aspl, True, ()), Task(space, aspl, 1, fleet=Threads(1)))
    run._search = Search()
    rounds = run.run_until(run.units, 0)
    while not started.is_set():
        next(rounds)
    rounds.close()
    assert was_cancelled == [True]


def test_closing_a_search_cancels_its_estimate_before_waiting_for_it(monkeypatch):
    cancelled, started, was_cancelled = Event(), Event(), []

    class Search:
        def cancel(self):
            cancelled.set()

    class Searches:
        def __call__(self, plan):
            return Search()

        def cache_clear(self):
            pass

    def probe_until_cancelled(probe):
        started.set()
        was_cancelled.append(cancelled.wait(HANG_S))

    monkeypatch.setattr("isoplane.search.cubes.exact_search.probe_plan", probe_until_cancelled)
    monkeypatch.setattr("isoplane.search.cubes.exact_search.search_of", Searches())
    space, aspl = ConnectionSets(8, site=Site(layout=None)), OBJECTIVES["aspl"]
    rounds = Exact(head_start=4096).rounds(Task(space, aspl, 1, fleet=Threads(1)))
    while not started.is_set():
        next(rounds)
    rounds.close()
    assert was_cancelled == [True]
